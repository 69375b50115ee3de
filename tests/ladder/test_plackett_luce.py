"""Ratings from finishing orders."""

from __future__ import annotations

import numpy as np
import pytest

from ladder.bradley_terry import Outcomes, fit
from tests.ladder.plackett_luce import fit_orders
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
