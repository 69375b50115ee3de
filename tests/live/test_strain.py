"""A referee on a store that is nearly full takes nothing new on, and goes on when there is room again."""

import asyncio
from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.bots import make
from referee.claim import SCAN_S
from tests.live.house import house, plan


async def test_a_strained_referee_claims_nothing_new(store: Store, tmp_path: Path) -> None:
    """What waits goes on waiting, the beat says why, and it is played when the strain is over."""
    async with house(store, tmp_path) as home:
        a, b = [await home.join(name, make("first", 1)) for name in ("ann", "ben")]
        claimer, looks = home.running.claimer, list[int]()

        def strained() -> tuple[str, ...]:
            looks.append(1)
            return ("the disk is full",) if len(looks) == 1 else ()

        claimer.strain = strained
        while not looks:  # noqa: ASYNC110 - what is waited for happens in another task
            await asyncio.sleep(SCAN_S)
        await home.plan(plan("t.1.1.0", a, b))
        await asyncio.sleep(5 * SCAN_S)
        assert store.matches.get("t.1.1.0").state is MatchState.READY
        assert claimer.strained == ("the disk is full",)
        row = await home.ended("t.1.1.0")
        assert row.state is MatchState.CLOSED
        assert len(looks) >= 2
