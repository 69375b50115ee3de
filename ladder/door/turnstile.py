"""How many streams may be open at once: in all, and from one address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ladder.errors import TooManyError


class Turnstile:
    """Lets streams in until there are too many, so that one address never keeps the others out."""

    def __init__(self, most: int = 1_000, most_each: int = 50) -> None:
        self.most = most
        self.most_each = most_each
        self._open: Counter[str] = Counter()

    @contextmanager
    def enter(self, peer: str) -> Iterator[None]:
        """Hold a place for a stream from an address.

        Raises:
            TooManyError: there is none.
        """
        if self._open[peer] >= self.most_each or self._open.total() >= self.most:
            raise TooManyError("TOO_MANY_STREAMS", f"at most {self.most_each} open streams from one address; end some")
        self._open[peer] += 1
        try:
            yield
        finally:
            self._open[peer] -= 1
            self._open += Counter()
