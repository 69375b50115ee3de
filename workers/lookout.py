"""Looks at the ledger, asks what is due, and rings for it. Whoever takes the slot looks; all others do nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import compress, islice
from typing import Final

from ladder.errors import InvalidFieldError
from ladder.store.counters import Counter
from ladder.store.fits import FitState
from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from workers.doorbell import Doorbell
from workers.due import (
    BATCH,
    HOUSE_SLICE,
    LUCK_TURN_MS,
    MOST_BATCHES,
    MOST_SLICES,
    SLICE,
    TURN_MS,
    Job,
    Stand,
    View,
    due,
    fairly,
    owed,
    slot,
)
from workers.ear import HEARD
from workers.fit import stale
from workers.inspection import nightly
from workers.tournaments.cron import Cron
from workers.tournaments.life import State
from workers.tournaments.spec import TournamentSpec

__all__ = ["Lookout"]

LATE_MS: Final = 60_000
"""So long after a time of a cron line every look still rings for it; what is later still, the reconciler finds."""

FEW_GAMES: Final = 8
"""Of a match: one look hands out luck for no more matches than fill its slices with so many each."""

LINE: Final = 10_000
"""Matches of which luck is looked at, the longest waiting."""

TURNED: Final = "luck-turned"
TURNED_MS: Final = 15_000
"""In so long a match has one turn for its luck: others have theirs, and two workers would compute the same."""
TURNED_S: Final = 60
"""So long it is known that it had: the clocks of all workers agree within that."""

NEVER: Final = 2**63
"""Later than any clock says."""


@dataclass(frozen=True, slots=True)
class Lookout:
    """The use case behind the task `tick`."""

    store: Store
    doorbell: Doorbell
    period_ms: int

    def look(self, now_ms: int) -> tuple[Job, ...]:
        """Ring for what is due; returns what was rung for, nothing if this slot was taken."""
        if not self.store.ticks.tick("tick", str(slot(now_ms, self.period_ms))):
            return ()
        jobs = due(now_ms, self._view(now_ms))
        for job in jobs:
            self.doorbell.ring(job)
        turned = [match for job in jobs if job.task == "luck" and job.in_turn for match in job.args[0]]
        self.store.ticks.tick_each(TURNED, _turns(turned, now_ms), TURNED_S)
        self.store.counters.add({Counter("ticks_total", {"job": "tick"}): 1})
        return jobs

    def _view(self, now_ms: int) -> View:
        rows = self.store.tournaments.alive()
        closed = self.store.matches.due(now_ms, BATCH * MOST_BATCHES)
        line = self.store.gifts.line(LINE)
        turned = set(compress(line, self.store.ticks.taken(TURNED, _turns(line, now_ms))))
        waiting = fairly(match for match in line if match not in turned)
        luck = self.store.gifts.counted(islice(waiting, MOST_SLICES * SLICE // FEW_GAMES))
        ladders = self.store.fits.states()
        return View(
            closed=closed,
            heard=frozenset(compress(closed, self.store.ticks.taken(HEARD, closed))),
            tournaments=_stands(rows, now_ms),
            renewals=self.store.generations.due(),
            fits=tuple(state.format for state in ladders if stale(state, now_ms)),
            inspections=tuple(state.format for state in ladders if self._unseen(state, now_ms)),
            luck=luck,
            owed=self._owed(now_ms, min(line.values(), default=now_ms)),
            house=self.store.house.waiting(HOUSE_SLICE),
            turn=bool(closed or luck) and self.store.ticks.tick("turn", str(slot(now_ms, TURN_MS))),
        )

    def _owed(self, now_ms: int, since_ms: int) -> int:
        """Return the slices of luck whose turn it is, where the oldest match has been over since then."""
        slices = owed(now_ms, since_ms)
        return slices if slices and self.store.ticks.tick("luck-turn", str(slot(now_ms, LUCK_TURN_MS))) else 0

    def _unseen(self, state: FitState, now_ms: int) -> bool:
        """Return whether a ladder is to be looked through; its report is read only at night."""
        if not nightly(state, 0, now_ms):
            return False
        report = self.store.reports.get(state.format)
        return nightly(state, report.at_ms if report else 0, now_ms)


def _turns(matches: Iterable[str], now_ms: int) -> list[str]:
    """Return the slots of these matches for their luck."""
    return [f"{match}-{slot(now_ms, TURNED_MS)}" for match in matches]


def _stands(rows: Iterable[TournamentRow], now_ms: int) -> tuple[Stand, ...]:
    return tuple(Stand(row.name, State(row.state), _wakes_ms(row, now_ms)) for row in rows)


def _wakes_ms(row: TournamentRow, now_ms: int) -> int:
    """Return `_wake_ms`; a tournament that cannot be read here is rung for, so that its own task fails and no other."""
    try:
        return _wake_ms(row, now_ms)
    except (InvalidFieldError, KeyError, TypeError, ValueError):
        return 0


def _wake_ms(row: TournamentRow, now_ms: int) -> int:
    """Return when a tournament wants to be looked at: at its time if it waits for one, else always."""
    if row.state != State.SCHEDULED:
        return 0
    spec = TournamentSpec.parse(row.spec)
    if not spec.cron:
        return row.start_ms
    recently = datetime.fromtimestamp((now_ms - LATE_MS) / 1000, UTC)
    coming = Cron.parse(spec.cron, spec.timezone).next(recently, 1)
    return int(coming[0].timestamp() * 1000) if coming else NEVER
