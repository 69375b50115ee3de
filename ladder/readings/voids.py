"""Why matches of a tournament are void, by reason."""

from __future__ import annotations

from collections import Counter, OrderedDict
from threading import Lock
from typing import Final

from ladder.extent import CANCELLED
from ladder.store.match_reads import MatchReads
from ladder.store.rows import MatchState
from ladder.store.tournaments import TournamentRow
from lastcard.names import attempt_of, nth_attempt

__all__ = ["Voids"]

KEPT: Final = 256
"""Tournaments whose reasons stay in memory: matches are looked through where another one is void, or played again."""


class Voids:
    """Reads them; may be used by several threads."""

    def __init__(self, matches: MatchReads) -> None:
        self._matches = matches
        self._known: OrderedDict[str, tuple[tuple[int, int, int], tuple[tuple[str, int], ...]]] = OrderedDict()
        self._lock = Lock()

    def of(self, row: TournamentRow) -> tuple[tuple[str, int], ...]:
        """Return why matches are void that were not played again, and how many for each reason, the commonest first.

        None of a tournament that was cancelled: it has a reason of its own, and that is theirs.
        """
        stand = (row.lost, row.parked, row.again)
        if row.lost <= row.parked or row.state == CANCELLED:
            return ()
        with self._lock:
            known = self._known.get(row.name)
        if known is None or known[0] != stand:
            known = stand, self._read(row.name)
            with self._lock:
                self._known[row.name] = known
                self._known.move_to_end(row.name)
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
        return known[1]

    def _read(self, name: str) -> tuple[tuple[str, int], ...]:
        states = self._matches.states_of(self._matches.ids_of(name))
        void = [match for match, state in states.items() if state is MatchState.VOID and _next(match) not in states]
        reasons = Counter(match.reason for match in self._matches.readable(void))
        return tuple(sorted(reasons.items(), key=lambda row: (-row[1], row[0])))


def _next(match: str) -> str:
    """Return the id under which a match is played again."""
    first, number = attempt_of(match)
    return nth_attempt(first, number + 1)
