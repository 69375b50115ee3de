"""Referees that die on one match and are started again, as a supervisor does, and bots that live through it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from ladder.store import Store
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.pace import Backoff
from lastcard.settings import settings
from referee.bots import make


async def keep(store: Store, folder: Path, play: str, poison: str, deaths: list[int]) -> None:
    """Run a referee on one address that dies on a match, started again whenever it does; until it is cancelled.

    Args:
        store: Its ledger; the pepper is in a file of the folder.
        folder: Where its log is written.
        play: Its address.
        poison: The match.
        deaths: Exit codes are put there.
    """
    words = [sys.executable, "-m", "tests.live.poison_referee", poison, play]
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
