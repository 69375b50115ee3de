"""The start rule of Duo: what the card turned up after the draft does (rules page B2). Player 2 goes first."""

from mypy_extensions import mypyc_attr

from referee.rules.cards import COLOR_OF, RANK_OF, REVERSE, WILD, WILD_DRAW_FOUR
from referee.rules.duo.dump import Dump
from referee.rules.vocabulary import DecisionKind, EventKind


@mypyc_attr(allow_interpreted_subclasses=True)
class DuoStart(Dump):
    """How the first turn comes about."""

    __slots__ = ()

    def _may_stay(self, card: int) -> bool:  # noqa: ARG002  (the rule of UNO asks about the card)
        """Every card stays, a Wild Draw Four, too (seed 001)."""
        return True

    def _started(self, card: int) -> None:
        """What the card turned up does. A Reverse gives the right to dump, whatever else it does in a turn (D 50)."""
        if card >= WILD:
            self._ask(self.dealer, DecisionKind.FIRST_COLOR)
        elif RANK_OF[card] == REVERSE:
            self._give_right(self.ring[self.dealer], COLOR_OF[card])
        else:
            super()._started(card)

    def _name_color(self, color: int, seat: int) -> None:
        """Player 1 has named the colour; Player 2 begins, or draws four, unanswered, and loses its turn (D 50)."""
        self.color = color
        card = self.discard[-1]
        self._match(card)
        self._say(EventKind.COLOR_NAMED, seat, 0, color)
        first = self.ring[seat]
        if card == WILD_DRAW_FOUR:
            self.pending = 4
            self._pay(first)
        else:
            self._begin_turn(first)
