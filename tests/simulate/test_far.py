"""Referees with trunks under seeded faults: bots that dialled different ones meet, and all promises hold."""

import pytest

from tests.simulate.bugs import Bug
from tests.simulate.far import run_far
from tests.simulate.far_bugs import FAR_BUGS
from tests.simulate.scenario import Kind

pytestmark = pytest.mark.slow

SEEDS = 60
QUICK, MORE = 15, 30
AT_ONCE = 15


def test_a_seed_is_one_run_with_trunks_too() -> None:
    """The same events at the same times, and every bot saw and said the same."""
    assert [run_far(seed).digest() for seed in range(3)] == [run_far(seed).digest() for seed in range(3)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "first",
    [
        *range(0, QUICK, AT_ONCE),
        *(pytest.param(first, marks=pytest.mark.thorough) for first in range(QUICK, MORE, AT_ONCE)),
        *(pytest.param(first, marks=pytest.mark.nightly) for first in range(MORE, SEEDS, AT_ONCE)),
    ],
)
def test_every_invariant_holds_with_trunks(first: int) -> None:
    """Also where the home of a bot, the host of its match or the trunk between them is gone for a while."""
    worlds = {seed: run_far(seed) for seed in range(first, first + AT_ONCE)}
    failed = [f"seed {seed}: {problem}" for seed, world in worlds.items() for problem in world.problems]
    assert not failed, "\n".join(failed)
    assert sum(len(world.slots) > 1 for world in worlds.values()) > AT_ONCE / 3


@pytest.mark.nightly
def test_every_invariant_holds_where_far_bots_drop_the_format() -> None:
    """Their homes say so, and their hosts count them as not there."""
    failed = [
        f"seed {seed}: {problem}"
        for seed in range(AT_ONCE)
        for problem in run_far(seed, (Kind.BOT_DROPS, Kind.KILL)).problems
    ]
    assert not failed, "\n".join(failed)


@pytest.mark.slow
@pytest.mark.parametrize("bug", FAR_BUGS, ids=lambda bug: bug.name)
def test_a_bug_between_referees_is_found(bug: Bug) -> None:
    """Within so many seeds, from 0 on, by the invariant that it breaks."""
    with bug.plant():
        for seed in bug.seeds:
            if any(problem.invariant is bug.breaks for problem in run_far(seed, bug.weather).problems):
                return
    pytest.fail(f"{bug.name}: {bug.within} seeds did not break {bug.breaks}")
