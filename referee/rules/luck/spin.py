"""The terms of Spin: those of UNO, and l6 for the wheel.

l6, of every spin and for every seat: what the segment that came means in cards shed, minus the mean over the nine. For
the spinner: the most cards of one colour or of one number, all but two, or what it takes to draw a blue or a red card,
at most eight; for every seat: what it holds more than the one whose hand it would get.
"""

from fractions import Fraction
from typing import ClassVar, Final

from referee.rules.cards import COLOR_OF, RANK_OF, SKIP
from referee.rules.events import SIZE
from referee.rules.luck.stock import number_of
from referee.rules.luck.uno import UnoWatch
from referee.rules.spin.round import SpinRound
from referee.rules.uno.codes import COLOR_MASK
from referee.rules.vocabulary import Color, EventKind, Segment

MOST_DRAWN: Final = 8


class SpinWatch(UnoWatch, SpinRound):
    """Spin with an account of its chance."""

    TERMS: ClassVar[tuple[str, ...]] = (*UnoWatch.TERMS, "l6")

    __slots__ = ()

    def _spin(self, spinner: int) -> None:
        """What came is told right behind the turn that the spin is; at the limit of turns there is none."""
        told = len(self.events) + SIZE
        worth = self._worth(spinner)
        super()._spin(spinner)
        if self.events[told : told + 1] == bytes((EventKind.SPUN,)):
            came = Segment(self.events[told + 3] - 1)
            for seat, by_segment in worth.items():
                mean = sum(by_segment.values(), Fraction(0)) / len(Segment)
                gain = by_segment.get(came, Fraction(0)) - mean
                self.luck.add(seat, "l6", gain.numerator, gain.denominator)

    def _worth(self, spinner: int) -> dict[int, dict[Segment, Fraction]]:
        """By seat: the cards that it would shed by each segment, where that is not none."""
        left = self.ring if self.dir > 0 else self.back
        worth: dict[int, dict[Segment, Fraction]] = {}
        for giver in self.seats_in():
            getter = left[giver]
            worth[getter] = {Segment.TRADE_HANDS: Fraction(len(self.hands[getter]) - len(self.hands[giver]))}
        worth[spinner] |= self._shed_by(self.hands[spinner])
        worth[spinner] |= {
            Segment.DRAW_BLUE: -self._to_draw(Color.BLUE),
            Segment.DRAW_RED: -self._to_draw(Color.RED),
        }
        return worth

    @staticmethod
    def _shed_by(hand: bytearray) -> dict[Segment, Fraction]:
        """What the spinner would discard."""
        colors, ranks = hand.translate(COLOR_OF), hand.translate(RANK_OF)
        return {
            Segment.DISCARD_COLOR: Fraction(max(colors.count(color) for color in range(1, 5))),
            Segment.DISCARD_NUMBER: Fraction(max(ranks.count(rank) for rank in range(SKIP))),
            Segment.ALMOST_UNO: Fraction(max(0, len(hand) - 2)),
        }

    def _to_draw(self, color: Color) -> Fraction:
        """How many cards it takes on average until one of this colour comes: the last of them is one."""
        stock = self._stock()
        return min(Fraction(MOST_DRAWN), Fraction(len(stock) + 1, number_of(stock, COLOR_MASK[color]) + 1))
