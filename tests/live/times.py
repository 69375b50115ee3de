"""What the log of a match says of the time of its decisions, and a referee that stands still without being gone."""

import signal

from ladder.store import Store
from referee.timing import DecisionTime, times_of
from tests.live.process import Process
from tests.patience import until

LEFT_MS = 1_500
"""Of a beat, which lasts for 3,000 and is renewed each 1,000: who has less stood still for half a second or more."""


def times(store: Store, match: str, seat_of: int) -> list[DecisionTime]:
    """Return the times of an entrant of a two-seat match, whatever seat it had."""
    found = times_of(data for _, _, data in store.matches.log(match))
    return [one for game, of_game in found.items() for one in of_game if (one.seat + game) % 2 == seat_of]


async def stand_still(store: Store, referee: Process) -> None:
    """Have a referee stand still for half a second or more, and go on before it is taken for dead."""
    beat = store.keys.beat(referee.incarnation)

    def left_ms() -> int:
        left = store.link.read("PTTL", beat)
        assert isinstance(left, int)
        return left

    referee.send(signal.SIGSTOP)
    await until(lambda: left_ms() < LEFT_MS)
    referee.send(signal.SIGCONT)
    await until(lambda: left_ms() > LEFT_MS)
