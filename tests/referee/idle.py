"""A referee whose looks for work are taken one at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ladder.store import Store
from lastcard.address import Address
from referee.app import Referee
from referee.hosting.sessions import Greeting, Session
from referee.settings import Settings
from tests.live.house import FORMAT

ANYWHERE = Address("127.0.0.1", 0)


@asynccontextmanager
async def idle(store: Store, folder: Path, *bots: str, room: int) -> AsyncIterator[Referee]:
    """A referee that looks for nothing by itself, with these bots, each with so much room."""
    settings = Settings(
        store_url=store.link.url, play=ANYWHERE, metrics=ANYWHERE, pepper_file=folder / "pepper", allow_volatile=True
    )
    referee = Referee(settings)
    await referee.start(store)
    for bot in bots:
        referee.roster.join(Session(bot, bot, Greeting(bot, "1", frozenset({FORMAT}), room, 8, (1, 1, 1), {}, 0)), 0.0)
    store.matches.beat(referee.incarnation, {}, fresh=True)
    try:
        yield referee
    finally:
        await referee.front.close(0)
