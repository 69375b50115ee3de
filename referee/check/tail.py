"""The end of what a bot says: a pipe that is read all the time, so that however much it says, little is kept."""

import os
import threading
from types import TracebackType
from typing import IO, Final, Self

PART: Final = 1 << 16
REST_S: Final = 1.0
"""For so long the rest is waited for: what outlives the bot may never end."""


class Tail:
    """Keeps the last bytes that are written to `writer`.

    Args:
        most: so many.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept = b""
        reading, writing = os.pipe()
        self.writer: IO[bytes] = os.fdopen(writing, "wb", buffering=0)
        self._thread = threading.Thread(target=self._read, args=(reading,), name="tail", daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.writer.close()

    def end(self) -> bytes:
        """Close it, and return its last bytes."""
        self.writer.close()
        self._thread.join(REST_S)
        return self._kept

    def _read(self, reading: int) -> None:
        with os.fdopen(reading, "rb", buffering=0) as reader:
            while part := reader.read(PART):
                self._kept = (self._kept + part)[-self._most :]
