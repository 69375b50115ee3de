"""A match outlives its referee: killed, told to stop, or (thorough) frozen."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard import Bot
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.settings import settings
from referee import formats
from referee.fold import fold
from referee.match_spec import MatchSpec
from tests.live.blows import BLOWS, Blow
from tests.live.house import FORMAT, ended, plan, progressed, result
from tests.live.process import spawn
from tests.live.test_faults import Slow
from tests.live.test_matches import Greedy
from workers.house.ports import LOOPBACK, free


class Steady(Slow):
    """Takes its time in the normal format."""

    formats = (FORMAT,)


@asynccontextmanager
async def bots_at(store: Store, server: str, *bots: Bot) -> AsyncIterator[list[str]]:
    """Connect up to four bots to a referee; yields what they are known as."""
    links, tasks, names = [], [], []
    for name, bot in zip(("ann", "ben", "cid", "dan"), bots, strict=False):
        _, token = store.registry.register(name, f"owner of {name}")
        names.append(store.registry.version(name, "1"))
        link = Link(player(bot, lambda _error: None), settings([], {}, server=server, token=token))
        links.append(link)
        tasks.append(asyncio.create_task(link.run()))
    try:
        yield names
    finally:
        for link in links:
            link.stop()
        await asyncio.gather(*tasks)


@pytest.mark.parametrize(("blow", "code"), BLOWS)
async def test_a_match_goes_on_at_the_next_referee(store: Store, tmp_path: Path, blow: Blow, code: int) -> None:
    """The same match is played to its end by a second process: later epochs, no fault, and one log that folds."""
    first = await spawn(store, tmp_path, f"{LOOPBACK}:{free(1)[0]}")
    async with bots_at(store, first.play, Steady(), Greedy()) as (ann, ben):
        store.matches.plan([plan("h.1.1.0", ann, ben, meetings=4)], 1)
        await progressed(store, "h.1.1.0", 12)
        assert await blow(store, first) == code
        second = await spawn(store, tmp_path, first.play)
        try:
            row = await ended(store, "h.1.1.0")
        finally:
            second.send(signal.SIGTERM)
            await second.ended()
    assert row.state is MatchState.CLOSED
    told = result(row)
    assert told["faults"] == [0, 0]
    assert told["forfeits"] == []
    log = store.matches.log("h.1.1.0")
    epochs = [epoch for epoch, _, _ in log]
    assert epochs == sorted(epochs)
    assert epochs[-1] > epochs[0]
    seed = store.matches.seed("h.1.1.0")
    assert seed is not None
    assert row.commitment == sha256(seed.reveal()).hexdigest()
    spec = MatchSpec("h.1.1.0", formats.get(FORMAT), (ann, ben), 4)
    assert fold(spec, seed, [data for _, _, data in log]).result() == told
