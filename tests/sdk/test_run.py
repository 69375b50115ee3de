"""A bot's script as its author runs it: a process of its own, against a scripted peer."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from tests.patience import PATIENCE_S
from tests.sdk.peer import Peer
from tests.sdk.script import ROUND, asked

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GREEDY = ROOT / "examples" / "greedy.py"


@asynccontextmanager
async def script(*arguments: object, env: Mapping[str, str] | None = None) -> AsyncIterator[Process]:
    """Run a bot's script with `arguments`; it is dead afterwards."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_")}
    words = [sys.executable, *map(str, arguments)]
    process = await asyncio.create_subprocess_exec(*words, env=clean | dict(env or {}), stderr=PIPE, stdout=PIPE)
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
        async with asyncio.timeout(PATIENCE_S):
            await process.communicate()


async def ended(process: Process) -> tuple[int, str]:
    """Return the exit code and what went to stderr."""
    async with asyncio.timeout(PATIENCE_S):
        _, err = await process.communicate()
    assert process.returncode is not None
    return process.returncode, err.decode()


def playing_at(peer: Peer) -> dict[str, str]:
    """Return the environment that points a bot at the peer."""
    return {"LASTCARD_SERVER": peer.address, "LASTCARD_TOKEN": "lcb1_token"}


@pytest.mark.parametrize(
    "name", [pytest.param("greedy.py", id="a class"), pytest.param("function_bot.py", id="a function")]
)
async def test_the_examples_play(peer: Peer, name: str) -> None:
    """As they stand in the documentation."""
    async with script(ROOT / "examples" / name, env=playing_at(peer)):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND))
        [answer] = await stream.expect_answers(1)
        assert list(answer.picks) == [1]
        stream.finish()


@pytest.mark.parametrize(
    ("number", "code"), [pytest.param(signal.SIGINT, 130, id="Ctrl-C"), pytest.param(signal.SIGTERM, 143, id="SIGTERM")]
)
async def test_a_signal_ends_in_good_order(peer: Peer, number: signal.Signals, code: int) -> None:
    """Half-close first, then the exit code of the signal."""
    async with script(GREEDY, env=playing_at(peer)) as process:
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND))
        await stream.expect_answers(1)
        process.send_signal(number)
        await stream.assert_done()
        assert (await ended(process))[0] == code


async def test_a_second_signal_does_not_wait_for_the_referee(peer: Peer) -> None:
    """One who presses Ctrl-C twice is in a hurry."""
    async with script(GREEDY, env=playing_at(peer)) as process:
        stream = await peer.accept()
        await stream.welcome()
        process.send_signal(signal.SIGINT)
        await stream.expect_half_close()
        process.send_signal(signal.SIGINT)
        assert (await ended(process))[0] == 130


async def test_a_bad_token_stops_with_one_sentence(peer: Peer) -> None:
    """On stderr, exit code 2, no traceback."""
    async with script(GREEDY, env=playing_at(peer)) as process:
        (await peer.accept()).abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token", "BAD_TOKEN")
        code, err = await ended(process)
    assert code == 2
    assert err.strip().splitlines()[-1].startswith(f"bot: {peer.address} does not take this token: unknown token;")
    assert "Traceback" not in err


async def test_too_old_a_version_stops_with_one_sentence(peer: Peer) -> None:
    """It says how to upgrade."""
    async with script(GREEDY, env=playing_at(peer)) as process:
        (await peer.accept()).abort(grpc.StatusCode.FAILED_PRECONDITION, "minor 3 or newer is needed", "UPGRADE")
        code, err = await ended(process)
    assert code == 2
    assert "minor 3 or newer is needed; pip install --upgrade lastcard" in err


@pytest.mark.parametrize(
    ("arguments", "env", "says"),
    [
        pytest.param((), {}, "there is no token", id="no token"),
        pytest.param(("--token", "lcb1_x"), {}, "use --token-file", id="a token on the command line"),
        pytest.param(("--server", "nowhere"), {"LASTCARD_TOKEN": "lcb1_x"}, "not a referee's address", id="no server"),
        pytest.param(("--token-file", "/nowhere"), {}, "cannot be read", id="no such file"),
        pytest.param(("--processes", "99"), {"LASTCARD_TOKEN": "lcb1_x"}, "1 to 8", id="too many processes"),
    ],
)
async def test_bad_input_stops_with_one_sentence(arguments: tuple[str, ...], env: dict[str, str], says: str) -> None:
    """Exit code 2, no traceback."""
    async with script(GREEDY, *arguments, env=env) as process:
        code, err = await ended(process)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


async def test_an_unreachable_referee_is_tried_again_visibly(peer: Peer) -> None:
    """The bot stays up, and plays as soon as the referee is there."""
    await peer.crash()
    async with script(GREEDY, env=playing_at(peer)) as process:
        assert process.stderr
        line = (await process.stderr.readline()).decode()
        assert "it cannot be reached (Connection refused" in line
        await peer.start()
        await (await peer.accept()).welcome()


async def test_patience_ends_with_3() -> None:
    """`run(…, patience=…)` gives up."""
    code = "from lastcard import run; run(lambda turn: 0, 'localhost:1', 'lcb1_x', patience=0.01)"
    async with script("-c", code) as process:
        exit_code, err = await ended(process)
    assert exit_code == 3
    assert "could not be reached for 0.01 s" in err


async def test_a_bot_that_ends_the_process_ends_it(peer: Peer) -> None:
    """`sys.exit` in `choose` half-closes and exits with its code."""
    code = "import sys; from lastcard import run; run(lambda turn: sys.exit(9))"
    async with script("-c", code, env=playing_at(peer)) as process:
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND))
        await stream.assert_done()
        assert (await ended(process))[0] == 9


async def test_processes_play_as_instances_of_one_bot(peer: Peer) -> None:
    """Each with an instance of its own; one Ctrl-C stops all in good order."""
    async with script(GREEDY, "--processes", "2", env=playing_at(peer)) as process:
        streams = [await peer.accept(), await peer.accept()]
        instances = {(await stream.welcome()).instance for stream in streams}
        assert len(instances) == 2
        process.send_signal(signal.SIGINT)
        for stream in streams:
            await stream.assert_done()
        assert (await ended(process))[0] == 130


async def test_processes_end_with_their_parent(peer: Peer) -> None:
    """Also when it is killed."""
    async with script(GREEDY, "--processes", "2", env=playing_at(peer)) as process:
        streams = [await peer.accept(), await peer.accept()]
        for stream in streams:
            await stream.welcome()
        process.kill()
        for stream in streams:
            await stream.assert_done()


async def test_one_refused_process_stops_all(peer: Peer) -> None:
    """With its sentence and its exit code."""
    async with script(GREEDY, "--processes", "2", env=playing_at(peer)) as process:
        streams = [await peer.accept(), await peer.accept()]
        await streams[0].welcome()
        streams[1].abort(grpc.StatusCode.UNAUTHENTICATED, "unknown token", "BAD_TOKEN")
        await streams[0].assert_done()
        code, err = await ended(process)
    assert code == 2
    assert "unknown token" in err


async def test_a_process_that_crashes_at_once_stops_all(tmp_path: Path, peer: Peer) -> None:
    """It would crash again."""
    file = tmp_path / "bot.py"
    file.write_text(
        "import os\nfrom lastcard import run\n"
        "if os.environ.get('LASTCARD_PROCESS', '').startswith('2'):\n    os._exit(7)\nrun(lambda turn: 0)\n"
    )
    async with script(file, "--processes", "2", env=playing_at(peer)) as process:
        code, err = await ended(process)
    assert code == 1
    assert "process 2 of 2 crashed at once (exit code 7)" in err


async def test_processes_need_a_script(peer: Peer) -> None:
    """A bot typed into a terminal cannot be started again."""
    words = [sys.executable, "-"]
    process = await asyncio.create_subprocess_exec(*words, env=os.environ | playing_at(peer), stdin=PIPE, stderr=PIPE)
    code = b"from lastcard import run\nrun(lambda turn: 0, argv=['--processes', '2'])\n"
    _, err = await process.communicate(code)
    assert process.returncode == 2
    assert b"needs the bot in a file" in err
