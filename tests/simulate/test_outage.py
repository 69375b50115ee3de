"""Bots that a silent store turns away: they wait before they dial again, and that is our time."""

from dataclasses import replace

import pytest

from tests.simulate.far import run_far
from tests.simulate.manners import STEADY
from tests.simulate.run import run_as
from tests.simulate.scenario import Fault, Kind, Scenario, scenario

OUTAGE_S = 6.0
PATIENT = replace(STEADY, think_s=(0.01, 0.15), backoff_s=(2.0, 16.0))
"""It waits as bots do that use the library: twice as long each time."""


def _cut_while_the_store_is_away(seed: int, *, silently: bool = False) -> Scenario:
    made = scenario(seed, (Kind.BOT_CUT_IN_OUTAGE,))
    fault = Fault(
        writes=30,
        seconds=0.0,
        kind=Kind.BOT_CUT_IN_OUTAGE,
        target=made.faults[0].target,
        size=OUTAGE_S,
        steps=int(silently),
    )
    bots = (PATIENT,) * len(made.bots)
    return replace(made, slots=1, bots=bots, loss=0.0, absent_s=20.0, faults=(fault,))


@pytest.mark.parametrize("seed", [1, 13, 15])
def test_a_bot_that_still_waits_when_the_store_is_back_pays_nothing(seed: int) -> None:
    """Its clock begins anew when it is here, and not when the store is: it was told to come again later."""
    world = run_as(_cut_while_the_store_is_away(seed))
    assert not world.problems
    assert world.weather.done == [Kind.BOT_CUT_IN_OUTAGE]


@pytest.mark.parametrize("seed", [0, 2, 5])
def test_a_bot_whose_line_is_not_known_to_be_broken_pays_nothing_either(seed: int) -> None:
    """It was turned away, whatever the referee believes of its stream."""
    assert not run_as(_cut_while_the_store_is_away(seed, silently=True)).problems


def test_the_run_that_showed_it() -> None:
    assert not run_far(35_001).problems


def test_the_run_that_showed_it_at_another_referee() -> None:
    """Who loses a home that the store does not answer cannot come back in there."""
    assert not run_far(60_126, (Kind.BOT_CUT_IN_OUTAGE, Kind.PARTITION, Kind.BOT_CUT)).problems
