"""Two referees in processes of their own, with bots whose homes are known, on one store."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ladder.store import Store
from ladder.store.rows import MatchRow, MatchState
from lastcard import Bot, Option, Turn
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.settings import settings
from referee import formats
from referee.fold import fold
from referee.local.local_bot import LocalBot
from referee.local.local_match import LocalMatch
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from tests.live.house import FORMAT, ended, progressed, result
from tests.live.process import Process, spawn
from tests.live.test_matches import Greedy
from tests.patience import PATIENCE_S


class Thoughtful(Bot):
    """Plays like Greedy and takes its time, so that a match lasts long enough to be disturbed."""

    def __init__(self, seconds: float = 0.02) -> None:
        super().__init__()
        self.seconds = seconds

    async def choose(self, turn: Turn) -> Option:
        """Think for a moment."""
        await asyncio.sleep(self.seconds)
        return max(turn.options, key=lambda option: option.points)


@dataclass
class Pair:
    """Two referees; `at[i]` is the one that the i-th bot dials first."""

    store: Store
    at: list[Process]
    links: dict[str, Link] = field(default_factory=dict)
    tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def join(self, name: str, bot: Bot, first: int, token: str = "") -> str:
        """Connect a bot to a referee; it knows of the other one, too. Returns its `name@n`."""
        if not token:
            _, token = self.store.registry.register(name, f"owner of {name}")
        servers = ",".join(one.play for one in (self.at[first], self.at[1 - first]))
        link = Link(player(bot, lambda _error: None), settings([], {}, server=servers, token=token))
        link._servers.sort(key=lambda server: str(server) != self.at[first].play)
        self.links[name] = link
        self.tasks.append(asyncio.create_task(link.run()))
        version = self.store.registry.version(name, bot.version)
        async with asyncio.timeout(PATIENCE_S):
            while version not in await asyncio.to_thread(self.store.presence.online):  # noqa: ASYNC110  (the store tells nobody)
                await asyncio.sleep(0.02)
        return version

    def host(self, match: str) -> int:
        """Return which of the two hosts a match."""
        owner = self.store.matches.get(match).owner
        return next(index for index, one in enumerate(self.at) if one.incarnation == owner)

    async def ended(self, match: str) -> MatchRow:
        """Wait until a match has ended."""
        return await ended(self.store, match)

    async def progressed(self, match: str, entries: int) -> None:
        """Wait until the log of a match has that many entries."""
        await progressed(self.store, match, entries)


@asynccontextmanager
async def pair(store: Store, folder: Path) -> AsyncIterator[Pair]:
    """Run two referees until the end of the block."""
    made = Pair(store, [await spawn(store, folder) for _ in range(2)])
    try:
        yield made
    finally:
        for link in made.links.values():
            link.stop()
        for one in made.at:
            if one.process.returncode is None:
                one.process.kill()
        await asyncio.gather(*made.tasks, return_exceptions=True)
        await asyncio.gather(*(one.process.wait() for one in made.at))


def as_undisturbed(store: Store, row: MatchRow) -> dict[str, Any]:
    """Check that a match went as if nothing had happened; returns its result.

    It is closed without faults, its epochs grow, its log folds to its result, and greedy bots that play it alone, with
    the same seed and nonces, come to the same end state in every game.
    """
    assert row.state is MatchState.CLOSED
    told = result(row)
    assert told["faults"] == [0] * len(row.entrants)
    assert told["forfeits"] == []
    entries = store.matches.log(row.id)
    epochs = [epoch for epoch, _, _ in entries]
    assert epochs == sorted(epochs)
    seed = store.matches.seed(row.id)
    assert seed is not None
    spec = MatchSpec(row.id, formats.get(FORMAT), row.entrants, row.meetings, row.nonces)
    folded = fold(spec, seed, [data for _, _, data in entries])
    assert folded.result() == told
    alone = MatchPlay(spec, seed)
    for entrant in alone.missing_nonces:
        alone.set_nonce(entrant, folded.nonces[entrant])
    LocalMatch(alone, [LocalBot(name, Greedy()) for name in row.entrants]).run(lambda _table: None)
    assert alone.result()["meetings"] == told["meetings"]
    return told
