"""A peer for every test of the link, and a way to play against it."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lastcard.bot import as_bot
from lastcard.link.loop import Link
from lastcard.link.player import Player, player
from lastcard.secret import Secret
from lastcard.settings import Settings, servers
from tests.sdk.bots import Playing
from tests.sdk.peer import Peer

FOLDER = Path(__file__).parents[2] / "bots" / "node"


@pytest.fixture
async def peer() -> AsyncIterator[Peer]:
    async with Peer() as listening:
        yield listening


@pytest.fixture
def playing(peer: Peer) -> Playing:
    """Return a context in which a bot is linked to the peer; it ends with a clean stop unless the link has ended."""

    @asynccontextmanager
    async def play(bot: object, **fields: object) -> AsyncIterator[tuple[Player, asyncio.Task[None]]]:
        failures: list[BaseException] = []
        one = player(as_bot(bot), failures.append)  # type: ignore[arg-type]
        link = Link(one, Settings(servers(peer.address), Secret("lcb1_token"), **fields))  # type: ignore[arg-type]
        task = asyncio.ensure_future(link.run())
        try:
            yield one, task
        finally:
            link.stop()
            while not peer.streams.empty():
                peer.streams.get_nowait().finish()
            task.cancel()
            await asyncio.wait([task])
            one.thinker.stop()
        assert not failures

    return play


@pytest.fixture(scope="session")
def installed() -> Path:
    """Return the bot's folder with what its lock file names."""
    if not (FOLDER / "node_modules" / "@grpc" / "grpc-js").exists():
        subprocess.run(["npm", "ci", "--ignore-scripts", "--silent"], cwd=FOLDER, check=True)
    return FOLDER
