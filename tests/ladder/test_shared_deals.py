"""Ratings of tables that played the same deals: exact against dense matrices, fair with any rho, and surer for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from ladder.bradley_terry import RIDGE, Fit, Outcomes, fit
from ladder.corrected import fitted
from ladder.results import BadResultError, MatchResult
from ladder.scoreline import ELO
from ladder.shared_deals import SharedGames, adjusted

pytestmark = pytest.mark.slow

Floats = NDArray[np.float64]
EQUAL = np.zeros(16)
UNEQUAL = np.linspace(-0.8, 0.8, 16)
RHO = 0.43
"""Of win or loss between bots of nearly one strength at two seats."""


def league(seed: int, strength: Floats, rho: float, meetings: int) -> list[MatchResult]:
    """Return a round robin at two seats, in which a deal hangs together over the tables of a leg with just this rho.

    At each table a game is decided by the number of its deal, so often that two tables share it with probability rho,
    or by one of its own: whoever wins, the chances of a single game are those of the strengths.
    """
    chance, order, found = np.random.default_rng(seed), list(range(len(strength))), []
    for leg in range(len(strength) - 1):
        number = chance.random((meetings, 2))
        for table in range(len(order) // 2):
            pair = [order[table], order[-1 - table]]
            chance.shuffle(pair)
            ranks, deals = [], []
            for meeting in range(meetings):
                turn, games = int(chance.integers(2)), []
                for game in range(2):
                    deal = (game + turn) % 2
                    ahead = strength[pair[game]] - strength[pair[1 - game]]
                    drawn = number[meeting, deal] if chance.random() < rho**0.5 else chance.random()
                    first_wins = drawn < 1 / (1 + np.exp(-ahead))
                    games.append((1, 2) if first_wins == (game == 0) else (2, 1))
                    deals.append(f"{leg}/{meeting}/{deal}")
                ranks.append(tuple(games))
            found.append(match(f"cup.{leg}.{table}", tuple(f"b{bot:02}" for bot in pair), tuple(ranks), tuple(deals)))
        order = [order[0], order[-1], *order[1:-1]]
    return found


def match(
    name: str, bots: tuple[str, ...], ranks: tuple[tuple[tuple[int, ...], ...], ...], deals: tuple[str, ...]
) -> MatchResult:
    """Return a match."""
    none = (0,) * len(bots)
    return MatchResult(name, "field", "0" * 16, bots, tuple(range(len(bots))), ranks, none, none, none, deals=deals)


def names(results: list[MatchResult]) -> list[str]:
    """Return who played."""
    return sorted({bot for result in results for bot in result.entrants})


def plain_of(results: list[MatchResult]) -> Fit:
    """Return the fit without regard to deals."""
    return fitted(names(results), [replace(result, deals=()) for result in results])


def both(results: list[MatchResult], rho: float | None = None) -> tuple[Fit, Fit]:
    """Return the fit without regard to deals, and with."""
    plain = plain_of(results)
    if rho is None:
        return plain, fitted(names(results), results)
    return plain, adjusted(plain, shared_of(results), rho=rho)


def shared_of(results: list[MatchResult]) -> list[SharedGames]:
    """Return the games of these matches, one after the other."""
    found = []
    for result in results:
        outcomes = Outcomes(result.entrants)
        for game in (game for games in result.ranks for game in games):
            outcomes.add(result.entrants, [game], result.teams)
        found.append(SharedGames(outcomes, result.deals))
    return found


def elo(found: Fit) -> Floats:
    """Return the ratings in the order of the bots."""
    return np.array([found.elo[bot] for bot in found.bots])


def dense(results: list[MatchResult], rho: float) -> tuple[Floats, Floats]:
    """Return ratings and covariance by the definition: R of each deal and seat written out and inverted.

    By seat: e is the sum over the opponents at the table, so its row has +1 for the bot and -1 for each of them.
    """
    bots = names(results)
    rows, scores, clusters, owners, deals = [], [], [], [], []
    for result in results:
        seats = len(result.entrants)
        games = [game for meeting in result.ranks for game in meeting]
        for number, (ranks, deal) in enumerate(zip(games, result.deals, strict=True)):
            for entrant in range(seats):
                rivals = [rival for rival in range(seats) if rival != entrant]
                score = sum((ranks[entrant] < ranks[rival]) + (ranks[entrant] <= ranks[rival]) for rival in rivals) / 2
                rows.append([bots.index(result.entrants[rival]) for rival in rivals])
                scores.append(score)
                owners.append(bots.index(result.entrants[entrant]))
                clusters.append(f"{deal} {(entrant - number) % seats}")
                deals.append(deal)
    inverse = np.zeros((len(rows), len(rows)))
    for cluster in set(clusters):
        members = [row for row, name in enumerate(clusters) if name == cluster]
        size = len(members)
        together = np.full((size, size), rho) + (1 - rho) * np.eye(size)
        inverse[np.ix_(members, members)] = np.linalg.inv(together)
    of_bot, opponents = np.eye(len(bots))[owners], np.array(rows)

    def unexpected(theta: Floats) -> Floats:
        ahead = theta[owners][:, None] - theta[opponents]
        missed: Floats = np.array(scores) - (1 / (1 + np.exp(-ahead))).sum(axis=1)
        return missed

    def equations(theta: Floats) -> Floats:
        left: Floats = of_bot.T @ inverse @ unexpected(theta) - RIDGE * theta - theta.mean()
        return left

    def slope(theta: Floats) -> Floats:
        steps = 1e-5 * np.eye(len(bots))
        return np.array([(equations(theta + step) - equations(theta - step)) / 2e-5 for step in steps]).T

    theta = np.zeros(len(bots))
    for _ in range(8):
        theta = theta - np.linalg.solve(slope(theta), equations(theta))
    kept = inverse @ unexpected(theta)
    scored = np.array(
        [of_bot[picked].T @ kept[picked] for picked in (np.array(deals) == d for d in sorted(set(deals)))]
    )
    bread = np.linalg.inv(slope(theta))
    covariance = bread @ scored.T @ scored @ bread.T * len(scored) / (len(scored) - 1)
    return ELO * theta, ELO**2 * covariance


def four(seed: int) -> list[MatchResult]:
    """Return three tables of four, twice, with ties; the third table has its deals alone."""
    chance, found = np.random.default_rng(seed), []
    for leg in range(6):
        order = [f"b{bot:02}" for bot in chance.permutation(12)]
        for table in range(3):
            ranks = tuple(tuple(int(rank) for rank in chance.integers(1, 5, 4)) for _ in range(4))
            deals = tuple(f"{leg}/{(game + table) % 4}" + "!" * (table == 2) for game in range(4))
            found.append(match(f"cup.{leg}.{table}", tuple(order[4 * table : 4 * table + 4]), (ranks,), deals))
    return found


@pytest.mark.parametrize("rho", [0.0, 0.3, 0.8])
@pytest.mark.parametrize(
    "results",
    [pytest.param(league(1, UNEQUAL[::2], RHO, 2), id="two seats"), pytest.param(four(2), id="four seats")],
)
def test_it_is_the_dense_equation(results: list[MatchResult], rho: float) -> None:
    """Ratings and covariance are those of matrices written out, seat by seat."""
    bots = names(results)
    plain = fit(Outcomes.joined(bots, [part.outcomes for part in shared_of(results)]), clustered=True)
    found = adjusted(plain, shared_of(results), rho=rho)
    ratings, covariance = dense(results, rho)
    assert elo(found) == pytest.approx(ratings, abs=1e-5)
    assert found.covariance == pytest.approx(covariance, abs=1e-3, rel=1e-4)


def test_ratings_sum_to_zero() -> None:
    """What one gains by it others lose, in ratings and in their covariance."""
    plain, found = both(league(3, UNEQUAL, RHO, 3))
    assert elo(found).sum() == pytest.approx(0.0, abs=1e-6)
    assert found.covariance.sum(axis=0) == pytest.approx(np.zeros(16), abs=1e-6)
    assert np.abs(elo(found) - elo(plain)).max() > 1


def test_who_plays_every_deal_alone_has_the_plain_fit() -> None:
    """With one table a deal nothing hangs together: ratings are the plain ones, intervals those of single games."""
    results = league(4, UNEQUAL, RHO, 3)
    alone = [replace(one, deals=tuple(f"{one.match}/{deal}" for deal in one.deals)) for one in results]
    plain, found = both(alone)
    games = fit(Outcomes.joined(names(alone), [part.outcomes for part in shared_of(alone)]), clustered=True)
    assert elo(found) == pytest.approx(elo(plain), abs=1e-6)
    assert found.covariance == pytest.approx(games.covariance, rel=1e-6, abs=1e-6)
    assert elo(both(alone, 0.9)[1]) == pytest.approx(elo(plain), abs=0.1)


def test_the_order_of_matches_does_not_matter() -> None:
    """Deals are found by their names, whoever played them first."""
    results = league(5, UNEQUAL, RHO, 3)
    forth, back = both(results)[1], both(results[::-1])[1]
    assert elo(back) == pytest.approx(elo(forth), abs=1e-6)
    assert back.covariance == pytest.approx(forth.covariance, abs=1e-6)


@pytest.mark.thorough
def test_a_wrong_rho_makes_no_rating_wrong() -> None:
    """Over 60 leagues of unequal bots the mean rating is the truth, within what chance allows, whatever rho is said."""
    leagues = [league(seed, UNEQUAL, RHO, 6) for seed in range(60)]
    plain = [plain_of(results) for results in leagues]
    for rho in (None, 0.0, 0.2, 0.9):
        fits = [adjusted(found, shared_of(results), rho=rho) for found, results in zip(plain, leagues, strict=True)]
        ratings = np.array([elo(found) for found in fits])
        mean, spread = ratings.mean(axis=0), ratings.std(axis=0, ddof=1) / len(leagues) ** 0.5
        assert np.abs((mean - ELO * UNEQUAL) / spread).max() < 3.5
        assert mean @ UNEQUAL / (ELO * UNEQUAL @ UNEQUAL) == pytest.approx(1.0, abs=0.02)


@pytest.mark.parametrize(("rho", "factor"), [pytest.param(RHO, 0.64, id="near"), pytest.param(0.72, 0.32, id="same")])
@pytest.mark.nightly
def test_intervals_are_shorter_and_hold(rho: float, factor: float) -> None:
    """At eight tables the variance falls as far as the law says, and 93 to 97 % of the intervals hold."""
    fits = [both(league(seed, EQUAL, rho, 6)) for seed in range(100)]
    before, after = (np.mean([elo(pair[which]) ** 2 for pair in fits]) for which in (0, 1))
    assert after / before == pytest.approx(factor, abs=0.06)
    assert 1 / ((7 / 8) / (1 - rho) + (1 / 8) / (1 + 7 * rho)) == pytest.approx(factor, abs=0.01)
    inside = [abs(found.elo[bot]) <= found.ci95(bot) for _, found in fits for bot in found.bots]
    assert 0.93 <= np.mean(inside) <= 0.97
    pairs = [found.difference(*found.bots[n : n + 2]) for _, found in fits for n in range(0, 16, 2)]
    assert 0.93 <= np.mean([abs(gap) <= half for gap, half in pairs]) <= 0.97


def test_luck_that_is_taken_out_leaves_less_to_the_deal() -> None:
    """Where the luck of a game is known exactly, scores are what strength says, and nothing hangs together."""
    results = league(6, EQUAL, 0.9, 3)
    luck = {
        one.match: [[0.5, -0.5] if game == (1, 2) else [-0.5, 0.5] for games in one.ranks for game in games]
        for one in results
    }
    found = fitted(names(results), results, luck)
    assert elo(found) == pytest.approx(np.zeros(16), abs=1e-6)
    assert max(map(found.ci95, found.bots)) < 1e-3


def test_few_meetings_keep_the_plain_fit() -> None:
    """With fewer than five a bot rho is as unknown as the spread."""
    results = league(7, EQUAL, RHO, 1)[:24]
    plain, found = both(results)
    assert not plain.clustered
    assert found.elo == plain.elo
    assert np.array_equal(found.covariance, plain.covariance)


def test_who_wins_everything_has_a_rating() -> None:
    """It is finite, the highest, and named as before."""
    results = league(8, UNEQUAL, RHO, 3)
    results = [
        replace(one, ranks=tuple(tuple((1, 2) if one.entrants[0] == "b15" else (2, 1) for _ in m) for m in one.ranks))
        if "b15" in one.entrants
        else one
        for one in results
    ]
    plain, found = both(results)
    assert found.unbounded == plain.unbounded == ("b15",)
    assert max(found.elo, key=found.elo.__getitem__) == "b15"
    assert np.isfinite(elo(found)).all()
    assert np.isfinite(found.covariance).all()


def test_a_single_match_without_deals_keeps_the_plain_fit() -> None:
    """All or none: what is not known of one match is not guessed."""
    results = league(9, EQUAL, RHO, 3)
    results[0] = replace(results[0], deals=())
    plain, found = both(results)
    assert found.elo == plain.elo


def test_deals_are_one_a_game() -> None:
    """Any other number of names is refused."""
    result = league(10, EQUAL, RHO, 1)[0]
    replace(result, deals=()).check()
    with pytest.raises(BadResultError, match="names 1 deals, which must be one a game"):
        replace(result, deals=("one",)).check()
    assert result.digest == replace(result, deals=()).digest
