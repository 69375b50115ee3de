"""A referee process that the attacks of one module share."""

import asyncio
import itertools
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.local import LocalStore
from tests.fixtures_store import PEPPER
from tests.hostile.target import Target
from tests.live.process import spawn

_numbers = itertools.count(1)


@pytest.fixture(scope="module")
def runner() -> Iterator[asyncio.Runner]:
    """One event loop for all tests of the module: a process is waited for in the loop that started it."""
    with asyncio.Runner() as one:
        yield one


@pytest.fixture(scope="module")
def target(
    store_server: LocalStore, tmp_path_factory: pytest.TempPathFactory, runner: asyncio.Runner
) -> Iterator[Target]:
    """A referee that has played once, so that what it costs by itself is behind it."""
    folder: Path = tmp_path_factory.mktemp("hostile")
    with Store.open(
        store_server.url, tenant=f"hostile-{next(_numbers)}", role="test", pepper=PEPPER, allow_volatile=True
    ) as store:
        process = runner.run(spawn(store, folder))
        made = Target(store, process, folder)
        runner.run(_warm(made))
        yield made
        process.send(signal.SIGTERM)
        runner.run(process.ended())


async def _warm(target: Target) -> None:
    async with target.pair() as names:
        assert await target.faults(target.begin(*names)) == [0, 0]
