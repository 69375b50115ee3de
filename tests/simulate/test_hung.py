"""A bot that hangs: it stays connected, and answers nothing, in every format that is installed."""

import json
from dataclasses import replace

import pytest

from ladder.store.rows import MatchState
from referee import formats
from referee.clock import LAG_LIMIT_MS
from referee.match import FAULTS_TO_LOSE_MEETING
from tests.simulate.manners import STEADY, Manners
from tests.simulate.run import run_as
from tests.simulate.scenario import Scenario, empty

pytestmark = pytest.mark.slow

HUNG = replace(STEADY, silent=1.0)
MOMENT_S = 15.0
"""For everything that is not the clock of who hangs: the nonce that it does not send, others' moves, the closing."""


def hanging(format_name: str, *hung: int) -> Scenario:
    """Return the run of one meeting at one referee in which the bots of these numbers hang."""
    seats = formats.get(format_name).seats
    bots: tuple[Manners, ...] = tuple(HUNG if number in hung else STEADY for number in range(seats))
    return replace(empty(), format_name=format_name, bots=bots, matches=((tuple(range(seats)), 1),))


def budget_s(format_name: str, hung: int) -> float:
    """Return how long a meeting may last at most: each time of who hangs is over as often as it is forgiven."""
    clock = formats.get(format_name).clock
    late_ms = FAULTS_TO_LOSE_MEETING * (clock.decision_ms + LAG_LIMIT_MS) + clock.bank_ms
    return hung * min(late_ms, clock.round_ms) / 1_000 + MOMENT_S


@pytest.mark.sample(6)
@pytest.mark.parametrize("format_name", formats.names())
def test_a_bot_that_hangs_loses_within_its_budget(format_name: str) -> None:
    """The match is closed in time, by the clock of who hangs alone, which has all the faults and is last."""
    world = run_as(hanging(format_name, 0), budget_s(format_name, 1))
    assert world.problems == []
    assert world.timeline.now < budget_s(format_name, 1)
    row = world.ledger.matches.get(world.plans[0].id)
    assert row.state is MatchState.CLOSED
    result = json.loads(row.result)
    hung, *others = result["faults"]
    assert hung >= FAULTS_TO_LOSE_MEETING
    assert set(others) == {0}
    seats = formats.get(format_name).seats
    assert all(game["ranks"][0] == seats for meeting in result["meetings"] for game in meeting["games"])


@pytest.mark.parametrize("format_name", ["uno-classic-2", "uno-pairs-4", "dos-200-2", "spin-4"])
def test_bots_that_all_hang_end_within_their_budgets(format_name: str) -> None:
    """Nobody is left who would hurry: each loses by its own clock, one after the other at most."""
    seats = range(formats.get(format_name).seats)
    world = run_as(hanging(format_name, *seats), budget_s(format_name, len(seats)))
    assert world.problems == []
    assert world.ledger.matches.get(world.plans[0].id).state is MatchState.CLOSED
