"""What a format is: one ladder, and all that decides who plays what on it."""

from dataclasses import dataclass
from typing import Final

from referee.clock import ClockRule
from referee.rules.options import Rules

NORMAL: Final = ClockRule()
FAST: Final = ClockRule(decision_ms=500, bank_ms=2_000)
DEALS: Final = ("fresh", "mirrored", "field")
ROUND_ORDER: Final = "round_order"
GAME_ORDER: Final = "game_order"


@dataclass(frozen=True, slots=True)
class Format:
    """One ladder.

    Attributes:
        name: of a built-in format by their grammar, else as its organiser calls it.
        rules: ruleset with all options and seats.
        clock: time control.
        deals: `fresh`, `mirrored` or `field`.
        outcome: what is rated: `round_order` (one round a game) or `game_order`.
    """

    name: str
    rules: Rules
    clock: ClockRule
    deals: str
    outcome: str

    @property
    def seats(self) -> int:
        """Seats at the table."""
        return self.rules.seats


def outcome_of(rules: Rules) -> str:
    """Return what games of these rules are rated by: one round, or all rounds of a longer game."""
    longer = rules.number("target_score") or rules.number("rounds") > 1
    return GAME_ORDER if longer else ROUND_ORDER
