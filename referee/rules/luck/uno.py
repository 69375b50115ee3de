"""The terms of UNO, and of Spin and Duo on top of it.

f1 points of the dealt cards / 10 (a number its face, an action 20, a wild 50), f4 Draw Twos and f5 Wild Draw Fours
dealt; of every card received after the deal l1 wild, l2 Skip, Reverse or Draw Two, l4 Wild Draw Four, l5 Draw Two, l8
of the colour, or one of the colours, that the seat holds most of; l9, of one that was not drawn in the own turn: wild;
l3, of a card drawn in the own turn: it may be played now, and l7 the same where the seat holds two cards or fewer.
"""

from typing import ClassVar, Final

from referee.rules.cards import COLOR_OF, DRAW_TWO, REVERSE, SKIP, uno_points
from referee.rules.luck.stock import Watch, number_of
from referee.rules.uno.codes import COLOR_MASK, DRAW_TWOS, RANK_MASK, W4_BIT, WILDS
from referee.rules.uno.round import UnoRound

ACTIONS: Final = RANK_MASK[SKIP] | RANK_MASK[REVERSE] | RANK_MASK[DRAW_TWO]
POINTS: Final = uno_points(20, 50, 50)  # whatever the ruleset counts them: this is what a card is worth to its holder


def most_held(hand: bytes | bytearray) -> int:
    """Mask of the faces of the colour that a hand holds most of, of all such colours where they are several."""
    colors = hand.translate(COLOR_OF)
    counts = [colors.count(color) for color in range(1, 5)]
    most = max(counts)
    return sum(COLOR_MASK[color] for color, count in enumerate(counts, 1) if count == most) if most else 0


class UnoWatch(Watch, UnoRound):
    """UNO with an account of its chance."""

    SHARES: ClassVar[tuple[tuple[str, int], ...]] = (("l1", WILDS), ("l2", ACTIONS), ("l4", W4_BIT), ("l5", DRAW_TWOS))
    RECEIVED: ClassVar[tuple[str, ...]] = ("l1", "l2", "l3", "l4", "l5", "l7", "l8", "l9")
    TERMS: ClassVar[tuple[str, ...]] = ("f1", "f4", "f5", *RECEIVED)

    __slots__ = ()

    def _deal(self, deck: bytearray) -> None:
        super()._deal(deck)
        for seat, hand in enumerate(self.hands):
            self.luck.add(seat, "f1", sum([POINTS[card] for card in hand]), 10)
            self.luck.add(seat, "f4", number_of(hand, DRAW_TWOS), 1)
            self.luck.add(seat, "f5", number_of(hand, W4_BIT), 1)

    def _received(self, seat: int, card: int, stock: bytearray, *, in_turn: bool) -> None:
        super()._received(seat, card, stock, in_turn=in_turn)
        self._came(seat, "l8", most_held(self.hands[seat]), card, stock)
        if not in_turn:
            self._came(seat, "l9", WILDS, card, stock)

    def _in_turn(self, seat: int) -> int:
        """What may be played now, a Wild Draw Four by the rules in force on the hand as it is."""
        if self.uno.reject and not self._honest(seat):
            return self.ok & ~W4_BIT
        return self.ok

    def _draw(self, seat: int) -> bool:
        """Draws in a turn: a single card comes by a short way of its own, past `_move`."""
        if not self.uno.draws_until:
            if not self.draw:
                self._recycle()
            stock = self._stock()
            if stock:
                self._received(seat, stock[-1], stock, in_turn=True)
        return super()._draw(seat)
