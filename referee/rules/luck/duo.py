"""The terms of Duo: those of UNO without a deal.

In the draft the card shown counts for the seat that looks at it, kept or not, and the next one after it was rejected;
the one that is put away unseen does not. The cards put away lie under the pile in a known order, and a pile that was
turned over instead of shuffled is known altogether: none of them is of the stock.
"""

from typing import ClassVar

from referee.rules.calls import REJECT
from referee.rules.duo.round import DuoRound
from referee.rules.luck.uno import UnoWatch


class DuoWatch(UnoWatch, DuoRound):
    """Duo with an account of its chance."""

    TERMS: ClassVar[tuple[str, ...]] = UnoWatch.RECEIVED

    __slots__ = ()

    def _ask_pick(self, seat: int) -> None:
        self._received(seat, self.draw[-1], self.draw, in_turn=False)
        super()._ask_pick(seat)

    def _pick(self, seat: int, code: int) -> None:
        if code == REJECT:
            self._received(seat, self.draw[-2], self.draw[:-1], in_turn=False)
        super()._pick(seat, code)

    def _end_draft(self) -> None:
        self.luck.known = len(self.discard)
        super()._end_draft()

    def _recycle(self) -> bool:
        done = super()._recycle()
        if done and self.duo.turned_over:
            self.luck.known = len(self.draw)
        return done
