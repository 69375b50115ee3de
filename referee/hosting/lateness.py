"""How late the loop is lately: the delays of the last ticks of the clock."""

from collections import deque
from typing import Final

TICKS: Final = 200
"""So many of the last ones count: ten seconds of them."""
ENOUGH: Final = 20
"""With fewer nothing can be said."""
MOST_S: Final = 0.02
"""Who is late by this more often than once in a hundred ticks takes nothing more on."""


class Lateness:
    """The delays of ticks, in seconds."""

    __slots__ = ("_ticks",)

    def __init__(self) -> None:
        self._ticks: deque[float] = deque(maxlen=TICKS)

    def note(self, seconds: float) -> None:
        """Take in the delay of one tick."""
        self._ticks.append(seconds)

    @property
    def p99_s(self) -> float:
        """What one of a hundred ticks is later than; 0.0 while too few are known."""
        known = sorted(self._ticks)
        return known[-1 - len(known) // 100] if len(known) >= ENOUGH else 0.0

    @property
    def too_late(self) -> bool:
        """Whether more work would come at the expense of what is under way."""
        return self.p99_s >= MOST_S
