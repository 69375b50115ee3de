"""What a plan promises: counts, time, and how sure the result will be."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from ladder.errors import InvalidFieldError
from workers.plan import schedule_of
from workers.spec import Deals, Kind, TournamentSpec
from workers.summary import PlanSummary, expected_ci95, pairing_of, summarise
from workers.terms import Terms

TERMS = Terms("uno-classic-2", "0123456789abcdef", 1, 2, Deals.FRESH)


SPEC = TournamentSpec("spring", TERMS.name)


def summary(bots: int, spec: TournamentSpec = SPEC) -> PlanSummary:
    return summarise(spec, schedule_of(spec, TERMS, tuple(f"b{number}@1" for number in range(bots))), 100.0)


def test_counts_of_a_round_robin() -> None:
    """Four bots and the default of 50 meetings: six pairs, four matches each, two games a meeting."""
    assert replace(summary(4), expected_ci95=None) == PlanSummary(24, 300, 600, 150, 6.0, None)


def test_counts_of_a_gauntlet() -> None:
    """One bot against five: five pairs, and everybody else plays one of them."""
    assert replace(summary(6, replace(SPEC, kind=Kind.GAUNTLET)), expected_ci95=None) == PlanSummary(
        20, 250, 500, 50, 5.0, None
    )


def test_cycles_multiply() -> None:
    """Three cycles are three times as much of everything."""
    assert summary(5, replace(SPEC, cycles=3)).games == 3 * summary(5).games


@pytest.mark.parametrize(
    ("seats", "games", "deals", "expected"),
    [
        pytest.param(2, 1900, Deals.FRESH, 15.62, id="twenty bots, default, fresh deals"),
        pytest.param(2, 700, Deals.MIRRORED, 19.94, id="eight bots, mirrored"),
        pytest.param(4, 1000, Deals.FRESH, 15.5, id="four seats"),
        pytest.param(3, 1000, Deals.FRESH, None, id="nobody measured three seats"),
        pytest.param(2, 0, Deals.FRESH, None, id="no games"),
    ],
)
def test_expected_interval(seats: int, games: int, deals: Deals, expected: float | None) -> None:
    """The half width falls with the root of a bot's games."""
    assert expected_ci95(seats, games, deals) == (expected and pytest.approx(expected, abs=0.01))


def test_without_a_pace_there_is_no_time() -> None:
    """A plan that nobody can play takes for ever."""
    assert math.isinf(summarise(SPEC, schedule_of(SPEC, TERMS, ("a@1", "b@1")), 0.0).seconds)


def test_a_plan_too_large_is_refused() -> None:
    """A schedule that nobody could finish is refused before anything is created."""
    with pytest.raises(InvalidFieldError, match="allowed 10000000") as refused:
        summary(1000, replace(SPEC, meetings=10_000))
    assert refused.value.reason == "TOO_LARGE"


def test_more_seats_are_refused_in_words() -> None:
    """Pairs do not fit a table of four."""
    with pytest.raises(InvalidFieldError, match=re.escape("choose a format of two seats")):
        pairing_of(Kind.ROUND_ROBIN, 8, 4)


def test_the_first_named_bot_runs_the_gauntlet() -> None:
    """Whatever the seed, the first bot meets all others."""
    spec = replace(SPEC, kind=Kind.GAUNTLET, schedule_seed=7)
    schedule = schedule_of(spec, TERMS, ("hero@3", "a@1", "b@1", "c@1"))
    assert all("hero@3" in fixture.entrants for fixture in schedule)
