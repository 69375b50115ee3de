"""Killed between the end of a match and the showing of what was secret, a referee loses nothing and tells nothing."""

import asyncio
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from ladder.store import Store
from ladder.store.reveals import Reveals
from ladder.store.rows import MatchRow, MatchState
from ladder.store.scripts import script
from lastcard import Bot, MatchResult, Turn
from referee import logbook
from tests.chaos.proxy import PIECE, Proxy
from tests.live.house import plan
from tests.live.process import Process, spawn, spawned
from tests.live.test_handover import bots_at
from tests.patience import PATIENCE_S, until
from workers.house.ports import LOOPBACK, free

pytestmark = pytest.mark.slow

CLOSE = script("close").sha.encode()
FIELD = "uno-classic-2-field"


class AtTheClose(Proxy):
    """Stands still at the first end of a match that the referee behind it writes: before the store has it, or after.

    Attributes:
        reached: set when it does.
    """

    def __init__(self, target: tuple[str, int], *, done: bool) -> None:
        super().__init__(target)
        self.reached = asyncio.Event()
        self._done = done

    async def _requests(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, called: asyncio.Event
    ) -> None:
        while data := await reader.read(PIECE):
            closing = CLOSE in data
            if closing and self._done:
                self._flows.clear()  # nothing comes back from here on, on no connection
            if closing and not self._done:
                self.reached.set()
                await asyncio.Event().wait()
            writer.write(data)
            await writer.drain()

    async def _replies(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, called: asyncio.Event) -> None:
        while data := await reader.read(PIECE):
            if not self._flows.is_set():
                self.reached.set()
            await self._flows.wait()
            writer.write(data)
            await writer.drain()


class First(Bot):
    """Plays the first option, and keeps of which matches it is told that they ended."""

    formats = ("uno-classic-2", FIELD)

    def __init__(self) -> None:
        super().__init__()
        self.told: list[str] = []

    def choose(self, turn: Turn) -> int:
        """Play the first option."""
        return 0

    def on_match_end(self, result: MatchResult) -> None:
        """Keep which."""
        self.told.append(result.match.id)


@asynccontextmanager
async def dying(store: Store, folder: Path, play: str, *, done: bool) -> AsyncIterator[tuple[AtTheClose, Process]]:
    """Run a referee that reaches its store through such a proxy; it is killed there."""
    host, _, port = store.link.url.removeprefix("redis://").partition("/")[0].partition(":")
    proxy = AtTheClose((host, int(port)), done=done)
    await proxy.start()
    url = store.link.url.replace(f"{host}:{port}", proxy.address)
    far = SimpleNamespace(link=SimpleNamespace(url=url), keys=store.keys)
    process = await spawn(cast("Store", far), folder, play)
    try:
        yield proxy, process
    finally:
        if process.process.returncode is None:
            process.process.kill()
        await proxy.stop()


def shown(store: Store, match: str) -> tuple[bool, bool]:
    """Return whether the seed of a match stands where only referees read, and whether where all do."""
    keys = store.keys
    secret, public = store.link.exist([keys.seed(match), keys.shown_seed(match)])
    return secret, public


def closed_once(store: Store, row: MatchRow) -> None:
    """Check that a match has one end, and that its seed is the one that it was committed to."""
    assert row.state is MatchState.CLOSED
    found = [record for _, _, entry in store.matches.log(row.id) for record in logbook.records(entry)]
    assert [one for one in found if isinstance(one, logbook.CloseRecord)] == found[-1:]
    assert not [counter for counter in store.counters.read() if counter.name == "alarms_total"]
    assert shown(store, row.id) == (False, True)


@pytest.mark.parametrize("done", [pytest.param(False, id="not yet written"), pytest.param(True, id="written")])
async def test_a_match_is_ended_and_shown_once(store: Store, tmp_path: Path, *, done: bool) -> None:
    """What the store does not have yet is secret, and the next referee ends the match; what it has is shown by it."""
    play, match = f"{LOOPBACK}:{free(1)[0]}", "k.1.1.0"
    ann, ben = First(), First()
    async with dying(store, tmp_path, play, done=done) as (proxy, first), bots_at(store, play, ann, ben) as names:
        store.matches.plan([plan(match, *names)], 1)
        async with asyncio.timeout(PATIENCE_S):
            await proxy.reached.wait()
        before = shown(store, match)
        told = [*ann.told, *ben.told]
        first.send(signal.SIGKILL)
        await first.ended()
        assert told == []  # nobody is told of an end that the log may not have
        assert before == (not done, done)
        async with spawned(store, tmp_path, play):
            await until(lambda: store.matches.get(match).state is MatchState.CLOSED)
            await until(lambda: first.incarnation not in store.matches.referees())
    closed_once(store, store.matches.get(match))
    assert ann.told + ben.told in ([], [match], [match] * 2)  # who is back after the end is told nothing of it


@pytest.mark.thorough
async def test_killed_before_the_deals_of_a_group_are_shown_the_next_one_shows_all_of_them(
    store: Store, tmp_path: Path
) -> None:
    """Nothing of them before: neither when the tables are over, nor while nobody is there who may show it."""
    play, tables = f"{LOOPBACK}:{free(1)[0]}", ["k.1.1.0", "k.1.2.0"]
    bots = [First() for _ in range(4)]
    async with dying(store, tmp_path, play, done=True) as (proxy, first), bots_at(store, play, *bots) as names:
        pairs = zip(tables, (names[:2], names[2:]), strict=True)
        planned = [plan(table, *pair, format_name=FIELD, nonces=False) for table, pair in pairs]
        store.matches.plan([replace(one, deals="field", group="k.1.0.g0") for one in planned], 1)
        async with asyncio.timeout(PATIENCE_S):
            await proxy.reached.wait()
        first.send(signal.SIGKILL)
        await first.ended()
        async with spawned(store, tmp_path, play):
            await until(lambda: all(store.matches.get(table).state is MatchState.CLOSED for table in tables))
            await until(lambda: first.incarnation not in store.matches.referees())
            assert [shown(store, table) for table in tables] == [(True, False)] * 2
    assert sorted(store.seals.open(tables, "")) == []  # a worker has seen the last table end; no referee is there
    waiting = store.link.members(store.keys.reveals)
    assert waiting == {f"m:{table}" for table in tables}
    assert [shown(store, table) for table in tables] == [(True, False)] * 2
    async with dying(store, tmp_path, play, done=True) as (_, killed):  # it may have shown them, or not: all or nothing
        killed.send(signal.SIGKILL)
        await killed.ended()
    async with spawned(store, tmp_path, play):
        await until(lambda: [shown(store, table) for table in tables] == [(False, True)] * 2)
    assert Reveals(store.link, store.keys).carry_out() == 0
    assert store.link.members(store.keys.reveals) == set()
    for table in tables:
        closed_once(store, store.matches.get(table))
