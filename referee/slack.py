"""Memory that was needed for a while and that the allocator keeps: given back to the machine.

What gRPC takes for the headers of strangers it takes in small pieces. Once freed they lie between others that are in
use, and the C library gives none of it back by itself.
"""

import asyncio
import ctypes
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final

from ladder.store.logs import logger

LOOK_S: Final = 10.0
REST_S: Final = 600.0
"""So long nothing is tried, at most, after tries that gave nothing back: what is more than once is in use."""
LITTLE_BYTES: Final = 8 * 1024 * 1024
"""What a try has to give back to be worth another one soon; it walks through all that is free, which takes time."""
MUCH_BYTES: Final = 32 * 1024 * 1024
"""Above the least that the process has had: below it nothing is done."""
STATM: Final = Path("/proc/self/statm")
PAGE: Final = os.sysconf("SC_PAGE_SIZE")

log = logger("referee.slack")


class Slack:
    """Looks every ten seconds whether the process has much more memory than it once had, and has it given back then."""

    def __init__(self, resident: Callable[[], int] | None = None, trim: Callable[[], object] | None = None) -> None:
        self._resident = resident or resident_bytes
        self._trim = trim or trimmer()
        self._least = 0
        self._rest_s = self._rests = 0.0

    async def run(self) -> None:
        """Look on and on, until cancelled; where memory cannot be given back this ends at once."""
        while self._trim is not None:
            await self.look(self._trim)
            await asyncio.sleep(LOOK_S)

    async def look(self, trim: Callable[[], object]) -> None:
        """Give back what is free, beside the loop, if it may be much."""
        now = self._resident()
        self._least = min(self._least or now, now)
        if now <= self._least + MUCH_BYTES:
            self._rest_s = self._rests = 0.0
            return
        if self._rests > 0:
            self._rests -= LOOK_S
            return
        try:
            await asyncio.to_thread(trim)
        except RuntimeError as error:  # no thread can be had, which is no reason to stop: next time
            log.warning("not_given_back", error=str(error))
            return
        gained = now - self._resident() >= LITTLE_BYTES
        self._rest_s = 0.0 if gained else min(REST_S, max(LOOK_S, 2 * self._rest_s))
        self._rests = self._rest_s


def resident_bytes() -> int:
    """Return how much memory this process has; 0 where the machine does not say."""
    try:
        return int(STATM.read_text("ascii").split()[1]) * PAGE
    except OSError:
        return 0


def trimmer() -> Callable[[], object] | None:
    """Return what gives back everything that is free; None where the C library is another one than glibc."""
    try:
        trim = ctypes.CDLL(None).malloc_trim
    except (AttributeError, OSError, TypeError):
        return None
    return lambda: trim(ctypes.c_size_t(0))
