"""`lastcard bot check`: bots whose own code fails, that end the examiner's patience, or that write what does harm."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.cli import main
from tests.check.test_check import BARE, check, failed
from tests.patience import PATIENCE_S, until_true

pytestmark = pytest.mark.slow

NIGHTLY = pytest.mark.nightly

OWN = """
from lastcard import Bot, Option, Turn


class Crash(Bot):
    def choose(self, turn: Turn) -> Option:
        raise RuntimeError("boom\\x1b[2J[/x]")


class Nonsense(Bot):
    def choose(self, turn: Turn) -> str:
        return "nonsense"


class Late(Bot):
    async def choose(self, turn: Turn) -> int:
        return len(turn.options)


class NoNonce(Bot):
    def choose(self, turn: Turn) -> Option:
        return turn.options[0]

    def nonce(self, match: str) -> bytes:
        return b"short"
"""
RUN = (sys.executable, "-m", "lastcard.cli", "bot", "check")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("bot", "behaviour", "seen"),
    [
        pytest.param("Crash", "plays", r"its choose raised RuntimeError: boom", id="choose raises"),
        pytest.param(
            "Nonsense", "plays", "raised IllegalChoiceError: choose returned 'nonsense'", id="nonsense", marks=NIGHTLY
        ),
        pytest.param(
            "Late", "plays", "raised IllegalChoiceError: there is no option", id="an async one", marks=NIGHTLY
        ),
        pytest.param("NoNonce", "nonce", "its nonce raised InputError: nonce returned 5 bytes", id="no nonce"),
    ],
)
def test_what_the_library_makes_up_for_is_still_a_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bot: str, behaviour: str, seen: str
) -> None:
    """The library plays on in its place; the first error is in the table, once, and the exit code is 1."""
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = check(f"own:{bot}", only=["plays", "nonce", "batches"])
    assert (done.returncode, list(failed(done))) == (1, [behaviour])
    assert seen in failed(done)[behaviour]


@pytest.mark.slow
@pytest.mark.parametrize("processes", [1, pytest.param(2, marks=pytest.mark.nightly)])
def test_a_command_on_the_library_is_no_better(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int) -> None:
    """Started by `--run`, the library tells as well what it made up for, from whichever process it happened in."""
    (tmp_path / "own.py").write_text(OWN, encoding="utf-8")
    script = f"from own import Crash\nfrom lastcard import run\nCrash.processes = {processes}\nrun(Crash)\n"
    (tmp_path / "bot.py").write_text(script, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    done = check("--run", shlex.join([sys.executable, "bot.py"]), only=["plays"])
    assert done.returncode == 1
    assert "its choose raised RuntimeError: boom" in failed(done)["plays"]


def test_a_command_that_no_shell_would_take_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 2 and what is wrong with it."""
    assert main(["bot", "check", "--run", "node 'bot", "--json"]) == 2
    error = json.loads(capsys.readouterr().err.splitlines()[-1])["error"]
    assert (error["reason"], error["field"], error["value"]) == ("BAD_COMMAND", "run", "node 'bot")
    assert "No closing quotation" in error["message"]


@pytest.mark.slow
def test_what_a_bot_says_of_itself_is_no_markup() -> None:
    """The name of a format is printed as it came."""
    command = shlex.join([sys.executable, str(BARE), "none", "[/x]"])
    done = subprocess.run(
        [*RUN, "--run", command, "--only", "plays"], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert done.returncode == 1
    assert "hello.formats is '[/x]'" in done.stdout


def test_what_a_bot_writes_does_nothing_to_the_terminal(tmp_path: Path) -> None:
    """Its control characters are written out, and its name is no markup."""
    program = tmp_path / "[" / "x]"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport sys\nsys.exit('first \\x1b[2J\\nlast \\x07')\n", encoding="utf-8")
    program.chmod(0o700)
    done = subprocess.run(
        [*RUN, "--run", shlex.quote(str(program)), "--only", "plays"], capture_output=True, text=True, check=False,
        timeout=PATIENCE_S,
    )  # fmt: skip
    assert done.returncode == 1
    assert f"{program}: 0 of 1 behaviours passed" in done.stdout.replace("\n", "")
    assert r"first \x1b[2J" in done.stderr.splitlines()
    assert r"last \x07" in done.stderr.splitlines()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_who_stops_the_check_stops_the_bot(tmp_path: Path, number: signal.Signals) -> None:
    """Also what its command started: no process is left."""
    started = tmp_path / "started"
    script = f"sleep 1000 & echo $! > {shlex.quote(str(started))}.new; mv {started}.new {started}; wait"
    words = [*RUN, "--run", shlex.join(["sh", "-c", script])]
    with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as checking:
        until_true(started.exists)
        checking.send_signal(number)
        assert checking.wait(PATIENCE_S) == 128 + number
    assert not lives(int(started.read_text("ascii")))


def lives(pid: int) -> bool:
    """Return whether a process runs; what is dead and was not buried does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text("ascii").rpartition(")")[2].split()[0] != "Z"
