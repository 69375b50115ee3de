"""Live Elo: the reference sequences, the law of the sum, and what cannot be rated."""

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.elo import MICRO, BadMeetingError, EloConfig, Ranks, expected, halves, meeting
from tests.ladder.reference import reference

pytestmark = pytest.mark.slow

SEQUENCES = [pytest.param("ref_elo_k32_32_1", id="constant K"), pytest.param("ref_elo_k64_4_10", id="falling K")]
ENTRY = 1500 * MICRO


def meeting_exact(
    config: EloConfig,
    ratings: Sequence[float],
    played: Sequence[int],
    games: Sequence[Ranks],
    teams: Sequence[object] | None = None,
) -> list[float]:
    """Return the changes of `meeting` in points, without rounding K or the changes: its yardstick."""
    seats = len(ratings)
    changes = [0.0] * seats
    ks = [max(config.kmin_milli, config.k0_milli / (1 + 1000 * n / config.n0_milli)) / 1000 for n in played]
    for i in range(seats):
        for j in range(seats):
            if i == j or (teams is not None and teams[i] == teams[j]):
                continue
            surprise = halves(games, i, j) / (2 * len(games)) - expected(ratings[j] - ratings[i])
            changes[i] += (ks[i] + ks[j]) / 2 * surprise / (seats - 1)
    return changes


@pytest.mark.parametrize("name", SEQUENCES)
def test_micro_points_equal_the_reference_after_every_game(name: str) -> None:
    """Integers are reproduced bit for bit through 60 games with ties, teams and 2 to 4 seats."""
    content = reference(name)
    config = EloConfig(content["K0"] * 1000, content["Kmin"] * 1000, content["n0"] * 1000)
    ratings: dict[str, int] = {}
    played: dict[str, int] = {}
    for game, after in zip(content["games"], content["after_each_game_micro"], strict=True):
        bots = [seat["bot"] for seat in game["seats"]]
        before = [ratings.get(bot, config.init) for bot in bots]
        ranks, teams = [seat["rank"] for seat in game["seats"]], [seat["team"] for seat in game["seats"]]
        changes = meeting(config, before, [played.get(bot, 0) for bot in bots], [ranks], teams)
        for bot, old, change in zip(bots, before, changes, strict=True):
            ratings[bot], played[bot] = old + change, played.get(bot, 0) + 1
        assert {bot: ratings[bot] for bot in after} == after
    assert ratings == content["final_micro"]


@pytest.mark.parametrize("name", SEQUENCES)
def test_exact_rule_equals_the_reference_within_a_billionth(name: str) -> None:
    """The rule without rounding agrees with 50-digit arithmetic to 1e-9 points."""
    content = reference(name)
    config = EloConfig(content["K0"] * 1000, content["Kmin"] * 1000, content["n0"] * 1000)
    ratings: dict[str, float] = {}
    played: dict[str, int] = {}
    for game, after in zip(content["games"], content["after_each_game"], strict=True):
        bots = [seat["bot"] for seat in game["seats"]]
        before = [ratings.get(bot, 1500.0) for bot in bots]
        ranks, teams = [seat["rank"] for seat in game["seats"]], [seat["team"] for seat in game["seats"]]
        changes = meeting_exact(config, before, [played.get(bot, 0) for bot in bots], [ranks], teams)
        for bot, old, change in zip(bots, before, changes, strict=True):
            ratings[bot], played[bot] = old + change, played.get(bot, 0) + 1
        assert {bot: ratings[bot] for bot in after} == pytest.approx(
            {bot: float(value) for bot, value in after.items()}, abs=1e-9, rel=0
        )


@pytest.mark.parametrize(
    ("difference", "score"),
    [pytest.param(int(d), float(e), id=d) for d, e in reference("ref_expected")["points"].items()],
)
def test_expected_score_equals_the_reference(difference: int, score: float) -> None:
    """E of a difference agrees to 15 digits."""
    assert expected(difference) == pytest.approx(score, abs=1e-15, rel=0)


def test_k_falls_with_experience_and_stops_at_its_least() -> None:
    """K(n) = max(2, 32 * 20 / (20 + n)), in thousandths, rounded down."""
    config = EloConfig()
    assert [config.k_milli(n) for n in (0, 20, 25, 300, 10_000)] == [32_000, 16_000, 14_222, 2_000, 2_000]


def test_pair_moves_by_the_mean_of_both_ks() -> None:
    """A newcomer who beats a settled equal takes half of the mean K from it."""
    assert meeting(EloConfig(), [ENTRY] * 2, [0, 10_000], [[1, 2]]) == [8_500_000, -8_500_000]


def test_all_games_of_a_meeting_count_as_one_score() -> None:
    """One win each is a draw: equals do not move; a meeting moves as much as its mean score says."""
    config = EloConfig()
    assert meeting(config, [ENTRY] * 2, [0, 0], [[1, 2], [2, 1]]) == [0, 0]
    assert meeting(config, [ENTRY] * 2, [0, 0], [[1, 2], [1, 1]]) == [8_000_000, -8_000_000]


def test_mates_do_not_play_against_each_other() -> None:
    """Two equal teams of two: the winners take the same from the losers, nothing from each other."""
    changes = meeting(EloConfig(), [ENTRY] * 4, [0] * 4, [[1, 2, 1, 2]], [0, 1, 0, 1])
    assert changes == [10_666_666, -10_666_666, 10_666_666, -10_666_666]


@st.composite
def meetings(draw: st.DrawFn) -> tuple[list[int], list[int], list[list[int]], list[int]]:
    """Ratings, experience, games and teams of a meeting of 2 to 10 bots."""
    seats = draw(st.integers(2, 10))

    def by_seat(least: int, most: int) -> st.SearchStrategy[list[int]]:
        return st.lists(st.integers(least, most), min_size=seats, max_size=seats)

    ratings, played = draw(by_seat(-(10**11), 10**11)), draw(by_seat(0, 10**6))
    games = draw(st.lists(by_seat(1, 10), min_size=1, max_size=10))
    return ratings, played, games, draw(by_seat(0, 4))


@given(meetings())
def test_changes_sum_to_zero(case: tuple[list[int], list[int], list[list[int]], list[int]]) -> None:
    """No point is created or lost, whatever is played."""
    ratings, played, games, teams = case
    assert sum(meeting(EloConfig(), ratings, played, games, teams)) == 0


@given(meetings())
def test_integers_stay_close_to_the_exact_rule(case: tuple[list[int], list[int], list[list[int]], list[int]]) -> None:
    """Rounding K down to a thousandth and changes to micro-points costs less than a hundredth of a point."""
    ratings, played, games, teams = case
    changes = meeting(EloConfig(), ratings, played, games, teams)
    exact = meeting_exact(EloConfig(), [rating / MICRO for rating in ratings], played, games, teams)
    assert [change / MICRO for change in changes] == pytest.approx(exact, abs=0.01, rel=0)


@given(meetings())
def test_scores_of_a_pair_sum_to_its_games(case: tuple[list[int], list[int], list[list[int]], list[int]]) -> None:
    """Half points of one and of the other make one point a game."""
    _, _, games, _ = case
    assert halves(games, 0, 1) + halves(games, 1, 0) == 2 * len(games)


def test_falling_k_is_an_exact_floor() -> None:
    """K is the floor of the true quotient, not of a rounded one."""
    config = EloConfig()
    for n in range(2_000):
        true = Fraction(config.k0_milli * config.n0_milli, config.n0_milli + 1000 * n)
        assert config.k_milli(n) == max(config.kmin_milli, true.__floor__())


@pytest.mark.slow
@pytest.mark.thorough
def test_sum_is_conserved_over_a_hundred_thousand_games() -> None:
    """2 to 10 seats, ties, teams: the sum of all ratings is that of the entries, to the last micro-point."""
    chance = random.Random(2026)
    ratings, played = [ENTRY] * 30, [0] * 30
    for _ in range(100_000):
        seats = chance.sample(range(30), chance.choice([2, 2, 2, 3, 4, 10]))
        games = [[chance.randint(1, len(seats)) for _ in seats]]
        teams = [seat % 3 for seat in seats] if chance.random() < 0.2 else None
        changes = meeting(EloConfig(), [ratings[bot] for bot in seats], [played[bot] for bot in seats], games, teams)
        for bot, change in zip(seats, changes, strict=True):
            ratings[bot] += change
            played[bot] += 1
    assert sum(ratings) == 30 * ENTRY


@pytest.mark.parametrize(
    ("seats", "games", "teams"),
    [
        pytest.param(1, [[1]], None, id="one bot"),
        pytest.param(11, [[1] * 11], None, id="eleven bots"),
        pytest.param(2, [], None, id="no game"),
        pytest.param(2, [[1, 2, 3]], None, id="too many places"),
        pytest.param(2, [[0, 1]], None, id="place zero"),
        pytest.param(2, [[1, 11]], None, id="place eleven"),
        pytest.param(2, [[1, 2]], [0], id="too few teams"),
    ],
)
def test_what_cannot_be_rated_is_refused(seats: int, games: list[list[int]], teams: list[int] | None) -> None:
    """A meeting of the wrong shape is an error, never a guess."""
    with pytest.raises(BadMeetingError):
        meeting(EloConfig(), [0] * seats, [0] * seats, games, teams)


def test_k_must_be_positive() -> None:
    """A ladder on which nobody moves is refused."""
    with pytest.raises(ValueError, match="must be positive"):
        EloConfig(kmin_milli=0)
