"""Hears at once that a match was closed: a referee writes to the ledger only, and a look comes every few seconds.

A closed match stands in `due`. Every worker listens there; who takes a match first rings for it. What nobody hears, and
what stands there some seconds after the ring, the next look finds.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from itertools import compress
from typing import Final

from ladder.store.logs import logger
from ladder.store.store import Store
from workers.doorbell import Doorbell
from workers.due import BATCH, MOST_BATCHES, Job, batches

__all__ = ["HEARD", "LISTEN_S", "REST_S", "Ear", "Listener"]

LISTEN_S: Final = 0.25
"""Between two looks at `due`: one read of the ledger each."""
REST_S: Final = 1.0
"""The same after a ring: while one match after the other is closed, those of a second are one task."""
HEARD_S: Final = 5
"""So long nobody else rings for a match: all workers see it meanwhile, and it is applied unless that ring was lost."""
HEARD: Final = "heard"
"""The job under which it is known that somebody rang for a match."""

_log = logger("workers.ear")


class Ear:
    """Rings once for every closed match that was not there before."""

    def __init__(self, store: Store, doorbell: Doorbell) -> None:
        self._store = store
        self._doorbell = doorbell
        self._known: frozenset[str] = frozenset()

    def listen(self, now_ms: int) -> tuple[Job, ...]:
        """Ring for what is new; returns what was rung for here, nothing where another worker was first."""
        waiting = self._store.matches.due(now_ms, BATCH * MOST_BATCHES)
        new = [match for match in waiting if match not in self._known]
        self._known = frozenset(waiting)
        first = self._store.ticks.tick_each(HEARD, new, HEARD_S)
        jobs = tuple(Job("rate", (batch,)) for batch in batches(list(compress(new, first))))
        for job in jobs:
            self._doorbell.ring(job)
        return jobs


class Listener(threading.Thread):
    """Listens until stopped; a ledger that does not answer is asked again.

    Args:
        listen: Listens once, at a time in ms; returns what was rung for.
        every_s: Between two times.
        rest_s: The same after a ring.
    """

    def __init__(
        self, listen: Callable[[int], Sequence[Job]], every_s: float = LISTEN_S, rest_s: float = REST_S
    ) -> None:
        super().__init__(name="listener", daemon=True)
        self._listen = listen
        self._every_s = every_s
        self._rest_s = rest_s
        self._stopped = threading.Event()

    def stop(self) -> None:
        """End it."""
        self._stopped.set()

    def run(self) -> None:
        """Listen."""
        rung: Sequence[Job] = ()
        while not self._stopped.wait(self._rest_s if rung else self._every_s):
            try:
                rung = self._listen(time.time_ns() // 1_000_000)
            except Exception as error:  # noqa: BLE001 - whatever it is, the looks of beat find the same
                _log.warning("not heard", error=str(error))
