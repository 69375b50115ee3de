"""Tables for whose deals others wait too long: they are declared void, and played again on deals of their own.

A look only writes down which they are; the next one acts on that. So whoever dies in between forgets none, and none is
dropped while another look may still have it end: not before it is over, or has so new a host that nobody finds it slow.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from ladder.errors import WrongStateError
from ladder.results import absent
from ladder.store.audit import Deed
from ladder.store.errors import WrongStateError as StateError
from ladder.store.rows import UNPLAYED, MatchRow, MatchState
from ladder.store.store import Store
from ladder.store.unread import CAUSES
from workers.schedule.schedule import MatchId
from workers.tournaments.attempt import next_attempt
from workers.tournaments.life import PLANNER
from workers.tournaments.sealing import DealGroups
from workers.tournaments.terms import Terms

__all__ = ["REASON", "Overtime", "limit_ms"]

REASON: Final = "other tables wait for its deals, and it took over twice their median time"
FACTOR: Final = 2
BEFORE: Final = "overtime void {}"
"""The call by which planners of older versions wrote the line about their order, at a look after it."""
MOST_DEEDS: Final = 10
"""Of one match that are looked at."""


@dataclass(frozen=True, slots=True)
class Overtime:
    """One look at the tables of one running tournament whose deals are shared."""

    store: Store
    groups: DealGroups
    terms: Terms
    least_ms: int
    """So long may every table take."""
    now_ms: int
    opened: Mapping[str, int]
    """Living referees, and since when they are there without a break."""
    limits: dict[str, float | None] = field(default_factory=dict)
    """By group, as far as it was asked for."""

    def settle(self, noted: Sequence[str]) -> tuple[str, ...]:
        """Act on the tables that an earlier look noted; returns those with which more is to be done."""
        sifted = self.store.matches.sift(noted)
        rows = sifted.rows
        ended = self.store.matches.late([row.id for row in rows if row.state is MatchState.VOID])
        for row in rows:
            if row.id in ended:
                self._again(row)
            elif self._is_of_before(row):
                self._again(row)
                self.store.audit.write(PLANNER, "void", row.id, REASON, self.now_ms, call=BEFORE.format(row.id))
            elif self._is_late(row):
                self._end(row)
        return (*(row.id for row in rows if self._goes_on(row)), *sifted.damaged)

    def find(self, opened: Sequence[MatchRow], noted: Sequence[str]) -> tuple[str, ...]:
        """Return what is to be noted: what was, and the tables that take too long by now.

        Args:
            opened: The matches of the tournament that are not over.
            noted: What `settle` has left.
        """
        late = [row.id for row in opened if row.id not in noted and (self._is_late(row) or _is_stopped(row))]
        return (*noted, *late)

    def _is_late(self, row: MatchRow) -> bool:
        """Return whether a table is played for too long, by its last host."""
        playing = row.state is MatchState.RUNNING and row.shares and row.stop is None
        took_ms = self._took_ms(row)
        if not playing or took_ms <= self.least_ms:
            return False
        if row.group not in self.limits:
            members = self.groups.members(MatchId.parse(row.id))
            self.limits[row.group] = limit_ms(self.store.matches.readable(members), len(members), self.least_ms)
        limit = self.limits[row.group]
        return limit is not None and took_ms > limit

    def _took_ms(self, row: MatchRow) -> int:
        """Return how long a table is played by its last host: what a crash or an outage cost is not counted.

        Where that one is not there now, whoever goes on with the table begins anew.
        """
        return self.now_ms - max(row.claimed_ms, self.opened.get(row.owner, self.now_ms))

    def _end(self, row: MatchRow) -> None:
        """Have a table end that takes too long, with its line in the audit, unless it is with another host by now."""
        deed = Deed(PLANNER, "void", row.id, REASON, self.now_ms)
        with suppress(StateError):  # it was played, or handed over, at this moment
            self.store.matches.void(row.id, REASON, PLANNER, self.now_ms, claimed_ms=row.claimed_ms, deed=deed)

    def _again(self, row: MatchRow) -> None:
        with suppress(WrongStateError):  # its tournament was cancelled at this moment
            next_attempt(self.store, row, self.terms, self.now_ms, who=PLANNER, reason=REASON)

    def _is_of_before(self, row: MatchRow) -> bool:
        """Return whether a table is void by order of a planner of an older version, which left no mark.

        Operators may say the same words, and be called the same: their orders have a line in the audit at once. A
        planner's had none until a later look, and then one whose call is known by its name, for ten minutes.
        """
        if row.state is not MatchState.VOID or not row.shares or row.reason != REASON:
            return False
        ordered = any(deed.verb == "void" for deed in self.store.audit.tail(MOST_DEEDS, row.id))
        return not ordered or self.store.audit.knows(BEFORE.format(row.id))

    def _goes_on(self, row: MatchRow) -> bool:
        """Return whether more may have to be done with a table that was noted."""
        if row.stop is not None:
            return True  # its host carries the order out; if that was too late for it, a worker does
        if row.state is MatchState.RUNNING:
            return 2 * self._took_ms(row) >= self.least_ms  # the clocks of workers may differ by half of it
        return row.state in UNPLAYED


def _is_stopped(row: MatchRow) -> bool:
    """Return whether a table was noted already, by a look of which only the order is left."""
    return row.shares and row.stop is not None and row.stop.who == PLANNER


def limit_ms(played: Sequence[MatchRow], members: int, least_ms: int) -> float | None:
    """Return how long a table of a group may take: twice the median of those that were played, and `least_ms` at least.

    Args:
        played: The tables of the group that were created, over or not.
        members: All tables of the group.
        least_ms: See there.

    Returns:
        ms, those of the others from their first host on; None: not half of them are over, or none was played by all its
        bots.
    """
    over = [row for row in played if row.state not in UNPLAYED]
    times = [row.ended_ms - row.begun_ms for row in over if row.result and row.begun_ms and not _was_short(row)]
    if members < 2 or 2 * len(over) < members or not times:  # alone nobody waits for it
        return None
    return max(FACTOR * median(times), least_ms)


def _was_short(row: MatchRow) -> bool:
    """Return whether somebody never came, or nobody can read any more whether that is so."""
    try:
        return bool(absent(json.loads(row.result)))
    except CAUSES:
        return True
