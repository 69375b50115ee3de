"""Whoever names a wrong port for the ladder is told what is there, what was expected, and how to find the right one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from lastcard.cli import main
from referee.door.front import Elsewhere
from tests.ladder_running import Reached
from tests.wrong_ports import another_service

pytestmark = pytest.mark.slow

FIND = "set LASTCARD_LADDER to the ladder's gRPC port, which `lastcard up` prints (127.0.0.1:7420 by default"


@asynccontextmanager
async def hanging_up() -> AsyncIterator[str]:
    """Listen, and hang up on everybody."""
    server = await asyncio.start_server(lambda _, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        yield f"127.0.0.1:{server.sockets[0].getsockname()[1]}"


@pytest.mark.parametrize("words", [("tournament", "list"), ("ladder", "show", "uno-classic-2"), ("bot", "list")])
@pytest.mark.parametrize(
    "what", ["pages", "metrics", "another service", "a referee", "hanging up", "nothing", "no machine"]
)
async def test_a_wrong_port_is_said(
    shown: Reached,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    what: str,
    words: tuple[str, ...],
) -> None:
    """Exit code 3, the address, and one sentence for each thing that may be there."""
    async with another_service() as other, another_service(Elsewhere()) as referee, hanging_up() as closing:
        address, said = {
            "pages": (shown.addresses.web, "is no ladder, and no gRPC either"),
            "metrics": (shown.addresses.metrics, "is no ladder, and no gRPC either"),
            "another service": (other, "is no ladder, a referee perhaps"),
            "a referee": (referee, "is no ladder, a referee perhaps"),
            "hanging up": (closing, "it has stopped or something else is there"),
            "nothing": ("127.0.0.1:1", "nothing listens there: start it"),
            "no machine": ("nowhere.invalid:7420", "no machine is called as nowhere.invalid:7420 says"),
        }[what]
        monkeypatch.setenv("LASTCARD_LADDER", address)
        assert await asyncio.to_thread(main, words) == 3
    told = capsys.readouterr().err
    assert address in told
    assert said in told
    assert FIND in told


async def test_a_ladder_that_lacks_a_method_is_a_ladder(
    shown: Reached, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """This one serves no tournaments: the port is right, so nobody is sent to look for another."""
    monkeypatch.setenv("LASTCARD_LADDER", shown.addresses.grpc)
    assert await asyncio.to_thread(main, ["tournament", "list"]) == 1
    told = capsys.readouterr().err
    assert "there is no method /lastcard.v1.TournamentService/List" in told
    assert "LASTCARD_LADDER" not in told
