"""House bot `random`."""

from random import Random as Generator
from typing import ClassVar

from lastcard.turn import Turn
from lastcard.words import Order
from referee.bots.base import IS_PLAY, HouseBot


class Random(HouseBot):
    """Plays any listed play with equal chance; it draws only when it must, and a drawn card that fits is played.

    A wild is listed once a colour, so it comes up as often as four cards. In windows all options are equally likely.
    """

    name: ClassVar[str] = "random"
    challenge = Order.ASK

    def choose(self, turn: Turn) -> int | list[int]:
        """Return one of the plays, or of all options where there is none."""
        view = turn.view
        if view.max_picks > 1:
            return super().choose(turn)
        plays = view.option_act.translate(IS_PLAY)
        number = plays.count(1)
        if not number or not plays[0]:  # nothing to play, or a window: the passive option is listed first
            return self.dice(turn) % len(plays)
        place = self.dice(turn) % number
        return place if 0 not in plays[:number] else [i for i, play in enumerate(plays) if play][place]

    def weigh(self, turn: Turn) -> list[float]:
        """Return a random order of the plays, with everything else behind them."""
        chance = Generator(self.dice(turn))  # noqa: S311 (a game, not a secret)
        return [chance.random() + play for play in turn.view.option_act.translate(IS_PLAY)]
