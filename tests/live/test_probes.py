"""What supervisors and balancers are told of a referee, beside its metrics."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import httpx
import pytest

from ladder.store import Store
from ladder.store.local import Fsync, start
from tests.fixtures_store import PEPPER
from tests.live.house import house

FINE = (200, {"ok": True})
STANDS_S = 3.0
"""Longer than the second after which a loop counts as stuck."""


async def asked(metrics: object, path: str) -> tuple[int, dict[str, object]]:
    """Return status and body."""
    async with httpx.AsyncClient(timeout=30.0) as http:
        answer = await http.get(f"http://{metrics}{path}")
        return answer.status_code, answer.json()


async def until(metrics: object, path: str, status: int) -> dict[str, object]:
    """Ask until this is the status; returns the body."""
    async with asyncio.timeout(30.0):
        while (found := await asked(metrics, path))[0] != status:  # noqa: ASYNC110  (the page tells nobody)
            await asyncio.sleep(0.05)
    return found[1]


async def test_both_are_green_while_all_is_well(store: Store, tmp_path: Path) -> None:
    """Once the clocks run; metrics stand beside them, and nothing else."""
    async with house(store, tmp_path) as home:
        metrics = home.running.metrics
        await until(metrics, "/readyz", 200)
        assert await asked(metrics, "/livez") == FINE
        assert await asked(metrics, "/readyz") == FINE
        code, body = await asked(metrics, "/readyz/../etc/passwd")
        assert (code, body["wrong"]) == (404, "there are /metrics, /livez, /readyz")


async def test_a_loop_that_stands_still_is_seen_from_beside_it(store: Store, tmp_path: Path) -> None:
    """The page has a thread of its own."""
    async with house(store, tmp_path) as home:
        url = f"http://{home.running.metrics}"
        await until(home.running.metrics, "/readyz", 200)

        def ask() -> set[tuple[str, int, str]]:
            with httpx.Client(trust_env=False, timeout=30.0) as http:
                found = set()
                while not stood.is_set():
                    for path in ("/livez", "/readyz"):
                        answer = http.get(f"{url}{path}")
                        found.add((path, answer.status_code, answer.json().get("wrong", "")[:33]))
                return found

        stood = threading.Event()
        asking = asyncio.create_task(asyncio.to_thread(ask))
        await asyncio.sleep(0)
        time.sleep(STANDS_S)  # noqa: ASYNC251  (the very fault)
        stood.set()
        wrong = "the event loop has stood still for"[:33]
        assert {("/livez", 503, wrong), ("/readyz", 503, wrong)} <= await asking
        await until(home.running.metrics, "/livez", 200)


async def test_without_its_store_it_lives_and_is_not_ready(tmp_path: Path) -> None:
    """A supervisor must not restart it, a balancer must send nobody; a store that takes no writes is as bad as none."""
    with (
        await asyncio.to_thread(start, tmp_path / "store", fsync=Fsync.EVERYSEC) as server,
        Store.open(server.url, tenant="probes", role="referee", pepper=PEPPER, allow_volatile=True) as store,
    ):
        async with house(store, tmp_path) as home:
            await until(home.running.metrics, "/readyz", 200)
            for blow in (partial(store.link.read, "CONFIG", "SET", "maxmemory", 1), server.stop):
                await asyncio.to_thread(blow)
                body = await until(home.running.metrics, "/readyz", 503)
                assert body == {"ok": False, "wrong": "the store takes nothing: matches wait, nobody can come in"}
                assert await asked(home.running.metrics, "/livez") == FINE
                if blow != server.stop:
                    await asyncio.to_thread(store.link.read, "CONFIG", "SET", "maxmemory", 0)
                    await until(home.running.metrics, "/readyz", 200)


async def test_one_that_stops_is_not_ready(store: Store, tmp_path: Path) -> None:
    """From the signal on, while it still hands its matches back."""
    async with house(store, tmp_path) as home:
        await until(home.running.metrics, "/readyz", 200)
        home.referee.stopping.set()
        body = await until(home.running.metrics, "/readyz", 503)
        assert body["wrong"] == "it stops: its matches go on at other referees"


@pytest.mark.parametrize("role", ["referee", "ladder"])
def test_nobody_serves_on_the_slow_parser(role: str, tmp_path: Path) -> None:
    """It recurses on what strangers send: exit 2, and what to do."""
    environ = os.environ | {"PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION": "python", "LASTCARD_STATE": str(tmp_path)}
    command = [sys.executable, "-m", "lastcard.cli", "serve", role]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, timeout=60)
    assert (done.returncode, done.stdout) == (2, "")
    assert "protobuf runs on its parser in python" in done.stderr
