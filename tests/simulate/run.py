"""One run of one seed, from the scenario to the verdict."""

from collections.abc import Iterable
from functools import partial
from typing import TypeVar

from tests.simulate.judge import epochs, judge, witness
from tests.simulate.scenario import Kind, Scenario, scenario
from tests.simulate.world import PATIENCE_S, World

T = TypeVar("T", bound=World)


def run(seed: int, kinds: Iterable[Kind] = (), patience_s: float = PATIENCE_S) -> World:
    """Return the world after the run of a seed; its `problems` say what was wrong.

    Args:
        seed: stands for the run, whatever machine it is made on.
        kinds: nothing else goes wrong; none given = everything may.
        patience_s: virtual seconds in which every match must end.
    """
    return run_as(scenario(seed, kinds), patience_s)


def run_as(made: Scenario, patience_s: float = PATIENCE_S) -> World:
    """Return the world after a run that no seed need stand for."""
    return judged(World(made, patience_s))


def judged(world: T) -> T:
    """Return a world after its run and the verdict."""
    world.on_kill = partial(witness, world)
    world.run()
    epochs(world)
    if not world.problems:
        judge(world)
    return world
