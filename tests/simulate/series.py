"""Many runs, on several processors at once."""

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

CHUNK: Final = 8
PLANTED: Final[dict[str, Bug]] = {bug.name: bug for bug in (*BUGS, *FOUND)}
PLANTED_BETWEEN: Final[dict[str, Bug]] = {bug.name: bug for bug in FAR_BUGS}
"""Those that need trunks."""


def planted(bug: str) -> AbstractContextManager[object]:
    """Plant a bug for the time of a block; "" plants none."""
    return (PLANTED | PLANTED_BETWEEN)[bug].plant() if bug else nullcontext()


def _outcome(kinds: tuple[Kind, ...], bug: str, trunks: bool, seed: int) -> Outcome:
    with planted(bug):
        return Outcome.of(seed, kinds, trunks=trunks)


def outcomes(
    seeds: Sequence[int], kinds: tuple[Kind, ...], bug: str, jobs: int, *, trunks: bool = False
) -> Iterator[Outcome]:
    """Yield what the runs of these seeds come to, in order; `jobs` of them are made at once."""
    one = partial(_outcome, kinds, bug, trunks)
    if jobs == 1 or len(seeds) == 1:
        yield from map(one, seeds)
        return
    with ProcessPoolExecutor(min(jobs, len(seeds)), get_context("spawn")) as pool:
        yield from pool.map(one, seeds, chunksize=min(CHUNK, -(-len(seeds) // jobs)))
