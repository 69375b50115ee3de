"""What happened in a run, in order: a readable account, and a digest that two runs of a seed must share."""

from collections.abc import Callable
from hashlib import blake2b


class Trace:
    """An account of a run."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._notes: list[tuple[float, tuple[object, ...]]] = []

    def note(self, *words: object) -> None:
        """Write down what happened."""
        self._notes.append((self._now(), words))

    def digest(self) -> str:
        """Return a hash of everything that happened and when."""
        whole = blake2b(digest_size=16)
        for at, words in self._notes:
            whole.update(repr((round(at, 9), words)).encode())
        return whole.hexdigest()

    def lines(self, about: str = "") -> list[str]:
        """Return the account as text; `about`: only of what mentions this."""
        told = (f"{at:12.6f}  {' '.join(map(str, words))}" for at, words in self._notes)
        return [line for line in told if about in line]

    def __len__(self) -> int:
        return len(self._notes)
