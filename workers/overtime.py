"""Tables for whose deals others wait too long: they are declared void, and played again on deals of their own.

A look only writes down which they are; the next one acts on that. So whoever dies in between forgets none.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from statistics import median
from typing import Final

from ladder.errors import WrongStateError
from ladder.results import absent
from ladder.store import errors as store_errors
from ladder.store.rows import MatchRow, MatchState
from ladder.store.store import Store
from workers.schedule.schedule import MatchId
from workers.tournaments.attempt import next_attempt
from workers.tournaments.life import PLANNER
from workers.tournaments.sealing import UNPLAYED, DealGroups

__all__ = ["REASON", "Overtime", "limit_ms"]

REASON: Final = "other tables wait for its deals, and it took over twice their median time"
FACTOR: Final = 2


@dataclass(frozen=True, slots=True)
class Overtime:
    """One look at the tables of one running tournament whose deals are shared."""

    store: Store
    groups: DealGroups
    least_ms: int
    """So long may every table take."""
    now_ms: int

    def look(self, opened: Sequence[MatchRow], noted: Sequence[str]) -> tuple[str, ...]:
        """Act on the tables that were noted; returns those to note: where that is not done yet, and new ones.

        Args:
            opened: The matches of the tournament that are not over.
            noted: What the last look returned.
        """
        kept = [row.id for row in self.store.matches.rows(noted) if not self._is_done(row)]
        limits: dict[str, float | None] = {}
        for row in opened:
            if row.id not in noted and self._may_be_late(row):
                if row.group not in limits:
                    limits[row.group] = self._limit_ms(row)
                limit = limits[row.group]
                if limit is not None and self.now_ms - row.claimed_ms > limit:
                    kept.append(row.id)
        return tuple(kept)

    def _may_be_late(self, row: MatchRow) -> bool:
        playing = row.state is MatchState.RUNNING and row.shares and row.stop is None
        return playing and self.now_ms - row.claimed_ms > self.least_ms

    def _limit_ms(self, row: MatchRow) -> float | None:
        members = self.groups.members(MatchId.parse(row.id))
        return limit_ms(self.store.matches.rows(members), len(members), self.least_ms)

    def _is_done(self, row: MatchRow) -> bool:
        """Have a table end that took too long, and once it has, be played again; returns whether no more is to do."""
        if row.state in UNPLAYED:
            if row.stop is None:
                with suppress(store_errors.WrongStateError):  # it was played at the last moment
                    self.store.matches.void(row.id, REASON, PLANNER, self.now_ms)
                    self.store.audit.write(PLANNER, "void", row.id, REASON, self.now_ms)
            return False
        if row.state is MatchState.CLOSED:
            return row.stop is None  # else the order came too late for its host, and a worker still carries it out
        if row.state is MatchState.VOID and row.reason == REASON:
            with suppress(WrongStateError):  # its tournament was cancelled at this moment
                again = next_attempt(self.store, row, self.now_ms)
                if again.new:
                    self.store.audit.write(PLANNER, "replay", again.id, REASON, self.now_ms)
        return True


def limit_ms(played: Sequence[MatchRow], members: int, least_ms: int) -> float | None:
    """Return how long a table of a group may take: twice the median of those that were played, and `least_ms` at least.

    Args:
        played: The tables of the group that were created, over or not.
        members: All tables of the group.
        least_ms: See there.

    Returns:
        ms since a referee took the table on; None: not half of them are over, or none was played by all its bots.
    """
    over = [row for row in played if row.state not in UNPLAYED]
    times = [
        row.ended_ms - row.claimed_ms
        for row in over
        if row.result and row.claimed_ms and not absent(json.loads(row.result))
    ]
    if members < 2 or 2 * len(over) < members or not times:  # alone nobody waits for it
        return None
    return max(FACTOR * median(times), least_ms)
