"""A real store for the workers' tests, and the use cases over it without a broker."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest

from ladder.readings.tournament_tables import TournamentTables
from ladder.store import Store
from ladder.store.archive import Archive
from ladder.store.local import Fsync, LocalStore, start
from ladder.store.rows import MatchState
from tests.found_commands import commands_found_once
from tests.workers.house import House, spec
from tests.workers.rivals import authors_shop
from tests.workers.served import served
from tests.workers.typed_games import typed_game
from workers.engine import deals_of, teams_of

__all__ = ["authors_shop", "commands_found_once", "typed_game"]
_TENANTS = count(1)


@pytest.fixture
def ledger_url(store_server: LocalStore) -> str:
    """Return where the store server of this process is; every test has a tenant of its own there."""
    return store_server.url


@pytest.fixture
def store(ledger_url: str) -> Iterator[Store]:
    """Open a store with nothing in it."""
    tenant = f"t{next(_TENANTS)}"
    with Store.open(ledger_url, tenant=tenant, role="test", allow_volatile=True, pepper=bytes(32)) as opened:
        yield opened


@pytest.fixture
def archiving_store(ledger_url: str, tmp_path: Path) -> Iterator[Store]:
    """Open a store with nothing in it, and an archive."""
    tenant, archive = f"archiving-{next(_TENANTS)}", Archive(str(tmp_path / "archive"))
    with Store.open(
        ledger_url, tenant=tenant, role="test", archive=archive, pepper=bytes(32), allow_volatile=True
    ) as opened:
        yield opened


@pytest.fixture
def house(store: Store) -> House:
    """Put the use cases together over the store."""
    matches, ratings = store.matches, store.ratings
    return House(store, TournamentTables(matches, ratings, teams_of, deals_of=deals_of))


@pytest.fixture
def going(house: House) -> House:
    """Three bots, of whose three matches one is played and rated."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    house.referee.play(house.now_ms, most=1)
    house.look()
    assert house.store.matches.get("spring.1.1.0").state is MatchState.RATED
    return house


@pytest.fixture
def own_ledger(tmp_path: Path) -> Iterator[str]:
    """Start a store server for one test alone."""
    with start(tmp_path / "ledger", fsync=Fsync.EVERYSEC) as local:
        yield local.url


@pytest.fixture
def shop(house: House, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[House]:
    """Serve a house with three bots, and set the environment of an organiser."""
    house.enter("alpha", "beta", "gamma")
    token = tmp_path / "token"
    token.write_text(house.store.registry.operator("olga", {"organiser"}, now_ms=house.now_ms))
    with served(house) as address:
        monkeypatch.setenv("LASTCARD_LADDER", address)
        monkeypatch.setenv("LASTCARD_TOKEN_FILE", str(token))
        monkeypatch.delenv("LASTCARD_TOKEN", raising=False)
        yield house
