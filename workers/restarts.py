"""How long a crashed process waits before its next start, and when the supervisor gives it up. Pure."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_S = 1.0
LONGEST_S = 30.0
STEADY_S = 60.0
"""A process that was ready this long has proved itself: its next crash counts as its first."""
MOST = 5
"""Crashes in a row that end everything."""


@dataclass(frozen=True, slots=True)
class Restarts:
    """Crashes in a row of one process."""

    crashes: int = 0

    def after(self, ready_s: float | None) -> Restarts:
        """Count a crash of a process that had been ready for `ready_s` seconds (None: it never was)."""
        return Restarts(1 if ready_s is not None and ready_s >= STEADY_S else self.crashes + 1)

    @property
    def delay_s(self) -> float:
        """Seconds until the next start: 1, 2, 4 … 30."""
        return min(LONGEST_S, FIRST_S * 2 ** (self.crashes - 1)) if self.crashes else 0.0

    @property
    def hopeless(self) -> bool:
        """True when another start would only repeat what happened."""
        return self.crashes >= MOST
