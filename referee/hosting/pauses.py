"""Matches for which another referee had no room: when it is asked again, which is not when the others ask."""

from collections.abc import Callable
from typing import Final

PAUSE_S: Final = (0.3, 5.0)
"""At first, and at most, and up to as much again by chance: two hosts that took from each other do not meet again."""
MOST: Final = 10_000


class Pauses:
    """Since when and for how long a match is left alone here; it waits in the queue, for others and for us.

    Args:
        clock: loop time.
        chance: a number from 0 on, below what is asked.
    """

    def __init__(self, clock: Callable[[], float], chance: Callable[[int], int]) -> None:
        self._clock = clock
        self._chance = chance
        self._until: dict[str, tuple[float, float]] = {}

    def over(self, match: str) -> bool:
        """Whether room may be asked for."""
        until, _ = self._until.get(match, (0.0, 0.0))
        return self._clock() >= until

    def refused(self, match: str) -> None:
        """Ask later, each time after twice as long."""
        shortest, longest = PAUSE_S
        _, before = self._until.get(match, (0.0, 0.0))
        pause = min(longest, max(shortest, 2 * before))
        if len(self._until) > MOST:
            self._until.clear()
        self._until[match] = self._clock() + pause * (1 + self._chance(1000) / 1000), pause

    def granted(self, match: str) -> None:
        """Forget that there was none."""
        self._until.pop(match, None)
