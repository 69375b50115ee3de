"""Real referees under seeded faults on a virtual clock: what must always hold, holds, and a seed is one run."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from referee.orders import ASK
from tests.simulate.manners import STEADY
from tests.simulate.run import run, run_as
from tests.simulate.scenario import Fault, Kind, scenario
from tests.simulate.tally import Outcome, told

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
SEEDS = 300
AT_ONCE = 15
DROPS = 30
THOUGHTFUL = replace(STEADY, think_s=(0.5, 4.0), orders=(ASK, ASK, ASK))
DIGESTS = "from tests.simulate.run import run; print(*(run(seed).digest() for seed in range(3, 7)))"


def test_a_seed_is_one_run() -> None:
    """Twice in one process: the same events at the same times, and every bot saw and said the same."""
    assert [run(seed).digest() for seed in range(3)] == [run(seed).digest() for seed in range(3)]


def test_a_seed_is_the_same_run_in_another_process() -> None:
    """Nothing hangs on the hashes of a process, or on what it did before."""
    digests = [
        subprocess.run(
            [sys.executable, "-c", DIGESTS], cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hashes},
            check=True, capture_output=True, text=True,
        ).stdout.split()
        for hashes in ("1", "2")
    ]  # fmt: skip
    assert digests[0] == digests[1]
    assert len(set(digests[0])) == 4


def test_a_bot_that_saw_something_else_makes_another_digest() -> None:
    world = run(0)
    before = world.digest()
    world.bots[0].diary.events["elsewhere", 0][0] = b"seen"
    assert world.digest() != before


@pytest.mark.parametrize("seed", [0, 3])
def test_what_others_are_asked_stays_open_when_a_seat_leaves(seed: int) -> None:
    """Who thinks meanwhile is asked on, without who left, also by the referee that goes on with the match."""
    away = Fault(writes=30, seconds=0.0, kind=Kind.BOT_AWAY, target=0, size=30.0, steps=0)
    kill = Fault(writes=0, seconds=7.2, kind=Kind.KILL, target=0, size=0.0, steps=0)
    world = run_as(
        replace(
            scenario(seed), format_name="uno-house-3", slots=1, bots=(THOUGHTFUL,) * 3, matches=(((0, 1, 2), 2),),
            absent_s=6.5, loss=0.0, faults=(away, kill),
        )
    )  # fmt: skip
    assert not world.problems
    assert world.weather.done == [Kind.BOT_AWAY, Kind.KILL]
    told = json.loads(world.ledger.matches.get(world.plans[0].id).result)
    assert told["forfeits"] == [{"entrant": 0, "reason": "ABSENT"}]


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_every_invariant_holds(first: int) -> None:
    """Whatever is killed, frozen, cut off, lost or stopped: see tests/simulate/invariant.py for the list."""
    outcomes = [Outcome.of(seed) for seed in range(first, first + AT_ONCE)]
    failed = [told(outcome) for outcome in outcomes if outcome.problems]
    assert not failed, "\n".join(failed)
    assert sum(outcome.writes for outcome in outcomes) > 50 * AT_ONCE, "hardly anything was played"


@pytest.mark.thorough
def test_every_invariant_holds_where_bots_drop_the_format() -> None:
    """They are not asked in it meanwhile, forfeit when that takes too long, and every match ends."""
    outcomes = [Outcome.of(seed, (Kind.BOT_DROPS, Kind.KILL, Kind.DRAIN)) for seed in range(DROPS)]
    failed = [told(outcome) for outcome in outcomes if outcome.problems]
    assert not failed, "\n".join(failed)
    assert sum(outcome.faults[Kind.BOT_DROPS.value] for outcome in outcomes) > DROPS / 2
