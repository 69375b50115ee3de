"""Tables of tournaments, kept up to date: a result is read once, a fit is made when there are new ones."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from ladder.corrected import ENOUGH, Luck
from ladder.corrections import correction_for
from ladder.elo import EloConfig
from ladder.results import BadResultError, MatchResult
from ladder.store.errors import UnknownError
from ladder.store.gifts import Gifts
from ladder.store.match_reads import MatchReads
from ladder.store.ratings import Ratings
from ladder.store.rows import MatchRow, MatchState
from ladder.store.tournaments import TournamentRow
from ladder.tables import Table, table

KEPT: Final = 16
"""Tournaments whose results stay in memory."""
PAGE: Final = 500
EMPTY: Final = Table()
PLAYED: Final = frozenset({MatchState.CLOSED, MatchState.RATED, MatchState.ARCHIVED, MatchState.TRIMMED})
OVER: Final = PLAYED | {MatchState.VOID, MatchState.PARKED}


TeamsOf = Callable[[str], tuple[int, ...] | None]
"""Teams by entrant of a format; None: everybody alone."""


def alone(_format: str) -> None:
    """Everybody alone."""


@dataclass(slots=True)
class _Kept:
    """What is known of one tournament."""

    lost: int
    done: int = -1
    settled: int = 0
    """Every match up to this number is over and was read."""
    results: dict[str, MatchResult] = field(default_factory=dict)
    lucky: int = 0
    luck: dict[str, list[list[float] | None]] = field(default_factory=dict)
    """What is to be taken out of the scores, of matches whose luck was read."""
    table: Table = EMPTY
    lock: Lock = field(default_factory=Lock)


class TournamentTables:
    """Reads results; may be used by several threads."""

    def __init__(
        self,
        matches: MatchReads,
        ratings: Ratings,
        teams_of: TeamsOf = alone,
        gifts: Gifts | None = None,
        *,
        awaits: bool = True,
    ) -> None:
        """Without `gifts` luck stays in the scores; `awaits`: what is not known of it yet will be, so ratings wait."""
        self._awaits = awaits
        self._matches = matches
        self._ratings = ratings
        self._teams_of = teams_of
        self._gifts = gifts
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, row: TournamentRow) -> Table:
        """Return the table of a tournament as far as its matches are played."""
        kept = self._of(row)
        with kept.lock:
            if (kept.done, kept.lucky) != (row.done, row.lucky):
                self._read(row, kept)
                results = [kept.results[match] for match in sorted(kept.results)]  # sums depend on their order
                luck = self._luck(row, kept)
                kept.table = table(row.entrants, results, self._live(results, row.entrants), luck)
                kept.done, kept.lucky = row.done, row.lucky
        return kept.table

    def _luck(self, row: TournamentRow, kept: _Kept) -> Luck | None:
        """Return what is to be taken out as far as it is known, read once nearly all of it is; None: nothing is."""
        rulesets = {result.ruleset for result in kept.results.values()}
        correction = correction_for(rulesets.pop()) if len(rulesets) == 1 else None
        if self._gifts is None or correction is None:
            return None
        if row.lucky >= ENOUGH * sum(map(_dealt, kept.results.values())):
            for match, gifts in self._gifts.find(kept.results.keys() - kept.luck.keys()).items():
                luck = correction.of_match(gifts.terms, gifts.games, kept.results[match].teams)
                if luck is not None:
                    kept.luck[match] = luck
        return kept.luck if kept.luck or self._awaits else None

    def _of(self, row: TournamentRow) -> _Kept:
        """Return what is kept; all is read again once a match was lost, since it may be one that had counted."""
        with self._lock:
            kept = self._kept.get(row.name)
            if kept is None or kept.lost != row.lost or kept.done > row.done:
                kept = self._kept[row.name] = _Kept(row.lost)
            self._kept.move_to_end(row.name)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return kept

    def _read(self, row: TournamentRow, kept: _Kept) -> None:
        """Read from the newest match down to where all are known."""
        newest, oldest_open, token = kept.settled, 0, ""
        while True:
            page = self._matches.page(tournament=row.name, limit=PAGE, token=token)
            fresh = [match for match in page.rows if match.number > kept.settled]
            for match in fresh:
                newest = max(newest, match.number)
                if match.state in OVER and not match.sealed:
                    kept.results |= self._result(match)
                else:
                    oldest_open = match.number
            token = page.next
            if not token or len(fresh) < len(page.rows):
                break
        kept.settled = oldest_open - 1 if oldest_open else newest

    def _result(self, match: MatchRow) -> dict[str, MatchResult]:
        if match.state not in PLAYED or not match.result:
            return {}
        try:
            return {match.id: MatchResult.of(match, self._teams_of(match.format))}
        except BadResultError:  # its worker parks it and raises the alarm; no table counts it
            return {}

    def _live(self, results: Sequence[MatchResult], entrants: Sequence[str]) -> dict[str, int]:
        """Return live ratings; who is on no ladder has the one that everybody begins with."""
        live = dict.fromkeys(entrants, EloConfig().init)
        try:
            rated = self._ratings.tallies(results[0].format) if results else []
        except UnknownError:  # an unrated tournament in a format that nobody has played for points
            rated = []
        return live | {tally.bot: tally.micro for tally in rated if tally.bot in live}


def _dealt(result: MatchResult) -> bool:
    """Return whether the luck of a match will be known: everybody came, and cards were dealt."""
    return not result.absent and any(result.rounds)
