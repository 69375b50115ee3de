"""What is due now: a pure function of the ledger's state and the time.

Beat only says "look". Whoever looks takes the slot of that moment first, so any number of beats, early, late or
twice, leads to one look a slot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from workers.tournament import State

__all__ = ["BATCH", "MOST_BATCHES", "Job", "Stand", "View", "due", "slot"]

BATCH: Final = 32
"""Closed matches that one task applies: a round trip through the queue costs about as much as applying one."""

MOST_BATCHES: Final = 16
"""Tasks of one look, at most; the rest is still due at the next one."""


@dataclass(frozen=True, slots=True)
class Job:
    """A task to ring for, by name, with ids as its arguments."""

    task: str
    args: tuple[str | tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a tournament that is not over stands, and from when on it wants to be looked at."""

    name: str
    state: State
    wake_ms: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """What the ledger shows: closed matches that wait, oldest first, and tournaments that are not over."""

    closed: Sequence[str] = ()
    tournaments: Sequence[Stand] = ()


def slot(now_ms: int, period_ms: int) -> int:
    """Return the number of the period that a moment lies in; each (job, slot) acts once."""
    return now_ms // period_ms


def due(now_ms: int, view: View) -> tuple[Job, ...]:
    """Return what to ring for: results first, because tournaments wait for them."""
    batches = range(0, min(len(view.closed), BATCH * MOST_BATCHES), BATCH)
    rate = tuple(Job("rate", (tuple(view.closed[first : first + BATCH]),)) for first in batches)
    return rate + tuple(Job("plan", (stand.name,)) for stand in view.tournaments if _wakes(stand, now_ms))


def _wakes(stand: Stand, now_ms: int) -> bool:
    return not stand.state.over and stand.wake_ms <= now_ms
