"""One run of one seed, from the scenario to the verdict."""

from functools import partial

from tests.simulate.judge import judge, witness
from tests.simulate.scenario import scenario
from tests.simulate.world import PATIENCE_S, World


def run(seed: int, patience_s: float = PATIENCE_S) -> World:
    """Return the world after the run of a seed; its `problems` say what was wrong."""
    world = World(scenario(seed), patience_s)
    world.on_kill = partial(witness, world)
    world.run()
    if not world.problems:
        judge(world)
    return world
