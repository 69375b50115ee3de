"""Every draw seen against the stock it came from: what the games have in common.

The stock is the cards of the draw pile whose order nobody can know: not those that a leaver's hand brought under the
pile, nor those that the rules put there in a known order, until the next shuffle. An increment is what came minus its
share of the stock just before; a card from elsewhere counts 0. So the mean of every term is zero whatever the bots do.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final

from referee.rules.luck.account import Account
from referee.rules.round import Round
from referee.rules.vocabulary import DrawReason

ALL: Final = range(1, 128)
NEARLY_OUT: Final = 2
"""Who holds so many cards, or fewer, is about to win: what it draws then decides more."""


@lru_cache(maxsize=4096)
def others(mask: int) -> bytes:
    """The cards that a mask of faces does not hold: what is to be deleted to count those that it holds."""
    return bytes(card for card in ALL if not mask >> card & 1)


def number_of(stock: bytes | bytearray, mask: int) -> int:
    """How many cards of the stock have one of these faces."""
    return len(stock.translate(None, others(mask)))


class Watch(Round):
    """A round that keeps an account of its chance. A mixin: it stands before the round of a game.

    `luck` is the account; it is a slot of the class that `watched` makes.
    """

    SHARES: ClassVar[tuple[tuple[str, int], ...]] = ()  # terms whose event is that a card received is of these faces
    TERMS: ClassVar[tuple[str, ...]]  # of this game

    __slots__ = ()

    luck: Account

    def _stock(self) -> bytearray:
        """The cards of the draw pile that are in no known order; the last one comes next."""
        return self.draw[self.luck.known :]

    def _in_turn(self, seat: int) -> int:
        """Mask of the faces that this seat, about to draw in its turn, could use at once."""
        raise NotImplementedError(f"{type(self).__name__} does not say which cards a seat could use: write _in_turn")

    def _received(self, seat: int, card: int, stock: bytearray, *, in_turn: bool) -> None:
        """A card of the stock comes into a hand, which does not hold it yet."""
        for term, faces in self.SHARES:
            self._came(seat, term, faces, card, stock)
        if in_turn:
            usable = self._in_turn(seat)
            self._came(seat, "l3", usable, card, stock)
            if len(self.hands[seat]) <= NEARLY_OUT:
                self._came(seat, "l7", usable, card, stock)

    def _came(self, seat: int, term: str, faces: int, card: int, stock: bytearray) -> None:
        """Count for a seat that a card has one of these faces, against the stock that it is of."""
        size = len(stock)
        self.luck.add(seat, term, size * (faces >> card & 1) - number_of(stock, faces), size)

    def _move(self, seat: int, cards: bytearray, drew: bytes) -> None:
        stock = self._stock()
        for card in cards:
            if not stock:
                break
            self._received(seat, card, stock, in_turn=drew[3] == DrawReason.TURN)
            stock.pop()
        super()._move(seat, cards, drew)

    def _shuffled(self, cards: bytearray) -> bytearray:
        self.luck.known = 0
        return super()._shuffled(cards)

    def _first(self, reacting: Sequence[int]) -> int:
        first = super()._first(reacting)
        for seat in reacting:
            self.luck.add(seat, "w1", len(reacting) * (seat == first) - 1, len(reacting))
        return first

    def _leave(self, seat: int) -> None:
        if self.LEAD_STAYS_FREE and not self.discard:
            self.luck.known = min(self.luck.known, len(self.draw)) + len(self.hands[seat])
        super()._leave(seat)

    def copy(self) -> Any:  # noqa: ANN401 (the class that `watched` makes)
        """The same round with an account of its own."""
        other: Any = super().copy()
        other.luck = self.luck.copy()
        return other
