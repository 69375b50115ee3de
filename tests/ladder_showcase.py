"""Runs a ladder until its standard input ends: `python -m tests.ladder_showcase URL TENANT PEPPER`."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path

from ladder.app import LadderApp
from tests.ladder_running import settings_for


async def serve(url: str, tenant: str, pepper: Path) -> None:
    """Print the addresses, and stop when nobody wants them any more."""
    async with LadderApp(settings_for(url, tenant, pepper.parent)) as app:
        print(json.dumps(asdict(await app.start())), flush=True)
        await asyncio.to_thread(sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], sys.argv[2], Path(sys.argv[3])))
