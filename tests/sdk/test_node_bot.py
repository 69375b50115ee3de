"""The bot in JavaScript plays, against the same scripted peer as the one in Python."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from lastcard.v1 import play_pb2 as pb
from tests.sdk.peer import Peer
from tests.sdk.script import ROUND, asked, match_start, over

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.needs("node", "npm"), pytest.mark.slow]


@asynccontextmanager
async def node(peer: Peer, folder: Path) -> AsyncIterator[Process]:
    env = os.environ | {"LASTCARD_SERVER": peer.address, "LASTCARD_TOKEN": "lcb1_token"}
    process = await asyncio.create_subprocess_exec("node", str(folder / "bot.js"), env=env, stderr=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        await process.communicate()


async def test_it_plays_a_round(peer: Peer, installed: Path) -> None:
    """Hello, nonce, one answer a decision, the dearest card first."""
    async with node(peer, installed) as process:
        stream = await peer.accept()
        hello = await stream.welcome()
        assert stream.metadata["authorization"] == "Bearer lcb1_token"
        assert list(hello.formats) == ["uno-classic-2"]
        await stream.send(notices=[match_start()])
        [nonce] = (await stream.expect()).nonces
        assert (nonce.match, len(nonce.nonce)) == ("m1", 16)
        options = (("PLAY", "R1", ""), ("PLAY", "RD", ""), ("PLAY", "R9", ""), ("DRAW", "", ""))
        await stream.send(asked(handle=4, act=7, round_id=ROUND, options=options), asked(handle=5, round_id="m1/0/1/0"))
        answers = await stream.expect_answers(2)
        assert [(answer.round, answer.act, list(answer.picks)) for answer in answers] == [(4, 7, [1]), (5, 0, [1])]
        await stream.send(over(handle=4))
        process.send_signal(signal.SIGINT)
        await stream.assert_done()
        assert await process.wait() == 130


async def test_it_half_closes_first_and_comes_back(peer: Peer, installed: Path) -> None:
    """After GoingAway, as the same instance."""
    async with node(peer, installed):
        stream = await peer.accept()
        first = await stream.welcome()
        await stream.send(notices=[pb.Notice(going_away=pb.GoingAway(reconnect_after_ms=1))])
        await stream.assert_done()
        assert (await (await peer.accept()).welcome()).instance == first.instance


async def test_a_bad_token_ends_it(peer: Peer, installed: Path) -> None:
    """Exit code 2, with the referee's sentence."""
    async with node(peer, installed) as process:
        (await peer.accept()).abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token")
        _, err = await process.communicate()
        assert process.returncode == 2
        assert b"UNAUTHENTICATED unknown token" in err


async def test_without_its_packages_it_says_what_to_type(tmp_path: Path) -> None:
    """Copied somewhere else, or never set up: a sentence, and no stack trace."""
    for name in ("bot.js", "package.json"):
        shutil.copy(ROOT / "bots" / "node" / name, tmp_path)
    process = await asyncio.create_subprocess_exec("node", str(tmp_path / "bot.js"), stderr=PIPE)
    _, err = await process.communicate()
    assert process.returncode == 2
    assert err.decode().splitlines()[0].startswith("@grpc/grpc-js is not installed beside this file: type `npm ci` in")
    assert b"    at " not in err
