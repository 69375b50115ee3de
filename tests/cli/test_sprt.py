"""`lastcard sprt`: what it decides, how it goes on after a crash, and what it refuses."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lastcard.cli import main
from lastcard.errors import InputError
from tests.patience import PATIENCE_S, until_true
from workers.local import sprt
from workers.local.trial import Batch, Comparison, Question
from workers.local.trial_file import TrialFile

pytestmark = pytest.mark.slow

HELD_S = 3 * PATIENCE_S
"""A bot whose test is gone, and its folder with it, is let go by nobody."""

OWN = f"""
import time
from pathlib import Path
from random import Random

from lastcard import Bot, run

HELD_S = {HELD_S}


class Held(Bot):
    asked = 0  # as long as somebody holds it, it stops in the middle of a batch, and says so

    def choose(self, turn):
        Held.asked += 1
        end = time.monotonic() + HELD_S
        while Held.asked > 500 and Path("hold").exists():
            if time.monotonic() > end:
                raise SystemExit(f"held for {{HELD_S:g}} s, and nobody lets go")
            Path("held").touch()
            time.sleep(0.01)
        return 0


class Kept(Held):
    def choose(self, turn):
        from workers.local import sprt
        sprt.SAVE_S = 0.0  # what was played is kept at the end of every batch, however fast they are
        return super().choose(turn)


class Dicing(Bot):
    def __init__(self, seed):
        self.dice = Random(seed)

    def choose(self, turn):
        return self.dice.randrange(len(turn.options)) if turn.max_picks == 1 else 0


class Broken(Bot):
    def choose(self, turn):
        raise KeyError("no plan")


run(Held())
"""
QUICK = ("sprt", "careful", "random", "--bounds", "0,60", "--seed", "3")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with bots of one's own in it, and a state folder that is nobody's."""
    (tmp_path / "sprt_bots.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "sprt_bots", raising=False)
    monkeypatch.delenv("LASTCARD_STATE", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> dict[str, Any]:
    """Run a command that prints JSON and nothing else."""
    assert main([*arguments, "--json"]) == code
    out, _ = capsys.readouterr()
    value: dict[str, Any] = json.loads(out)
    return value


def kept(folder: Path) -> list[str]:
    """Return the states that are kept where nobody named a file."""
    place = folder / "state" / "lastcard"
    return sorted(path.name for path in place.iterdir()) if place.exists() else []


def test_a_stronger_version_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """`careful` against `random`: the ratio passes the upper bound, and the counts add up."""
    found = printed(capsys, *QUICK)
    assert found["decision"] == "H1"
    assert found["llr"] >= found["upper"] == pytest.approx(2.944439, abs=1e-6)
    assert found["wins"] + found["ties"] + found["losses"] == found["rounds"] == 2 * found["meetings"]
    assert sum(found["pairs"]) == found["meetings"]
    assert found["path"][-1] == [found["meetings"], pytest.approx(found["llr"], abs=1e-9)]
    assert [units for units, _ in found["path"]] == list(range(10, found["meetings"] + 1, 10))
    assert found["elo"] > 0
    assert found["los"] > 0.99
    assert found["faults"] == [0, 0]
    assert found["lc_version"] is None


def test_a_weaker_version_is_turned_down(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Decided, too: exit code 0, and nothing is left behind."""
    found = printed(capsys, "sprt", "random", "careful", "--bounds", "0,60", "--seed", "3")
    assert found["decision"] == "H0"
    assert kept(folder) == []


def test_equal_versions_on_one_deal_are_told_apart_soon(capsys: pytest.CaptureFixture[str]) -> None:
    """Both win the same games: every pair is even."""
    found = printed(capsys, "sprt", "careful", "careful", "--seed", "1")
    assert found["decision"] == "H0"
    assert found["pairs"] == [0, 0, found["meetings"], 0, 0]


def test_the_same_seed_plays_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """And one that was drawn is told, so that it can be played again."""
    found = printed(capsys, "sprt", "careful", "random", "--bounds", "0,60")
    assert printed(capsys, "sprt", "careful", "random", "--bounds", "0,60", "--seed", str(found["seed"])) == found


def test_a_budget_that_runs_out_is_no_decision(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Exit code 1; with a larger one the same command goes on, to the end that it would have had at once."""
    command = ("sprt", "greedy", "careful", "--bounds", "0,5", "--seed", "5")
    half = printed(capsys, *command, "--max-meetings", "45", code=1)
    assert (half["decision"], half["meetings"]) == ("open", 40)
    assert len(kept(folder)) == 1
    resumed = printed(capsys, *command, "--max-meetings", "100", code=1)
    assert resumed["path"][:4] == half["path"]
    at_once = printed(capsys, *command, "--max-meetings", "100", "--state", "other.json", code=1)
    assert resumed == at_once


@pytest.mark.parametrize(
    ("bot", "options"),
    [
        pytest.param("sprt_bots:Dicing", (), id="a bot with dice of its own"),
        pytest.param("greedy", ("--luck", "--deals", "fresh"), id="with luck taken out"),
    ],
)
def test_broken_off_anywhere_it_goes_on_as_if_nothing_had_happened(
    capsys: pytest.CaptureFixture[str], folder: Path, bot: str, options: tuple[str, ...]
) -> None:
    """Every state that was ever kept leads to the same end, number by number."""
    command = ("sprt", bot, "random", "--bounds", "0,30", "--seed", "9", "--state", "run.json", *options)
    budgets = ("20", "60", "60", "130", "200")
    ends = [main([*command, "--max-meetings", budget, "--json"]) for budget in budgets]
    capsys.readouterr()
    resumed = printed(capsys, *command, "--max-meetings", "200", code=ends[-1])
    (folder / "run.json").unlink()
    assert printed(capsys, *command, "--max-meetings", "200", code=ends[-1]) == resumed


def test_a_bot_that_nobody_lets_go_ends(folder: Path) -> None:
    """And its process with it: a test that is killed itself leaves nothing behind that runs for ever."""
    (folder / "sprt_bots.py").write_text(OWN.replace(f"HELD_S = {HELD_S}", "HELD_S = 0.1"))
    (folder / "hold").touch()
    with pytest.raises(SystemExit, match="nobody lets go"):
        main(["sprt", "sprt_bots:Held", "random", "--seed", "2"])


@pytest.mark.slow
def test_killed_in_the_middle_it_goes_on(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """After some states were kept, by kill -9: the same command ends as it would have without it."""
    words = ["sprt", "sprt_bots:Kept", "random", "--bounds=-5,5", "--seed", "2", "--max-meetings", "20"]
    (folder / "hold").touch()
    process = subprocess.Popen([sys.executable, "-m", "lastcard.cli", *words, "--json"], stdout=subprocess.DEVNULL)
    until_true(lambda: (folder / "held").exists() or process.poll() is not None)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    (folder / "hold").unlink()
    assert 0 < _played(folder) < 20
    resumed = main([*words, "--json"])
    out, _ = capsys.readouterr()
    at_once = main([*words, "--json", "--state", "other.json"])
    again, _ = capsys.readouterr()
    assert (resumed, json.loads(out)) == (at_once, json.loads(again))


def test_an_error_that_ends_it_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours, too; what was played is kept, and the same goes on to the end that it would have had."""
    after = Comparison.after

    def once(comparison: Comparison, batch: Batch) -> Comparison:
        if comparison.meetings:
            raise RuntimeError("no more")
        return after(comparison, batch)

    with monkeypatch.context() as patch:
        patch.setattr(Comparison, "after", once)
        assert main([*QUICK, "--max-meetings", "20"]) == 1
    _, err = capsys.readouterr()
    done, _, command = err.partition("; to go on: lastcard ")
    assert done.endswith("broken off after 10 meetings")
    assert _played(folder) == 10
    resumed = printed(capsys, *shlex.split(command.splitlines()[0]), code=1)
    assert resumed == printed(capsys, *QUICK, "--max-meetings", "20", "--state", "other.json", code=1)


def test_a_state_that_can_be_written_no_more_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the sentence that says why."""
    save = TrialFile.save

    def once(file: TrialFile, question: Question, code: dict[str, str], comparison: Comparison) -> None:
        if comparison.meetings:
            raise InputError("NOT_WRITABLE", f"{file.path} cannot be written", field="state")
        save(file, question, code, comparison)

    monkeypatch.setattr(sprt, "SAVE_S", 0.0)
    monkeypatch.setattr(TrialFile, "save", once)
    assert main([*QUICK, "--state", "run.json"]) == 2
    _, err = capsys.readouterr()
    assert "broken off after 10 meetings; to go on: lastcard sprt careful random" in err
    assert "run.json cannot be written" in err


def _played(folder: Path) -> int:
    """Return how many meetings are kept so far."""
    names = [name for name in kept(folder) if name.endswith(".json")]
    if not names:
        return 0
    content = json.loads((folder / "state" / "lastcard" / names[0]).read_text())
    return sum(content["played"]["pairs"])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code", "more"),
    [
        pytest.param(signal.SIGINT, 130, [], id="Ctrl-C, for people"),
        pytest.param(signal.SIGINT, 130, ["--json"], id="Ctrl-C, as JSON"),
        pytest.param(signal.SIGTERM, 143, [], id="SIGTERM"),
    ],
)
def test_broken_off_it_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], folder: Path, number: signal.Signals, code: int, more: list[str]
) -> None:
    """The command that is printed asks for the same, and goes on from there to the same end."""
    words = ["sprt", "sprt_bots:Held", "random", "--bounds=-5,5", "--seed", "4", "--max-meetings", "20"]
    (folder / "hold").touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard.cli", *words, *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until_true(lambda: (folder / "held").exists() or process.poll() is not None)
    assert process.poll() is None
    process.send_signal(number)
    _, err = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == code
    (folder / "hold").unlink()
    done, _, command = err.partition("; to go on: lastcard ")
    again = shlex.split(command.splitlines()[0])
    assert ("--json" in again) is bool(more)
    assert int(done.rpartition("broken off after ")[2].partition(" meetings")[0]) == _played(folder) > 0
    resumed = printed(capsys, *[word for word in again if word != "--json"], code=1)
    assert resumed["meetings"] == 20
    assert resumed == printed(capsys, *words, "--state", "other.json", code=1)


def test_for_people_it_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    """Games, pairs, the ratio, and a sentence that says what was found."""
    assert main([*QUICK]) == 0
    out, _ = capsys.readouterr()
    for word in ("uno-classic-2, mirrored deals", "seed 3", "W/T/L", "LOS", "WW", "LLR +", "H1 accepted: careful is"):
        assert word in out


def test_luck_is_taken_out_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    """The scores are those of the games, less luck: near them, and with a narrower interval."""
    command = (
        "sprt",
        "careful",
        "greedy",
        "--deals",
        "fresh",
        "--seed",
        "4",
        "--max-meetings",
        "100",
        "--bounds",
        "-1,1",
    )
    raw = printed(capsys, *command, code=1)
    corrected = printed(capsys, *command, "--luck", code=1)
    assert corrected["lc_version"]
    assert corrected["pairs"] == raw["pairs"]
    assert corrected["score"] != raw["score"]
    assert abs(corrected["score"] - raw["score"]) < 0.06
    assert corrected["ci95"] < raw["ci95"]


def test_what_a_bot_did_wrong_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Once, with how often it happened."""
    assert main(["sprt", "sprt_bots:Broken", "first", "--seed", "1", "--max-meetings", "20", "--json"]) in {0, 1}
    _, err = capsys.readouterr()
    assert err.count("sprt_bots:Broken did not choose") == 1
    assert "KeyError: 'no plan'" in err


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run a command that is refused, and return the error."""
    assert main([*arguments, "--json"]) == 2
    out, err = capsys.readouterr()
    assert not out
    error: dict[str, Any] = json.loads(err)["error"]
    assert error["message"]
    return error


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        pytest.param("careful random --bounds 20,0", "BAD_BOUNDS", id="bounds the wrong way round"),
        pytest.param("careful random --bounds twenty", "BAD_BOUNDS", id="bounds in words"),
        pytest.param("careful random --format uno-3000", "UNKNOWN_FORMAT", id="no such format"),
        pytest.param("careful random --format uno-classic-4", "BAD_FORMAT", id="tables of four"),
        pytest.param("careful random --deals field", "BAD_DEALS", id="deals of many tables"),
        pytest.param("careful random --max-meetings 9", "BAD_MEETINGS", id="less than one check"),
        pytest.param("careful wise", "UNKNOWN_BOT", id="no such bot"),
        pytest.param("careful nowhere:Bot", "NO_MODULE", id="no such module"),
        pytest.param(
            "careful random --format uno-classic-500-2 --luck", "NO_CORRECTION", id="luck in games to a target"
        ),
        pytest.param("careful", "USAGE", id="one bot"),
    ],
)
def test_bad_input_is_a_typed_error(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: str, reason: str
) -> None:
    """On stderr, with exit code 2; nothing is played or kept."""
    assert refused(capsys, "sprt", *arguments.split())["reason"] == reason
    assert kept(folder) == []


@pytest.mark.parametrize(
    ("bounds", "words"),
    [
        pytest.param("20,0", "the smaller one first", id="the wrong way round"),
        pytest.param("0,0", "the smaller one first", id="twice the same"),
        pytest.param("0,2000", "bounds 0,2000 cannot be tested; allowed: numbers of Elo from -1000 to 1000", id="wide"),
        pytest.param("twenty", "with a comma between", id="no numbers"),
    ],
)
def test_bounds_are_refused_for_what_is_wrong_with_them(
    capsys: pytest.CaptureFixture[str], bounds: str, words: str
) -> None:
    """Two numbers in the right order are not told to be two numbers in the right order."""
    assert words in refused(capsys, "sprt", "careful", "random", "--bounds", bounds)["message"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "more",
    [pytest.param(["--state", "run.json"], id="named, any seed"), pytest.param(["--seed", "4"], id="usual, of a seed")],
)
def test_a_state_has_one_run_at_a_time(capsys: pytest.CaptureFixture[str], folder: Path, more: list[str]) -> None:
    """The second is told who has it, and the first goes on to its end."""
    words = ["sprt", "sprt_bots:Held", "random", "--bounds=-5,5", "--max-meetings", "20", *more]
    (folder / "hold").touch()
    process = subprocess.Popen(
        [sys.executable, "-m", "lastcard.cli", *words, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    until_true(lambda: (folder / "held").exists() or process.poll() is not None)
    assert process.poll() is None
    error = refused(capsys, *words)
    assert error["reason"] == "STATE_IN_USE"
    assert f"in use by another run of sprt, process {process.pid}:" in error["message"]
    (folder / "hold").unlink()
    out, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (1, b"")
    assert json.loads(out)["meetings"] == 20
    assert not list(folder.rglob("*.lock"))
    assert printed(capsys, *words, code=1)["meetings"] == 20


def test_a_state_of_another_question_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """With what is different."""
    printed(capsys, *QUICK, "--state", "run.json", "--max-meetings", "10", code=1)
    error = refused(capsys, "sprt", "careful", "random", "--bounds", "0,10", "--seed", "3", "--state", "run.json")
    assert (error["reason"], error["field"]) == ("OTHER_STATE", "state")
    assert "bounds" in error["message"]


def test_a_state_of_other_code_is_refused(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Two versions in one test would say nothing of either."""
    command = ("sprt", "sprt_bots:Dicing", "random", "--seed", "3", "--state", "run.json", "--max-meetings", "10")
    printed(capsys, *command, code=1)
    (folder / "sprt_bots.py").write_text(OWN + "\n# better now\n")
    assert "other code" in refused(capsys, *command)["message"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("{}", id="of nothing"),
        pytest.param('{"kind": "lastcard sprt", "version": 2}', id="of another version"),
        pytest.param("[1]", id="a list"),
    ],
)
def test_a_file_that_is_no_state_is_refused_and_left_alone(
    capsys: pytest.CaptureFixture[str], folder: Path, content: str
) -> None:
    """It may be somebody's work."""
    (folder / "run.json").write_text(content)
    assert refused(capsys, *QUICK, "--state", "run.json")["reason"] == "BAD_STATE"
    assert (folder / "run.json").read_text() == content


def test_a_state_that_cannot_be_written_is_refused(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Before anything is played."""
    (folder / "file").write_text("")
    assert refused(capsys, *QUICK, "--state", "file/run.json")["reason"] in {"NOT_WRITABLE", "BAD_STATE"}
