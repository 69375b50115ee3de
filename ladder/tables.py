"""The table of a tournament: its standings and every pair, from the results of its matches and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ladder.bradley_terry import Fit, Outcomes, fit
from ladder.elo import halves
from ladder.results import MatchResult
from ladder.standings import Standing, standings, tally


@dataclass(frozen=True, slots=True)
class PairResult:
    """What two entrants scored against each other."""

    a: str
    b: str
    score: float
    """Mean score of a, 0 to 1."""
    elo: float
    """Rating of a minus rating of b by the fit over all games."""
    ci95: float
    """Half width of its 95 % interval."""
    games: int


@dataclass(frozen=True, slots=True)
class Table:
    """Standings, best first, and each unordered pair that met once."""

    standings: tuple[Standing, ...] = ()
    pairs: tuple[PairResult, ...] = ()


def table(entrants: Sequence[str], results: Sequence[MatchResult], live: Mapping[str, int]) -> Table:
    """Return the table of these entrants after these results; before the first one nobody has a place.

    Args:
        entrants: Everybody who takes part, as `name@n`.
        results: Of matches among them.
        live: Live rating of every entrant in micro-points.
    """
    if not results:
        return Table()
    fitted = _fitted(entrants, results)
    return Table(standings(tally(results, live), fitted.table()), pairs(results, fitted))


def pairs(results: Iterable[MatchResult], fitted: Fit) -> tuple[PairResult, ...]:
    """Return every pair that met: mean score, games, and the difference of their ratings."""
    scored: dict[tuple[str, str], list[int]] = {}
    for result in results:
        games = [game for meeting in result.ranks for game in meeting]
        for one, other in _rivals(result):
            sums = scored.setdefault((result.entrants[one], result.entrants[other]), [0, 0])
            sums[0] += halves(games, one, other)
            sums[1] += len(games)
    return tuple(_pair(a, b, fitted, *scored[a, b]) for a, b in sorted(scored))


def _rivals(result: MatchResult) -> Iterable[tuple[int, int]]:
    """Entrants who played against each other, the one with the smaller name first."""
    ordered = sorted(range(len(result.entrants)), key=lambda entrant: result.entrants[entrant])
    return ((one, other) for one, other in combinations(ordered, 2) if result.teams[one] != result.teams[other])


def _pair(a: str, b: str, fitted: Fit, scored: int, games: int) -> PairResult:
    elo, ci95 = fitted.difference(a, b)
    return PairResult(a, b, scored / (2 * games), elo, ci95, games)


def _fitted(entrants: Sequence[str], results: Iterable[MatchResult]) -> Fit:
    outcomes = Outcomes(entrants)
    for result in results:
        for meeting in result.ranks:
            outcomes.add(result.entrants, meeting, result.teams)
    return fit(outcomes)
