"""What a ruleset of the UNO family means to its rounds."""

from typing import Final

from referee.rules.cards import RANK_OF, SKIP, WILD_DRAW_FOUR, uno_points
from referee.rules.facts import Facts
from referee.rules.options import Rules
from referee.rules.uno.codes import COLOR_MASK, DRAW_TWOS, EVERYTHING, W4_BIT, WILDS
from referee.rules.uno.tables import AFTER, AFTER_BY_MASK, FOLLOW, NO_FOLLOW

# Which cards beside a Wild Draw Four that could be played make it a bluff. OFFICIAL_COLOR asks for the colour in force
# alone (O1: matching numbers and symbols are allowed); ANY_MATCH is 003 L22, ANY_PLAYABLE 002 L39.
FORBIDDING: Final[dict[str, int]] = {
    "OFFICIAL_COLOR": 0,
    "ANY_MATCH": EVERYTHING & ~WILDS,
    "ANY_PLAYABLE": EVERYTHING & ~W4_BIT,
    "FREE": 0,
}

# The faces that may be played in pairs (002 L75); never wilds.
DOUBLES: Final[dict[str, int]] = {
    "OFF": 0,
    "NUMBERS": sum(1 << card for card in range(1, 77) if RANK_OF[card] < SKIP),
    "IDENTICAL_ANY": sum(COLOR_MASK),
}

# What may answer a Draw Two, and a Wild Draw Four (002 L99-113: like on like; 001: the Draw Two alone).
STACKS: Final[dict[str, tuple[int, int]]] = {
    "OFF": (0, 0),
    "SAME": (DRAW_TWOS, W4_BIT),
    "DRAW_TWO_ONLY": (DRAW_TWOS, 0),
}


class UnoFacts(Facts):
    """The options that UNO, Spin and Duo share."""

    __slots__ = (
        "after",
        "anyone",
        "by_color",
        "doubles",
        "draw_limit",
        "draws_until",
        "final_draw",
        "flips",
        "follow",
        "forbidding",
        "guilty_extra",
        "innocent_extra",
        "must_play",
        "reject",
        "reverse_skips",
        "right_of_dealer",
        "skips",
        "stack_draw_four",
        "stack_draw_two",
        "stacks",
        "start_stacking",
        "voluntary",
        "wild_chooses",
    )

    def __init__(self, rules: Rules, deck: bytes) -> None:
        super().__init__(rules, deck, uno_points(*rules.numbers("points")))
        rule = rules.word("wd4_rule")
        self.by_color = rule == "OFFICIAL_COLOR"
        self.forbidding = FORBIDDING[rule]
        self.reject = rules.word("wd4_enforcement") == "REJECT"
        self.guilty_extra = rules.number("challenge_guilty_extra")
        self.innocent_extra = rules.number("challenge_innocent_extra")
        self.stack_draw_two, self.stack_draw_four = STACKS[rules.word("stacking")]
        self.stacks = bool(self.stack_draw_two)
        self.start_stacking = rules.flag("start_stacking")
        self.reverse_skips = rules.word("two_player_reverse") == "SKIP"
        self.final_draw = rules.flag("final_draw_counts")
        # Options that Duo does not have, at what it plays by.
        options = rules.options
        self.anyone = options.get("wd4_challengers") == "ANYONE"
        self.doubles = DOUBLES[str(options.get("double_play", "OFF"))]
        self.voluntary = options.get("voluntary_draw", True) is True
        self.must_play = options.get("must_play_drawn", False) is True
        self.skips = options.get("draw_penalty_skips_turn", True) is True
        self.flips = options.get("start_mode", "FLIP") == "FLIP"
        self.wild_chooses = options.get("start_wild", "CHOOSE_COLOR") == "CHOOSE_COLOR"
        self.right_of_dealer = options.get("start_reverse", "DEALER_FIRST") == "RIGHT_OF_DEALER"
        # Options of a turn by table, unless pairs or forbidden draws make them depend on more than the faces held, or
        # there are faces that the tables do not know: Spin's swirled cards.
        by_table = self.voluntary and not self.doubles and max(deck) <= WILD_DRAW_FOUR
        self.follow = FOLLOW if by_table else NO_FOLLOW
        self.after = AFTER if by_table else AFTER_BY_MASK
        until = options.get("draw_until_max", 0)
        self.draws_until = bool(until)
        self.draw_limit = until if isinstance(until, int) and until else 1

    def honest(self, mask: int, color: int, ok: int) -> bool:
        """True if `wd4_rule` allows a Wild Draw Four to a hand of these faces.

        Args:
            mask: the faces held beside it; it may be among them.
            color: the colour in force.
            ok: the faces that could be played.
        """
        if self.by_color:
            return not mask & COLOR_MASK[color]
        return not mask & ok & self.forbidding
