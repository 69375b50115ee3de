"""Finds what a lost doorbell, task or process left behind and rings again.

Never touches the head of a match that anybody could play: what no referee has supported for long is ended by a script.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ladder.store.counters import Counter
from ladder.store.logs import logger
from ladder.store.rows import LOST, UNPLAYED, MatchRow, MatchState
from ladder.store.store import Store
from ladder.store.upgrades import UNSUPPORTED, supports
from workers.doorbell import Doorbell
from workers.due import Job, batches, slot
from workers.openings import open_since

__all__ = ["Found", "Reconciler"]

PATIENCE_MS: Final = 600_000
"""So long a match waits for a referee that supports its version: as long as an upgrade may take."""

FOR_EVER_MS: Final = 2**52
"""Of one that cannot be judged yet: while nobody was there, nobody could support it."""

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
    unsupported: int = 0
    """Matches of a version that no referee has supported for long: they are void now."""


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
            unsupported=self._void_unsupported(rows, now_ms),
            orphans=self._reopen(now_ms),
            unrated=self._ring_for_results([*rows, *self.store.matches.readable(self.store.seals.lost(alive))], now_ms),
            stranded=self._ring_for_tournaments(rows, set(alive)),
            swept=self.store.presence.sweep(),
        )
        self._tell(found)
        return found

    def _void_unsupported(self, rows: Iterable[MatchRow], now_ms: int) -> int:
        """End the matches of a version that no referee has supported for long; returns how many. None lives: none."""
        beats = self.store.matches.referees()
        void = [row for row in rows if beats and row.state in UNPLAYED and self._judged(row, beats, now_ms)]
        for row in void:
            _log.error(UNSUPPORTED, match=row.id, rules_version=row.rules_version, log_format=row.log_format)
        return len(void)

    def _judged(self, row: MatchRow, beats: Mapping[str, Mapping[str, object]], now_ms: int) -> bool:
        supported = row.owner in beats or supports(beats, row.rules_version, row.log_format)
        if supported and not row.unsupported_ms:
            return False
        patience_ms = PATIENCE_MS if now_ms - open_since(beats, now_ms) >= PATIENCE_MS else FOR_EVER_MS
        return self.store.upgrades.judge(row, now_ms, patience_ms, supported=supported)

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
            "unsupported": found.unsupported,
        }
        wrong = {what: count for what, count in numbers.items() if count}
        self.store.counters.add({Counter("reconciled_total", {"what": what}): count for what, count in wrong.items()})
        if wrong:
            _log.warning("reconciled", **wrong)
