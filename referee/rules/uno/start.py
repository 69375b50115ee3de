"""The start rule of UNO: the first discard and what it does (rules page A2)."""

from mypy_extensions import mypyc_attr

from referee.rules.cards import COLOR_OF, DRAW_TWO, RANK_OF, REVERSE, SKIP, WILD, WILD_DRAW_FOUR, canonical
from referee.rules.events import NOBODY
from referee.rules.uno.effects import UnoEffects
from referee.rules.vocabulary import DecisionKind, EventKind


@mypyc_attr(allow_interpreted_subclasses=True)
class UnoStart(UnoEffects):
    """How the first decision of a round comes about."""

    __slots__ = ()

    def _start(self) -> None:
        if not self.uno.flips:
            self._begin_turn(self.ring[self.dealer])  # 002 L51: the first seat may lead anything
            return
        card = self._turn_up()
        if card:
            self._started(card)
        else:
            self._begin_turn(self.ring[self.dealer])

    def _turn_up(self) -> int:
        """Turns up cards until one may stay; each that may not goes back, and the pile is shuffled anew.

        0 if no card of the pile may stay: then nothing lies there and the lead is free.
        """
        while any(self._may_stay(card) for card in bytes(self.draw)):
            card = self.draw.pop()
            self._say(EventKind.TURNED_UP, NOBODY, card)
            if self._may_stay(card):
                self.discard.append(card)
                self.color = COLOR_OF[card]
                self._match(card)
                return card
            self.draw.append(card)
            self.draw = self.chance.reshuffle(canonical(self.draw))
            self._say(EventKind.RESHUFFLED, NOBODY, 0, min(len(self.draw), 255))
        return 0

    def _may_stay(self, card: int) -> bool:
        """A Wild Draw Four goes back in all sources; a Wild by 003 L13, but not by O1."""
        return card != WILD_DRAW_FOUR and (card != WILD or self.uno.wild_chooses)

    def _started(self, card: int) -> None:
        """What the card turned up does to the first seats."""
        first = self.ring[self.dealer]
        rank = RANK_OF[card]
        if card == WILD:
            self._ask(first, DecisionKind.FIRST_COLOR)
        elif rank == SKIP:
            self._begin_turn(self.ring[first])
        elif rank == REVERSE:
            self._start_reversed()
        elif rank == DRAW_TWO:
            self.pending = 2
            if self.uno.start_stacking:
                self._owe(first)
            else:
                self._pay(first)
        else:
            self._begin_turn(first)

    def _start_reversed(self) -> None:
        """The dealer begins and play runs to the right (O1, O3), or the seat right of it begins (O2).

        With two seats a Skip: the dealer begins (D 53), or nothing (D 25).
        """
        first = self.ring[self.dealer]
        if self.live == 2:
            self._begin_turn(self.dealer if self.uno.reverse_skips else first)
            return
        self._turn_round()
        self._begin_turn(self.ring[self.dealer] if self.uno.right_of_dealer else self.dealer)

    def _name_color(self, color: int, seat: int) -> None:
        """The first colour is named; the seat that named it begins."""
        self.color = color
        self._match(self.discard[-1])
        self._say(EventKind.COLOR_NAMED, seat, 0, color)
        self._begin_turn(seat)
