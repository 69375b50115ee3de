"""Many runs, on several processors at once."""

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from multiprocessing import get_context
from typing import Final

from tests.simulate.bugs import BUGS, Bug
from tests.simulate.far_bugs import FAR_BUGS
from tests.simulate.found import FOUND
from tests.simulate.scenario import Kind
from tests.simulate.tally import Outcome
from tests.simulate.timeline import Timeline

CHUNK: Final = 8
PLANTED: Final[dict[str, Bug]] = {bug.name: bug for bug in (*BUGS, *FOUND)}
PLANTED_BETWEEN: Final[dict[str, Bug]] = {bug.name: bug for bug in FAR_BUGS}
"""Those that need trunks."""


def planted(bug: str) -> AbstractContextManager[object]:
    """Plant a bug for the time of a block; "" plants none."""
    return (PLANTED | PLANTED_BETWEEN)[bug].plant() if bug else nullcontext()


def _outcome(kinds: tuple[Kind, ...], bug: str, trunks: bool, timed: bool, seed: int) -> Outcome:
    Timeline.timed = timed
    if timed:  # of what is collected here most is the simulation's
        gc.collect()
        gc.disable()
    try:
        with planted(bug):
            return Outcome.of(seed, kinds, trunks=trunks)
    finally:
        gc.enable()


def outcomes(
    seeds: Sequence[int],
    kinds: tuple[Kind, ...],
    bug: str,
    jobs: int,
    *,
    trunks: bool = False,
    timed: bool = False,
) -> Iterator[Outcome]:
    """Yield what the runs of these seeds come to, in order; `jobs` of them are made at once.

    `timed`: how long callbacks keep their loops is looked at, too.
    """
    one = partial(_outcome, kinds, bug, trunks, timed)
    if timed:
        one(seeds[0])  # what is done once in a process is not looked at
    if jobs == 1 or len(seeds) == 1:
        yield from map(one, seeds)
        return
    with ProcessPoolExecutor(min(jobs, len(seeds)), get_context("spawn")) as pool:
        yield from pool.map(one, seeds, chunksize=min(CHUNK, -(-len(seeds) // jobs)))
