"""A match on which every referee dies is parked after its attempts; all others are played."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.counters import Counter
from ladder.store.rows import MatchPlan, MatchState
from tests.fixtures_store import PEPPER
from tests.live.house import plan
from tests.live.poison import keep, running
from tests.patience import PATIENCE_S
from workers.house.ports import LOOPBACK, free

pytestmark = pytest.mark.slow

POISON = "t.1.1.0"
STRIKES = 3


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
    keepers = [asyncio.create_task(keep(store, tmp_path, play, POISON, deaths)) for play in plays]
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
