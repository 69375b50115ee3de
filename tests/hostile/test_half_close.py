"""Who says Hello and leaves at once, while the answer is still on its way."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from ladder.store import Store
from tests.hostile.frames import DATA, END_STREAM, HEADERS, RST_STREAM
from tests.hostile.narrow import NarrowStream
from tests.hostile.stranger import hello
from tests.live.house import House, house
from tests.patience import until

pytestmark = pytest.mark.slow


@asynccontextmanager
async def left(home: House) -> AsyncIterator[NarrowStream]:
    """A stream whose client has said Hello and half-closed, and takes nothing."""
    stream = await NarrowStream.open(home.server, await home.token("mallory"))
    stream.send_last(hello().SerializeToString())
    await stream.until(HEADERS)
    try:
        yield stream
    finally:
        await stream.close()


async def test_who_leaves_with_hello_is_welcomed_and_let_go(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The message that was on its way comes whole, then the end of the stream in good order."""
    async with house(store, tmp_path) as home, left(home) as stream:
        stream.widen()
        assert (await stream.until(DATA, HEADERS, RST_STREAM))[0] == DATA
        kind, flags = await stream.until(HEADERS, RST_STREAM)
        assert (kind, flags & END_STREAM) == (HEADERS, END_STREAM)
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []


async def test_who_leaves_and_takes_nothing_is_waited_for_a_moment(
    store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Then its session is gone; what it finds where it reads after all is the end of the stream, and why."""
    async with house(store, tmp_path) as home, left(home) as stream:
        sessions = home.running.host.roster
        await until(lambda: sessions.sessions)
        await until(lambda: not sessions.sessions)
        stream.widen()
        assert (await stream.until(DATA, HEADERS, RST_STREAM))[0] == DATA
        kind, flags = await stream.until(HEADERS, RST_STREAM)
        assert (kind, flags & END_STREAM) == (HEADERS, END_STREAM)
        assert b"UNREAD" in stream.last
    assert [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR] == []
