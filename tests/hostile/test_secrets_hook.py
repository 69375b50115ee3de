"""A run that leaves a secret in a log fails, whatever its tests say."""

import base64
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.secrets_hook import leaks

ROOT = Path(__file__).parents[2]
SEED = bytes(range(7, 39))
TOKEN = f"lcb1_{'a2' * 5}_{'Ab-_5' * 8}xyz"
UNTOLD = bytes(range(8, 40))
ELSEWHERE = bytes(range(9, 41))
KEPT = f"lcb1_{'b3' * 5}_{'Cd-_6' * 8}xyz"
PIPED = "child = subprocess.Popen([sys.executable, '-c', 'print(\\'{text}\\')'], stdout=subprocess.PIPE, text=True);"
SAY = "import sys; print(sys.argv[1], file=sys.{to})"
ASYNC = """
    import asyncio
    async def listen():
        words = (sys.executable, "-c", "print('{text}')")
        child = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
        await child.stdout.readline()
        await child.wait()
    asyncio.run(listen())
"""
SAID = f"subprocess.run([sys.executable, '-c', '{SAY}', '{{text}}'], capture_output=True)"
TEST = """
import logging, subprocess, sys
from pathlib import Path
from tests import secrets_hook

def test_passes(tmp_path):
    secrets_hook.note([bytes(range(7, 39))])
    secrets_hook.note_untold([bytes(range(8, 40)), bytes(range(9, 41))], [bytes(range(9, 41))])
    secrets_hook.note_hand(bytes([9, 3, 14, 27, 40, 55, 8]), ["G9", "R3", "Y1", "B2", "R7", "W4", "G8"])
    secrets_hook.note_hand(bytes([10, 4, 15, 28, 41, 56, 7]), ["Y9", "R4", "Y2", "B3", "R8", "W5", "G7"], held=True)
    secrets_hook.note_unprinted("{kept}")
    {act}
"""


@pytest.mark.sample(3)
@pytest.mark.slow
@pytest.mark.parametrize(
    ("act", "told"),
    [
        pytest.param("(tmp_path / 'referee.log').write_text('{secret}')", "referee.log", id="log file"),
        pytest.param("logging.getLogger('x').warning('{secret}')", "Captured log", id="logged"),
        pytest.param("print('{secret}', file=sys.stderr)", "stderr", id="stderr"),
    ],
)
@pytest.mark.parametrize("secret", [TOKEN, SEED.hex()], ids=["token", "seed"])
def test_a_planted_secret_fails_the_run(tmp_path: Path, act: str, told: str, secret: str) -> None:
    """Though every test of it passes, and it says where."""
    code, out = _run(tmp_path, act.format(secret=f"seen: {secret} in play"))
    assert code == pytest.ExitCode.TESTS_FAILED, out
    assert "1 passed" in out
    assert "secrets in logs" in out
    assert told in out.partition("secrets in logs")[2]


@pytest.mark.sample(8)
@pytest.mark.thorough
@pytest.mark.parametrize(
    ("act", "told"),
    [
        pytest.param("(tmp_path / 'a.log').write_text('cards 09030e1b283708')", "a hand", id="hand in a log, in hex"),
        pytest.param("logging.getLogger('x').error('R3 G9')", "", id="two cards are no hand"),
        pytest.param("logging.getLogger('x').error('G9 R3 Y1 B2 R7 W4 G8')", "a hand", id="hand as people write it"),
        pytest.param("logging.getLogger('x').error('[3, 8, 9, 14, 27, 40, 55]')", "a hand", id="hand as JSON, sorted"),
        pytest.param("print('09030e1b283708')", "", id="a hand that is printed"),
        pytest.param("print('" + UNTOLD.hex() + "')", "never told", id="seed in play that is printed"),
        pytest.param("print(repr(" + repr(UNTOLD) + "))", "never told", id="seed in play as bytes of Python"),
        pytest.param("print('" + ELSEWHERE.hex() + "')", "", id="seed that another test was told"),
        pytest.param("print('" + SEED.hex() + "')", "", id="seed that was told"),
        pytest.param(SAID.format(text=UNTOLD.hex(), to="stdout"), "never told", id="stdout of another process"),
        pytest.param(SAID.format(text=TOKEN, to="stderr"), "a token", id="stderr of another process"),
        pytest.param(SAID.format(text=TOKEN, to="stdout"), "", id="a token that a command prints"),
        pytest.param(f"print('{KEPT}')", "a token that no command has made", id="a token that no command has made"),
        pytest.param("print('Y9 R4 Y2 B3 R8 W5 G7')", "a hand that was never told", id="a hand in play, printed"),
        pytest.param(PIPED.format(text=KEPT) + "[line for line in child.stdout]", "a token", id="pipe, line by line"),
        pytest.param(PIPED.format(text=KEPT) + "child.stdout.read()", "a token", id="pipe, as a whole"),
        pytest.param(f"subprocess.run([sys.executable, '-c', 'print(1, \"{KEPT}\")'])", "a token", id="the same place"),
        pytest.param(ASYNC.format(text=KEPT), "a token", id="pipe of asyncio"),
        pytest.param(
            "from prometheus_client import CollectorRegistry, Gauge, exposition; registry = CollectorRegistry();"
            " Gauge('x', 'help', ['who'], registry=registry).labels(who='" + TOKEN + "');"
            " exposition.generate_latest(registry)",
            "metrics", id="label of a metric",
        ),
    ],
)  # fmt: skip
def test_what_leaves_by_other_ways_is_found(tmp_path: Path, act: str, told: str) -> None:
    """What is told once a match is over may be printed, and no hand may be logged."""
    code, out = _run(tmp_path, act)
    assert code == (pytest.ExitCode.TESTS_FAILED if told else pytest.ExitCode.OK), out
    assert told in out.partition("secrets in logs")[2]


@pytest.mark.slow
@pytest.mark.parametrize(
    "act",
    [
        pytest.param("print('" + TOKEN + "')", id="what a command prints"),
        pytest.param("(tmp_path / 'bot.token').write_text('" + TOKEN + "')", id="a file of tokens"),
        pytest.param("(tmp_path / 'referee.log').write_text('token lcb1_***')", id="a token that is masked"),
        pytest.param(
            "logging.getLogger('lastcard.bot').error('error 1 of this bot, in choose(<hand=R1>): no')", id="own hand"
        ),
    ],
)
def test_what_may_hold_a_token_fails_nothing(tmp_path: Path, act: str) -> None:
    """Commands hand tokens out; they are kept in files of their own."""
    code, out = _run(tmp_path, act)
    assert code == pytest.ExitCode.OK, out


def _run(folder: Path, act: str) -> tuple[int, str]:
    file = folder / "test_planted.py"
    file.write_text(TEST.format(act=act, kept=KEPT), encoding="utf-8")
    words = [
        "-p",
        "tests.secrets_hook",
        "-p",
        "no:cacheprovider",
        "-q",
        f"--rootdir={folder}",
        f"--basetemp={folder / 'base'}",
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "-c", os.devnull, str(file)],
        cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    shutil.rmtree(folder / "base")  # or this run would find it, too
    return done.returncode, done.stdout + done.stderr


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(SEED.hex(), id="hex"),
        pytest.param(base64.b64encode(SEED).decode(), id="base64"),
        pytest.param(base64.urlsafe_b64encode(SEED).decode(), id="base64 for addresses"),
        pytest.param(repr(SEED), id="bytes of Python"),
    ],
)
def test_a_seed_is_found_however_it_is_written(shown: str) -> None:
    """And another one is not."""
    text = f"event='claimed' seen={shown} n=3".encode()
    assert list(leaks("log", text, {SEED})) == ["a seed or the pepper in log"]
    assert list(leaks("log", text, {bytes(32)})) == []


@pytest.mark.parametrize("line", ['{"event": "asked", "hand": [3, 4]}', "asked hand=[3, 4]", "over hands=b'\\x03'"])
def test_a_hand_is_found(line: str) -> None:
    """Whatever is in it."""
    assert len(list(leaks("log", line.encode(), set()))) == 1


@pytest.mark.parametrize("raw", [b"b'" + bytes(40) + b"'", b"b'" + b"\xff" * 40 + b"'", b"b'" + rb"\x" * 20 + b"'"])
def test_what_was_printed_may_be_no_text(raw: bytes) -> None:
    """Bytes that only look like a literal are none; what stands behind them is found all the same."""
    assert list(leaks("log", raw, {SEED})) == []
    assert len(list(leaks("log", raw + repr(SEED).encode(), {SEED}))) == 1
