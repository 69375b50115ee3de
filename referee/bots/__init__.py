"""House bots: what is always there to play against, from `random` to the heuristic that is shipped."""

from collections.abc import Callable
from typing import Final

from lastcard.errors import InputError
from referee.bots.base import HouseBot
from referee.bots.careful import Careful
from referee.bots.first import First
from referee.bots.greedy import Greedy
from referee.bots.search import Search
from referee.bots.uniform import Random

__all__ = ["BOTS", "Careful", "First", "Greedy", "HouseBot", "Random", "Search", "UnknownBotError", "get", "make"]

BOTS: Final[dict[str, type[HouseBot]]] = {bot.name: bot for bot in (Random, First, Greedy, Careful, Search)}


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


def make(text: str, seed: int, met: Callable[[str], object] | None = None) -> HouseBot:
    """Return the house bot of `name` or `name:setting`; `met` is told when a referee has welcomed it.

    Raises:
        UnknownBotError: there is none of this name.
        InputError: it has no such setting.
    """
    name, colon, setting = text.partition(":")
    kind = get(name)
    return kind.configured(setting, seed, met) if colon else kind(seed, met)
