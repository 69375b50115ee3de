"""House bot `first`."""

from typing import ClassVar

from lastcard.turn import Turn
from referee.bots.base import IS_PLAY, HouseBot


class First(HouseBot):
    """Plays the first option in canonical order that is a play, else takes the first option."""

    name: ClassVar[str] = "first"

    def weigh(self, turn: Turn) -> list[float]:
        """Return the canonical order, plays before everything else."""
        plays = turn.view.option_act.translate(IS_PLAY)
        size = len(plays)
        return [play * size - place for place, play in enumerate(plays)]
