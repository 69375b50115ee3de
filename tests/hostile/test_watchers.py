"""A crowd that watches a match costs its players nothing, and memory within bounds; one too many is told so."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import urllib.request
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from threading import Event
from typing import cast

import pytest

from ladder.door.turnstile import Turnstile
from ladder.store import Store
from ladder.store.rows import MatchState
from tests.hostile.target import rss_mib
from tests.live.house import ended, plan, result
from tests.live.process import spawned
from tests.live.test_handover import bots_at
from tests.live.test_watching import Thoughtful
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.slow

REFEREE_MIB = 20.0
"""It does not know how many watch."""
A_WATCHER_MIB = 0.35
"""Of the ladder, for a stream and its share of a connection."""
ROOT = Path(__file__).parents[2]


@asynccontextmanager
async def process(*words: str, env: dict[str, str] | None = None) -> AsyncIterator[asyncio.subprocess.Process]:
    """Run a process of ours until the end of the block."""
    made = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *words, stdout=asyncio.subprocess.PIPE, env={**os.environ, **(env or {})}, cwd=ROOT
    )
    try:
        yield made
    finally:
        if made.returncode is None:
            made.kill()
        await made.wait()


async def line(of: asyncio.subprocess.Process) -> dict[str, object]:
    """Return the JSON of the next line that a process prints."""
    assert of.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        said = (await of.stdout.readline()).decode()
    told: dict[str, object] = json.loads(said.removeprefix("READY "))
    return told


def quantile(metrics: str, share: float) -> float:
    """Return the bound of the bucket in which that share of all answers has come, in seconds; two waited to be seen."""
    with urllib.request.urlopen(f"http://{metrics}/metrics") as page:
        text = page.read().decode()
    found = re.findall(r'^lastcard_decision_seconds_bucket\{le="([^"]+)"\} (\S+)', text, re.MULTILINE)
    return next(float(bound) for bound, count in found if float(count) >= share * float(found[-1][1]))


@pytest.mark.parametrize(
    ("processes", "each"),
    [
        pytest.param(2, 40, id="80"),
        pytest.param(4, 300, id="1200", marks=[pytest.mark.nightly, pytest.mark.timeout(600)]),
    ],
)
async def test_a_crowd_that_watches_costs_no_player_and_has_an_end(
    store: Store, tmp_path: Path, processes: int, each: int
) -> None:
    """All of them see the match to its end but those above a thousand, who are refused."""
    match, begin, most = "w.1.1.0", Event(), Turnstile().most
    bots = [Thoughtful(begin) for _ in range(2)]
    async with AsyncExitStack() as stack:
        referee = await stack.enter_async_context(spawned(store, tmp_path))
        env = {
            "LASTCARD_REDIS_URL": store.link.url, "LASTCARD_TENANT": store.keys.tenant,
            "LASTCARD_PEPPER_FILE": str(tmp_path / "pepper"), "LASTCARD_ALLOW_VOLATILE": "1",
            "LASTCARD_TRUSTED_PROXIES": "127.0.0.1", "LASTCARD_STATE": str(tmp_path),
        }  # fmt: skip
        free = "127.0.0.1:0"
        serve = ["lastcard.cli", "serve", "ladder", "--grpc", free, "--web", free, "--metrics", free]
        ladder = await stack.enter_async_context(process(*serve, env=env))
        server = str((await line(ladder))["grpc"])
        names = await stack.enter_async_context(bots_at(store, referee.play, *bots))
        store.matches.plan([plan(match, *names)], 1)
        await until(lambda: store.matches.get(match).state is MatchState.RUNNING)
        before = rss_mib(referee.process.pid), rss_mib(ladder.pid)
        crowds = [
            await stack.enter_async_context(process("tests.hostile.watchers", server, match, str(each), str(each * n)))
            for n in range(processes)
        ]
        seen = await asyncio.gather(*map(line, crowds))
        begin.set()
        told = result(await ended(store, match))
        over = await asyncio.gather(*map(line, crowds))
        p95_s = await asyncio.to_thread(quantile, referee.metrics, 0.95)
        grown = rss_mib(referee.process.pid) - before[0], rss_mib(ladder.pid) - before[1]
    watching = min(processes * each, most)
    assert sum(int(str(one["seen"])) for one in seen) == watching, seen
    assert sum(int(str(one["ended"])) for one in over) == watching, over
    refused = Counter[str]()
    for one in over:
        refused.update(cast("dict[str, int]", one["refused"]))
    assert refused.total() == processes * each - watching
    assert refused.keys() <= {"TOO_MANY_STREAMS"}, refused
    assert told["faults"] == [0, 0]
    assert grown[0] < REFEREE_MIB, grown
    assert grown[1] < 30 + A_WATCHER_MIB * watching, grown
    memory = f"referee +{grown[0]:.1f} MiB, ladder +{grown[1]:.1f} MiB"
    print(f"{watching} watch: {memory}; 95 % of answers within {p95_s:g} s")
