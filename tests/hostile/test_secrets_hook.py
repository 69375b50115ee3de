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
TEST = """
import logging, sys
from pathlib import Path
from tests import secrets_hook

def test_passes(tmp_path):
    secrets_hook.note([bytes(range(7, 39))])
    {act}
"""


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
    file.write_text(TEST.format(act=act), encoding="utf-8")
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
