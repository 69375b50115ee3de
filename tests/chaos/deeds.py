"""What is done to a house: drawn from a seed, every kind before one comes again."""

import asyncio
import signal
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from random import Random
from typing import Final, Protocol

from tests.chaos.parts import Place, StoreProcess
from tests.chaos.proxy import Proxy


class Deed(Enum):
    """What can be done."""

    KILL = "kill a referee"
    STOP = "stop a referee under load"
    FREEZE = "freeze a referee"
    LAPSE = "freeze a referee for longer than its lease"
    STORE_KILL = "kill the store"
    STORE_FREEZE = "freeze the store"
    CUT = "cut a referee off the store"
    HOLD = "hold up all between a referee and the store"
    LOSE = "lose replies of the store"
    BOT_CUT = "cut the bots off a referee"
    BOT_HOLD = "hold up all between the bots and a referee"
    TRUNK_CUT = "cut the trunks between referees"
    TRUNK_STILL = "hold up all between referees"


SECONDS: Final[dict[Deed, tuple[float, float]]] = {
    Deed.FREEZE: (0.2, 2.0),
    Deed.LAPSE: (4.0, 5.5),
    Deed.STORE_KILL: (0.1, 1.5),
    Deed.STORE_FREEZE: (0.3, 3.5),
    Deed.CUT: (0.2, 4.0),
    Deed.HOLD: (0.2, 4.0),
    Deed.BOT_CUT: (0.05, 0.3),
    Deed.BOT_HOLD: (0.05, 0.8),
    Deed.TRUNK_CUT: (0.2, 6.0),
    Deed.TRUNK_STILL: (0.2, 6.0),
}
"""How long, where it lasts."""
HAND_OVERS: Final = frozenset({Deed.KILL, Deed.STOP, Deed.LAPSE})
"""After these, matches must go on elsewhere."""
CUTS: Final = frozenset({Deed.CUT, Deed.BOT_CUT, Deed.TRUNK_CUT})
"""Those that break connections, where others hold them up and tell nobody."""
MOST_LOST: Final = 3


def deeds(chance: Random, among: Sequence[Deed]) -> Iterator[Deed]:
    """Yield what is to be done, without end."""
    while True:
        yield from chance.sample(among, len(among))


class Scene(Protocol):
    """Where it is done."""

    store: StoreProcess
    places: list[Place]


async def do(deed: Deed, scene: Scene, place: Place, chance: Random, look: Callable[[], None]) -> None:
    """Do it, and wait until it has passed; `look` is called while others cannot reach each other."""
    seconds = chance.uniform(*SECONDS[deed]) if deed in SECONDS else 0.0
    match deed:
        case Deed.KILL:
            place.send(signal.SIGKILL)
        case Deed.STOP:
            place.send(signal.SIGTERM)
        case Deed.FREEZE | Deed.LAPSE:
            await place.freeze(seconds)
        case Deed.STORE_KILL:
            await scene.store.kill(seconds)
        case Deed.STORE_FREEZE:
            await scene.store.freeze(seconds)
        case Deed.LOSE:
            place.line.to_lose += chance.randint(1, MOST_LOST)
        case Deed.CUT | Deed.HOLD:
            await _apart(deed, [place.line], seconds, look)
        case Deed.BOT_CUT | Deed.BOT_HOLD:
            await _apart(deed, [place.door], seconds, look)
        case Deed.TRUNK_CUT | Deed.TRUNK_STILL:
            await _apart(deed, [each.trunk for each in scene.places], seconds, look)


async def _apart(deed: Deed, proxies: Sequence[Proxy], seconds: float, look: Callable[[], None]) -> None:
    """Let nothing through for so long; those at both ends of what is cut are told."""
    for proxy in proxies:
        (proxy.refuse if deed in CUTS else proxy.hold)()
    await asyncio.sleep(seconds)
    look()
    for proxy in proxies:
        proxy.heal()
