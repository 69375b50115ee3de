"""What one who watches a match is told: what is new since the last time, and what was missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from ladder.readings.gallery import MOST_ENDED, Live, Showing, since

if TYPE_CHECKING:
    from ladder.readings.summaries import Summaries, Summary
    from ladder.store.live import LiveTable

REMEMBERED: Final = 2 * MOST_ENDED
"""Rounds that are over that were told for certain."""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """A match at one moment, and what happened at its tables since the last one."""

    match: Summary
    live: Live
    tables: tuple[LiveTable, ...] = ()
    """At which something happened: rounds that ended first, then those in play."""
    playing: int = 0
    """Games in play."""
    skipped: int = 0
    """Rounds since the last glimpse that are not shown."""


class Watcher:
    """Somebody who watches. Who reads slowly costs nobody else anything: told is the newest state of each table."""

    def __init__(self, summaries: Summaries) -> None:
        self._summaries = summaries
        self._told: dict[tuple[int, int], tuple[int, int]] = {}
        self._over: dict[tuple[int, int, int], None] = {}
        self._rounds: int | None = None
        self._last: tuple[object, ...] = ()

    def see(self, showing: Showing) -> Glimpse | None:
        """Return what is new since the last time; None: nothing."""
        ended = [table for table in showing.ended if (*table.key, table.round) not in self._over]
        moved = [table for table in showing.tables if self._told.get(table.key) != (table.round, table.next)]
        tables = tuple(map(self._rest, (*ended, *moved)))
        skipped = self._skipped(showing, ended)
        self._told |= {table.key: (table.round, table.next) for table in tables}
        now = (showing.row.state, showing.live, showing.playing)
        if not (tables or skipped) and now == self._last:
            return None
        self._last = now
        return Glimpse(self._summaries.of(showing.row), showing.live, tables, showing.playing, skipped)

    def _skipped(self, showing: Showing, ended: list[LiveTable]) -> int:
        """Return how many rounds were over since the last time, beside those that are told now."""
        self._over |= dict.fromkeys((*table.key, table.round) for table in ended)
        while len(self._over) > REMEMBERED:
            del self._over[next(iter(self._over))]
        if self._rounds is None and showing.live is not Live.SHOWN:
            return 0  # what was over before anything was shown is no loss
        before, self._rounds = self._rounds, max(showing.rounds, self._rounds or 0)
        return 0 if before is None else max(0, self._rounds - before - len(ended))

    def _rest(self, table: LiveTable) -> LiveTable:
        """Return a table with the events that were not told yet."""
        number, following = self._told.get(table.key, (-1, 0))
        return since(table, following if number == table.round else 0)
