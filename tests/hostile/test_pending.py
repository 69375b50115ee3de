"""Where very many call at once, before a busy loop has looked at any of them, each of them has an answer."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import grpc
import pytest

from ladder.rpc.options import SERVER_OPTIONS as LADDER
from referee.door.front import SERVER_OPTIONS as REFEREE

pytestmark = pytest.mark.slow

CALLS: Final = 2_000
"""Twice as many as gRPC has wait before it begins to drop some."""
BUSY_S: Final = 1.5
"""So long nobody looks at the calls; where they take longer to come in, the test sees less."""


async def _refuse(_request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
    await context.abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "one too many")


@pytest.mark.parametrize("options", [pytest.param(LADDER, id="ladder"), pytest.param(REFEREE, id="referee")])
async def test_no_call_is_dropped_without_a_word_while_the_loop_is_busy(options: Sequence[tuple[str, Any]]) -> None:
    """They come over one connection here, which the servers would not have."""
    wide = {**dict(options), "grpc.max_concurrent_streams": CALLS}
    server = grpc.aio.server(options=list(wide.items()), maximum_concurrent_rpcs=2 * CALLS)
    method: Any = grpc.unary_unary_rpc_method_handler(_refuse)
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("a", {"Call": method}),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            call: Any = channel.unary_unary("/a/Call")
            await asyncio.to_thread(grpc.channel_ready_future(channel).result)
            calls: list[Any] = [call.future(b"") for _ in range(CALLS)]
            time.sleep(BUSY_S)  # noqa: ASYNC251  (the loop is busy)
            codes = await asyncio.to_thread(lambda: Counter(one.code() for one in calls))
    finally:
        await server.stop(0)
    assert codes == {grpc.StatusCode.RESOURCE_EXHAUSTED: CALLS}
