"""The machine under a referee: its clocks and its chance."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True)
class Machine:
    """What a referee takes from the machine that it runs on; a simulated one brings clocks and chance of its own.

    Attributes:
        monotonic: seconds that never go back; all clocks of bots.
        wall_ms: Unix milliseconds, for people and for the order of the queue.
        random_bytes: so many secret bytes.
        random_below: an integer from 0 on, below the limit.
    """

    monotonic: Callable[[], float] = time.monotonic
    wall_ms: Callable[[], int] = _wall_ms
    random_bytes: Callable[[int], bytes] = secrets.token_bytes
    random_below: Callable[[int], int] = secrets.randbelow
