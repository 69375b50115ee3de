"""What a plan promises: counts, time, and how sure the result will be."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from ladder.errors import InvalidFieldError
from workers.tournaments.draw import drawn
from workers.tournaments.precision import expected_ci95
from workers.tournaments.spec import Deals, Kind, TournamentSpec
from workers.tournaments.summary import NOTHING, PlanSummary, summarise
from workers.tournaments.terms import Terms
from workers.tournaments.tournament_status import Plan, finish_ms

TERMS = Terms("uno-classic-2", "0123456789abcdef", 1, 2, Deals.FRESH)


SPEC = TournamentSpec("spring", TERMS.name)


def summary(bots: int, spec: TournamentSpec = SPEC) -> PlanSummary:
    return summarise(spec, drawn(spec, TERMS, tuple(f"b{number}@1" for number in range(bots))), 100.0)


def test_counts_of_a_round_robin() -> None:
    """Four bots and the default of 50 meetings: six pairs, four matches each, two games a meeting."""
    assert replace(summary(4), expected_ci95=None) == PlanSummary(24, 300, 600, 150, 6.0, None, 50)


def test_counts_of_a_gauntlet() -> None:
    """One bot against five: five pairs, and everybody else plays one of them."""
    assert replace(summary(6, replace(SPEC, kind=Kind.GAUNTLET)), expected_ci95=None) == PlanSummary(
        20, 250, 500, 50, 5.0, None, 50
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
        pytest.param(3, 1000, Deals.FRESH, 17.58, id="three seats, computed"),
        pytest.param(10, 1000, Deals.FRESH, 13.74, id="ten seats, computed"),
        pytest.param(2, 0, Deals.FRESH, None, id="no games"),
    ],
)
def test_expected_interval(seats: int, games: int, deals: Deals, expected: float | None) -> None:
    """The half width falls with the root of a bot's games, where it meets very many others."""
    assert expected_ci95(seats, games, deals) == (expected and pytest.approx(expected, abs=0.01))


def test_without_a_pace_there_is_no_time() -> None:
    """A plan that nobody can play takes for ever."""
    assert math.isinf(summarise(SPEC, drawn(SPEC, TERMS, ("a@1", "b@1")), 0.0).seconds)


def test_a_plan_too_large_is_refused() -> None:
    """A schedule that nobody could finish is refused before anything is created."""
    with pytest.raises(InvalidFieldError, match="allowed 10000000") as refused:
        summary(1000, replace(SPEC, meetings=10_000))
    assert refused.value.reason == "TOO_LARGE"


def test_counts_of_larger_tables() -> None:
    """Sixteen bots at four seats: fifteen legs of four tables, four games a meeting."""
    table_of_four = replace(TERMS, name="uno-classic-4", seats=4)
    entrants = tuple(f"b{number}@1" for number in range(16))
    spec = replace(SPEC, meetings=25)
    found = summarise(spec, drawn(spec, table_of_four, entrants), 100.0)
    assert (found.meetings, found.games, found.meetings_per_bot) == (1500, 6000, 375)
    assert found.expected_ci95 == pytest.approx(490 * 15 / 16 / math.sqrt(1500))


def test_partners_are_as_sure_as_two_seats() -> None:
    """A pair wins or loses as one: 2,000 real rounds of near-even bots gave 677 over the root of a bot's games."""
    pairs = replace(TERMS, name="uno-pairs-4", seats=4, teams=(0, 1, 0, 1))
    entrants = tuple(f"b{number}@1" for number in range(8))
    found = summarise(SPEC, drawn(SPEC, pairs, entrants), 100.0)
    assert found.expected_ci95 == pytest.approx(681 * 7 / 8 / math.sqrt(4 * found.meetings_per_bot))


def test_nobody_says_when_what_lasts_beyond_all_years_is_over() -> None:
    """A start in the last second of the last year can be written down, and the end of play cannot."""
    last_ms = 253_402_300_799_000
    plan = Plan(NOTHING)
    assert finish_ms(plan, TournamentSpec("spring", "uno-classic-2", start_ms=last_ms), 0, 1.0) is None
    assert finish_ms(plan, TournamentSpec("spring", "uno-classic-2", start_ms=last_ms - 1), 0, 1.0) == last_ms + 999
    assert finish_ms(plan, TournamentSpec("spring", "uno-classic-2"), 0, math.inf) is None
