"""A referee in this process, on a real store, with real bots on real streams."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ladder.store import Store
from ladder.store.rows import MatchPlan, MatchRow, MatchState
from lastcard import Bot
from lastcard.address import Address
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.settings import settings as link_settings
from referee import formats
from referee.app import Referee, Running
from referee.rules.options import RULES_VERSION
from referee.settings import Settings
from tests import secrets_hook
from tests.patience import PATIENCE_S, PAUSE_S

FORMAT = "uno-classic-2"
ENDED = {MatchState.CLOSED, MatchState.VOID, MatchState.PARKED}


@dataclass
class House:
    """What a test needs of a running referee."""

    store: Store
    referee: Referee
    running: Running
    tasks: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    links: dict[str, Link] = field(default_factory=dict)
    tokens: dict[str, str] = field(default_factory=dict)

    @property
    def server(self) -> str:
        """Where bots dial in."""
        return str(self.running.play)

    async def token(self, name: str) -> str:
        """Return the token of a bot, registering it the first time."""
        if name not in self.tokens:
            _, self.tokens[name] = await asyncio.to_thread(self.store.registry.register, name, f"owner of {name}")
            secrets_hook.note_unprinted(self.tokens[name])
        return self.tokens[name]

    async def join(self, name: str, bot: Bot, line: str = "") -> str:
        """Connect a bot through the SDK; returns its `name@n`. `line`: what this is called, if not as the bot."""
        token = await self.token(name)
        connected: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        told = bot.on_connect

        def on_connect(known_as: str) -> object:
            if not connected.done():
                connected.set_result(known_as)
            return told(known_as)

        bot.on_connect = on_connect  # type: ignore[method-assign, assignment]
        link = Link(player(bot, lambda _error: None), link_settings([], {}, server=self.server, token=token))
        self.links[line or name] = link
        self.tasks[line or name] = asyncio.create_task(link.run())
        async with asyncio.timeout(PATIENCE_S):
            return await connected

    async def leave(self, name: str) -> None:
        """Disconnect a bot in good order."""
        self.links.pop(name).stop()
        await self.tasks.pop(name)

    async def plan(self, *matches: MatchPlan) -> None:
        """Write matches to the ledger, ready to be claimed."""
        await asyncio.to_thread(self.store.matches.plan, matches, time.time_ns() // 1_000_000)

    async def ended(self, match: str, seconds: float = PATIENCE_S) -> MatchRow:
        """Wait until a match has ended."""
        return await ended(self.store, match, seconds)


async def ended(store: Store, match: str, seconds: float = PATIENCE_S) -> MatchRow:
    """Wait until a match has ended."""
    async with asyncio.timeout(seconds):
        while (row := await asyncio.to_thread(store.matches.get, match)).state not in ENDED:  # noqa: ASYNC110  (the store tells nobody)
            await asyncio.sleep(PAUSE_S)
    return row


async def progressed(store: Store, match: str, entries: int) -> None:
    """Wait until the log of a match has that many entries."""
    async with asyncio.timeout(PATIENCE_S):
        while len(await asyncio.to_thread(store.matches.log, match)) < entries:  # noqa: ASYNC110  (as above)
            await asyncio.sleep(PAUSE_S)


def plan(match: str, *entrants: str, meetings: int = 1, format_name: str = FORMAT, nonces: bool = True) -> MatchPlan:
    """Return a match between these versions."""
    return MatchPlan(
        id=match,
        format=format_name,
        ruleset=formats.get(format_name).rules.hash,
        rules_version=RULES_VERSION,
        entrants=entrants,
        meetings=meetings,
        nonces=nonces,
    )


def result(row: MatchRow) -> dict[str, Any]:
    """Return the result of a closed match."""
    return json.loads(row.result)  # type: ignore[no-any-return]


@asynccontextmanager
async def house(store: Store, folder: Path, **changes: object) -> AsyncIterator[House]:
    """Run a referee in this loop until the end of the block."""
    wanted = {
        "store_url": store.link.url,
        "play": Address("127.0.0.1", 0),
        "metrics": Address("127.0.0.1", 0),
        "pepper_file": folder / "pepper",
        "allow_volatile": True,
        "drain_s": 5.0,
    }
    referee = Referee(Settings(**{**wanted, **changes}))  # type: ignore[arg-type]
    running = await referee.start(store)
    task = asyncio.create_task(referee.run())
    made = House(store, referee, running)
    try:
        yield made
    finally:
        for name in list(made.links):
            await made.leave(name)
        referee.stopping.set()
        async with asyncio.timeout(PATIENCE_S):
            await task
