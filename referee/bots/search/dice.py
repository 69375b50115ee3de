"""Chance for rounds that are only imagined: quick, and the same from a copy."""

from collections.abc import Sequence
from random import Random
from typing import Final

from referee.rules.chance import SEGMENTS

STEP: Final = 0x9E3779B97F4A7C15
MASK: Final = (1 << 64) - 1


class Dice:
    """A `Chance` out of one number."""

    __slots__ = ("_state",)

    def __init__(self, state: int) -> None:
        self._state = state

    def _next(self) -> Random:
        self._state = (self._state + STEP) & MASK
        return Random(self._state)  # noqa: S311 (a game, not a secret)

    def deck(self, canonical: bytes) -> bytearray:
        """The deck as shuffled."""
        return self.reshuffle(canonical)

    def reshuffle(self, cards: bytes) -> bytearray:
        """These cards as a new pile."""
        pile = bytearray(cards)
        self._next().shuffle(pile)
        return pile

    def order(self, seats: int, reacting: Sequence[int]) -> list[int]:  # noqa: ARG002  (all seats are ordered)
        """All seats in an order."""
        order = list(range(seats))
        self._next().shuffle(order)
        return order

    def wheel(self) -> int:
        """A segment of Spin's wheel."""
        return self._next().randrange(SEGMENTS)

    def copy(self) -> "Dice":
        """The same chance from here on."""
        return Dice(self._state)
