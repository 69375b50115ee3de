"""The account of a round: how much of each term every seat was given, as whole numbers of a small unit.

Every increment is a fraction whose denominator is a number of cards, at most times 90: all are multiples of one unit,
so that sums are exact, and the same on every machine.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

MOST_CARDS: Final = 128
ONE: Final = 90 * lcm(*range(1, MOST_CARDS + 1))
"""How many units are one."""
MICRO: Final = 1_000_000

# w1 is no luck that is taken out but a check of the order of windows: [the seat's reaction counted] minus its chance.
TERMS: Final = ("f1", "f4", "f5", "l1", "l2", "l3", "l4", "l5", "l6", "l7", "l8", "l9", "w1")


class Account:
    """What chance gave; one of a round.

    Attributes:
        known: cards at the bottom of the draw pile whose order somebody knows, or which somebody put there. The stock
            is the rest.
    """

    __slots__ = ("_sums", "known")

    def __init__(self, seats: int) -> None:
        self.known = 0
        self._sums = [dict.fromkeys(TERMS, 0) for _ in range(seats)]

    def add(self, seat: int, term: str, numerator: int, denominator: int) -> None:
        """Gives a seat so much of a term.

        Args:
            seat: whom.
            term: one of `TERMS`.
            numerator: of the fraction.
            denominator: a divisor of `ONE`.
        """
        self._sums[seat][term] += numerator * (ONE // denominator)

    def exact(self, seat: int, term: str) -> Fraction:
        """What a seat was given of a term."""
        return Fraction(self._sums[seat][term], ONE)

    def micro(self, seat: int, terms: Sequence[str]) -> tuple[int, ...]:
        """What a seat was given of these terms, in millionths, rounded to the nearest, halves up."""
        sums = self._sums[seat]
        return tuple((2 * MICRO * sums[term] + ONE) // (2 * ONE) for term in terms)

    def copy(self) -> "Account":
        """The same account, independent of this one."""
        other = Account(0)
        other.known = self.known
        other._sums = [dict(sums) for sums in self._sums]
        return other
