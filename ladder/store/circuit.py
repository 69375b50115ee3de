"""A server that does not answer is left alone for a while: whoever asks meanwhile is told so at once.

Without that each of many callers would wait for all of its own tries, and whatever threads there are with them.
"""

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

FAILURES: Final = 5
"""Calls in a row that were not answered, with all of their tries: then it is left alone."""
PAUSE_S: Final = 2.0
"""For so long; then one call finds out for all whether it answers again."""


class Circuit:
    """Counts calls that were not answered. Thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = Lock()
        self._failures = 0
        self._until = 0.0

    def closed(self) -> bool:
        """Whether a call may be tried; the first one after a pause begins the next, in case it is not answered."""
        with self._lock:
            if self._failures < FAILURES:
                return True
            now = self._clock()
            if now < self._until:
                return False
            self._until = now + PAUSE_S
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
