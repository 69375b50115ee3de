"""Fits all games of a ladder at once, so that its table shows ratings with their intervals and without luck."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from ladder import corrected
from ladder.readings.weighing import Seated, Weighed, Weighing
from ladder.refit import SCHEDULE, Schedule
from ladder.results import MatchResult
from ladder.standings import Fitted
from ladder.store.counters import Counter
from ladder.store.fits import FitState, LadderFit
from ladder.store.ladder_log import Ladder, RatedMatch
from ladder.store.logs import logger
from ladder.store.store import Store
from ladder.timeline import Timeline
from workers.reweigh import Reweigher

__all__ = ["PERIOD_MS", "SHARE", "Fitter", "stale"]

PERIOD_MS: Final = 2_000
"""Between two fits of a ladder, at least."""

SHARE: Final = 20
"""A fit takes at most one part in so many of one process's time: one that takes 15 s is made every five minutes."""

MEAN: Final = 1500.0
_log = logger("workers.fit")


def stale(state: FitState, now_ms: int) -> bool:
    """Return whether a ladder is to be fitted again: it has games, or luck, that its fit does not know.

    So has one whose fit does not say by which weights luck is taken out.
    """
    fit = state.fit
    if fit is None:
        return state.seq > 0
    if fit.generation != state.generation or fit.since is None:
        return True
    known = fit.seq == state.seq and not fit.pending
    return not known and now_ms - fit.at_ms >= max(PERIOD_MS, SHARE * fit.took_ms)


@dataclass(frozen=True, slots=True)
class Fitter:
    """The use case behind the task `fit`."""

    store: Store
    clock: Callable[[], float] = time.monotonic
    house: str = ""
    """Who plays house games here, as `Reweigher` wants it."""
    schedule: Schedule = SCHEDULE
    """When weights are fitted."""

    def fit(self, ladder_format: str, now_ms: int) -> LadderFit | None:
        """Fit a ladder and serve that; None: nothing new was played, or another worker was faster."""
        state = self.store.fits.state(ladder_format)
        if not stale(state, now_ms):
            return None
        began = self.clock()
        rated = self._rated(self.store.ratings.ladder(ladder_format))
        if not rated:
            return None
        reweigher = Reweigher(self.store, self.house, self.schedule)
        timeline = reweigher.keep_up(ladder_format, state.generation, rated, now_ms)
        pending = reweigher.pending(rated)
        rows, since = self._rows(rated, timeline, pending)
        fit = LadderFit(
            generation=state.generation,
            seq=state.seq,
            at_ms=now_ms,
            took_ms=round(1000 * (self.clock() - began)),
            pending=pending,
            rows=rows,
            since=since,
        )
        if not self.store.fits.put(ladder_format, fit):
            return None
        self.store.counters.add({Counter("fitted_ladders_total", {"format": ladder_format}): 1})
        _log.info("fitted", format=ladder_format, matches=len(rated), pending=pending, took_ms=fit.took_ms)
        return fit

    def _rated(self, ladder: Ladder) -> dict[int, MatchResult]:
        """Return the matches that count, by number and in that order."""
        log = self.store.ratings.log(ladder.format)
        return {entry.seq: entry.result(ladder) for entry in log if isinstance(entry, RatedMatch)}

    def _rows(
        self, rated: Mapping[int, MatchResult], timeline: Timeline | None, pending: int
    ) -> tuple[dict[str, Fitted], dict[str, int]]:
        """Return a row for everybody who played: without luck where nearly all of it is known, else as played.

        And by which weights it is taken out, to the number of the first match of each.
        """
        results = list(rated.values())
        entrants = sorted({bot for result in results for bot in result.entrants})
        weighed = {} if timeline is None else self._weighed(rated, timeline)
        luck = {match: one.games for match, one in weighed.items()}
        if timeline is not None and corrected.known(results, luck) >= corrected.ENOUGH:
            since: dict[str, int] = {}
            for seq, result in rated.items():
                if result.match in weighed:
                    since.setdefault(weighed[result.match].lc_version, seq)
            return corrected.rows(entrants, results, luck, ladder=True)[1], since
        waits = timeline is not None and pending > 0
        raw = corrected.fitted(entrants, results)
        table = raw.around(corrected.settled(raw, results)).table(MEAN)
        return {bot: replace(row, raw=row.elo, provisional=waits) for bot, row in table.items()}, {}

    def _weighed(self, rated: Mapping[int, MatchResult], timeline: Timeline) -> Mapping[str, Weighed]:
        """Return what is to be taken out, as far as it is known: each match's by the weights that held for it."""
        matches = {result.match: Seated(seq, result.teams) for seq, result in rated.items()}
        return Weighing.of(self.store).weighed(timeline, matches)
