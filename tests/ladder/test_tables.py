"""What a table says beside ratings: likelihoods, ranks, what seats are worth, what strength does not explain."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from ladder.elo import MICRO
from ladder.results import MatchResult
from ladder.sheets import Sheets
from ladder.tables import PairResult, Table, Walkover, seat_scores, table
from tests.ladder.scenes import match_of

BOTS = ("ann@1", "bob@1", "cat@1")
LIVE = dict.fromkeys(BOTS, 1500 * MICRO)
WIN, LOSS = ((1, 2), (1, 2)), ((2, 1), (2, 1))
FIRST = ((1, 2), (2, 1))
"""Whoever sits first wins."""


def result(number: int, entrants: tuple[str, ...], *meetings: tuple[tuple[int, ...], ...]) -> MatchResult:
    """Return a match in which the first entrant has 30 points a meeting, the others 10."""
    points = (30 * len(meetings), *[10 * len(meetings)] * (len(entrants) - 1))
    return match_of(number, entrants, meetings, points)


def circle(times: int) -> list[MatchResult]:
    """Return matches in which ann beats bob, bob beats cat, and cat beats ann."""
    pairs = [(BOTS[0], BOTS[1]), (BOTS[1], BOTS[2]), (BOTS[2], BOTS[0])]
    return [result(number, pair, *[WIN] * times) for number, pair in enumerate(pairs)]


def test_who_beats_whom_in_a_circle_is_flagged() -> None:
    """All have one rating, and every pair's score is far from the half that it lets expect.

    They are one circle of 48 meetings, each of which says the same; two of them went into the ratings.
    """
    found = table(BOTS, circle(16), LIVE)
    assert [row.elo for row in found.standings] == pytest.approx([1500.0] * 3)
    assert [abs(pair.z) for pair in found.odd_pairs] == pytest.approx([math.sqrt(48 - 2)] * 3)
    assert [pair.expected for pair in found.pairs] == pytest.approx([0.5] * 3)
    assert found.ranges() == dict.fromkeys(BOTS, (1, 3))


def test_rounds_of_a_game_are_the_mean_of_those_that_were_played() -> None:
    """Of all matches together; before the first nobody knows."""
    played = [replace(one, rounds=(rounds, rounds)) for one, rounds in zip(circle(4), (20, 24, 40), strict=True)]
    assert (table(BOTS, played, LIVE).rounds_a_game, table(BOTS, [], LIVE).rounds_a_game) == (3.5, 0)


def test_what_ratings_explain_is_not_flagged() -> None:
    """Ann is stronger than both, by as much."""
    played = [result(n, pair, *[WIN] * 9, *[LOSS] * 3) for n, pair in enumerate((BOTS[:2], (BOTS[0], BOTS[2])))]
    found = table(BOTS, [*played, result(3, BOTS[1:], *[FIRST] * 12)], LIVE)
    assert found.odd_pairs == ()
    assert found.standings[0].bot == "ann@1"
    assert found.ranges()["ann@1"] == (1, 1)
    assert found.ranges()["bob@1"] == found.ranges()["cat@1"] == (2, 3)
    first = next(pair for pair in found.pairs if (pair.a, pair.b) == ("ann@1", "bob@1"))
    assert first.los > 0.97
    assert (first.points_a, first.points_b) == pytest.approx((15, 5))


def test_a_likelihood_is_that_of_the_difference() -> None:
    """Two deviations ahead: 97.7 %; turned round, the rest; with nothing known, a half."""
    ahead = PairResult("a", "b", 0.6, elo=20.0, ci95=20.0 * 1.959964 / 2, games=10)
    assert ahead.los == pytest.approx(0.97725, abs=1e-5)
    assert PairResult("b", "a", 0.4, -20.0, ahead.ci95, 10).los == pytest.approx(1 - ahead.los)
    assert PairResult("a", "b", 0.5, 0.0, 0.0, 0).los == 0.5


@pytest.mark.parametrize(
    ("played", "scores"),
    [
        pytest.param([result(0, BOTS[:2], FIRST, FIRST)], (1.0, 0.0), id="the first seat wins"),
        pytest.param([result(0, BOTS[:2], WIN)], (0.5, 0.5), id="one bot wins from both seats"),
        pytest.param([result(0, BOTS, ((1, 2, 3), (3, 1, 2), (2, 3, 1)))], (1.0, 0.5, 0.0), id="three seats"),
        pytest.param([], (), id="nothing played"),
    ],
)
def test_what_a_seat_is_worth(played: list[MatchResult], scores: tuple[float, ...]) -> None:
    """Game g of a meeting has everybody g seats further on: the score follows the seat, not the bot."""
    assert seat_scores(played, Sheets()) == pytest.approx(scores)


def test_ranks_are_told_apart_by_those_who_never_met() -> None:
    """In a gauntlet the others are known by what they did against the first: cat is worse than bob for sure."""
    mine, theirs = [WIN] * 30 + [LOSS] * 10, [WIN] * 10 + [LOSS] * 30
    found = table(BOTS, [result(0, BOTS[:2], *theirs), result(1, (BOTS[0], BOTS[2]), *mine)], LIVE)
    assert [(pair.a, pair.b) for pair in found.pairs] == [("ann@1", "bob@1"), ("ann@1", "cat@1")]
    assert found.ranges() == {"bob@1": (1, 1), "ann@1": (2, 2), "cat@1": (3, 3)}


def test_nothing_is_certain_between_groups_that_never_met() -> None:
    """What stands between their ratings is the prior alone."""
    others = ("dan@1", "eve@1")
    strong, even = [WIN] * 30 + [LOSS] * 10, [WIN] * 20 + [LOSS] * 20
    played = [result(0, BOTS[:2], *strong), result(1, others, *even)]
    found = table((*BOTS[:2], *others), played, dict.fromkeys((*BOTS[:2], *others), 1500 * MICRO))
    assert found.ranges() == {"ann@1": (1, 3), "bob@1": (2, 4), "dan@1": (1, 4), "eve@1": (1, 4)}


def test_ranks_agree_with_the_likelihoods_of_pairs() -> None:
    """A bot is certainly better than those that it is ahead of by more than the interval of the difference."""
    rng = random.Random(5)
    bots = tuple(f"bot{number}@1" for number in range(9))
    games = {
        (one, other): [WIN if rng.random() < 0.5 + (m - n) / 20 else LOSS for _ in range(25)]
        for n, one in enumerate(bots)
        for m, other in enumerate(bots)
        if n < m
    }
    played = [result(number, pair, *won) for number, (pair, won) in enumerate(games.items())]
    found = table(bots, played, dict.fromkeys(bots, 1500 * MICRO))
    sure = [pair for pair in found.pairs if abs(pair.elo) > pair.ci95]
    behind = Counter(pair.b if pair.elo > 0 else pair.a for pair in sure)
    ahead = Counter(pair.a if pair.elo > 0 else pair.b for pair in sure)
    assert found.ranges() == {row.bot: (1 + behind[row.bot], 9 - ahead[row.bot]) for row in found.standings}
    assert 0 < len(sure) < 36


def test_groups_that_never_met_are_named() -> None:
    """The largest first; who met through others is one group, and where all met there is nothing to say."""
    bots = (*BOTS, "dan@1", "eve@1")
    apart = [result(0, ("dan@1", "eve@1"), *[FIRST] * 3), result(1, BOTS[:2], *[WIN] * 3)]
    live = dict.fromkeys(bots, 1500 * MICRO)
    assert table(bots, apart, live).groups == (BOTS[:2], ("dan@1", "eve@1"))
    through = [*apart, result(2, BOTS[1:], *[WIN] * 3)]
    assert table(bots, through, live).groups == (BOTS, ("dan@1", "eve@1"))
    assert table(bots, [*through, result(3, ("ann@1", "eve@1"), *[WIN] * 3)], live).groups == ()
    assert table(bots, [], live).groups == ()


def test_an_empty_table_has_no_ranges() -> None:
    """Before anything was played there is nothing to say."""
    assert Table().ranges() == {}
    assert Table().odd_pairs == ()


def test_walkovers_count_in_the_score_and_in_no_rating() -> None:
    """What was played alone makes ratings; who only had walkovers stands behind, by score."""
    played = result(0, BOTS[:2], *[WIN] * 9, *[LOSS] * 3)
    never = [
        replace(result(n, (bot, "cat@1"), *[WIN] * 5), absent=(1,), rounds=(0, 0)) for n, bot in enumerate(BOTS[:2], 1)
    ]
    found, alone = table(BOTS, [played, *never], LIVE), table(BOTS[:2], [played], LIVE)
    rows, without = ({row.bot: row for row in one.standings} for one in (found, alone))
    assert [row.bot for row in found.standings] == ["ann@1", "bob@1", "cat@1"]
    for bot in BOTS[:2]:
        assert (rows[bot].elo, rows[bot].ci95) == (without[bot].elo, without[bot].ci95)
        assert rows[bot].wins == without[bot].wins + 10
    last = rows["cat@1"]
    assert (last.ci95, last.elo, last.losses, last.rank) == (None, 1500.0, 20, 3)
    assert found.walkovers == (Walkover("cat@1", 20),)
    assert {bot: (row.meetings, row.walkovers) for bot, row in rows.items()} == {
        "ann@1": (17, 5),
        "bob@1": (17, 5),
        "cat@1": (10, 10),
    }
    assert {bot: str(ranks) for bot, ranks in found.shown_ranks().items()} == {"ann@1": "1-3", "bob@1": "1-3"}
    assert found.pairs == alone.pairs
    assert found.seats == alone.seats


def test_walkovers_alone_rate_nobody() -> None:
    """The winner stands first, and neither has a rating of these games."""
    found = table(BOTS[:2], [replace(result(0, ("ann@1", "bob@1"), *[LOSS] * 5), absent=(0,), rounds=(0, 0))], LIVE)
    assert [(row.rank, row.bot, row.ci95) for row in found.standings] == [(1, "bob@1", None), (2, "ann@1", None)]
    assert (found.pairs, found.walkovers) == ((), (Walkover("ann@1", 10),))
