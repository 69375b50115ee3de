"""Formats: what a ladder or tournament plays. A name is a ruleset, seats, clock and what shares cards.

`<rules>[-<target>][-<seats>][-fast][-mirrored|-field]`, for example `uno-classic-2` or `dos-200-2`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from referee.clock import ClockRule
from referee.rules.games import resolve
from referee.rules.options import Rules

NORMAL: Final = ClockRule()
FAST: Final = ClockRule(decision_ms=500, bank_ms=2_000)
DEALS: Final = ("fresh", "mirrored", "field")
OUTCOME: Final = "round_order"


class UnknownFormatError(Exception):
    """There is no format of this name.

    Attributes:
        reason, field, value, allowed: for the caller's error.
    """

    reason = "UNKNOWN_FORMAT"

    def __init__(self, value: str) -> None:
        super().__init__(f"there is no format {value!r}; there are: {', '.join(names())}")
        self.field = "format"
        self.value = value
        self.allowed = names()


@dataclass(frozen=True, slots=True)
class Format:
    """One ladder.

    Attributes:
        name: as in the grammar above.
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


@dataclass(frozen=True, slots=True)
class _Base:
    preset: str
    options: Mapping[str, object]


_SINGLE: Final = {"target_score": 0, "rounds": 1}
RULES: Final[dict[str, _Base]] = {
    "uno-classic": _Base("classic", {}),
}
BUILT_IN: Final = ("uno-classic-2", "uno-classic-4", "uno-classic-500-2")


def names() -> list[str]:
    """Return the names of the built-in formats."""
    return list(BUILT_IN)


@cache
def get(name: str, deals: str = "") -> Format:
    """Return a format; `deals` overrides what its name says.

    Raises:
        UnknownFormatError: no such format.
    """
    stem = name
    shared = "fresh"
    for suffix in DEALS:
        if stem.endswith(f"-{suffix}"):
            stem, shared = stem.removesuffix(f"-{suffix}"), suffix
    fast = stem.endswith("-fast")
    stem = stem.removesuffix("-fast")
    if stem not in BUILT_IN:
        raise UnknownFormatError(name)
    base, *numbers = stem.rsplit("-", 2) if stem.count("-") == 3 else stem.rsplit("-", 1)
    seats, target = int(numbers[-1]), int(numbers[0]) if len(numbers) > 1 else 0
    found = RULES[base]
    rules = resolve(found.preset, {**found.options, **_SINGLE, "target_score": target}, seats)
    return Format(name, rules, FAST if fast else NORMAL, deals or shared, "game_order" if target else OUTCOME)
