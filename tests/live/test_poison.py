"""A match on which every referee dies is parked after its attempts; all others are played."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.counters import Counter
from ladder.store.rows import MatchPlan, MatchState
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.pace import Backoff
from lastcard.settings import settings
from referee.bots import make
from tests.fixtures_store import PEPPER
from tests.live.house import plan
from tests.patience import PATIENCE_S
from workers.house.ports import LOOPBACK, free

pytestmark = pytest.mark.slow

POISON = "t.1.1.0"
STRIKES = 3


async def keep(store: Store, folder: Path, play: str, deaths: list[int]) -> None:
    """Run such a referee on one address, started again whenever it dies, as a supervisor does."""
    words = [sys.executable, "-m", "tests.live.poison_referee", POISON, play]
    environ = {
        **os.environ,
        "LASTCARD_REDIS_URL": store.link.url,
        "LASTCARD_TENANT": store.keys.tenant,
        "LASTCARD_PEPPER_FILE": str(folder / "pepper"),
        "LASTCARD_ALLOW_VOLATILE": "1",
    }
    while True:
        with (folder / "referee.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *words, stdout=asyncio.subprocess.PIPE, stderr=log, env=environ
            )
        try:
            assert process.stdout is not None
            ready = json.loads((await process.stdout.readline()).decode().removeprefix("READY "))
            deaths.append(await process.wait())
            await asyncio.to_thread(store.matches.leave, ready["incarnation"])
        finally:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()


@asynccontextmanager
async def running(store: Store, folder: Path, servers: str, *names: str) -> AsyncIterator[list[str]]:
    """Connect bots of these names until the end of the block; returns their versions."""
    links = []
    for seed, name in enumerate(names):
        _, token = await asyncio.to_thread(store.registry.register, name, f"owner of {name}")
        told = settings([], {}, server=servers, token=token)
        link = Link(player(make("first", seed), lambda _error: None), told)
        link._backoff = Backoff(0.1, 1.0)  # these referees die all the time: nobody may miss a match by waiting
        links.append(link)
    tasks = [asyncio.create_task(link.run()) for link in links]
    try:
        yield [f"{name}@1" for name in names]
    finally:
        for link in links:
            link.stop()
        await asyncio.gather(*tasks, return_exceptions=True)


def over(store: Store, plans: list[MatchPlan]) -> bool:
    """Return whether all of these have ended."""
    return all(row.ended_ms for row in store.matches.rows([one.id for one in plans]))


async def test_a_poison_match_is_parked_and_holds_nobody_up(store: Store, tmp_path: Path) -> None:
    """Two referees, both die on it: three deaths in all, then it is parked; the others are closed.

    The alert LastcardMatchParked looks at the number of parked ones; no message of a worker was poison.
    """
    pepper = tmp_path / "pepper"
    pepper.touch(mode=0o600)
    pepper.write_text(PEPPER.hex(), "ascii")
    plays = [f"{LOOPBACK}:{port}" for port in free(2)]
    deaths: list[int] = []
    keepers = [asyncio.create_task(keep(store, tmp_path, play, deaths)) for play in plays]
    try:
        async with running(store, tmp_path, ",".join(plays), "ann", "ben", "cat") as versions:
            pairs = [(versions[0], versions[1]), (versions[1], versions[2]), (versions[2], versions[0])]
            plans = [plan(f"t.1.{number + 1}.0", *pairs[number % 3], meetings=2) for number in range(9)]
            await asyncio.to_thread(store.matches.plan, plans, time.time_ns() // 1_000_000)
            began = time.monotonic()
            while not over(store, plans):
                assert time.monotonic() - began < PATIENCE_S, store.matches.rows([one.id for one in plans])
                await asyncio.sleep(0.1)
    finally:
        for task in keepers:
            task.cancel()
        await asyncio.gather(*keepers, return_exceptions=True)
    rows = {row.id: row for row in store.matches.rows([one.id for one in plans])}
    poison = rows.pop(POISON)
    assert (poison.state, poison.reason) == (MatchState.PARKED, "strikes")
    assert store.matches.states()[MatchState.PARKED] == 1
    assert deaths == [-9] * STRIKES
    ends = {(row.state, row.reason, row.result and json.loads(row.result)["faults"][0]) for row in rows.values()}
    assert ends == {(MatchState.CLOSED, "", 0)}
    store.matches.requeue(POISON, time.time_ns() // 1_000_000)
    assert (store.matches.get(POISON).state, store.matches.get(POISON).strikes) == (MatchState.READY, 0)
    assert Counter("alarms_total", {"kind": "poison"}) not in store.counters.read()
