"""`lastcard play`: what it prints, and what it refuses."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from lastcard.cli import main
from referee.bots import BOTS
from referee.rules.verify import verify

GOLDEN = Path(__file__).with_name("golden_play.json")
PLAY = ("play", "--format", "uno-classic-2", "--seed", "7")
OWN = """
from lastcard import Bot, run


class Lazy(Bot):
    def choose(self, turn):
        if turn.top is None:
            return 0
        raise KeyError("no plan")


class Pressed(Bot):
    asked = 0

    def choose(self, turn):
        self.asked += 1
        if self.asked == 400:  # as if somebody pressed Ctrl-C now
            raise KeyboardInterrupt
        return 0


def last(turn):
    return len(turn.options) - 1


run(Lazy())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the current folder, with bots of one's own in it."""
    (tmp_path / "own_bots.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.delitem(sys.modules, "own_bots", raising=False)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """Run a command that prints JSON and nothing else."""
    assert main([*arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert not err
    value: dict[str, Any] = json.loads(out)
    return value


def test_its_json_is_what_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    """Cards, bots and ratings of a seed are fixed; write the golden file anew when a change of them is meant."""
    found = printed(capsys, *PLAY, "--bots", "random,greedy,careful", "--meetings", "20")
    golden = json.loads(GOLDEN.read_text("utf-8"))
    for rows in ("standings", "pairs"):
        for row, expected in zip(found.pop(rows), golden.pop(rows), strict=True):
            assert row == {key: pytest.approx(value, abs=1e-6) if isinstance(value, float) else value
                           for key, value in expected.items()}  # fmt: skip
    assert found == golden


def test_its_json_has_the_promised_shape(capsys: pytest.CaptureFixture[str]) -> None:
    """Also at tables of four, with a bot named twice."""
    found = printed(
        capsys,
        "play",
        "--format",
        "uno-classic-4",
        "--bots",
        "careful,first,first,first",
        "--meetings",
        "5",
        "--seed",
        "3",
    )
    assert list(found) == ["format", "seed", "meetings", "rounds", "standings", "pairs"]
    assert (found["format"], found["seed"], found["meetings"], found["rounds"]) == ("uno-classic-4", 3, 5, 20)
    columns = "rank bot elo ci95 meetings wins ties losses mean_points faults"
    assert all(list(row) == columns.split() for row in found["standings"])
    assert all(list(pair) == ["a", "b", "score", "elo", "ci95"] for pair in found["pairs"])
    assert sorted(row["bot"] for row in found["standings"]) == ["careful", "first", "first#2", "first#3"]
    assert len(found["pairs"]) == 6
    for row in found["standings"]:
        assert row["wins"] + row["ties"] + row["losses"] == 5 * 4 * 3
    assert sum(row["elo"] for row in found["standings"]) == pytest.approx(4 * 1500)


def test_at_tables_of_four_people_see_what_finishing_orders_say(capsys: pytest.CaptureFixture[str]) -> None:
    """Every bot with an interval, below the pairs; tables of two have pairs only."""
    words = ("--meetings", "3", "--seed", "3")
    assert main(["play", "--format", "uno-classic-4", "--bots", "careful,first,greedy,random", *words]) == 0
    said = " ".join(capsys.readouterr().out.split())
    (orders,) = re.findall(r"\(Plackett-Luce\): (.*)", said)
    found = re.findall(r"(careful|first|greedy|random) (\d+) ±(\d+)", orders)
    assert sorted(bot for bot, _, _ in found) == ["careful", "first", "greedy", "random"]
    assert [int(elo) for _, elo, _ in found] == sorted((int(elo) for _, elo, _ in found), reverse=True)
    assert sum(int(elo) for _, elo, _ in found) == pytest.approx(6000, abs=4)
    assert main(["play", "--format", "uno-classic-2", "--bots", "careful,first", *words]) == 0
    assert "Plackett" not in capsys.readouterr().out


def test_the_same_seed_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    """And another one does not."""
    command = (*PLAY, "--bots", "random,careful", "--meetings", "6", "--deals", "mirrored")
    first = printed(capsys, *command)
    assert printed(capsys, *command) == first
    assert printed(capsys, *command, "--seed", "8")["standings"] != first["standings"]


def test_without_a_seed_it_draws_one_and_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """So that anything can be played again."""
    command = ("play", "--format", "uno-classic-2", "--bots", "random,first", "--meetings", "4")
    found = printed(capsys, *command)
    assert printed(capsys, *command, "--seed", str(found["seed"])) == found


def test_partners_do_not_meet(capsys: pytest.CaptureFixture[str]) -> None:
    """In teams, a bot is compared with its opponents alone."""
    found = printed(
        capsys,
        "play",
        "--format",
        "uno-pairs-4",
        "--bots",
        "careful,random,greedy,first",
        "--meetings",
        "3",
        "--seed",
        "1",
    )
    met = {(pair["a"], pair["b"]) for pair in found["pairs"]}
    assert met == {("careful", "first"), ("careful", "random"), ("first", "greedy"), ("greedy", "random")}


def test_for_people_it_prints_tables(capsys: pytest.CaptureFixture[str]) -> None:
    """Standings and pairs, with everything that is needed to play it again."""
    assert main([*PLAY, "--bots", "random,careful", "--meetings", "4"]) == 0
    out, err = capsys.readouterr()
    assert "uno-classic-2, fresh deals, ruleset" in out
    assert "seed 7: 8 rounds, 4 meetings a table" in out
    for word in ("rank", "±95 %", "W/T/L", "score of a", "careful", "random"):
        assert word in out
    assert not err


@pytest.mark.parametrize("more", [pytest.param([], id="for people"), pytest.param(["--json"], id="as JSON")])
def test_ctrl_c_shows_what_was_played(capsys: pytest.CaptureFixture[str], folder: Path, more: list[str]) -> None:
    """The meetings that were over, in the same tables; programs asked for all, and get nothing."""
    assert main([*PLAY, "--bots", "own_bots:Pressed,first", "--meetings", "20", *more]) == 130
    out, err = capsys.readouterr()
    found = re.search(r"broken off after (\d+) rounds of whole meetings", err)
    assert found
    rounds = int(found[1])
    assert 0 < rounds < 40
    assert rounds % 2 == 0
    assert bool(out) is not bool(more)
    if out:
        assert f"seed 7: {rounds} rounds\n" in out
        assert re.search(rf"own_bots:Pressed +\d+ +\d+ +{rounds // 2} ", out)


def test_ctrl_c_before_anything_is_over_shows_no_table(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """There is nothing to show."""
    (folder / "own_bots.py").write_text(OWN.replace("400", "2"))
    assert main([*PLAY, "--bots", "own_bots:Pressed,first"]) == 130
    out, err = capsys.readouterr()
    assert (out, "broken off after 0 rounds" in err) == ("", True)


def test_records_of_all_games_are_written(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """One a line, and each of them verifies."""
    printed(capsys, *PLAY, "--bots", "random,careful", "--meetings", "2", "--record", "games.jsonl")
    lines = (folder / "games.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert [record["bots"] for record in records] == [["random", "careful"], ["careful", "random"]] * 2
    assert [verify(record) for record in records] == [None] * 4


def test_records_that_are_there_stay_until_a_game_is_played(folder: Path) -> None:
    """What cannot be played takes nothing away; what is played takes the place of what was there."""
    file = folder / "games.jsonl"
    file.write_text("an earlier evening\n", "utf-8")
    for refused in (["--bots", "random"], ["--bots", "random,first", "--deals", "field"]):
        assert main([*PLAY, *refused, "--record", "games.jsonl"]) == 2
        assert file.read_text("utf-8") == "an earlier evening\n"
    assert main([*PLAY, "--bots", "random,first", "--meetings", "1", "--record", "games.jsonl", "--json"]) == 0
    assert [verify(json.loads(line)) for line in file.read_text("utf-8").splitlines()] == [None] * 2


@pytest.mark.usefixtures("folder")
def test_own_bots_are_found_in_the_current_folder(capsys: pytest.CaptureFixture[str]) -> None:
    """A class or a function; what they do wrong is said in a sentence, and no fault."""
    assert main([*PLAY, "--bots", "own_bots:Lazy,own_bots:last", "--meetings", "2", "--json"]) == 0
    out, err = capsys.readouterr()
    rows = {row["bot"]: row for row in json.loads(out)["standings"]}
    assert set(rows) == {"own_bots:Lazy", "own_bots:last"}
    assert rows["own_bots:Lazy"]["faults"] == 0
    assert err.startswith("lastcard: own_bots:Lazy did not choose ")
    assert "KeyError: 'no plan'" in err
    assert "own_bots.py, line 9" in err
    assert "Traceback" not in err


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "reason", "value", "allowed"),
    [
        pytest.param(
            "--format uno-3000 --bots random,first", "UNKNOWN_FORMAT", "uno-3000", "uno-classic-2", id="format"
        ),
        pytest.param("--format uno-classic-2 --bots random,wise", "UNKNOWN_BOT", "wise", "careful", id="bot"),
        pytest.param("--format uno-classic-2 --bots random", "BAD_BOTS", 1, "2 to 64", id="too few bots"),
        pytest.param("--format uno-classic-2 --bots random,,first", "BAD_BOTS", "random,,first", None, id="empty name"),
        pytest.param("--format uno-classic-2 --bots random,no:Bot", "NO_MODULE", "no:Bot", None, id="no module"),
        pytest.param(
            "--format uno-classic-2 --bots random,own_bots:Wise",
            "NO_SUCH_CLASS",
            "own_bots:Wise",
            "Lazy",
            id="no class",
        ),
        pytest.param(
            "--format uno-classic-2 --bots random,first --meetings 0", "BAD_MEETINGS", 0, "1 to 5000000", id="meetings"
        ),
        pytest.param(
            "--format uno-classic-2 --bots random,first --deals field", "BAD_DEALS", "field", "mirrored", id="deals"
        ),
        pytest.param(
            "--format uno-classic-2 --bots random,first --record no/such/x",
            "NOT_WRITABLE",
            "no/such/x",
            None,
            id="file",
        ),
        pytest.param("--format uno-classic-2 --bots random,first --meetings x", "USAGE", None, None, id="no number"),
        pytest.param("--bots random,first", "FORMAT_MISSING", None, "uno-classic-2", id="no format"),
        pytest.param("--format uno-classic-2", "USAGE", None, None, id="no bots"),
        pytest.param("--format uno-classic-2 --bots random,first --fast", "USAGE", None, None, id="no such option"),
    ],
)
def test_bad_input_is_a_typed_error(
    capsys: pytest.CaptureFixture[str], arguments: str, reason: str, value: object, allowed: str | None
) -> None:
    """On stderr, with exit code 2; nothing is printed on stdout."""
    assert main(["play", *arguments.split(), "--json"]) == 2
    out, err = capsys.readouterr()
    error = json.loads(err)["error"]
    assert not out
    assert (error["reason"], error["value"]) == (reason, value)
    assert error["message"]
    if allowed is not None:
        assert allowed in error["allowed"]


def test_a_format_of_ones_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A file with one format needs no name; the records verify, and are of its rules."""
    file, records = tmp_path / "formats.toml", tmp_path / "games.jsonl"
    file.write_text('[format.short-spin]\npreset = "spin"\nseats = 2\noptions = { hand_size = 3 }\n', "utf-8")
    words = ("--format-file", str(file), "--bots", "random,greedy", "--meetings", "2", "--seed", "1")
    found = printed(capsys, "play", *words, "--record", str(records))
    assert (found["format"], found["rounds"]) == ("short-spin", 4)
    for line in records.read_text("utf-8").splitlines():
        record = json.loads(line)
        assert (record["format_id"], record["options"]["hand_size"]) == ("short-spin", 3)
        assert verify(record) is None
    assert printed(capsys, "play", *words, "--format", "dos-2")["format"] == "dos-2"


def test_an_unknown_bot_is_told_to_people_in_a_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """With those there are."""
    assert main([*PLAY, "--bots", "random,wise"]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.count("\n") == 1
    assert all(name in err for name in BOTS)
