"""A house that has played, and a ladder process over it: one of its own for a test that writes, else a shared one."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from ladder.app import Addresses
from ladder.settings import LadderSettings
from ladder.store import Store
from ladder.store.local import LocalStore
from tests.fixtures_store import PEPPER
from tests.ladder_house import House, played_house
from tests.ladder_running import Reached, Running, reached, running_ladder, settings_for
from tests.patience import PATIENCE_S

_numbers = itertools.count(1)


@pytest.fixture
def ladder_settings(store_server: LocalStore, tenant: str, tmp_path: Path) -> LadderSettings:
    """Settings of a ladder over the store of this test."""
    return settings_for(store_server.url, tenant, tmp_path)


@pytest.fixture
def house(store: Store) -> House:
    """Four house bots and a tournament with one match to come."""
    return played_house(store)


@pytest_asyncio.fixture
async def ladder(house: House, ladder_settings: LadderSettings) -> AsyncIterator[Running]:
    """A ladder process over that house."""
    async with running_ladder(ladder_settings) as running:
        yield running


@pytest_asyncio.fixture
async def empty_ladder(store: Store, ladder_settings: LadderSettings) -> AsyncIterator[Running]:
    """A ladder process over an empty store."""
    async with running_ladder(ladder_settings) as running:
        yield running


@pytest.fixture(scope="session")
def showcase(store_server: LocalStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Addresses]:
    """The shared ladder: a process of its own over such a house that nobody changes."""
    tenant = f"shown-{next(_numbers)}"
    with Store.open(store_server.url, tenant=tenant, role="test", pepper=PEPPER, allow_volatile=True) as store:
        played_house(store)
        told = settings_for(store_server.url, tenant, tmp_path_factory.mktemp(tenant))
        command = [sys.executable, "-m", "tests.ladder_showcase", told.redis_url, tenant, str(told.pepper_file)]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout
            yield Addresses(**json.loads(process.stdout.readline()))
            process.communicate(timeout=PATIENCE_S)


@pytest_asyncio.fixture
async def shown(showcase: Addresses) -> AsyncIterator[Reached]:
    """The shared ladder, for a test that only reads."""
    async with reached(showcase) as found:
        yield found
