"""What a ruleset means to its rounds: options read once, instead of looked up at every act."""

from referee.rules.options import Rules


class Facts:
    """The options that all games have, the deck, and what cards count."""

    __slots__ = (
        "auto",
        "calls",
        "counted",
        "deck",
        "hand_size",
        "late",
        "limit",
        "low",
        "pays",
        "penalty",
        "points",
        "team_of",
    )

    def __init__(self, rules: Rules, deck: bytes, points: tuple[int, ...]) -> None:
        self.deck = deck  # in canonical order
        self.points = points  # by card
        self.team_of = rules.team_of
        self.hand_size = rules.number("hand_size")
        self.limit = rules.number("max_turns_per_round")
        mode = rules.word("call_mode")
        self.calls = mode != "OFF"
        self.auto = mode == "AUTO"
        self.pays = mode == "WINDOW_PAYS"
        self.penalty = rules.number("call_penalty")
        self.late = rules.flag("late_call")
        scoring = rules.options.get("scoring")
        self.low = scoring == "POINTS_LOW"  # the lowest total wins the game
        self.counted = scoring == "CARD_COUNT"
