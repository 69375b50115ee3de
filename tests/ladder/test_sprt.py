"""The sequential test: the reference, its error rates, and what it refuses."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.scoreline import score_of
from ladder.sprt import BadBoundsError, Bounds, Decision, Trial, constrained, gaussian_llr, llr
from tests.ladder.reference import reference

REFERENCE = reference("ref_sprt")
CASES = [pytest.param(case, id="-".join(map(str, case["counts"]))) for case in REFERENCE["cases"]]
EQUAL: Final = (0.0725, 0.0, 0.855, 0.0, 0.0725)
"""Pairs of near-identical versions on one deal: mostly each wins once, for the correlation of the two is -0.71."""
SINGLES: Final = (0.25, 0.0, 0.50, 0.0, 0.25)
"""The same if every game had cards of its own."""


@pytest.mark.parametrize("case", CASES)
def test_ratio_equals_the_reference(case: dict[str, Any]) -> None:
    """Games and pairs, with and without scores that never came about."""
    found = llr(case["counts"], case["elo0"], case["elo1"])
    assert found == pytest.approx(case["llr"], abs=REFERENCE["tolerance"], rel=0)


def test_bounds_equal_the_reference() -> None:
    """Wald's, for five percent on both sides."""
    bounds = Bounds(0, 20, REFERENCE["bounds"]["alpha"], REFERENCE["bounds"]["beta"])
    assert (bounds.lower, bounds.upper) == pytest.approx(
        (REFERENCE["bounds"]["lower"], REFERENCE["bounds"]["upper"]), abs=1e-12
    )


def test_a_whole_run_equals_the_reference() -> None:
    """The same path, the same decision, after the same number of pairs."""
    run = REFERENCE["run"]
    every, trial = run["check_every_pairs"], Trial(Bounds(run["elo0"], run["elo1"]))
    for start in range(0, len(run["stream"]), every):
        batch = run["stream"][start : start + every]
        trial = trial.after([batch.count(cell) for cell in range(5)])
    assert [units for units, _ in trial.path] == [units for units, _ in run["path"]]
    assert [ratio for _, ratio in trial.path] == pytest.approx([ratio for _, ratio in run["path"]], abs=1e-6)
    assert (trial.decision, trial.units) == (run["decision"], run["stopped_after_pairs"])


@given(st.lists(st.integers(0, 500), min_size=5, max_size=5), st.floats(-50, 50))
def test_constrained_distribution_has_the_mean_it_was_asked_for(counts: list[int], elo: float) -> None:
    """It is a distribution, and its mean is the expected score."""
    shares = constrained(counts, score_of(elo))
    assert all(share > 0 for share in shares)
    assert math.fsum(shares) == pytest.approx(1, abs=1e-9)
    assert math.fsum(k / 4 * share for k, share in enumerate(shares)) == pytest.approx(score_of(elo), abs=1e-9)


@given(st.lists(st.integers(0, 500), min_size=5, max_size=5), st.floats(-30, 30), st.floats(0.5, 30))
def test_turned_round_the_ratio_changes_its_sign(counts: list[int], elo: float, width: float) -> None:
    """Losses for wins and hypotheses exchanged: the same evidence the other way round."""
    one = llr(counts, elo, elo + width)
    assert llr(counts[::-1], -elo - width, -elo) == pytest.approx(-one, abs=1e-7, rel=1e-7)


@pytest.mark.parametrize(
    ("elo0", "elo1", "alpha"),
    [
        pytest.param(20, 0, 0.05, id="the wrong way round"),
        pytest.param(5, 5, 0.05, id="no distance"),
        pytest.param(0, math.nan, 0.05, id="not a number"),
        pytest.param(0, 5000, 0.05, id="beyond any scale"),
        pytest.param(0, 20, 0.5, id="an error rate of a coin"),
        pytest.param(0, 20, 0, id="no error at all"),
    ],
)
def test_bounds_that_cannot_be_tested_are_refused(elo0: float, elo1: float, alpha: float) -> None:
    """With what is allowed."""
    with pytest.raises(BadBoundsError) as caught:
        Bounds(elo0, elo1, alpha)
    assert caught.value.reason == "BAD_BOUNDS"
    assert caught.value.allowed


def test_a_decided_test_counts_nothing_more() -> None:
    """What is played on afterwards changes nothing."""
    trial = Trial(Bounds(0, 20)).after([0, 0, 10, 0, 90])
    assert trial.decision is Decision.H1
    assert trial.after([100, 0, 0, 0, 0]) is trial


def test_real_scores_give_about_the_ratio_of_counts() -> None:
    """The normal approximation, with the variance that the counts have."""
    counts = (180, 0, 640, 0, 260)
    units = sum(counts)
    mean = sum(k * n for k, n in enumerate(counts)) / 4 / units
    variance = sum(n * (k / 4 - mean) ** 2 for k, n in enumerate(counts)) / units
    assert gaussian_llr(units, mean, variance, 0, 15) == pytest.approx(llr(counts, 0, 15), rel=0.02)
    assert gaussian_llr(1, 1.0, 0.0, 0, 15) == 0


@pytest.mark.parametrize("high", [5, 20, 100])
def test_scores_without_spread_tell_about_what_even_pairs_tell(high: int) -> None:
    """As two equal bots on one deal have them, all a half, or but for what computing loses."""
    for units in (10, 100):
        even = llr((0, 0, units, 0, 0), 0, high)
        for variance in (0.0, 1e-30, 1e-6):
            assert gaussian_llr(units, 0.5, variance, 0, high) == pytest.approx(even, rel=0.25)


def simulate(shares: Sequence[float], elo: float, bounds: Bounds, runs: int, seed: int) -> tuple[float, float]:
    """Return how often H1 was accepted, and the mean number of games, where the truth is `elo`.

    Batches of ten pairs; the distribution is the one with this mean that is nearest to `shares`.
    """
    chance = np.random.default_rng(seed)
    truth = constrained([share * 1000 for share in shares], score_of(elo))
    truth = [share / math.fsum(truth) for share in truth]
    accepted, games = 0, 0
    for _ in range(runs):
        trial = Trial(bounds)
        while trial.decision is Decision.OPEN and trial.units < 50_000:
            trial = trial.after(chance.multinomial(10, truth).tolist())
        accepted += trial.decision is Decision.H1
        games += 2 * trial.units
    return accepted / runs, games / runs


@pytest.mark.slow
@pytest.mark.thorough
def test_error_rates_hold_and_mirrored_deals_save_rounds() -> None:
    """400 runs each, bounds 0 and 20: at most 7 % false accepts either way, at most half the rounds for equal ones.

    Seeds 1 to 4; cells as measured for near-identical versions.
    """
    bounds = Bounds(0, 20)
    false, mirrored = simulate(EQUAL, 0, bounds, 400, 1)
    also_false, single = simulate(SINGLES, 0, bounds, 400, 2)
    true, _ = simulate(EQUAL, 20, bounds, 400, 3)
    also_true, _ = simulate(SINGLES, 20, bounds, 400, 4)
    seen = {"false": (false, also_false), "true": (true, also_true), "rounds": (mirrored, single)}
    assert max(false, also_false) <= 0.07, seen
    assert min(true, also_true) >= 0.93, seen
    assert mirrored <= 0.5 * single, seen
