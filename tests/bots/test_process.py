"""`python -m referee.bots NAME`: a house bot as a process of its own, against a scripted peer."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from lastcard.bot import MOST_FORMATS
from lastcard.errors import InputError
from referee.bots import BOTS, make
from referee.bots.__main__ import offered
from referee.formats import builtin_formats
from referee.formats.format_file import MOST as MOST_OWN
from tests.patience import PATIENCE_S
from tests.sdk.peer import Peer
from tests.sdk.script import ROUND, asked

ENDINGS = ("", "-fast", "-mirrored", "-field")
ALL_NAMES = [f"{name}{ending}" for name in builtin_formats.offered() for ending in ENDINGS]


@asynccontextmanager
async def house_bot(*arguments: object) -> AsyncIterator[Process]:
    """Run a house bot; it is dead afterwards."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_")}
    words = [sys.executable, "-m", "referee.bots", *map(str, arguments)]
    process = await asyncio.create_subprocess_exec(*words, env=clean, stdout=PIPE, stderr=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        async with asyncio.timeout(PATIENCE_S):
            await process.communicate()


async def line(process: Process) -> str:
    """Return the next line of stdout."""
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        return (await process.stdout.readline()).decode()


@pytest.fixture
def token(tmp_path: Path) -> Path:
    """Return a file with a token."""
    path = tmp_path / "careful.token"
    path.write_text("lcb1_token\n")
    return path


@pytest.mark.slow
async def test_it_says_once_that_it_is_ready_and_plays(token: Path) -> None:
    """After the first Welcome, not after a reconnect; SIGTERM ends it cleanly."""
    async with Peer() as peer, house_bot("greedy", "--server", peer.address, "--token-file", token) as process:
        stream = await peer.accept()
        hello = await stream.welcome("greedy@1")
        assert await line(process) == 'READY {"bot": "greedy@1"}\n'
        assert {"uno-classic-2", "uno-classic-4-fast", "uno-classic-2-mirrored"} <= set(hello.formats)
        assert stream.metadata["authorization"] == "Bearer lcb1_token"
        await stream.send(asked(round_id=ROUND))
        answer = (await stream.expect_answers(1))[0]
        assert list(answer.picks) == [1]
        stream.finish()
        again = await peer.accept()
        await again.welcome("greedy@1")
        process.send_signal(signal.SIGTERM)
        await again.assert_done()
        async with asyncio.timeout(PATIENCE_S):
            out, _ = await process.communicate()
        assert out == b""
        assert process.returncode == 128 + signal.SIGTERM


@pytest.mark.slow
async def test_an_unknown_bot_is_bad_input(token: Path) -> None:
    """With the names there are."""
    async with house_bot("wise", "--server", "127.0.0.1:1", "--token-file", token) as process:
        out, err = await process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert "there are random, first, greedy, careful" in err.decode()


@pytest.mark.slow
async def test_it_offers_the_formats_that_it_is_told(token: Path) -> None:
    """Also those that it does not offer by itself: all tables play the same deals."""
    wanted = "uno-classic-2-field, dos-2-fast-field,uno-classic-2-field"
    options = ("--formats", wanted, "--token-file", token)
    async with Peer() as peer, house_bot("greedy", "--server", peer.address, *options):
        hello = await (await peer.accept()).welcome("greedy@1")
    assert list(hello.formats) == ["uno-classic-2-field", "dos-2-fast-field"]


@pytest.mark.parametrize("name", BOTS)
def test_what_it_offers_by_itself_fits_into_one_hello(name: str) -> None:
    """With the twelve formats that a file may hold; field formats are left to who asks for them."""
    assert len(make(name, 1).formats) + MOST_OWN <= MOST_FORMATS


@pytest.mark.parametrize(
    ("typed", "reason", "said"),
    [
        pytest.param("uno-clasic-2-field", "UNKNOWN_FORMAT", "for example, uno-classic-2-field", id="mistyped"),
        pytest.param("duo,chess", "UNKNOWN_FORMAT", "no format 'chess'", id="another game"),
        pytest.param(" , ", "BAD_FORMATS", "--formats ' , ' has an empty name", id="none"),
        pytest.param("duo,,spin-2", "BAD_FORMATS", "has an empty name; write the formats with commas", id="a gap"),
        pytest.param(",".join(ALL_NAMES[:65]), "BAD_FORMATS", "1 to 64 formats, not 65", id="too many"),
    ],
)
def test_formats_that_cannot_be_offered_are_bad_input(typed: str, reason: str, said: str) -> None:
    """A sentence with the names that come near."""
    with pytest.raises(InputError, match=re.escape(said)) as refused:
        offered(typed)
    assert (refused.value.reason, refused.value.field) == (reason, "formats")


@pytest.mark.slow
async def test_an_unknown_format_ends_it(token: Path) -> None:
    """Before it dials."""
    async with house_bot("first", "--formats", "uno-2", "--token-file", token) as process:
        out, err = await process.communicate()
    assert (process.returncode, out) == (2, b"")
    assert "there is no format 'uno-2'" in err.decode()


@pytest.mark.slow
async def test_a_missing_token_is_bad_input(tmp_path: Path) -> None:
    """The sentence names the file."""
    async with house_bot("first", "--token-file", tmp_path / "none") as process:
        _, err = await process.communicate()
    assert process.returncode == 2
    assert "none" in err.decode()


def test_what_it_says_is_one_json_object() -> None:
    """Whatever the name is."""
    from referee.bots.__main__ import Ready

    said: list[str] = []
    ready = Ready(said.append)
    ready('a "bot"@1')
    ready("again@1")
    word, _, value = said[0].partition(" ")
    assert (len(said), word, json.loads(value)) == (1, "READY", {"bot": 'a "bot"@1'})
