"""A real store for tests: one server a session, one tenant a test.

`store_server` is the process (`.url`), `tenant` a name that no other test has, `store` an open facade on it, and
`open_store` opens further ones: other processes of the same house.
"""

import itertools
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
import redis

from ladder.store import Store
from ladder.store.local import Fsync, LocalStore, start
from tests import secrets_hook

PEPPER = bytes(range(32))
_numbers = itertools.count(1)

OpenStore = Callable[..., Store]


@pytest.fixture(scope="session")
def store_server() -> Iterator[LocalStore]:
    """A server that ends with the session."""
    with (
        tempfile.TemporaryDirectory(prefix="lastcard-") as directory,
        start(Path(directory), fsync=Fsync.EVERYSEC) as server,
    ):
        yield server
        secrets_hook.note([PEPPER, *_seeds(server.url)])


def _seeds(url: str) -> Iterator[bytes]:
    """Yield the seeds of all matches and tournaments that the tests of this process had."""
    with redis.Redis.from_url(url) as link:
        seeds = (link.get(key) for key in link.scan_iter(match="*:seed:*", count=10_000))
        yield from (seed for seed in seeds if isinstance(seed, bytes))


@pytest.fixture
def tenant() -> str:
    """A tenant of this test alone."""
    return f"test-{next(_numbers)}"


@pytest.fixture
def open_store(store_server: LocalStore, tenant: str) -> Iterator[OpenStore]:
    """Opens stores on the tenant of this test; they are closed after it."""
    with ExitStack() as stack:

        def open_one(role: str = "test", pepper: bytes = PEPPER) -> Store:
            return stack.enter_context(Store.open(store_server.url, tenant=tenant, role=role, pepper=pepper))

        yield open_one


@pytest.fixture
def store(open_store: OpenStore) -> Store:
    """An open store on the tenant of this test."""
    return open_store()
