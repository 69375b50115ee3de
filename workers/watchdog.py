"""Ends a worker that is alive but consumes nothing, so that its supervisor starts it again.

After a lost connection a consumer can come back deaf. The watchdog sends a canary to the worker's own queue and
listens for anything at all: whatever arrives shows that the consumer hears.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final

from ladder.store.logs import logger

__all__ = ["CANARY_S", "PATIENCE_S", "Watchdog"]

CANARY_S: Final = 30.0
PATIENCE_S: Final = 120.0

_log = logger("workers.watchdog")


class Watchdog(threading.Thread):
    """Sends canaries and calls `give_up` once when nothing was heard for too long.

    Args:
        send: Sends one canary to this worker; may raise while the broker is away.
        give_up: Ends the process.
        clock: Seconds that only grow.
        every_s: Between two canaries.
        patience_s: Silence that is too long.
    """

    def __init__(
        self,
        send: Callable[[], None],
        give_up: Callable[[], None],
        clock: Callable[[], float],
        *,
        every_s: float = CANARY_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        super().__init__(name="watchdog", daemon=True)
        self._send = send
        self._give_up = give_up
        self._clock = clock
        self._every_s = every_s
        self._patience_s = patience_s
        self._stopped = threading.Event()
        self._heard_s = clock()

    def hear(self) -> None:
        """Note that a message arrived."""
        self._heard_s = self._clock()

    def stop(self) -> None:
        """End the watch: the worker is shutting down and may take its time."""
        self._stopped.set()

    def run(self) -> None:
        """Watch until stopped, or until the silence is too long."""
        while not self._stopped.wait(self._every_s):
            silent_s = self._clock() - self._heard_s
            if silent_s > self._patience_s:
                _log.critical("consumer is deaf", silent_s=round(silent_s))
                self._give_up()
                return
            self._canary()

    def _canary(self) -> None:
        try:
            self._send()
        except Exception as error:  # noqa: BLE001 - whatever keeps a canary from flying, the silence will tell
            _log.warning("canary not sent", error=str(error))
