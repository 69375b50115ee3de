"""What a ruleset of DOS means to its rounds."""

from referee.rules.cards import dos_deck, dos_points
from referee.rules.facts import Facts
from referee.rules.options import Rules


class DosFacts(Facts):
    """The options of DOS, read once."""

    __slots__ = (
        "at_once",
        "color_draw",
        "ever_two",
        "final_singles",
        "mandatory",
        "one_per_match",
        "row_min",
        "winner_deals",
    )

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, dos_deck(), dos_points(*rules.numbers("wild_points")))
        self.row_min = rules.number("row_min")
        self.winner_deals = rules.word("next_dealer") == "WINNER"
        # Only a window catches a seat off its turn: with AUTO just the seat whose turn ends is fined (D 35).
        self.ever_two = rules.word("call_scope") == "EVER_TWO" and self.calls and not self.auto
        self.at_once = rules.word("off_turn_penalty") == "AT_ONCE"
        self.color_draw = rules.number("double_color_draw")
        self.mandatory = rules.flag("bonus_mandatory")
        self.one_per_match = rules.word("refill") == "ONE_PER_MATCH"
        self.final_singles = rules.word("final_draw") == "ANY_COLOR"
