"""Fits all games of a ladder at once, so that its table shows ratings with their intervals and without luck."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ladder import corrected
from ladder.corrections import correction_for
from ladder.results import MatchResult
from ladder.standings import Fitted
from ladder.store.counters import Counter
from ladder.store.fits import FitState, LadderFit
from ladder.store.ladder_log import Ladder, RatedMatch
from ladder.store.logs import logger
from ladder.store.store import Store

__all__ = ["PERIOD_MS", "SHARE", "Fitter", "stale"]

PERIOD_MS: Final = 2_000
"""Between two fits of a ladder, at least."""

SHARE: Final = 20
"""A fit takes at most one part in so many of one process's time: one that takes 15 s is made every five minutes."""

MEAN: Final = 1500.0
_log = logger("workers.fit")


def stale(state: FitState, now_ms: int) -> bool:
    """Return whether a ladder is to be fitted again: it has games, or luck, that its fit does not know."""
    fit = state.fit
    if fit is None:
        return state.seq > 0
    if fit.generation != state.generation:
        return True
    known = fit.seq == state.seq and not fit.pending
    return not known and now_ms - fit.at_ms >= max(PERIOD_MS, SHARE * fit.took_ms)


@dataclass(frozen=True, slots=True)
class Fitter:
    """The use case behind the task `fit`."""

    store: Store
    clock: Callable[[], float] = time.monotonic

    def fit(self, ladder_format: str, now_ms: int) -> LadderFit | None:
        """Fit a ladder and serve that; None: nothing new was played, or another worker was faster."""
        state = self.store.fits.state(ladder_format)
        if not stale(state, now_ms):
            return None
        began = self.clock()
        results = self._results(self.store.ratings.ladder(ladder_format))
        if not results:
            return None
        pending = self._pending(results)
        rows = self._rows(results, pending)
        fit = LadderFit(
            generation=state.generation,
            seq=state.seq,
            at_ms=now_ms,
            took_ms=round(1000 * (self.clock() - began)),
            pending=pending,
            rows=rows,
        )
        if not self.store.fits.put(ladder_format, fit):
            return None
        self.store.counters.add({Counter("fitted_ladders_total", {"format": ladder_format}): 1})
        _log.info("fitted", format=ladder_format, matches=len(results), pending=pending, took_ms=fit.took_ms)
        return fit

    def _results(self, ladder: Ladder) -> list[MatchResult]:
        log = self.store.ratings.log(ladder.format)
        return [_result(entry, ladder) for entry in log if isinstance(entry, RatedMatch)]

    def _pending(self, results: Sequence[MatchResult]) -> int:
        """Return how many of these matches wait for their luck."""
        return len(self.store.gifts.pending() & {result.match for result in results})

    def _rows(self, results: Sequence[MatchResult], pending: int) -> dict[str, Fitted]:
        """Return a row for everybody who played: without luck where nearly all of it is known, else as played."""
        entrants = sorted({bot for result in results for bot in result.entrants})
        luck = self._luck(results)
        if luck is not None and corrected.known(results, luck) >= corrected.ENOUGH:
            return corrected.rows(entrants, results, luck, ladder=True)[1]
        waits = luck is not None and pending > 0
        raw = corrected.fitted(entrants, results)
        table = raw.around(corrected.settled(raw, results)).table(MEAN)
        return {bot: replace(row, raw=row.elo, provisional=waits) for bot, row in table.items()}

    def _luck(self, results: Sequence[MatchResult]) -> Mapping[str, list[list[float] | None]] | None:
        """Return what is to be taken out, as far as it is known; None: luck stays in the ratings of these rules."""
        correction = correction_for(results[0].ruleset)
        if correction is None:
            return None
        teams = {result.match: result.teams for result in results}
        found = self.store.gifts.find(teams.keys())
        lucks = {match: correction.of_match(gifts.terms, gifts.games, teams[match]) for match, gifts in found.items()}
        return {match: luck for match, luck in lucks.items() if luck is not None}


def _result(applied: RatedMatch, ladder: Ladder) -> MatchResult:
    """Return an applied match as a result."""
    return MatchResult(
        match=applied.match,
        format=ladder.format,
        ruleset=ladder.ruleset,
        entrants=tuple(seat.bot for seat in applied.seats),
        teams=applied.teams,
        ranks=applied.games,
        points=tuple(seat.points for seat in applied.seats),
        rounds=tuple(seat.rounds for seat in applied.seats),
        faults=tuple(seat.faults for seat in applied.seats),
    )
