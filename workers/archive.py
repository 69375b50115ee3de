"""Moves what is settled into the archive, in small objects, and drops its log here once it was read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ladder.store.counters import Counter
from ladder.store.errors import ArchiveError
from ladder.store.logs import logger
from ladder.store.rows import MatchRow
from ladder.store.shelf import Trimmed
from ladder.store.store import Store
from ladder.store.unread import CAUSES
from workers.doorbell import Doorbell
from workers.due import Job, slot

__all__ = ["Archived", "Archiver"]

OBJECT: Final = 32
"""Matches of one object, at most."""
ROUND: Final = 8 * OBJECT
"""Matches that one task looks at, at most."""
BEFORE: Final = 1_000
"""Matches of an earlier release that one task looks at, at most."""
AGAIN_MS: Final = 3_600_000
"""After so long what cannot be read is looked at again."""

_log = logger("workers.archive")


@dataclass(frozen=True, slots=True)
class Archived:
    """What one task did."""

    written: int = 0
    """Matches that are in the archive now."""
    trimmed: int = 0
    """Matches whose logs are here no longer."""


@dataclass(frozen=True, slots=True)
class Archiver:
    """The use case behind the task `archive`: each step may have been done before, a crash between two loses nothing.

    A match is written to the archive in one round and dropped here in a later one.
    """

    store: Store
    doorbell: Doorbell
    period_ms: int
    after_ms: int
    """So long after its end a settled match is left where it is."""

    def look(self, now_ms: int) -> Archived:
        """Archive what is old enough, unless somebody did so in this period."""
        if not self.store.ticks.tick("archive", str(slot(now_ms, self.period_ms))):
            return Archived()
        return self.run(now_ms)

    def run(self, now_ms: int) -> Archived:
        """Archive and trim one round of what is old enough; rings for the next one if there is more."""
        self.store.shelf.void_before(BEFORE, now_ms)
        waiting = self.store.shelf.waiting(now_ms - self.after_ms, ROUND)
        sifted = self.store.matches.sift(waiting)
        trimmed, held = self._trim(sifted.rows)
        held |= dict.fromkeys(sifted.damaged, "its row cannot be read")
        try:
            done = Archived(trimmed=trimmed, written=self._write(sifted.rows))
        finally:
            unread = self.store.shelf.unread.names & {row.id for row in sifted.rows}
            self._put_off(held | dict.fromkeys(sorted(unread), "its log cannot be read"), now_ms)
        self._tell(done)
        if len(waiting) == ROUND and done != Archived():
            self.doorbell.ring(Job("archive", ("more",)))
        return done

    def _trim(self, rows: Sequence[MatchRow]) -> tuple[int, dict[str, str]]:
        """Drop the logs of those that are archived; returns how many that were, and why which others must stay."""
        trimmed, held = 0, {}
        for row in rows:
            if row.archived:
                try:
                    came = self.store.shelf.trim(row)
                except ArchiveError as error:
                    held[row.id] = str(error)
                except CAUSES as error:
                    self.store.shelf.unread.note(row.id, error)
                else:
                    trimmed += came is Trimmed.OK
                    if came is Trimmed.HEAD:
                        held[row.id] = f"what {row.archive} has of it is not what is here"
        return trimmed, held

    def _write(self, rows: Sequence[MatchRow]) -> int:
        settled = [row for row in rows if row.settled]
        objects = (settled[first : first + OBJECT] for first in range(0, len(settled), OBJECT))
        return sum(map(self.store.shelf.write, objects))

    def _put_off(self, held: Mapping[str, str], now_ms: int) -> None:
        """Leave matches where they are, better twice than nowhere, and behind all others, for a while; says why."""
        for match, why in held.items():
            self.store.counters.add({Counter("alarms_total", {"kind": "archive"}): 1})
            _log.error("match stays out of the archive", match=match, error=why)
            self.store.shelf.put_off(match, now_ms - self.after_ms + AGAIN_MS)

    def _tell(self, done: Archived) -> None:
        counts = {"archived_matches_total": done.written, "trimmed_matches_total": done.trimmed}
        self.store.counters.add({Counter(name, {}): count for name, count in counts.items() if count})
        if done != Archived():
            _log.info("archived", matches=done.written, trimmed=done.trimmed)
