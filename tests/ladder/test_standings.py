"""Tables: what is counted, who stands where, and what is not settled yet."""

import math

import pytest

from ladder.results import MatchResult
from ladder.standings import Fitted, Order, Tally, by_score, standings, tally

POINT = 1_000_000


def _result(
    match: str, entrants: tuple[str, ...], games: list[list[int]], teams: tuple[int, ...] | None = None
) -> MatchResult:
    seats = len(entrants)
    return MatchResult(
        match=match,
        format="uno-classic-2",
        ruleset="r",
        entrants=entrants,
        teams=teams or tuple(range(seats)),
        ranks=(tuple(map(tuple, games)),),
        points=tuple(10 * (seat + 1) for seat in range(seats)),
        rounds=(len(games),) * seats,
        faults=tuple(range(seats)),
    )


def test_games_are_counted_against_each_opponent() -> None:
    """At three seats a game is two comparisons; ties are ties."""
    rows = tally([_result("m", ("a@1", "b@1", "c@1"), [[1, 2, 2], [2, 1, 3]])], dict.fromkeys(("a@1", "b@1", "c@1"), 0))
    assert [(row.bot, row.wins, row.ties, row.losses) for row in rows] == [
        ("a@1", 3, 0, 1),
        ("b@1", 2, 1, 1),
        ("c@1", 0, 1, 3),
    ]
    assert [(row.meetings, row.points, row.rounds, row.faults) for row in rows] == [
        (1, 10, 2, 0),
        (1, 20, 2, 1),
        (1, 30, 2, 2),
    ]


def test_mates_are_not_opponents() -> None:
    """In pairs a game counts against the two others only."""
    names = ("a@1", "b@1", "c@1", "d@1")
    rows = tally([_result("m", names, [[1, 2, 1, 2]], (0, 1, 0, 1))], dict.fromkeys(names, 0))
    assert [(row.wins, row.ties, row.losses) for row in rows] == [(2, 0, 0), (0, 0, 2), (2, 0, 0), (0, 0, 2)]


def test_matches_of_a_tournament_add_up() -> None:
    """The table of a tournament is the sum of its matches."""
    two = [_result("m", ("a@1", "b@1"), [[1, 2]]), _result("n", ("b@1", "a@1"), [[1, 2], [1, 2]])]
    a, b = tally(two, {"a@1": 5, "b@1": 6})
    assert (a.wins, a.losses, a.meetings, a.micro, a.points, a.rounds) == (1, 2, 2, 5, 30, 3)
    assert (b.wins, b.losses, b.points) == (2, 1, 30)


def test_equals_share_a_rank() -> None:
    """1, 2, 2, 4; equals stand in alphabetical order."""
    rows = standings([Tally("d", 10), Tally("c", 20), Tally("b", 20), Tally("a", 30)])
    assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (2, "b"), (2, "c"), (4, "d")]


@pytest.mark.parametrize("order", Order)
def test_what_a_computer_adds_makes_no_rank(order: Order) -> None:
    """Ratings that differ by the last bits are equal; a thousandth of an Elo is a difference."""
    fits = {"a": Fitted(1500.0, 30.0), "b": Fitted(1500.0 + 2e-13, 30.0), "c": Fitted(1499.999, 30.0)}
    rows = standings([Tally(bot, 0, meetings=30) for bot in "cba"], fits, order=order)
    assert [(row.rank, row.bot) for row in rows] == [(1, "a"), (1, "b"), (3, "c")]


def test_equals_share_a_rank_by_score() -> None:
    """Behind others, too; who has played more stands no higher for it."""
    rows = by_score([Tally("b", 0, wins=1, losses=2), Tally("a", 0, wins=100, losses=200), Tally("c", 0)], 4)
    assert [(row.rank, row.bot) for row in rows] == [(4, "a"), (4, "b"), (6, "c")]


def test_without_a_fit_the_live_rating_is_shown_as_provisional() -> None:
    """There is no interval and no luck, and the rating is marked."""
    (row,) = standings([Tally("a", 1512 * POINT, meetings=100, points=30, rounds=12)])
    assert (row.elo, row.raw_elo, row.ci95, row.luck, row.provisional) == (1512.0, 1512.0, None, None, True)
    assert row.mean_points == 2.5


def test_with_a_fit_its_rating_is_shown_beside_the_live_one() -> None:
    """`elo` is of the fit, `raw_elo` the live one."""
    (row,) = standings([Tally("a", 1512 * POINT, meetings=30)], {"a": Fitted(1520.0, 30.0, 0.01)})
    assert (row.elo, row.raw_elo, row.ci95, row.luck, row.provisional) == (1520.0, 1512.0, 30.0, 0.01, False)


@pytest.mark.parametrize(
    ("meetings", "ci95", "provisional"),
    [
        pytest.param(29, 30.0, True, id="too few meetings"),
        pytest.param(30, 30.0, False, id="settled"),
        pytest.param(30, 80.0, True, id="too wide"),
    ],
)
def test_a_rating_settles_with_meetings_and_a_narrow_interval(meetings: int, ci95: float, provisional: bool) -> None:
    """Thirty meetings and a standard error of at most 40 Elo."""
    (row,) = standings([Tally("a", 0, meetings=meetings)], {"a": Fitted(1500.0, ci95)})
    assert row.provisional is provisional


def test_a_ladder_ranks_by_what_is_sure() -> None:
    """A lucky newcomer stands below a proven bot, and one that never played at the end."""
    tallies = [
        Tally("new", 1560 * POINT, rounds=10),
        Tally("old", 1540 * POINT, rounds=4000),
        Tally("none", 1900 * POINT),
    ]
    assert [row.bot for row in standings(tallies, order=Order.LOWER)] == ["old", "new", "none"]
    assert [row.bot for row in standings(tallies)] == ["none", "new", "old"]


def test_a_bot_without_rounds_has_no_mean() -> None:
    """Zero, not an error."""
    (row,) = standings([Tally("a", 0)])
    assert row.mean_points == 0.0
    assert not math.isnan(row.elo)
