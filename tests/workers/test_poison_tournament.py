"""A tournament with a match that kills every referee comes to its end, and an operator has that match played later."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from ladder.readings.tournament_tables import TournamentTables
from ladder.store import Store
from ladder.store.rows import MatchState
from tests.fixtures_store import PEPPER
from tests.live.poison import keep, running
from tests.patience import PATIENCE_S, until
from tests.workers.house import House, spec
from tests.workers.processes import Process
from tests.workers.small_referee import FORMAT
from workers.engine import deals_of, teams_of
from workers.house.ports import LOOPBACK, free
from workers.records.closed_match import closed_match
from workers.tournaments.life import State

pytestmark = pytest.mark.thorough

POISON, NONE = "spring.1.1.0", "none.1.1.0"
NAMES = ("ann", "ben", "cat", "dan")
MATCHES = 6
SECRET = bytes(range(32))
STRIKES = 3


@contextmanager
def working(ledger: str, folder: Path) -> Iterator[None]:
    """Run beat and a worker of Celery for this ledger."""
    environment = {"LASTCARD_REDIS_URL": ledger, "LASTCARD_TICK_MS": "200", "LASTCARD_ALLOW_VOLATILE": "1"}
    with ExitStack() as stack:
        for part in ("beat", "worker"):
            process = stack.enter_context(Process(["serve", part], environment, folder / "workers.log"))
            process.ready()
        yield


@asynccontextmanager
async def refereed(store: Store, folder: Path, plays: list[str], poison: str) -> AsyncIterator[list[int]]:
    """Run referees that die on a match; yields how they died."""
    deaths: list[int] = []
    keepers = [asyncio.create_task(keep(store, folder, play, poison, deaths)) for play in plays]
    try:
        yield deaths
    finally:
        for task in keepers:
            task.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)


async def finished(house: House) -> None:
    """Wait until the tournament is over."""
    began = time.monotonic()
    while await asyncio.to_thread(house.state, "spring") is not State.FINISHED:
        assert time.monotonic() - began < PATIENCE_S, house.store.tournaments.get("spring")
        await asyncio.sleep(0.1)


async def test_a_tournament_ends_without_its_poison_match_and_goes_on_with_it(own_ledger: str, tmp_path: Path) -> None:
    """Real referees die on it three times; the rest is played, rated and finished. Then it is put back and played.

    The deal seed is shown when nothing is left that could be dealt from it, and everything was dealt from it.
    """
    pepper = tmp_path / "pepper"
    pepper.touch(mode=0o600)
    pepper.write_text(PEPPER.hex(), "ascii")
    plays = [f"{LOOPBACK}:{port}" for port in free(2)]
    with (
        Store.open(own_ledger, role="test", allow_volatile=True, pepper=PEPPER) as store,
        working(own_ledger, tmp_path),
    ):
        house = House(store, TournamentTables(store.matches, store.ratings, teams_of, deals_of=deals_of))
        house.now_ms = time.time_ns() // 1_000_000
        async with running(store, tmp_path, ",".join(plays), *NAMES):
            async with refereed(store, tmp_path, plays, POISON) as deaths:
                await asyncio.to_thread(house.desk.create, spec("spring", *NAMES, meetings=2), SECRET, "tester")
                await finished(house)
                assert deaths == [-9] * STRIKES
            row, poison = store.tournaments.get("spring"), store.matches.get(POISON)
            assert (poison.state, poison.reason) == (MatchState.PARKED, "strikes")
            assert (row.done, row.lost, row.parked, row.deal_seed) == (MATCHES - 1, 1, 1, None)
            assert store.ratings.seq(FORMAT) == MATCHES - 1
            async with refereed(store, tmp_path, plays, NONE) as deaths:
                await asyncio.to_thread(house.desk.requeue, POISON, "mended", "olga")
                assert house.state("spring") is State.RUNNING
                await finished(house)
                assert deaths == []
                await until(lambda: store.tournaments.get("spring").deal_seed is not None)  # a referee shows it
        row = store.tournaments.get("spring")
        assert (row.done, row.lost, row.parked, row.deal_seed) == (MATCHES, 0, 0, SECRET)
        assert store.ratings.seq(FORMAT) == MATCHES
        assert store.ratings.rebuild(FORMAT).equal
        assert sum(standing.meetings for standing in house.desk.get("spring").table.standings) == 2 * 2 * MATCHES
        assert all(closed_match(store, match.id).doubt() is None for match in store.matches.every("spring"))
