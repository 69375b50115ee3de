"""A referee process that the attacks of one module share."""

import itertools
import signal
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from ladder.store import Store
from ladder.store.local import LocalStore
from referee import descriptors
from tests.fixtures_store import PEPPER
from tests.hostile.target import Target
from tests.live.process import spawn

_numbers = itertools.count(1)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def target(store_server: LocalStore, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Target]:
    """A referee that has played once, so that what it costs by itself is behind it."""
    descriptors.allow()
    folder = tmp_path_factory.mktemp("hostile")
    tenant = f"hostile-{next(_numbers)}"
    with Store.open(store_server.url, tenant=tenant, role="test", pepper=PEPPER, allow_volatile=True) as store:
        process = await spawn(store, folder)
        made = Target(store, process, folder)
        try:
            async with made.honest() as names:
                assert await made.faults(made.begin(*names)) == [0, 0]
            yield made
        finally:
            process.send(signal.SIGTERM)
            assert await process.ended() == 0
