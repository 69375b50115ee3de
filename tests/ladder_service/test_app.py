"""The ladder process as a whole: what fails in it ends it, and is seen."""

from __future__ import annotations

import asyncio
import socket
from dataclasses import replace

import pytest

from ladder.app import LadderApp
from ladder.rpc.server import RpcServer
from ladder.settings import LadderSettings
from lastcard.address import PortTakenError
from tests.patience import PATIENCE_S


async def served(settings: LadderSettings) -> None:
    """Serve as the process does, which nobody asks to stop."""
    async with asyncio.timeout(PATIENCE_S), LadderApp(settings) as app:
        await app.start()
        await asyncio.Event().wait()


async def broken(*_: object) -> None:
    """Fail as only a bug of ours can."""
    await asyncio.sleep(0)
    raise ZeroDivisionError("a bug of ours")


@pytest.mark.parametrize(
    "part",
    [
        pytest.param("ladder.door.pulse.Pulse.run", id="the pulse"),
        pytest.param("uvicorn.Server.serve", id="the pages"),
    ],
)
async def test_a_part_that_fails_ends_the_process(
    ladder_settings: LadderSettings, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    """With its error: a process that goes on without its pages, or without its pulse, would look healthy."""
    monkeypatch.setattr(part, broken)
    with pytest.raises(ExceptionGroup) as failed:
        await served(ladder_settings)
    assert failed.group_contains(ZeroDivisionError, match="a bug of ours")


async def test_a_port_that_is_taken_is_told_as_it_is(ladder_settings: LadderSettings) -> None:
    """Whoever typed the address reads a sentence, not a group."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(PortTakenError, match=address):
            await served(replace(ladder_settings, metrics=address))


async def test_a_part_that_cannot_be_stopped_keeps_no_other_from_it(
    ladder_settings: LadderSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its error is raised when all others have ended, pages included; who leaves does not wait for ever."""
    stop = RpcServer.stop

    async def stopped_badly(calls: RpcServer) -> None:
        await stop(calls)
        await broken()

    monkeypatch.setattr(RpcServer, "stop", stopped_badly)
    with pytest.raises(ZeroDivisionError, match="a bug of ours"):
        async with asyncio.timeout(PATIENCE_S), LadderApp(ladder_settings) as app:
            addresses = await app.start()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(addresses.web.rpartition(":")[2])))
