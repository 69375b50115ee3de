"""The line between the bot and the door of `lastcard bot check`, and the ports that it needs."""

from __future__ import annotations

import asyncio

import pytest

from lastcard.errors import InputError
from referee.check import service
from referee.check.line import PART, Line
from referee.check.service import Door


async def test_a_call_that_is_cancelled_leaves_nothing_behind() -> None:
    """Neither of its two ways goes on, not even the one that has much to dribble yet."""
    inside: list[asyncio.StreamWriter] = []

    def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(bytes(PART))
        inside.append(writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    line = Line("127.0.0.1:0")
    await line.open(server.sockets[0].getsockname()[1])
    host, _, port = line.address.rpartition(":")
    before = asyncio.all_tasks()
    with line.dribbling():
        reader, writer = await asyncio.open_connection(host, int(port))
        assert await reader.readexactly(3) == bytes(3)
        (call,) = line._calls
        call.cancel()
        await asyncio.wait([call])
        assert asyncio.all_tasks() - before == set()
    for end in (writer, *inside):
        end.close()
        await end.wait_closed()
    await line.close()
    server.close()


async def test_a_machine_without_a_port_inside_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a sentence: it is not the address that was asked for."""
    monkeypatch.setattr(service, "INSIDE", "192.0.2.1")
    with pytest.raises(InputError, match=r"no port of 192\.0\.2\.1 can be had") as refused:
        async with Door("127.0.0.1:0"):
            pass
    assert refused.value.reason == "NO_PORT"
