"""The table of a tournament: its standings and every pair, from the results of its matches and nothing else.

Those who only show a table load no mathematics.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from ladder.results import MatchResult
from ladder.scoreline import score_of, superiority
from ladder.standings import Z95, Fitted, Standing, by_score, standings, tally

if TYPE_CHECKING:
    from ladder.bradley_terry import Fit, Outcomes
    from ladder.corrected import Luck
    from ladder.sheets import Sheets

ODD: Final = 3.0
"""Deviations of chance beyond which a score is not explained by ratings."""


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
    points_a: float = 0.0
    """Points of a, a round, in the matches that they shared; `points_b` likewise."""
    points_b: float = 0.0
    z: float = 0.0
    """How many deviations of chance the score is from what ratings let expect, by `residuals.deviations`.

    Beyond `ODD` the two are not explained by one strength each: who beats whom goes in circles, or they help each
    other. Where luck is taken out of the ratings it is still in the score, and its mean is zero.
    """

    @property
    def expected(self) -> float:
        """The score that their ratings let expect."""
        return score_of(self.elo)

    @property
    def odd(self) -> bool:
        """Whether ratings do not explain the score."""
        return abs(self.z) > ODD

    @property
    def los(self) -> float:
        """Likelihood that a is the stronger."""
        return superiority(self.elo, self.ci95 / Z95)


@dataclass(frozen=True, slots=True)
class Walkover:
    """A bot that never came."""

    bot: str
    games: int
    """That were scored without it."""


@dataclass(frozen=True, slots=True)
class RankRange:
    """The best and the worst rank that a bot may have, with 95 % certainty against each other bot."""

    bot: str
    best: int
    worst: int

    def __str__(self) -> str:
        """Return it as tables show it."""
        return str(self.best) if self.best == self.worst else f"{self.best}-{self.worst}"


@dataclass(frozen=True, slots=True)
class Table:
    """Standings, best first, and each unordered pair that met once."""

    standings: tuple[Standing, ...] = ()
    pairs: tuple[PairResult, ...] = ()
    seats: tuple[float, ...] = ()
    """Mean score by seat, over everybody: what a seat is worth. Nobody gains by it, since all sit everywhere."""
    walkovers: tuple[Walkover, ...] = ()
    """Bots that never came, by name. Their games are in the score of the standings, and in nothing else here."""
    ranks: tuple[RankRange, ...] = ()
    """By bot, as in `standings`; who has no rating may have any rank."""
    known: bool = True
    """Whether the format is known here. A result cannot be read without it, so there is nothing in the table then."""
    rounds_a_game: float = 0.0
    """Mean over all games that were dealt; 0: none was."""
    lc_versions: tuple[str, ...] = ()
    """Of the weights by which luck was taken out of the ratings, the earliest first; empty: it is in them."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Bots that have ratings, by groups that never met, directly or through others, the largest first.

    Ratings of two groups cannot be compared. Empty: all of them met.
    """

    @property
    def corrected(self) -> bool:
        """Whether luck was taken out of the ratings."""
        return any(row.luck is not None for row in self.standings)

    @property
    def odd_pairs(self) -> tuple[PairResult, ...]:
        """Pairs whose scores ratings do not explain, the oddest first."""
        return tuple(sorted((pair for pair in self.pairs if pair.odd), key=lambda pair: -abs(pair.z)))

    def ranges(self) -> dict[str, tuple[int, int]]:
        """Return the best and the worst rank that each bot may have, as far as that is known."""
        return {row.bot: (row.best, row.worst) for row in self.ranks}

    def shown_ranks(self) -> dict[str, RankRange]:
        """Return the ranks of each bot as tables show them: who has no rating may have any, and has none there."""
        rated = {row.bot for row in self.standings if row.ci95 is not None}
        return {row.bot: row for row in self.ranks if row.bot in rated}


def table(
    entrants: Sequence[str],
    results: Sequence[MatchResult],
    live: Mapping[str, int],
    luck: Luck | None = None,
    sheets: Sheets | None = None,
) -> Table:
    """Return the table of these entrants after these results; before the first one nobody has a place.

    Matches that somebody never came to count in the score, and in no rating: who played no other has no fit, and stands
    behind those who did, by score.

    Args:
        entrants: Everybody who takes part, as `name@n`.
        results: Of matches among them.
        live: Live rating of every entrant in micro-points.
        luck: What is to be taken out of the scores, as far as it is known yet; None: luck stays in them. Until enough
            of it is known nothing is taken out, and the ratings are provisional.
        sheets: Sums of matches that were in a table before; those of the others are added.
    """
    from ladder.sheets import Sheets

    sheets = sheets or Sheets()
    if not results:
        return Table()
    played = [result for result in results if not result.absent]
    tallies = tally(results, live, lambda result: sheets.of(result).counts)
    if not played:
        unrated = by_score(tallies)
        return Table(unrated, walkovers=walkovers(results), ranks=rank_ranges(unrated, {}))
    there = {bot for result in played for bot in result.entrants}
    rated = [bot for bot in entrants if bot in there]
    fitted, rows, taken = _fit(rated, played, luck, sheets)
    best = standings([row for row in tallies if row.bot in there], rows)
    others = by_score([row for row in tallies if row.bot not in there], len(best) + 1)
    return Table(
        standings=(*best, *others),
        pairs=pairs(played, fitted, sheets, taken),
        seats=seat_scores(played, sheets),
        walkovers=walkovers(results),
        ranks=rank_ranges((*best, *others), fitted.certain()),
        rounds_a_game=rounds_a_game(played, sheets),
        groups=apart(fitted),
    )


def _fit(
    bots: Sequence[str], played: Sequence[MatchResult], luck: Luck | None, sheets: Sheets
) -> tuple[Fit, dict[str, Fitted], Outcomes | None]:
    """Return the fit, what it says of each bot, and the games without luck; None: luck stayed in them."""
    from ladder import corrected

    if luck is not None and corrected.known(played, luck, sheets) >= corrected.ENOUGH:
        taken = corrected.usable(bots, played, luck, sheets)
        return *corrected.rows(bots, played, luck, sheets), corrected.outcomes(bots, played, taken, sheets)
    fitted = corrected.fitted(bots, played, sheets=sheets)
    rows = {bot: replace(row, raw=row.elo, provisional=luck is not None) for bot, row in fitted.table().items()}
    return fitted, rows, None


def apart(fitted: Fit) -> tuple[tuple[str, ...], ...]:
    """Return the groups of bots that never met, the largest first, each by name; nothing where all met."""
    groups = sorted((tuple(sorted(group)) for group in fitted.components), key=lambda group: (-len(group), group))
    return tuple(groups) if len(groups) > 1 else ()


def rank_ranges(rows: Sequence[Standing], certain: Mapping[str, tuple[int, int]]) -> tuple[RankRange, ...]:
    """Return the ranks that bots may have, from how many are certainly better, and worse, than each."""
    found = ((row.bot, certain.get(row.bot, (0, 0))) for row in rows)
    return tuple(RankRange(bot, 1 + better, len(rows) - worse) for bot, (better, worse) in found)


def walkovers(results: Iterable[MatchResult]) -> tuple[Walkover, ...]:
    """Return who never came, and how many games were scored without them."""
    games: dict[str, int] = {}
    for result in results:
        for entrant in result.absent:
            bot = result.entrants[entrant]
            games[bot] = games.get(bot, 0) + sum(map(len, result.ranks))
    return tuple(Walkover(bot, games[bot]) for bot in sorted(games))


def pairs(
    results: Sequence[MatchResult], fitted: Fit, sheets: Sheets, taken: Outcomes | None = None
) -> tuple[PairResult, ...]:
    """Return every pair that met: mean score, games, the difference of their ratings, and how well that explains it.

    `taken`: the games with luck taken out, where they were fitted so.
    """
    from ladder import corrected
    from ladder.residuals import deviations

    scored: dict[tuple[str, str], list[int]] = {}
    for result in results:
        sheet = sheets.of(result)
        for one, other, won in sheet.pairs:
            sums = scored.setdefault((result.entrants[one], result.entrants[other]), [0] * 5)
            met = (won, sheet.games, result.points[one], result.points[other])
            for column, count in enumerate((*met, max(result.rounds[one], result.rounds[other]))):
                sums[column] += count
    names = sorted(scored)
    found = deviations(names, fitted, corrected.outcomes(fitted.bots, results, {}, sheets), taken)
    return tuple(
        _pair(pair, difference, z, *scored[pair])
        for pair, difference, z in zip(names, fitted.differences(names), found, strict=True)
    )


def seat_scores(results: Iterable[MatchResult], sheets: Sheets) -> tuple[float, ...]:
    """Return the mean score by seat: the part of the opponents that whoever sits there is ahead of, ties one half."""
    found = [sheets.of(result) for result in results]
    games = sum(sheet.games for sheet in found)
    return tuple(sum(scores) / games for scores in zip(*(sheet.seats for sheet in found), strict=True))


def rounds_a_game(results: Iterable[MatchResult], sheets: Sheets) -> float:
    """Return the mean rounds of a game; those that somebody left before they were dealt have none."""
    counts = [(max(result.rounds), sheets.of(result).games) for result in results]
    return sum(rounds for rounds, _ in counts) / sum(games for _, games in counts)


def _pair(
    pair: tuple[str, str], difference: tuple[float, float], z: float, scored: int, games: int, *rest: int
) -> PairResult:
    points_a, points_b, rounds = rest
    each = 1 / rounds if rounds else 0.0
    return PairResult(*pair, scored / (2 * games), *difference, games, points_a * each, points_b * each, z)
