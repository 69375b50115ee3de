"""The table of a tournament: its standings and every pair, from the results of its matches and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from ladder import corrected
from ladder.bradley_terry import Fit
from ladder.corrected import Luck
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


def table(
    entrants: Sequence[str], results: Sequence[MatchResult], live: Mapping[str, int], luck: Luck | None = None
) -> Table:
    """Return the table of these entrants after these results; before the first one nobody has a place.

    Args:
        entrants: Everybody who takes part, as `name@n`.
        results: Of matches among them.
        live: Live rating of every entrant in micro-points.
        luck: What is to be taken out of the scores, as far as it is known yet; None: luck stays in them. Until enough
            of it is known nothing is taken out, and the ratings are provisional.
    """
    if not results:
        return Table()
    if luck is not None and corrected.known(results, luck) >= corrected.ENOUGH:
        fitted, rows = corrected.rows(entrants, results, luck)
    else:
        fitted = corrected.fitted(entrants, results)
        rows = {bot: replace(row, provisional=luck is not None) for bot, row in fitted.table().items()}
    return Table(standings(tally(results, live), rows), pairs(results, fitted))


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
