"""The connection of the match log: it gets through its greeting, or is gone."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress

import pytest

from ladder.store.local import LocalStore
from ladder.store.url import store_address
from referee.hosting import resp
from referee.hosting.matchlog import SCRIPTS

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


async def connect(url: str, on_lost: Callable[[], None]) -> resp.RespConnection:
    """Connect as the match log does."""
    return await resp.connect(store_address(url), SCRIPTS, on_lost)


@asynccontextmanager
async def _store(serve: Serve) -> AsyncIterator[str]:
    writers: list[asyncio.StreamWriter] = []

    async def kept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        await serve(reader, writer)

    server = await asyncio.start_server(kept, "127.0.0.1", 0)
    try:
        yield f"redis://127.0.0.1:{server.sockets[0].getsockname()[1]}/0"
    finally:
        server.close()
        await server.wait_closed()
        for writer in writers:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


async def test_a_store_that_greets_is_connected(store_server: LocalStore) -> None:
    """The loss of the connection is told when it comes, and not before."""
    lost = asyncio.Event()
    connection = await connect(store_server.url, lost.set)
    assert not lost.is_set()
    connection.abort()
    await lost.wait()


@pytest.mark.parametrize("after", [pytest.param(0, id="at once"), pytest.param(1, id="after the first words")])
async def test_a_store_that_hangs_up_is_noticed_then_and_not_when_time_is_over(after: int) -> None:
    """Five seconds are for a store that says nothing; what is broken is tried again at once."""

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if after:
            await reader.read(after)
        writer.transport.abort()

    async with _store(hang_up) as url:
        with pytest.raises(ConnectionError):
            await connect(url, lambda: None)


async def test_a_store_that_says_nothing_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that nobody knows any more must not be taken for the one in use when it breaks later."""
    gone = asyncio.Event()

    async def be_silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while await reader.read(1_024):
            pass
        writer.close()
        gone.set()

    monkeypatch.setattr(resp, "GREETING_S", 0.05)
    async with _store(be_silent) as url:
        with pytest.raises(TimeoutError):
            await connect(url, lambda: None)
        await gone.wait()


async def test_a_store_that_refuses_the_greeting_is_hung_up_on() -> None:
    """With what it said in the error."""

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(65_536)
        writer.write(b"-NOAUTH Authentication required.\r\n" * 4)
        await reader.read(65_536)
        writer.close()

    async with _store(refuse) as url:
        with pytest.raises(ConnectionError, match="NOAUTH"):
            await connect(url, lambda: None)
