"""What is due now: a pure function of the ledger's state and the time.

Beat only says "look". Whoever looks takes the slot of that moment first, so any number of beats, early, late or
twice, leads to one look a slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Final

from workers.tournaments.life import State

__all__ = ["BATCH", "HOUSE_SLICE", "MOST_BATCHES", "MOST_SLICES", "SLICE", "TURN_MS", "Job", "Stand", "View"]
__all__ += ["LUCK_TURN_MS", "batches", "due", "fairly", "owed", "slot"]

BATCH: Final = 32
"""Closed matches that one task applies: a round trip through the queue costs about as much as applying one."""

MOST_BATCHES: Final = 16
"""Tasks of one look, at most; the rest is still due at the next one."""

SLICE: Final = 500
"""Rounds whose luck one task computes, at most, but for a single match that has more."""

HOUSE_SLICE: Final = 64
"""Rounds on whose cards one task has the house play, at most, but for a single match that has more: some seconds."""

TURN_MS: Final = 60_000
"""While results wait what is in no hurry has its turn so often: a task of each kind, some seconds in all."""

LUCK_TURN_MS: Final = 5_000
"""Luck that has waited for long has its turn so often, whatever else waits."""
LUCK_PATIENCE_MS: Final = 20_000
"""That is one slice for every so many ms that its oldest match has been over: `lastcard sprt` waits for it."""
MOST_OWED: Final = 4
"""Slices of one such turn, at most: some seconds of work beside up to `MOST_BATCHES` tasks of results."""

MOST_SLICES: Final = 16
"""Such tasks of one look; luck is in no hurry, and while results wait there is one of them at most."""


@dataclass(frozen=True, slots=True)
class Job:
    """A task to ring for, by name, with ids as its arguments."""

    task: str
    args: tuple[str | tuple[str, ...], ...] = ()
    in_turn: bool = False
    """It is heard among what is urgent, though it is in no hurry."""


@dataclass(frozen=True, slots=True)
class Stand:
    """Where a tournament that is not over stands, and from when on it wants to be looked at."""

    name: str
    state: State
    wake_ms: int = 0


@dataclass(frozen=True, slots=True)
class View:
    """What the ledger shows: closed matches that wait, oldest first, tournaments that are not over, luck to compute."""

    closed: Sequence[str] = ()
    heard: AbstractSet[str] = frozenset()
    """Those of them for which somebody rang a moment ago: a second task would apply them beside the first."""
    tournaments: Sequence[Stand] = ()
    renewals: Sequence[str] = ()
    """Formats whose ladders have to be computed anew."""
    fits: Sequence[str] = ()
    """Formats whose ladders have games that their fit does not know."""
    inspections: Sequence[str] = ()
    """Formats whose ladders have to be looked through this night."""
    luck: Sequence[tuple[str, int]] = ()
    """Matches whose luck is not known yet, in the order in which they get it, and their rounds."""
    owed: int = 0
    """Slices of luck that have waited for long, and have their turn now."""
    house: Sequence[tuple[str, int]] = ()
    """Matches on whose cards the house is to play, oldest first, and their rounds."""
    turn: bool = False
    """Others wait, and it is the turn of what is in no hurry, nevertheless."""


def slot(now_ms: int, period_ms: int) -> int:
    """Return the number of the period that a moment lies in; each (job, slot) acts once."""
    return now_ms // period_ms


def batches(matches: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Return matches in order, parted into what one task applies."""
    return (tuple(matches[first : first + BATCH]) for first in range(0, len(matches), BATCH))


def due(now_ms: int, view: View) -> tuple[Job, ...]:
    """Return what to ring for: what has its turn, then results, because tournaments wait for them.

    In that order, because a look may ring for more than is done before the rings expire: what came last never would be.
    """
    waiting = [match for match in view.closed if match not in view.heard]
    rate = tuple(Job("rate", (batch,)) for batch in batches(waiting[: BATCH * MOST_BATCHES]))
    plan = tuple(Job("plan", (stand.name,)) for stand in view.tournaments if _wakes(stand, now_ms))
    renew = tuple(Job("renew", (name,)) for name in view.renewals)
    fits = tuple(Job("fit", (name,)) for name in view.fits)
    looks = tuple(Job("inspect", (name,)) for name in view.inspections)
    luck = tuple(Job("luck", (matches,)) for matches in _slices(view.luck, SLICE))
    house = tuple(Job("house", (matches,)) for matches in _slices(view.house, HOUSE_SLICE))
    idle, one = not view.closed and not view.luck, int(view.turn)
    slices = max(view.owed, 1 if len(view.closed) > BATCH else MOST_SLICES)
    patient = _in_turn(fits, one) + _in_turn(luck[:slices], max(view.owed, one)) + _in_turn(house[: idle or one], one)
    turned, others = (tuple(job for job in patient if job.in_turn is first) for first in (True, False))
    return turned + rate + renew + plan + others + looks


def owed(now_ms: int, since_ms: int) -> int:
    """Return how many slices of luck have their turn, where the oldest match has been over since then."""
    return max(0, min((now_ms - since_ms) // LUCK_PATIENCE_MS, MOST_OWED))


def fairly(matches: Iterable[str]) -> Iterator[str]:
    """Yield matches by turns of their tournaments, so that a small one does not wait for all of a large one.

    Args:
        matches: the oldest first, as they are of each tournament afterwards.
    """
    lines: dict[str, list[str]] = {}
    for match in matches:
        lines.setdefault(match.partition(".")[0], []).append(match)
    return (match for turn in zip_longest(*lines.values()) for match in turn if match is not None)


def _in_turn(jobs: Sequence[Job], number: int) -> tuple[Job, ...]:
    """Return these jobs, the first so many of them to be heard in their turn."""
    return (*(replace(job, in_turn=True) for job in jobs[:number]), *jobs[number:])


def _slices(waiting: Sequence[tuple[str, int]], most: int) -> list[tuple[str, ...]]:
    """Return these matches in order, parted so that none but a single one has more than a slice of rounds."""
    slices: list[tuple[str, ...]] = []
    filled = most
    for match, rounds in waiting:
        if filled + rounds > most:
            slices.append(())
            filled = 0
        slices[-1] += (match,)
        filled += rounds
    return slices


def _wakes(stand: Stand, now_ms: int) -> bool:
    return not stand.state.over and stand.wake_ms <= now_ms
