"""When the next group of log entries leaves: at once, or, in a crowd, when the messages that wait for it are full."""

import asyncio
from collections.abc import Callable
from typing import Final

CROWD: Final = 32
"""Marks in a group from which on the next one may wait: where fewer come, waiting would gather nothing."""
FULL: Final = 16
"""Marks for each bot that make a group worth writing: its message costs little beside so many moves."""
LINGER_S: Final = 0.002
"""No group waits longer."""


class Grouping:
    """Calls `flush` once for all that is marked until then.

    A message costs a referee about as much as ten moves, so in a crowd a short wait saves more than it costs; who has
    few rounds in play never waits. A seat's clock starts when its question is written: the wait is nobody's time.

    Args:
        flush: writes what has gathered.
        bots: how many bots share the messages of a group.

    Attributes:
        size: marks since the last group.
    """

    __slots__ = ("_bots", "_enough", "_flush", "_handle", "_last", "_waits", "size")

    def __init__(self, flush: Callable[[], None], bots: Callable[[], int]) -> None:
        self._flush = flush
        self._bots = bots
        self._handle: asyncio.Handle | None = None
        self._waits = False
        self._enough = 0
        self._last = 0
        self.size = 0

    def due(self) -> None:
        """Have what has gathered written soon: nothing is under way that it would have to wait for."""
        if self._handle is None:
            self._arm()
        elif self._waits and self.size >= self._enough:
            self._handle.cancel()
            self._waits = False
            self._handle = asyncio.get_running_loop().call_soon(self._go)

    def _arm(self) -> None:
        loop = asyncio.get_running_loop()
        if self._last >= CROWD:
            self._enough = FULL * self._bots()
            self._waits = self.size < self._enough
        self._handle = loop.call_later(LINGER_S, self._go) if self._waits else loop.call_soon(self._go)

    def _go(self) -> None:
        self._handle = None
        self._waits = False
        self._last, self.size = self.size, 0
        self._flush()
