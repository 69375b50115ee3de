"""A referee in a process of its own, for killing, freezing and draining."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from ladder.store import Store
from tests.fixtures_store import PEPPER
from tests.patience import PATIENCE_S


@dataclass
class Process:
    """A running referee process."""

    process: asyncio.subprocess.Process
    play: str
    metrics: str
    incarnation: str

    def send(self, number: signal.Signals) -> None:
        """Send a signal."""
        self.process.send_signal(number)

    async def ended(self, seconds: float = PATIENCE_S) -> int:
        """Wait for the end; returns the exit code (negative: killed by that signal)."""
        async with asyncio.timeout(seconds):
            return await self.process.wait()


async def spawn(store: Store, folder: Path, play: str = "127.0.0.1:0", *more: str) -> Process:
    """Start a referee on this store, with more options if any, and wait until it is ready."""
    pepper = folder / "pepper"
    if not pepper.exists():
        pepper.write_text(PEPPER.hex(), encoding="ascii")
        pepper.chmod(0o600)
    environ = {
        **os.environ,
        "LASTCARD_REDIS_URL": store.link.url,
        "LASTCARD_TENANT": store.keys.tenant,
        "LASTCARD_PEPPER_FILE": str(pepper),
        "LASTCARD_ALLOW_VOLATILE": "1",
    }
    with (folder / "referee.log").open("ab") as log:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "lastcard.cli", "serve", "referee", "--play", play, "--trunk",
            "127.0.0.1:0", "--metrics", "127.0.0.1:0", *more,
            stdout=asyncio.subprocess.PIPE, stderr=log, env=environ,
        )  # fmt: skip
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        line = (await process.stdout.readline()).decode()
    assert line.startswith("READY "), (folder / "referee.log").read_text(encoding="utf-8")[-2000:]
    ready = json.loads(line.removeprefix("READY "))
    return Process(process, ready["play"], ready["metrics"], ready["incarnation"])


@asynccontextmanager
async def spawned(store: Store, folder: Path, play: str = "127.0.0.1:0", *more: str) -> AsyncIterator[Process]:
    """Run a referee on this store to the end of the block, at which it stops in good order."""
    process = await spawn(store, folder, play, *more)
    try:
        yield process
    finally:
        process.send(signal.SIGTERM)
        code = await process.ended()
    assert code == 0
