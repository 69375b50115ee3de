"""Many bots in one process, each on a stream of its own: `python -m tests.soak.crowd SERVER TOKEN_FILE…`."""

from __future__ import annotations

import asyncio
import signal
import sys
from itertools import cycle
from pathlib import Path

from lastcard.link import Run
from lastcard.settings import settings
from referee.bots import make

STYLES = ("greedy", "careful", "first")


async def play(server: str, tokens: list[Path]) -> None:
    """Play as all of them until SIGTERM or SIGINT."""
    runs = [
        Run(make(style, seed), settings((), {}, server=server, token_file=token))
        for seed, (token, style) in enumerate(zip(tokens, cycle(STYLES), strict=False), 1)
    ]
    tasks = [asyncio.ensure_future(run.until_stopped(None)) for run in runs]
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, lambda: [task.cancel() for task in tasks])
    await asyncio.gather(*tasks, return_exceptions=True)


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], [Path(file) for file in sys.argv[2:]]))
