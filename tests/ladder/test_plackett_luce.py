"""Ratings from finishing orders."""

from __future__ import annotations

import numpy as np
import pytest

from ladder.bradley_terry import Outcomes, fit
from ladder.plackett_luce import finishing_orders, fit_orders, yardstick
from ladder.results import MatchResult
from tests.ladder.reference import reference

REFERENCE = reference("ref_plackett_luce")


def test_orders_equal_the_reference() -> None:
    """Within 1e-4 Elo of three independent programs, errors too."""
    fitted = fit_orders(7, REFERENCE["rankings"])
    assert fitted.elo == pytest.approx(REFERENCE["elo"], abs=REFERENCE["tolerance_elo"], rel=0)
    assert fitted.errors == pytest.approx(REFERENCE["se_elo"], abs=REFERENCE["tolerance_elo"], rel=0)


def test_orders_of_two_are_bradley_terry() -> None:
    """The model for tables of two is the same."""
    orders = [(0, 1)] * 7 + [(1, 0)] * 3 + [(1, 2)] * 6 + [(2, 1)] * 5 + [(0, 2)] * 4 + [(2, 0)] * 2
    outcomes = Outcomes("abc")
    for winner, loser in orders:
        outcomes.add(["abc"[winner], "abc"[loser]], [[1, 2]])
    pairs = fit(outcomes, ridge=1e-9, clustered=False)
    assert fit_orders(3, orders).elo == pytest.approx([pairs.elo[bot] for bot in "abc"], abs=1e-5)


def test_all_pairs_order_the_bots_as_the_full_likelihood_does() -> None:
    """On the reference orders the published model, which counts pairs, agrees within a standard error."""
    full = fit_orders(7, REFERENCE["rankings"])
    outcomes = Outcomes([str(bot) for bot in range(7)])
    for order in REFERENCE["rankings"]:
        outcomes.add([str(bot) for bot in order], [list(range(1, len(order) + 1))])
    pairs = fit(outcomes, ridge=1e-9)
    differences = np.array([pairs.elo[str(bot)] for bot in range(7)]) - full.elo
    assert np.abs(differences / full.errors).max() < 1


def test_a_prior_keeps_a_winner_of_everything_finite() -> None:
    """Without one it has no rating."""
    fitted = fit_orders(3, [(0, 1, 2), (0, 2, 1)], ridge=0.05)
    assert 0 < fitted.elo[0] < 2000
    assert fitted.elo[1] == pytest.approx(fitted.elo[2])


def match(*games: tuple[int, ...], teams: tuple[int, ...] = (0, 1, 2), bots: str = "abc") -> MatchResult:
    """Return a match of these games, places by entrant."""
    seats = len(games[0])
    zeros = (0,) * seats
    return MatchResult(
        match="m", format="f", ruleset="r", entrants=tuple(bots), teams=teams, ranks=(games,), points=zeros,
        rounds=(1,) * seats, faults=zeros,
    )  # fmt: skip


def test_orders_are_read_from_places() -> None:
    """The best first, by numbers, where nobody is tied; the yardstick fits them with the prior of published ratings."""
    results = [match((2, 1, 3), (1, 1, 3), (1, 2, 3)), match((3, 1, 2), bots="cab")]
    assert finishing_orders("abc", results) == [[1, 0, 2], [0, 1, 2], [0, 1, 2]]
    found = yardstick("abc", results)
    assert found == fit_orders(3, [[1, 0, 2], [0, 1, 2], [0, 1, 2]], ridge=0.05)


@pytest.mark.parametrize(
    "results",
    [
        pytest.param([], id="nothing was played"),
        pytest.param([match((1, 2), teams=(0, 1), bots="ab")], id="tables of two"),
        pytest.param([match((1, 2, 2))], id="ties alone"),
        pytest.param([match((1, 2, 1, 2), teams=(0, 1, 0, 1), bots="abcd")], id="partners"),
    ],
)
def test_where_there_are_no_orders_there_is_no_yardstick(results: list[MatchResult]) -> None:
    """Pairs say it all there, or orders cannot."""
    assert yardstick("abcd", results) is None
