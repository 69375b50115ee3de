"""Looks through the results of a ladder, every night, for what honest bots hardly ever do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from ladder import corrected, order, surprise
from ladder.order import Course, Observed
from ladder.readings.reports import MIRRORED, Report, owners_of, reused
from ladder.readings.weighing import Seated, Weighing
from ladder.results import MatchResult
from ladder.sheets import Sheets
from ladder.store.errors import ArchiveError
from ladder.store.fits import FitState
from ladder.store.ladder_log import RatedMatch
from ladder.store.logs import logger
from ladder.store.reports import NightReport
from ladder.store.rows import MatchRow
from ladder.store.store import Store
from ladder.store.unread import CAUSES
from workers.due import slot
from workers.proof import UnprovenResultError

__all__ = ["Inspector", "nightly"]

DAY_MS: Final = 86_400_000
HOUR_MS: Final = 3_600_000
NIGHT: Final = range(2, 6)
"""Hours of UTC in which ladders are looked through."""
MOST_FOLLOWED: Final = 5_000
"""Matches of a ladder whose logs are read in one look: the newest of those whose deals were dealt more than once."""
_log = logger("workers.inspection")


class CourseOf(Protocol):
    """Reads from the log of a match how its games went, and names the deals that other tables have, too."""

    def __call__(self, row: MatchRow, entries: Sequence[bytes]) -> tuple[Course, tuple[str, ...]]:
        """Return both; raises what it will where the log cannot be read."""
        ...


def nightly(state: FitState, reported_ms: int, now_ms: int) -> bool:
    """Return whether a ladder is to be looked through: it is night, it has games, and this night nobody did."""
    hour = now_ms % DAY_MS // HOUR_MS
    return state.seq > 0 and hour in NIGHT and slot(reported_ms, DAY_MS) < slot(now_ms, DAY_MS)


@dataclass(frozen=True, slots=True)
class Inspector:
    """The use case behind the task `inspect`: safe to run twice, and of the same matches it finds the same."""

    store: Store
    course_of: CourseOf

    def look(self, ladder_format: str, now_ms: int) -> Report | None:
        """Look through a ladder unless somebody did so in this hour; None: somebody did, or nothing was played."""
        if not self.store.ticks.tick(f"inspect:{ladder_format}", str(slot(now_ms, HOUR_MS))):
            return None
        return self.inspect(ladder_format, now_ms)

    def inspect(self, ladder_format: str, now_ms: int) -> Report | None:
        """Look through a ladder and keep what was found; None: nothing was played, or a later look is there."""
        state = self.store.fits.state(ladder_format)
        rated = self._rated(ladder_format) if state.seq else {}
        if not rated:
            return None
        report = self._report(ladder_format, rated, now_ms)
        kept = NightReport(state.generation, state.seq, now_ms, report.text())
        if not self.store.reports.put(ladder_format, kept):
            return None
        for one in report.anomalies:
            _log.error("anomaly", format=ladder_format, kind=one.kind.value, who=list(one.who), z=round(one.z, 1))
        _log.info("inspected", format=ladder_format, matches=report.matches, anomalies=len(report.anomalies))
        return report

    def _rated(self, ladder_format: str) -> dict[int, MatchResult]:
        ladder, log = self.store.ratings.ladder(ladder_format), self.store.ratings.log(ladder_format)
        return {entry.seq: entry.result(ladder) for entry in log if isinstance(entry, RatedMatch)}

    def _report(self, ladder_format: str, rated: Mapping[int, MatchResult], now_ms: int) -> Report:
        results, sheets = list(rated.values()), Sheets()
        rows = {row.id: row for row in self.store.matches.sift([result.match for result in results]).rows}
        owners = owners_of(self.store, results)
        fitted = corrected.fitted(sorted({bot for result in results for bot in result.entrants}), results, None, sheets)
        luck = self._luck(ladder_format, rated)
        slope = surprise.calibration(fitted, results, luck, sheets)
        observed = list(self._observed(results, rows, owners))
        mirrored = [one for one in observed if rows[one.result.match].deals == MIRRORED]
        shared = [one for one in observed if one.result.deals]
        tests = (
            surprise.duels(fitted, results, sheets), surprise.helpers(fitted, results, sheets),
            order.memories(mirrored), order.rumours(fitted, shared), order.partners(fitted, shared),
        )  # fmt: skip
        found = [*reused(rows.values(), owners), *(one for kind in tests for one in surprise.beyond(kind))]
        if slope is not None and (too_much := slope.anomaly()) is not None:
            found.append(too_much)
        return Report(now_ms, len(results), len(observed), tuple(found), slope)

    def _luck(self, ladder_format: str, rated: Mapping[int, MatchResult]) -> Mapping[str, list[list[float] | None]]:
        weighing, ruleset = Weighing.of(self.store), next(iter(rated.values())).ruleset
        timeline = weighing.timeline(ladder_format, ruleset)
        if timeline is None:
            return {}
        matches = {result.match: Seated(seq, result.teams) for seq, result in rated.items()}
        return {match: weighed.games for match, weighed in weighing.weighed(timeline, matches).items()}

    def _observed(
        self, results: Sequence[MatchResult], rows: Mapping[str, MatchRow], owners: Mapping[str, str]
    ) -> Iterator[Observed]:
        """Yield the newest of the matches whose deals were dealt more than once, with their courses."""
        followed = [result for result in results if (row := rows.get(result.match)) and _dealt_again(row)]
        for result in followed[-MOST_FOLLOWED:]:
            row = rows[result.match]
            try:
                course, deals = self.course_of(row, [data for _, _, data in self.store.matches.log(row.id)])
            except ConnectionError:
                raise
            except (*CAUSES, ArchiveError, UnprovenResultError) as error:
                _log.warning("course unknown", match=row.id, error=type(error).__name__)
                continue
            behind = tuple(owners.get(bot, "") for bot in result.entrants)
            yield Observed(replace(result, deals=deals), course, behind)


def _dealt_again(row: MatchRow) -> bool:
    return row.deals == MIRRORED or row.shares
