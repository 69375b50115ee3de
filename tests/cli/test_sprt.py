"""`lastcard sprt`: what it decides, and how it goes on after a crash."""

from __future__ import annotations

import json
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lastcard.cli import main
from tests.cli.sprt_runs import HELD_S, OWN, QUICK, kept, printed
from tests.patience import PATIENCE_S, until_true
from workers.local import sprt
from workers.local.trial import Batch, Comparison

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def folder(sprt_folder: Path) -> Path:
    """Return the current folder of every test here."""
    return sprt_folder


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


def test_equal_versions_are_told_apart_as_soon_without_luck(capsys: pytest.CaptureFixture[str]) -> None:
    """No score differs from another: it is decided nearly as soon as by the counts of even pairs."""
    found = printed(capsys, "sprt", "careful", "careful", "--seed", "1", "--luck", "--max-meetings", "300")
    assert (found["decision"], found["pairs"]) == ("H0", [0, 0, found["meetings"], 0, 0])
    assert 40 <= found["meetings"] <= 70


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
    for _ in range(2):  # the same again plays nothing
        assert main([*command, "--max-meetings", "45"]) == 1
        used_up = "not decided after 40 meetings; --max-meetings 45 is used up, a larger one goes on from here\n"
        assert capsys.readouterr().out.endswith(used_up)
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
    """A fault of ours, too; what was played is kept; the same, to the last digit, goes on to the end that it had."""
    after, words = Comparison.after, [*QUICK, "--max-meetings", "20", "--bounds", "-5.00000001,5"]

    def once(comparison: Comparison, batch: Batch) -> Comparison:
        if comparison.meetings:
            raise RuntimeError("no more")
        return after(comparison, batch)

    with monkeypatch.context() as patch:
        patch.setattr(Comparison, "after", once)
        assert main(words) == 1
    _, err = capsys.readouterr()
    done, _, command = err.partition("; to go on: lastcard ")
    assert done.endswith("broken off after 10 meetings")
    assert "--bounds -5.00000001,5 " in command
    assert _played(folder) == 10
    resumed = printed(capsys, *shlex.split(command.splitlines()[0]), code=1)
    assert resumed == printed(capsys, *words, "--state", "other.json", code=1)


def test_a_state_that_can_be_written_no_more_says_how_to_go_on(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the sentence that says why; what was kept before is whole."""
    monkeypatch.setattr(sprt, "SAVE_S", sprt.SAVE_S)  # the bot sets it
    words = ["sprt", "sprt_bots:Hindering", "random", "--bounds=-5,5", "--seed", "2", "--max-meetings", "20"]
    assert main([*words, "--state", "run.json"]) == 2
    _, err = capsys.readouterr()
    assert "broken off after 10 meetings; to go on: lastcard sprt sprt_bots:Hindering random" in err
    assert "run.json cannot be written" in err
    assert json.loads((folder / "run.json").read_text())["played"]["pairs"] == [0] * 5


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


def test_a_named_state_that_is_not_there_begins_anew_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Once: whoever finds it there goes on. Nobody is told of a file that nobody named."""
    words = ["--max-meetings", "10"]
    said = []
    for more in (["--state", "run.json"], ["--state", "run.json"], []):
        assert main([*QUICK, *words, *more]) == 1
        said.append("there is no state at run.json: it begins anew\n" in capsys.readouterr().err)
    assert said == [True, False, False]


def test_a_state_folder_that_is_gone_begins_anew_and_says_so(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As that of a demo that was stopped, whose settings still stand in the terminal; once it is there, no more."""
    monkeypatch.setenv("LASTCARD_STATE", str(folder / "gone"))
    said = []
    for _ in range(2):
        assert main([*QUICK, "--max-meetings", "10"]) == 1
        said.append(f"{folder / 'gone'}, which LASTCARD_STATE names, is not there" in capsys.readouterr().err)
    assert said == [True, False]


def test_what_a_bot_did_wrong_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Once, with how often it happened."""
    assert main(["sprt", "sprt_bots:Broken", "first", "--seed", "1", "--max-meetings", "20", "--json"]) in {0, 1}
    _, err = capsys.readouterr()
    assert err.count("sprt_bots:Broken did not choose") == 1
    assert "KeyError: 'no plan'" in err
