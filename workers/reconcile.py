"""Finds what a lost doorbell, task or process left behind and rings again. Never touches the head of a match."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ladder.store.counters import Counter
from ladder.store.logs import logger
from ladder.store.rows import LOST, MatchRow, MatchState
from ladder.store.store import Store
from workers.doorbell import Doorbell
from workers.due import Job, batches, slot

__all__ = ["Found", "Reconciler"]

_log = logger("workers.reconcile")


@dataclass(frozen=True, slots=True)
class Found:
    """What was not as it should be."""

    orphans: int = 0
    """Matches that no referee could find: ready or running without a living host, and not in `ready`."""
    unrated: int = 0
    """Closed matches that waited longer than one round."""
    stranded: int = 0
    """Tournaments that are over while matches of theirs are open."""
    swept: int = 0
    """Traces of referees that are gone."""


@dataclass(frozen=True, slots=True)
class Reconciler:
    """The use case behind the task `reconcile`."""

    store: Store
    doorbell: Doorbell
    period_ms: int

    def reconcile(self, now_ms: int) -> Found:
        """Put right what can be put right by opening or ringing again; returns what that was."""
        if not self.store.ticks.tick("reconcile", str(slot(now_ms, self.period_ms))):
            return Found()
        rows = self.store.matches.readable(self.store.matches.open_ids())
        alive = [row.name for row in self.store.tournaments.alive()]
        found = Found(
            orphans=self._reopen(now_ms),
            unrated=self._ring_for_results([*rows, *self.store.matches.readable(self.store.seals.lost(alive))], now_ms),
            stranded=self._ring_for_tournaments(rows, set(alive)),
            swept=self.store.presence.sweep(),
        )
        self._tell(found)
        return found

    def _reopen(self, now_ms: int) -> int:
        orphans = self.store.matches.readable(self.store.matches.orphans(now_ms, passing=True))
        return sum(self.store.matches.set_ready(row.id, now_ms, row.tournament) for row in orphans)

    def _ring_for_results(self, rows: Iterable[MatchRow], now_ms: int) -> int:
        """Ring for closed matches whose bell was lost, whether or not they still stand in `due`.

        For sealed ones, too, one of a group: whether its last table is over is looked at, wherever its end was lost.
        Void and parked ones are among `rows` only while they are sealed.
        """
        over = [row for row in rows if row.state is MatchState.CLOSED or row.state in LOST]
        waiting = [row for row in over if now_ms - row.ended_ms > self.period_ms]
        late = [row.id for row in waiting if not row.sealed and row.state is MatchState.CLOSED]
        of_groups = {row.group: row.id for row in waiting if row.sealed}
        for batch in batches([*late, *of_groups.values()]):
            self.doorbell.ring(Job("rate", (batch,)))
        return len(late)

    def _ring_for_tournaments(self, rows: Iterable[MatchRow], alive: set[str]) -> int:
        """Ring for all that are alive, and for those over with matches left; returns how many of the latter."""
        stranded = {row.tournament for row in rows if row.tournament} - alive - self.store.tournaments.unread.names
        for name in sorted(alive | stranded):
            self.doorbell.ring(Job("plan", (name,)))
        return len(stranded)

    def _tell(self, found: Found) -> None:
        numbers = {
            "orphans": found.orphans,
            "unrated": found.unrated,
            "stranded": found.stranded,
            "swept": found.swept,
        }
        wrong = {what: count for what, count in numbers.items() if count}
        self.store.counters.add({Counter("reconciled_total", {"what": what}): count for what, count in wrong.items()})
        if wrong:
            _log.warning("reconciled", **wrong)
