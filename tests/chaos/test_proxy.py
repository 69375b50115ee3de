"""The network of the chaos runs: what it does on purpose, it does."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest

from tests.chaos.proxy import Proxy
from tests.patience import PATIENCE_S

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(ConnectionError):
        while data := await reader.read(1_024):
            writer.write(data)
    writer.close()


class Echo(Proxy):
    """A proxy before a server that says what it is told."""

    def __init__(self, port: int) -> None:
        super().__init__(("127.0.0.1", port))
        self.dialled: list[asyncio.StreamWriter] = []

    async def dial(self) -> Connection:
        """Connect to it."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        self.dialled.append(writer)
        return reader, writer


@asynccontextmanager
async def _echoing() -> AsyncIterator[Echo]:
    server = await asyncio.start_server(_echo, "127.0.0.1", 0)
    proxy = Echo(server.sockets[0].getsockname()[1])
    await proxy.start()
    try:
        yield proxy
    finally:
        for writer in proxy.dialled:
            writer.close()
        await proxy.stop()
        server.close()
        await server.wait_closed()


async def _said(connection: Connection, data: bytes) -> bytes:
    reader, writer = connection
    writer.write(data)
    async with asyncio.timeout(PATIENCE_S):
        try:
            return await reader.read(1_024)
        except ConnectionError:
            return b""


async def test_what_is_said_arrives_both_ways() -> None:
    """Left alone it only passes on."""
    async with _echoing() as proxy:
        assert await _said(await proxy.dial(), b"hello") == b"hello"


async def test_a_cut_is_told_to_the_ends_and_the_next_connection_works() -> None:
    """A cut closes what is open and forbids nothing."""
    async with _echoing() as proxy:
        connection = await proxy.dial()
        assert await _said(connection, b"one") == b"one"
        proxy.cut()
        assert await _said(connection, b"two") == b""
        assert await _said(await proxy.dial(), b"three") == b"three"


async def test_nobody_comes_through_while_it_refuses() -> None:
    """A connection is hung up on unanswered until it heals."""
    async with _echoing() as proxy:
        proxy.refuse()
        assert await _said(await proxy.dial(), b"one") == b""
        proxy.heal()
        assert await _said(await proxy.dial(), b"two") == b"two"


async def test_what_was_held_up_arrives_later() -> None:
    """What is held is late, and nothing of it is lost."""
    async with _echoing() as proxy:
        connection = await proxy.dial()
        assert await _said(connection, b"one") == b"one"
        proxy.hold()
        waiting = asyncio.create_task(_said(connection, b"two"))
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.2):
                await asyncio.shield(waiting)
        proxy.heal()
        assert await waiting == b"two"


async def test_the_reply_to_a_script_is_lost_once_and_nothing_else() -> None:
    """Who sent the script is cut off unanswered; reads, and the next script, are answered."""
    async with _echoing() as proxy:
        proxy.to_lose = 1
        plain, script = await proxy.dial(), await proxy.dial()
        assert await _said(plain, b"GET") == b"GET"
        assert await _said(script, b"EVALSHA") == b""
        assert proxy.lost == 1
        assert await _said(await proxy.dial(), b"EVALSHA") == b"EVALSHA"
