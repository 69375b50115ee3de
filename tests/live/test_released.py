"""What is taken up and turns out to be without its bots goes back to the queue once, and is left alone there."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.bots import make
from tests.live.house import house, plan, result
from tests.live.peer import Peer
from tests.patience import until

MATCH = "t.1.1.0"
LOOKS = 5


async def test_it_is_claimed_again_when_its_last_bot_is_there(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its release is no strike, and nobody claims and releases it meanwhile; its first host had died."""
    async with house(store, tmp_path) as home:
        ann = await home.join("ann", make("greedy", 1))
        await home.token("ben")
        await home.plan(replace(plan(MATCH, ann, store.registry.version("ben", "1")), ready=False))
        store.matches.set_ready(MATCH, 1 << 60)
        store.matches.beat("ref-gone", {}, fresh=True)
        store.matches.claim(MATCH, "ref-gone", 1, seed=bytes(32))
        store.matches.leave("ref-gone")
        home.referee.claimer._beat.orphans_from = 0.0
        await until(lambda: store.matches.get(MATCH).releases)
        released, looks = store.matches.head(MATCH), list[int]()

        def counted() -> None:
            looks.append(1)
            grow()

        grow = home.referee.claimer.growth.grow
        monkeypatch.setattr(home.referee.claimer.growth, "grow", counted)
        await until(lambda: len(looks) > LOOKS)
        row = store.matches.get(MATCH)
        assert store.matches.head(MATCH) == released
        assert (row.state, row.owner, row.strikes, row.releases) == (MatchState.READY, "", 1, 1)
        await home.join("ben", make("careful", 2))
        row = await home.ended(MATCH)
        assert (row.state, row.strikes) == (MatchState.CLOSED, 1)


async def test_who_vanishes_after_every_claim_sends_no_match_back(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim from the queue is never released for want of bots: it is played on, and its bots are waited for in it.

    What goes back is only what a host that died had claimed, as above: no bot can have that done again and again.
    """
    claim, loop, vanished = store.matches.claim, asyncio.get_running_loop(), list[str]()
    async with house(store, tmp_path, absent_s=30.0) as home:
        ann, streams = await home.join("ann", make("greedy", 1)), AsyncExitStack()

        async def come() -> str:
            ben = await streams.enter_async_context(Peer.open(home, "ben"))
            ben.answer = lambda _turn: [0]
            return ben.bot

        async def vanish(match: str) -> None:
            await streams.aclose()
            await until(lambda: not home.referee.host.roster.players[ben].sessions)
            vanished.append(match)
            loop.call_later(0.3, lambda: coming.create_task(come()))

        def claimed(match: str, *args: Any, **named: Any) -> object:  # noqa: ANN401  (as they come)
            won = claim(match, *args, **named)
            asyncio.run_coroutine_threadsafe(vanish(match), loop).result()
            return won

        async with streams, asyncio.TaskGroup() as coming:
            ben = await come()
            monkeypatch.setattr(store.matches, "claim", claimed)
            for number in range(2):
                await home.plan(plan(f"t.1.{number}.0", ann, ben))
                row = await home.ended(f"t.1.{number}.0")
                assert (row.state, row.releases, row.strikes) == (MatchState.CLOSED, 0, 0)
                assert {epoch for epoch, _, _ in store.matches.log(row.id)} == {1}
                assert result(row)["faults"] == [0, 0]
    assert vanished == ["t.1.0.0", "t.1.1.0"]
