"""How long a crashed process waits before its next start, and when the supervisor gives it up. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace

FIRST_S = 1.0
LONGEST_S = 30.0
FORGIVEN_S = 5.0
"""Every so many seconds that a process was ready take one of its crashes back: who works in between is not hopeless."""
MOST = 5
"""Crashes, less those that were taken back, that end everything."""


@dataclass(frozen=True, slots=True)
class Restarts:
    """Crashes of one process that count."""

    crashes: int = 0
    unreached: int = 0
    """Ends in a row for want of a store, or of another server: it cannot help that."""

    def after(self, ready_s: float | None) -> Restarts:
        """Count a crash of a process that had been ready for `ready_s` seconds (None: it never was)."""
        forgiven = int((ready_s or 0.0) // FORGIVEN_S)
        return Restarts(max(0, self.crashes - forgiven) + 1)

    def without_store(self, *, ready: bool) -> Restarts:
        """Count an end for want of a store; `ready`: it had found one before."""
        return replace(self, unreached=1 if ready else self.unreached + 1)

    @property
    def delay_s(self) -> float:
        """Seconds until the next start: 1, 2, 4 … 30."""
        ends = max(self.crashes, self.unreached)
        return min(LONGEST_S, FIRST_S * 2 ** (ends - 1)) if ends else 0.0

    @property
    def hopeless(self) -> bool:
        """True when another start would only repeat what happened."""
        return self.crashes >= MOST
