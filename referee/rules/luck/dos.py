"""The terms of DOS.

f1 points of the dealt number cards / 10; of every card received after the deal l1: its points / 10 if it is a number
card, minus the mean of that over the stock, and l2: it is a Wild #; l3, of a card drawn in the own turn: it matches a
card of the row alone, and l7 the same where the seat holds two cards or fewer; l6, of every card turned up into the
row: the seat that moves next can match it, with one card or two, and l8 the same where it holds three or fewer.
"""

from functools import lru_cache
from typing import ClassVar, Final

from referee.rules.cards import BIT, dos, dos_points
from referee.rules.dos.matching import CARDS, SINGLES, values
from referee.rules.dos.round import DosRound
from referee.rules.luck.stock import Watch
from referee.rules.vocabulary import EventKind

NUMBERS: Final = bytes(dos_points(0, 0)) + bytes(128)  # points of number cards; wilds count nothing
TERMS: Final = ("f1", "l1", "l2", "l3", "l6", "l7", "l8")
WILD_NUMBERS: Final = sum(BIT[dos(color, 9)] for color in range(1, 5))
FEW: Final = 3
"""Who holds so many cards, or fewer, may be out after one turn: a card of the row that it can match decides more."""

# Masks of numbers: bit n for the number n.
_MAKES: Final = tuple(sum(1 << number for number in values(card)) if card in CARDS else 0 for card in range(128))
_TEN: Final = (1 << 11) - 1


def makes(hand: bytes | bytearray) -> int:
    """The numbers up to ten that one card of the hand makes, or two by their sum, as a mask."""
    alone = pairs = 0
    for card in hand:
        own = _MAKES[card]
        for number in range(1, 11):
            if own >> number & 1:
                pairs |= alone << number
        alone |= own
    return (alone | pairs) & _TEN


@lru_cache(maxsize=2048)
def matched_by(numbers: int) -> int:
    """Mask of the faces that may stand for one of these numbers."""
    return sum(BIT[card] for card in CARDS if _MAKES[card] & numbers)


class DosWatch(Watch, DosRound):
    """DOS with an account of its chance."""

    SHARES: ClassVar[tuple[tuple[str, int], ...]] = (("l2", WILD_NUMBERS),)
    TERMS: ClassVar[tuple[str, ...]] = TERMS

    __slots__ = ()

    def _deal(self, deck: bytearray) -> None:
        super()._deal(deck)
        for seat, hand in enumerate(self.hands):
            self.luck.add(seat, "f1", sum(hand.translate(NUMBERS)), 10)

    def _in_turn(self, seat: int) -> int:  # noqa: ARG002 (the hand does not matter)
        """What matches a card of the row alone."""
        faces = 0
        for card in self.row:
            faces |= SINGLES[card]
        return faces

    def _received(self, seat: int, card: int, stock: bytearray, *, in_turn: bool) -> None:
        size = len(stock)
        self.luck.add(seat, "l1", NUMBERS[card] * size - sum(stock.translate(NUMBERS)), 10 * size)
        super()._received(seat, card, stock, in_turn=in_turn)

    def _turn_up(self, count: int, kind: EventKind) -> None:
        """Turns up cards one by one, each seen against the stock."""
        for _ in range(count):
            if not self.draw and not self._recycle():
                return
            self._turned_up(self._stock())
            super()._turn_up(1, kind)

    def _turned_up(self, stock: bytearray) -> None:
        seat = self.ring[self.turn if self.turns else self.dealer]
        fits = matched_by(makes(self.hands[seat]))
        self._came(seat, "l6", fits, stock[-1], stock)
        if len(self.hands[seat]) <= FEW:
            self._came(seat, "l8", fits, stock[-1], stock)
