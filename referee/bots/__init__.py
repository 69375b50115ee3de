"""House bots: what is always there to play against, from `random` to the heuristic that is shipped."""

from typing import Final

from lastcard.errors import InputError
from referee.bots.base import HouseBot
from referee.bots.careful import Careful
from referee.bots.first import First
from referee.bots.greedy import Greedy
from referee.bots.uniform import Random

__all__ = ["BOTS", "Careful", "First", "Greedy", "HouseBot", "Random", "UnknownBotError", "get"]

BOTS: Final[dict[str, type[HouseBot]]] = {bot.name: bot for bot in (Random, First, Greedy, Careful)}


class UnknownBotError(InputError):
    """There is no house bot of this name."""


def get(name: str) -> type[HouseBot]:
    """Return the house bot of a name.

    Raises:
        UnknownBotError: there is none.
    """
    if name not in BOTS:
        message = f"there is no house bot {name!r}; there are {', '.join(BOTS)}, and your own as `module:Class`"
        raise UnknownBotError("UNKNOWN_BOT", message, field="bot", value=name, allowed=BOTS)
    return BOTS[name]
