"""How many decisions a bot lets the referee have open with it at once."""

from __future__ import annotations

from collections import deque
from typing import Final

A_THREAD: Final = 2  # to begin with: one is thought about, one waits behind it
IN_TASKS: Final = 8  # to begin with, where all that are open are thought about at once
MOST: Final = 256
TARGET: Final = 0.25  # of a decision's clock, for the 95th percentile of the time from question to answer
FEW: Final = 64  # answers before it may be lowered
MANY: Final = 512  # answers before it may be raised
HASTE: Final = 3  # answers in a row that waited for others, after which it is lowered at once
WAITED: Final = 0.5  # of its clock: an answer took longer than this,
WAITING: Final = 1.5  # and than so many times what was thought about it, so it had to wait
STEP: Final = 4  # raised by less than this factor, it is not worth a new Hello


class Pace:
    """Watches how long answers take, and says when another limit of open decisions would be better.

    The time an answer takes grows with the number of decisions that wait for the same thread, so the limit that just
    meets the target is found by proportion. Where answers suddenly wait long for each other, those that are to come
    have begun to wait, too: then it is found from what thinking takes, at once.
    """

    def __init__(self, fixed: int | None = None, first: int = A_THREAD) -> None:
        """Start at `fixed` and stay there, or at `first` and follow what is seen."""
        self.open = fixed or first
        self.fixed = fixed is not None
        self._shares: deque[float] = deque(maxlen=MANY)
        self._waited: deque[float] = deque(maxlen=HASTE)
        self._noted = 0

    def note(self, took_s: float, clock_s: float, think_s: float) -> None:
        """Note an answer that was written `took_s` after its question came, of which `think_s` went into thinking.

        `clock_s` were allowed.
        """
        if self.fixed or clock_s <= 0:
            return
        self._shares.append(took_s / clock_s)
        self._noted += 1
        if took_s > max(WAITED * clock_s, WAITING * think_s):
            self._waited.append(think_s / clock_s)
        else:
            self._waited.clear()

    def better(self, most: int) -> int | None:
        """Return a limit up to `most` that is worth changing to, or None; looks at every 64th answer, or in haste."""
        if len(self._waited) == HASTE:
            at_once = max(1, int(TARGET / max(*self._waited, 1e-9)))
            if at_once < self.open:
                return at_once
        if self._noted < FEW:
            return None
        self._noted = 0
        slow = sorted(self._shares)[len(self._shares) * 95 // 100]
        wanted = max(1, min(int(self.open * TARGET / max(slow, 1e-9)), most, MOST))
        raised = wanted >= self.open * STEP and len(self._shares) == MANY
        return wanted if raised or (wanted < self.open and slow > TARGET) else None

    def change(self, limit: int) -> None:
        """Go on with another limit, and look anew."""
        self.open = limit
        self._shares.clear()
        self._waited.clear()
        self._noted = 0


class Backoff:
    """Waits between attempts: full jitter, doubling from half a second to 30 seconds."""

    def __init__(self, least_s: float = 0.5, most_s: float = 30.0) -> None:
        """Start with no failure."""
        self.least_s = least_s
        self.most_s = most_s
        self.failures = 0

    def next(self, chance: float) -> float:
        """Count a failure and return the seconds to wait; `chance` is uniform in [0, 1)."""
        ceiling = min(self.most_s, self.least_s * (1 << min(self.failures, 16)))
        self.failures += 1
        return ceiling * chance

    def reset(self) -> None:
        """Forget the failures."""
        self.failures = 0
