"""Tables of tournaments, kept up to date: a result is read once, a fit is made when there are new ones.

The mathematics of a table, and numpy with it, are loaded with the first of them.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import TYPE_CHECKING, Final

from ladder.elo import EloConfig
from ladder.errors import UnknownNameError
from ladder.readings.teams import TeamsOf, alone
from ladder.readings.weighing import Seated, Weighing
from ladder.results import BadResultError, MatchResult
from ladder.store.errors import UnknownError
from ladder.store.match_reads import MatchReads
from ladder.store.ratings import Ratings
from ladder.store.rows import LOST, PLAYED, MatchRow
from ladder.store.tournaments import TournamentRow
from ladder.tables import Table, table

if TYPE_CHECKING:
    from ladder.corrected import Luck
    from ladder.sheets import Sheets

KEPT: Final = 16
MOST_MATCHES: Final = 50_000
"""Tournaments, and matches of them all, whose results stay in memory; the one that was looked at last always does."""
EMPTY: Final = Table()
UNKNOWN: Final = Table(known=False)
OVER: Final = PLAYED | LOST


DealsOf = Callable[[MatchRow], tuple[str, ...]]
"""Names of the deals of a match by game, where other tables may have had the same; empty: it had its own."""


def unshared(_match: MatchRow) -> tuple[str, ...]:
    """Deals of its own."""
    return ()


def _no_sums() -> Sheets:
    from ladder.sheets import Sheets

    return Sheets()


@dataclass(slots=True)
class _Kept:
    """What is known of one tournament."""

    lost: int
    done: int = -1
    results: dict[str, MatchResult | None] = field(default_factory=dict)
    """Of matches that are over; None for one that has none that counts."""
    damaged: bool = False
    """Some of its matches could not be read at the last look."""
    lucky: int = 0
    housed: int = 0
    luck: dict[str, list[list[float] | None]] = field(default_factory=dict)
    """What is to be taken out of the scores, of matches whose luck was read."""
    weights: dict[str, str] = field(default_factory=dict)
    """The version of the weights that say so, of the same matches."""
    versions: tuple[str, ...] = ()
    """Of all of these, the earliest first."""
    sheets: Sheets = field(default_factory=_no_sums)
    table: Table = EMPTY
    lock: Lock = field(default_factory=Lock)

    @property
    def stand(self) -> tuple[int, int, int, int]:
        """How far its tournament was at the last look."""
        return self.done, self.lost, self.lucky, self.housed


class TournamentTables:
    """Reads results; may be used by several threads."""

    def __init__(
        self,
        matches: MatchReads,
        ratings: Ratings,
        teams_of: TeamsOf = alone,
        weighing: Weighing | None = None,
        *,
        deals_of: DealsOf = unshared,
        awaits: bool = True,
    ) -> None:
        """Without `weighing` luck stays in the scores; `awaits`: what is not known yet will be, so ratings wait."""
        self._awaits = awaits
        self._matches = matches
        self._ratings = ratings
        self._teams_of = teams_of
        self._deals_of = deals_of
        self._weighing = weighing
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = Lock()

    def get(self, row: TournamentRow) -> Table:
        """Return the table of a tournament as far as its matches are played; UNKNOWN where its format is gone."""
        try:
            self._teams_of(json.loads(row.spec)["format"])
        except UnknownNameError:
            return UNKNOWN
        if not row.entrants:  # read before the begin, and since then matches may be over of whom it does not know
            return EMPTY
        kept = self._of(row.name)
        with kept.lock:
            if kept.damaged or kept.stand != _stand(row):
                if kept.lost != row.lost or kept.done > row.done:
                    self._recount(kept)
                self._read(row.name, kept)
                found = (kept.results[match] for match in sorted(kept.results))  # sums depend on their order
                results = [result for result in found if result is not None]
                luck = self._luck(row, results, kept)
                found_table = table(row.entrants, results, self._live(results, row.entrants), luck, kept.sheets)
                kept.table = replace(found_table, lc_versions=kept.versions if found_table.corrected else ())
                kept.done, kept.lost, kept.lucky, kept.housed = _stand(row)
        return kept.table

    def _luck(self, row: TournamentRow, results: Sequence[MatchResult], kept: _Kept) -> Luck | None:
        """Return what is to be taken out as far as it is known, read once nearly all of it is; None: nothing is."""
        rulesets = {result.ruleset for result in results}
        if self._weighing is None or len(rulesets) != 1:
            return None
        timeline = self._weighing.timeline(results[0].format, rulesets.pop())
        if timeline is None:
            return None
        from ladder.corrected import ENOUGH

        if row.lucky >= ENOUGH * sum(map(_dealt, results)):
            unread = [result for result in results if result.match not in kept.luck]
            numbers = self._ratings.numbers(results[0].format, [result.match for result in unread])
            asked = {result.match: Seated(numbers.get(result.match, 0), result.teams) for result in unread}
            read = self._weighing.weighed(timeline, asked)
            kept.luck |= {match: weighed.games for match, weighed in read.items()}
            kept.weights |= {match: weighed.lc_version for match, weighed in read.items()}
        used = set(kept.weights.values())
        kept.versions = tuple(version for version in timeline.versions if version in used)
        return kept.luck if kept.luck or self._awaits else None

    def _of(self, name: str) -> _Kept:
        with self._lock:
            kept = self._kept.setdefault(name, _Kept(lost=0))
            self._kept.move_to_end(name)
            while len(self._kept) > 1 and (len(self._kept) > KEPT or self._matches_kept() > MOST_MATCHES):
                self._kept.popitem(last=False)
        return kept

    def _matches_kept(self) -> int:
        return sum(len(kept.results) for kept in self._kept.values())

    def _recount(self, kept: _Kept) -> None:
        """Forget results of matches that do not count any more, and look again at those that did not."""
        states = self._matches.states_of([match for match, result in kept.results.items() if result is not None])
        gone = [match for match in kept.results if states.get(match) not in PLAYED]
        kept.sheets.forget(gone)
        for match in gone:
            del kept.results[match]
            kept.luck.pop(match, None)
            kept.weights.pop(match, None)

    def _read(self, name: str, kept: _Kept) -> None:
        """Read the matches that are over and were not read before."""
        unread = [match for match in self._matches.ids_of(name) if match not in kept.results]
        sifted = self._matches.sift(unread)
        kept.damaged = bool(sifted.damaged)
        for match in sifted.rows:
            if match.state in OVER and not match.sealed:
                try:
                    kept.results[match.id] = self._result(match)
                except (
                    BadResultError
                ):  # its worker parks it and raises the alarm; no table counts it until it is mended
                    kept.damaged = True

    def _result(self, match: MatchRow) -> MatchResult | None:
        if match.state not in PLAYED or not match.result:
            return None
        return MatchResult.of(match, self._teams_of(match.format), self._deals_of(match))

    def _live(self, results: Sequence[MatchResult], entrants: Sequence[str]) -> dict[str, int]:
        """Return live ratings; who is on no ladder has the one that everybody begins with."""
        live = dict.fromkeys(entrants, EloConfig().init)
        try:
            rated = self._ratings.tallies(results[0].format) if results else []
        except UnknownError:  # an unrated tournament in a format that nobody has played for points
            rated = []
        return live | {tally.bot: tally.micro for tally in rated if tally.bot in live}


def _stand(row: TournamentRow) -> tuple[int, int, int, int]:
    return row.done, row.lost, row.lucky, row.housed


def _dealt(result: MatchResult) -> bool:
    """Return whether the luck of a match will be known: everybody came, and cards were dealt."""
    return not result.absent and any(result.rounds)
