"""Readings that many ask for: one a period, however many wait for it."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from ladder.errors import NotReachableError
from lastcard.waiting import happens

Value = TypeVar("Value")
MOST_KEYS = 1_000


@dataclass(slots=True)
class _Slot(Generic[Value]):
    """What was read last, and when."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    values: list[Value] = field(default_factory=list)
    read_at: float = 0.0


class Fresh(Generic[Value]):
    """Reads a key in a thread, at most once a period; in between everybody gets the same value."""

    def __init__(
        self, read: Callable[[str], Value], period_s: float = 1.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._read = read
        self._clock = clock
        self._slots: OrderedDict[str, _Slot[Value]] = OrderedDict()
        self._closing = asyncio.Event()
        self.period_s = period_s

    async def get(self, key: str) -> Value:
        """Return the value of a key, no older than a period."""
        slot = self._slots.setdefault(key, _Slot())
        self._slots.move_to_end(key)
        while len(self._slots) > MOST_KEYS:
            self._slots.popitem(last=False)
        async with slot.lock:
            if not slot.values or self._clock() - slot.read_at >= self.period_s:
                slot.values = [await asyncio.to_thread(self._read, key)]
                slot.read_at = self._clock()
            return slot.values[0]

    async def changes(self, key: str) -> AsyncIterator[Value]:
        """Yield the value now and after every change, at most once a period.

        Raises:
            NotReachableError: the server stops.
        """
        value = await self.get(key)
        yield value
        while not await happens(self._closing, self.period_s):
            newer = await self.get(key)
            if newer != value:
                value = newer
                yield value
        raise NotReachableError("GOING_AWAY", "this server stops; ask again, another one answers")

    def close(self) -> None:
        """End all `changes`."""
        self._closing.set()
