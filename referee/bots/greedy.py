"""House bot `greedy`."""

from typing import ClassVar, Final

from lastcard.turn import Turn
from lastcard.words import ACTS, Act
from referee.bots.base import IS_PLAY, HouseBot
from referee.bots.faces import COLOR_OF

COUNT: Final = bytes(2 if act is Act.PLAY_DOUBLE else play for act, play in zip(ACTS, IS_PLAY, strict=True))
SMALL: Final = 1 / 1024


class Greedy(HouseBot):
    """Gets rid of the most points at once; a wild names the colour that the hand holds most."""

    name: ClassVar[str] = "greedy"

    def weigh(self, turn: Turn) -> list[float]:
        """Return the points that leave the hand, and a little for the colour that is named."""
        view = turn.view
        points = turn.history.catalogue.points
        cards = view.option_card or bytes(len(view.option_act))
        worth: list[float] = [
            points[card] * count if count else -1
            for card, count in zip(cards, view.option_act.translate(COUNT), strict=True)
        ]
        if view.option_second:
            worth = [value + points[card] for value, card in zip(worth, view.option_second, strict=True)]
        if view.option_color:
            held = view.hand.translate(COLOR_OF)
            worth = [
                value + held.count(color) * SMALL if color else value
                for value, color in zip(worth, view.option_color, strict=True)
            ]
        return worth
