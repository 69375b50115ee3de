"""What everybody sees while the store does not answer."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import grpc.aio
import httpx
import pytest
import pytest_asyncio

from ladder.rpc.status import decode
from ladder.store.local import Fsync, start
from lastcard.v1 import ladder_pb2 as pb
from tests.ladder_house import FORMAT
from tests.ladder_running import Running, running_ladder, settings_for
from tests.patience import PATIENCE_S


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def orphan(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Running]:
    """A ladder whose store has gone."""
    folder = Path(tmp_path_factory.mktemp("gone"))
    with await asyncio.to_thread(start, folder, fsync=Fsync.EVERYSEC) as server:
        async with running_ladder(settings_for(server.url, "main", folder)) as running:
            assert (await running.http.get("/readyz")).status_code == 200
            await asyncio.to_thread(server.stop)
            yield running


pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]


async def test_it_lives_but_is_not_ready(orphan: Running) -> None:
    """A supervisor must not restart it, a balancer must not send anybody."""
    live, ready = await orphan.http.get("/livez"), await orphan.http.get("/readyz", timeout=PATIENCE_S)
    assert (live.status_code, ready.status_code) == (200, 503)
    assert ready.json()["wrong"] == "the store does not answer, or takes no writes"


@pytest.mark.parametrize("path", ["/", f"/ladders/{FORMAT}", "/api/v1/bots", "/api/v1/matches/w.1.1.0/live"])
async def test_pages_ask_to_come_back(orphan: Running, path: str) -> None:
    """A page says what is wrong and when to try again, and not where the store is."""
    answer = await orphan.http.get(path, timeout=PATIENCE_S)
    assert (answer.status_code, answer.headers["retry-after"]) == (503, "5")
    assert "STORE_UNAVAILABLE" in answer.text
    assert orphan.app.store.link.url not in answer.text


async def test_calls_are_unavailable(orphan: Running) -> None:
    """A call ends with UNAVAILABLE, which clients retry."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await orphan.stub.ListBots(pb.ListBotsRequest(), timeout=PATIENCE_S)
    refusal = decode(caught.value.code(), caught.value.details() or "", caught.value.trailing_metadata())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
    assert orphan.app.store.link.url not in repr(refusal)


async def test_metrics_say_that_the_store_is_down(orphan: Running) -> None:
    """The scrape still works, and says what is wrong."""
    async with httpx.AsyncClient(trust_env=False, timeout=PATIENCE_S) as http:
        text = (await http.get(f"http://{orphan.addresses.metrics}/metrics")).text
    assert "lastcard_store_up 0.0" in text
    assert "lastcard_matches{" not in text


async def test_a_store_that_takes_no_writes_is_not_ready(tmp_path: Path) -> None:
    """A full store still answers reads: pages go on, and nobody new is sent here, however often that is asked."""
    with await asyncio.to_thread(start, tmp_path, fsync=Fsync.EVERYSEC) as server:
        async with running_ladder(settings_for(server.url, "main", tmp_path)) as running:
            assert [(await running.http.get("/readyz")).status_code for _ in range(2)] == [200, 200]
            running.app.store.link.read("CONFIG", "SET", "maxmemory", 1)
            ready, page = await running.http.get("/readyz"), await running.http.get("/bots")
    assert (ready.status_code, page.status_code) == (503, 200)
    assert ready.json() == {"ok": False, "wrong": "the store does not answer, or takes no writes"}


async def test_who_watches_is_told(orphan: Running) -> None:
    """A stream ends with UNAVAILABLE, too: whoever watched asks again."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await orphan.stub.WatchMatch(pb.WatchMatchRequest(id="w.1.1.0"), timeout=PATIENCE_S).read()
    refusal = decode(caught.value.code(), caught.value.details() or "", caught.value.trailing_metadata())
    assert (refusal.code, refusal.reason) == (grpc.StatusCode.UNAVAILABLE, "STORE_UNAVAILABLE")
