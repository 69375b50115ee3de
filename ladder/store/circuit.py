"""A server that does not answer is left alone for a while: whoever asks meanwhile is told so at once.

Without that each of many callers would wait for itself, and whatever threads there are with them.
"""

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

FAILURES: Final = 5
"""Calls in a row that were not answered: then it is left alone."""
PAUSE_S: Final = 2.0
"""For so long; then one call finds out for all whether it answers again."""
PROBE_S: Final = 10.0
"""So long the others wait for that call at most."""


class Circuit:
    """Counts calls that were not answered. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._failures = 0
        self._until = 0.0

    def closed(self) -> bool:
        """Whether a call may be tried: of an open circuit one after each pause, whose answer the others wait for."""
        with self._lock:
            if self._failures < FAILURES:
                return True
            now = self._clock()
            if now < self._until:
                return False
            self._until = now + PROBE_S
            return True

    def answered(self) -> None:
        """A call was answered, whatever was said."""
        with self._lock:
            self._failures = 0

    def silent(self) -> None:
        """A call was not answered."""
        with self._lock:
            self._failures += 1
            self._until = self._clock() + PAUSE_S
