"""`lastcard bot check`: what is right passes, and every fault is found by the behaviour that it belongs to."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lastcard.cli import main
from referee.check.behaviours import BEHAVIOURS
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.slow

BARE = Path(__file__).with_name("bare_bot.py")
QUICK = [one.name for one in BEHAVIOURS if one.name != "patient"]


def check(*args: str, only: list[str]) -> subprocess.CompletedProcess[str]:
    """Run the command."""
    words = [sys.executable, "-m", "lastcard.cli", "bot", "check", *args, "--json"]
    for name in only:
        words += ["--only", name]
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=280)


def bare(fault: str) -> str:
    """Return the command of the bot with this fault."""
    return shlex.join([sys.executable, str(BARE), fault])


def failed(done: subprocess.CompletedProcess[str]) -> dict[str, str]:
    """Return what failed, with what was seen."""
    rows = json.loads(done.stdout)["behaviours"]
    return {row["behaviour"]: row["seen"] for row in rows if not row["passed"]}


FAULTS = (
    pytest.param("illegal", "plays", "is not legal", id="an index too high"),
    pytest.param("twice", "batches", "or twice", id="every answer twice"),
    pytest.param("fickle", "asked again", "asked the same decision again it answers", id="changes its mind"),
    pytest.param("no nonce", "nonce", "no nonce within 2 s", id="no nonce"),
    pytest.param("short nonce", "nonce", "a nonce of 8 bytes; it must have 16", id="short nonce"),
    pytest.param("same nonce", "nonce", "the same nonce for two matches", id="same nonce"),
    pytest.param("hello", "plays", "hello.late_call is 0", id="bad hello"),
    pytest.param("one table", "out of order", "it answers decision", id="keeps one table in mind"),
    pytest.param("touchy", "told off", "its process ended with 4", id="dies of a reply"),
    pytest.param("sulky", "told off", "no answer within 10 s", id="plays no round on in which it was told off"),
    pytest.param("strict", "stale", "its process ended with 6", id="dies of an old turn"),
    pytest.param("final", "stale", "its process ended with 7", id="dies of a turn of a round that is over"),
    pytest.param("impatient", "slow", "its process ended with 5", id="gives up turns that are late"),
    pytest.param("no patience", "late welcome", "it leaves when its Welcome is 3 s late", id="gives up a late welcome"),
    pytest.param("small", "large", "it ends the stream in the middle", id="takes small messages"),
    pytest.param("unknown", "unknown", "its process ended with 3", id="dies of what is new"),
    pytest.param("silent", "patient", "no heartbeat within 22 s", id="no heartbeat"),
    pytest.param("another instance", "cut", "another instance after a reconnect", id="another instance"),
    pytest.param("stays", "going away", "does not half-close", id="does not leave"),
    pytest.param("hurries", "going away", "told to wait 1.5 s", id="comes back too soon"),
    pytest.param("fights", "replaced", "dials again at once", id="tug of war"),
    pytest.param("bad token", "bad token", "only a person can change that", id="knocks for ever"),
)
BASICS = ["plays", "batches", "asked again", "out of order", "cut"]
GOOD: dict[str, tuple[tuple[str, ...], list[str]]] = {
    "greedy": (("greedy",), QUICK),
    "careful in Spin": (("careful", "--format", "spin-4"), BASICS),
    "random in DOS": (("random", "--format", "dos-4"), BASICS),
    "search in Duo": (("search:40", "--format", "duo"), ["plays"]),
    "bare": (("--run", bare("none")), [one.name for one in BEHAVIOURS]),
}


@pytest.fixture(scope="module")
def checked() -> dict[str, subprocess.CompletedProcess[str]]:
    """Return what came of every bot here; they are checked together, since a check is mostly waiting."""
    calls = {name: (args, only) for name, (args, only) in GOOD.items()}
    for fault, behaviour, _ in (param.values for param in FAULTS):
        calls[str(fault)] = (("--run", bare(str(fault))), [str(behaviour)])
    with ThreadPoolExecutor(4) as pool:
        done = pool.map(lambda call: check(*call[0], only=call[1]), calls.values())
        return dict(zip(calls, done, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", GOOD)
def test_what_is_right_passes(checked: dict[str, subprocess.CompletedProcess[str]], name: str) -> None:
    """Bots on the library, in several games, and one on nothing but the protocol."""
    done = checked[name]
    assert (failed(done), done.returncode) == ({}, 0)
    assert json.loads(done.stdout)["passed"] is True


@pytest.mark.slow
@pytest.mark.needs("node", "npm")
@pytest.mark.usefixtures("installed")
def test_the_bot_in_javascript_passes() -> None:
    """It is what authors in other languages begin with."""
    bot = Path(__file__).parents[2] / "bots" / "node" / "bot.js"
    assert failed(check("--run", f"node {bot}", only=QUICK)) == {}


@pytest.mark.slow
@pytest.mark.parametrize(("fault", "behaviour", "seen"), FAULTS)
def test_a_fault_is_found_where_it_belongs(
    checked: dict[str, subprocess.CompletedProcess[str]], fault: str, behaviour: str, seen: str
) -> None:
    """With exit code 1, and a sentence for its author."""
    done = checked[fault]
    assert done.returncode == 1
    assert list(failed(done)) == [behaviour]
    assert seen in failed(done)[behaviour]


@pytest.mark.slow
def test_a_bot_that_its_author_starts_is_waited_for() -> None:
    """With --name it is told where to dial, and any token is good there."""
    words = [sys.executable, "-m", "lastcard.cli", "bot", "check", "--name", "mine", "--only", "plays", "--json"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as checking:
        assert checking.stderr is not None
        said = next(line for line in checking.stderr if "listening on " in line)
        environ = os.environ | {"LASTCARD_SERVER": said.split("listening on ")[1].split()[0], "LASTCARD_TOKEN": "any"}
        with subprocess.Popen([sys.executable, str(BARE), "none"], env=environ) as bot:
            try:
                told, _ = checking.communicate(timeout=PATIENCE_S)
            finally:
                bot.kill()
    assert checking.returncode == 0, told
    assert (json.loads(told)["bot"], json.loads(told)["passed"]) == ("mine", True)


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        pytest.param((), "WHICH_BOT", id="no bot"),
        pytest.param(("greedy", "--name", "greedy"), "WHICH_BOT", id="two bots"),
        pytest.param(("--run", " "), "NO_PROGRAM", id="empty command"),
        pytest.param(("--run", "/no/such/program"), "NO_PROGRAM", id="no program"),
        pytest.param(("nowhere:Bot",), "NO_MODULE", id="no module"),
        pytest.param(("gredy",), "UNKNOWN_BOT", id="no house bot"),
        pytest.param(("greedy", "--listen", "0.0.0.0:0"), "PLAINTEXT", id="open to all"),
        pytest.param(("greedy", "--listen", "127.0.0.1:99999"), "BAD_ADDRESS", id="no port"),
        pytest.param(("greedy", "--format", "chess"), "NOT_OFFERED", id="no format"),
    ],
)
def test_a_wrong_call_is_refused(args: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With exit code 2 and what is wrong."""
    assert main(["bot", "check", *args, "--json", "--only", "plays"]) == 2
    said = capsys.readouterr().err
    assert json.loads(said.splitlines()[-1])["error"]["reason"] == reason
    assert "Traceback" not in said


@pytest.mark.parametrize(
    ("bot", "hint"),
    [
        pytest.param(
            "my-bot/bot.py", "as bot:Class, or check the program that runs it with --run 'python my-bot/bot.py'"
        ),
        pytest.param("gredy", "your own as `module:Class`, or check the program that runs it with --run 'COMMAND'"),
    ],
)
def test_a_bot_that_is_not_found_is_told_how_to_be(bot: str, hint: str, capsys: pytest.CaptureFixture[str]) -> None:
    """As a class, or as a program."""
    assert main(["bot", "check", bot]) == 2
    assert hint in " ".join(capsys.readouterr().err.split())


def test_a_bot_that_does_not_run_is_no_reason_to_wait() -> None:
    """One line says so, with what its process ended with and what it said; the rest is not tried."""
    done = check("--run", "python3 -c 'import sys; sys.exit(\"no model file\")'", only=["plays", "nonce", "cut"])
    assert (done.returncode, failed(done)) == (1, {"plays": "it does not dial; its process ended with 1"})
    assert "the bot never said Hello" in done.stderr
    assert "no model file" in done.stderr
