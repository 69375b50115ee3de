"""`lastcard sprt`: what it refuses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.sprt_runs import OWN, QUICK, kept, printed, refused
from tests.patience import PATIENCE_S, until_true

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def folder(sprt_folder: Path) -> Path:
    """Return the current folder of every test here."""
    return sprt_folder


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


def test_a_bot_of_the_ladder_is_told_how_versions_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """By name alone it would be a house bot."""
    said = refused(capsys, "sprt", "my-bot", "my-bot", "--deals", "fresh")
    assert said["reason"] == "UNKNOWN_BOT"
    assert "as my-bot@2 my-bot@1" in said["message"]


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
    assert "keeps began otherwise: bounds 0,60; name another with --state" in error["message"]
    error = refused(capsys, *QUICK, "--luck", "--state", "run.json")
    assert "keeps began otherwise: without --luck; name another" in error["message"]


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


def test_a_folder_that_is_not_there_is_not_made(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """It was removed with what was kept in it, or the path has a slip: nobody is to begin anew there unawares."""
    error = refused(capsys, *QUICK, "--state", "gone/run.json")
    assert (error["reason"], error["field"], error["value"]) == ("NO_FOLDER", "state", "gone/run.json")
    assert "there is no folder gone: make it" in error["message"]
    assert not (folder / "gone").exists()


def test_a_state_that_cannot_be_written_is_refused(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """Before anything is played."""
    (folder / "file").write_text("")
    assert refused(capsys, *QUICK, "--state", "file/run.json")["reason"] in {"NOT_WRITABLE", "BAD_STATE"}
