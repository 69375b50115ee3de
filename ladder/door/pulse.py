"""How late the event loop is: what everybody in this process waits for."""

from __future__ import annotations

import asyncio
import time
from typing import Final

from prometheus_client import CollectorRegistry, Gauge

PERIOD_S: Final = 0.5


class Pulse:
    """Measures by how much a short sleep lasts too long."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._gauge = Gauge("lastcard_loop_lag_seconds", "How late the event loop ran lately.", registry=registry)
        self.lag_s = 0.0

    async def run(self) -> None:
        """Measure until cancelled."""
        while True:
            begun = time.monotonic()
            await asyncio.sleep(PERIOD_S)
            self.lag_s = max(0.0, time.monotonic() - begun - PERIOD_S)
            self._gauge.set(self.lag_s)
