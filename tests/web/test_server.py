"""The HTTP server of the pages."""

from __future__ import annotations

import asyncio
import socket

import pytest

from ladder.web.server import bound
from tests.ipv6 import NEEDS_IPV6


@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("::1", marks=NEEDS_IPV6)])
async def test_the_second_answer_on_a_connection_does_not_wait_for_the_first(host: str) -> None:
    """What is accepted sends at once: with Nagle's algorithm every answer but the first would take 40 ms."""
    accepted: asyncio.Queue[int] = asyncio.Queue()

    def note(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        taken: socket.socket = writer.get_extra_info("socket")
        accepted.put_nowait(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    listener = bound(host, 0, "web")
    async with await asyncio.start_server(note, sock=listener):
        _, writer = await asyncio.open_connection(host, listener.getsockname()[1])
        assert await accepted.get()
        writer.close()
