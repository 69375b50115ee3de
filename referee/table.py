"""One game at a table: answers go in, forced decisions are taken, rounds follow each other.

Knows no clock, no network and no log, so that the referee, the local arena and the verifier play through the same code.
"""

from mypy_extensions import mypyc_attr

from referee.rules.game import Game
from referee.rules.round import Picks, Round


@mypyc_attr(allow_interpreted_subclasses=True)
class Table:
    """A game in play.

    Attributes:
        index: number of the game in its match.
        game: rounds, scores, result.
        round: the round in play; its `result` is set while `advance` is due.
    """

    __slots__ = ("game", "index", "round")

    def __init__(self, game: Game, index: int = 0) -> None:
        self.game = game
        self.index = index
        self.round: Round = game.round
        self._settle()

    @property
    def round_over(self) -> bool:
        """Whether the round has a result and `advance` is due."""
        return self.round.result is not None

    def answer(self, seat: int, picks: Picks, *, call: bool, color: int) -> bool:
        """Apply an answer and all forced decisions behind it; return whether the round is over.

        Raises:
            IllegalAnswerError: the answer is not legal; nothing has changed.
        """
        self.round.apply(seat, picks, call, color)
        return self._settle()

    def leave(self, seat: int) -> bool:
        """Take the seat out of the match; return whether the round is over."""
        if self.round.result is None and seat not in self.round.out:
            self.round.forfeit(seat)
            return self._settle()
        return self.round.result is not None

    def advance(self) -> bool:
        """Begin the next round after one is over; return False when the game is over instead."""
        self.game.advance()
        if self.game.over:
            return False
        self.round = self.game.round
        self._settle()
        return True

    def _settle(self) -> bool:
        """Take decisions with one legal answer until somebody has a choice."""
        current = self.round
        while True:
            seat = current.seat
            if seat >= 0:
                if len(current.options(seat)) > 1 or not current.forced(seat):
                    return False
                picks, call, color = current.default(seat)
                current.apply(seat, picks, call, color)
            elif not current.asked:
                return True
            else:
                forced = [one for one in current.asked if current.forced(one)]
                if not forced:
                    return False
                picks, call, color = current.default(forced[0])
                current.apply(forced[0], picks, call, color)
