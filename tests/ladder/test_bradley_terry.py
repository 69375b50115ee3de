"""The fit of all games: the reference, its intervals, and pools in which something is missing."""

import math
import time
from collections.abc import Sequence

import numpy as np
import pytest

from ladder.bradley_terry import Fit, Outcomes, fit
from ladder.scoreline import ELO
from ladder.standings import Z95
from tests.ladder.reference import reference

pytestmark = pytest.mark.slow

REFERENCE = reference("ref_bradley_terry")
BOTS = [f"bot{number}" for number in range(len(REFERENCE["wins"]))]


@pytest.fixture(scope="module")
def fitted() -> Fit:
    """The fit of the reference games, each a meeting of its own, practically without a prior."""
    outcomes = Outcomes(BOTS)
    for winner, row in zip(BOTS, REFERENCE["wins"], strict=True):
        for loser, wins in zip(BOTS, row, strict=True):
            for _ in range(wins):
                outcomes.add([winner, loser], [[1, 2]])
    return fit(outcomes, ridge=1e-9, clustered=False)


def test_ratings_equal_the_reference(fitted: Fit) -> None:
    """Within 1e-4 Elo of four independent programs."""
    assert [fitted.elo[bot] for bot in BOTS] == pytest.approx(REFERENCE["elo"], abs=1e-4, rel=0)


def test_errors_equal_the_reference(fitted: Fit) -> None:
    """Standard errors and covariances of independent games are those of the inverse information."""
    assert [fitted.ci95(bot) / Z95 for bot in BOTS] == pytest.approx(REFERENCE["se_elo"], abs=1e-4, rel=0)
    assert np.abs(fitted.covariance - np.array(REFERENCE["cov_elo2"])).max() < 1e-4


def test_likelihood_of_superiority_equals_the_reference(fitted: Fit) -> None:
    """For every ordered pair."""
    for one, row in zip(BOTS, REFERENCE["los"], strict=True):
        for other, los in zip(BOTS, row, strict=True):
            if one != other:
                assert fitted.los(one, other) == pytest.approx(los, abs=1e-6)


def test_difference_has_its_own_interval(fitted: Fit) -> None:
    """The interval of a difference uses the covariance: it is not the sum of two."""
    elo, half = fitted.difference("bot0", "bot1")
    cov = REFERENCE["cov_elo2"]
    assert elo == pytest.approx(REFERENCE["elo"][0] - REFERENCE["elo"][1], abs=2e-4)
    assert half == pytest.approx(Z95 * math.sqrt(cov[0][0] + cov[1][1] - 2 * cov[0][1]), abs=1e-4)


def test_expected_score_of_a_pair_follows_from_the_ratings(fitted: Fit) -> None:
    """Expected scores of both sides make one."""
    assert fitted.expected("bot0", "bot5") + fitted.expected("bot5", "bot0") == pytest.approx(1)
    assert fitted.expected("bot0", "bot5") > 0.8


def test_mean_of_the_pool_is_1500_in_tables(fitted: Fit) -> None:
    """A table of standings shows the fit on the scale of the live rating."""
    table = fitted.table()
    assert sum(row.elo for row in table.values()) / len(table) == pytest.approx(1500)
    assert table["bot0"].ci95 == pytest.approx(fitted.ci95("bot0"))


def _mirrored(seed: int, meetings: int) -> Outcomes:
    """Pairs of games that depend on each other: of the same deal the winner is mostly the same seat."""
    chance = np.random.default_rng(seed)
    bots = [f"b{number}" for number in range(6)]
    outcomes = Outcomes(bots)
    for _ in range(meetings):
        for i in range(6):
            for j in range(i):
                seat = int(chance.integers(2))
                games = [[1, 2] if seat else [2, 1], [2, 1] if seat else [1, 2]]
                if chance.random() < 0.2:
                    games[1] = games[0]
                outcomes.add([bots[i], bots[j]], games)
    return outcomes


def test_games_of_a_meeting_are_one_observation() -> None:
    """Where the two games of a meeting cancel, the sandwich is much narrower than independent games would be."""
    outcomes = _mirrored(1, 60)
    clustered, independent = fit(outcomes, clustered=True), fit(outcomes, clustered=False)
    assert clustered.clustered
    assert clustered.ci95("b0") < 0.6 * independent.ci95("b0")


def test_sandwich_covers_the_truth() -> None:
    """In 200 repetitions among equals, 93 to 97 % of the 95 % intervals contain zero."""
    inside = [
        abs(fitted.elo[bot]) <= fitted.ci95(bot)
        for seed in range(200)
        for fitted in [fit(_mirrored(seed, 30))]
        for bot in fitted.bots
    ]
    assert 0.93 <= sum(inside) / len(inside) <= 0.97


def test_few_meetings_fall_back_to_independent_games() -> None:
    """One meeting tells nothing about its spread; the interval is wide, not zero."""
    outcomes = Outcomes(["a", "b"])
    outcomes.add(["a", "b"], [[1, 2], [2, 1]])
    fitted = fit(outcomes)
    assert not fitted.clustered
    assert fitted.ci95("a") > 200


def test_scores_may_be_any_number() -> None:
    """A luck-corrected score outside 0 to 1 is used as it is: the score equations only need sums."""
    ones, twos = np.zeros(20, dtype=np.int64), np.ones(20, dtype=np.int64)
    scores = np.tile([1.3, -0.1], 10)
    columns = (np.arange(20), ones, twos, scores, np.ones(20))
    fitted = fit(Outcomes.from_arrays(["a", "b"], *columns), ridge=1e-9)
    assert fitted.elo["a"] - fitted.elo["b"] == pytest.approx(ELO * math.log(0.6 / 0.4), abs=1e-4)


def test_order_of_the_meetings_does_not_matter() -> None:
    """The fit of shuffled meetings is the same to 1e-6 Elo."""
    rows = [
        (["a", "b", "c"], [[1, 2, 3], [2, 1, 3]]),
        (["c", "a", "b"], [[1, 1, 3]]),
        (["b", "c", "a"], [[3, 2, 1]]),
    ] * 12
    forth, back = Outcomes("abc"), Outcomes("abc")
    for bots, games in rows:
        forth.add(bots, games)
    for bots, games in reversed(rows):
        back.add(bots, games)
    assert fit(forth).elo == pytest.approx(fit(back).elo, abs=1e-6)


def test_mates_do_not_count() -> None:
    """Partners share a place; only the other team gives or takes."""
    outcomes = Outcomes(["a", "b", "c", "d"])
    for _ in range(20):
        outcomes.add(["a", "b", "c", "d"], [[1, 2, 1, 2], [2, 1, 2, 1], [1, 2, 1, 2]], [0, 1, 0, 1])
    fitted = fit(outcomes)
    assert fitted.elo["a"] == pytest.approx(fitted.elo["c"], abs=1e-6)
    assert fitted.elo["a"] > fitted.elo["b"]
    assert len(fitted.components) == 1


@pytest.mark.parametrize(
    ("pairs", "components", "unbounded"),
    [
        pytest.param([("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")], (("a", "b"), ("c", "d")), (), id="two islands"),
        pytest.param(
            [("a", "b"), ("b", "c"), ("c", "b"), ("c", "d"), ("d", "c")],
            (("a", "b", "c", "d"),),
            ("a",),
            id="one that won everything",
        ),
        pytest.param(
            [("a", "b"), ("b", "a"), ("a", "d")],
            (("a", "b", "d"), ("c",)),
            ("d",),
            id="one that lost everything, one that never played",
        ),
    ],
)
def test_what_the_games_cannot_tell_is_reported(
    pairs: Sequence[tuple[str, str]], components: tuple[tuple[str, ...], ...], unbounded: tuple[str, ...]
) -> None:
    """Islands and perfect scores keep finite ratings through the prior, and are named."""
    outcomes = Outcomes("abcd")
    for winner, loser in pairs:
        outcomes.add([winner, loser], [[1, 2]])
    fitted = fit(outcomes)
    assert fitted.components == components
    assert fitted.unbounded == unbounded
    assert all(map(math.isfinite, fitted.elo.values()))


def test_an_empty_pool_stays_at_its_mean() -> None:
    """Without a single game everybody is where the prior puts them."""
    assert fit(Outcomes(["a", "b"])).elo == {"a": 0.0, "b": 0.0}


@pytest.mark.slow
def test_a_large_pool_is_fitted_in_seconds() -> None:
    """1,000 bots and 500,000 games, with intervals, in less than ten seconds; the ratings are those of the truth."""
    chance = np.random.default_rng(1)
    one = chance.integers(0, 1000, 250_000)
    other = (one + chance.integers(1, 1000, 250_000)) % 1000
    truth = chance.normal(0, 0.3, 1000)
    scores = chance.binomial(2, 1 / (1 + np.exp(truth[other] - truth[one]))).astype(np.float64)
    bots = [f"bot{number}" for number in range(1000)]
    outcomes = Outcomes.from_arrays(bots, np.arange(250_000), one, other, scores, np.full(250_000, 2.0))
    before = time.process_time()
    fitted = fit(outcomes)
    assert time.process_time() - before < 10
    table = fitted.table()
    errors = [
        (table[bot].elo - 1500 - ELO * (value - truth.mean())) / table[bot].ci95
        for bot, value in zip(bots, truth, strict=True)
    ]
    assert 0.93 <= sum(abs(error) <= 1 for error in errors) / 1000 <= 0.97


@pytest.mark.parametrize(
    ("places", "teams", "factor"),
    [
        pytest.param((1, 2), None, 1.0, id="two seats"),
        pytest.param((1, 2, 3, 4), None, 5 / 3, id="four seats"),
        pytest.param((1, 2, 1, 2), (0, 1, 0, 1), 2.0, id="two pairs of partners"),
    ],
)
def test_one_order_decides_all_pairs_of_a_game(
    places: tuple[int, ...], teams: tuple[int, ...] | None, factor: float
) -> None:
    """With few meetings games count as independent, but not the pairs of one game: simulated variance agrees."""
    bots = [f"b{number}" for number in range(len(places))]
    outcomes = Outcomes(bots)
    outcomes.add(bots, [places, places[::-1]], teams)
    assert outcomes.overlap == pytest.approx(factor)
    chance = np.random.default_rng(5)
    sides = len(set(teams or places))
    rivals = len(places) - len(places) // sides
    scores = []
    for _ in range(20_000):
        order = chance.permutation(sides)
        mine = order[0]
        scores.append(len(places) // sides * sum(mine < other for other in order[1:]))
    assert np.var(scores) / (rivals / 4) == pytest.approx(factor, rel=0.05)


def test_another_centre_moves_ratings_and_no_difference(fitted: Fit) -> None:
    """The mean of the named is zero, and their intervals are against it."""
    moved = fitted.around(BOTS[:2])
    assert moved.elo["bot0"] + moved.elo["bot1"] == pytest.approx(0.0, abs=1e-9)
    for bot in BOTS[1:]:
        assert moved.difference("bot0", bot) == pytest.approx(fitted.difference("bot0", bot))
    half = fitted.difference("bot0", "bot1")[1] / 2
    assert [moved.ci95(bot) for bot in BOTS[:2]] == pytest.approx([half, half])
    same = fitted.around(BOTS)
    assert [same.elo[bot] for bot in BOTS] == pytest.approx([fitted.elo[bot] for bot in BOTS], abs=1e-9)
    with pytest.raises(ValueError, match="names no bot of the fit"):
        fitted.around(["nobody"])
