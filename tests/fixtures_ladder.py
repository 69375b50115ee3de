"""A house that has played, and a ladder process over it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from ladder.settings import LadderSettings
from ladder.store import Store
from ladder.store.local import LocalStore
from tests.ladder_house import House, played_house
from tests.ladder_running import Running, running_ladder, settings_for


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
