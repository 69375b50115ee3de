"""`lastcard game …` as it is typed: records from files, and what is said of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lastcard.cli import main
from referee import record_file
from referee.record_file import line_of
from referee.rules import conformance
from tests.rules.playing import AVAILABLE
from tests.rules.recording import played
from tests.workers.typed_games import Type, error_of, write

pytestmark = pytest.mark.slow

RECORDS = Path(__file__).parents[1] / "data" / "records"


@pytest.mark.parametrize("preset", AVAILABLE)
def test_what_is_written_verifies(run: Type, tmp_path: Path, preset: str) -> None:
    """A game of any preset, with its names and its nonces."""
    file = write(tmp_path / "games.jsonl", played(preset), played(preset, hand_size=4))
    assert run("verify", file) == (0, f"{file}: 2 games played again, and everything follows\n", "")


@pytest.mark.parametrize(
    "name", ["uno-classic-4", "uno-house-4", "uno-official-2", "uno-pairs-4", "spin-4", "dos-3", "dos-200-2", "duo"]
)
def test_what_is_played_here_verifies(run: Type, tmp_path: Path, name: str) -> None:
    """`lastcard play --record` of any rules."""
    file = tmp_path / "games.jsonl"
    bots = ["careful", "random", "greedy", "first"][: int(name[-1]) if name[-1].isdecimal() else 2]
    assert main(["play", "--format", name, "--bots", ",".join(bots), "--meetings", "1", "--record", str(file)]) == 0
    code, out, _ = run("verify", file, "--json")
    assert (code, json.loads(out)) == (0, {"ok": True, "games": len(bots), "divergence": None})


def test_published_records_verify(run: Type) -> None:
    """All true ones in one file."""
    code, out, _ = run("verify", RECORDS / "ok.jsonl", "--json")
    assert (code, json.loads(out)["ok"], json.loads(out)["divergence"]) == (0, True, None)
    assert json.loads(out)["games"] == len((RECORDS / "ok.jsonl").read_text("utf-8").splitlines())


def test_every_false_record_is_refused_with_what_it_announces(run: Type, tmp_path: Path) -> None:
    """Behind true ones, too: the number of the game is said, and one sentence names the divergence."""
    good = (RECORDS / "ok.jsonl").read_text("utf-8").splitlines()[0]
    for line in (RECORDS / "bad.jsonl").read_text("utf-8").splitlines():
        file = tmp_path / "bad.jsonl"
        file.write_text(f"{good}\n{line}\n{good}\n", "utf-8")
        code, out, _ = run("verify", file, "--json")
        verdict = json.loads(out)
        assert (code, verdict["ok"], verdict["games"], verdict["divergence"]["game"]) == (1, False, 3, 2)
        assert json.loads(line)["diverges"] in verdict["divergence"]["message"]
        code, out, err = run("verify", file)
        assert (code, err, out.count("\n")) == (1, "", 1)
        assert out.startswith(f"{file}: game 2: ")
        assert json.loads(line)["diverges"] in out


def test_a_file_that_was_damaged_is_a_negative_finding(run: Type, tmp_path: Path) -> None:
    """Whatever is in it: what cannot be read does not follow."""
    file = tmp_path / "game.jsonl"
    file.write_bytes(line_of(played()).encode().replace(b'"seats"', b'"seats', 1))
    code, out, _ = run("verify", file, "--json")
    assert code == 1
    assert "no JSON" in json.loads(out)["divergence"]["message"]
    assert error_of(run("show", file, "--json")[2])["reason"] == "NO_RECORD"


def test_a_game_is_shown_move_by_move(run: Type, tmp_path: Path) -> None:
    """As text with hands and moves, without folding or colours where it is piped, and as JSON with the whole table."""
    record = played("classic")
    file = write(tmp_path / "game.jsonl", record)
    code, out, err = run("show", file)
    assert (code, err) == (0, "")
    acts = record["rounds"][0]["acts"]
    lines = [line.split() for line in out.splitlines()]
    assert [words[0] for words in lines if words and words[0].isdecimal()] == [str(n + 1) for n in range(len(acts))]
    assert "\x1b" not in out
    assert f"rules {record['ruleset']}" in out
    shown = json.loads(run("show", file, "--json")[1])["games"][0]
    steps = shown["rounds"][0]["steps"]
    assert [step["move"] for step in steps] == [None, *acts]
    assert [step["act"] for step in steps] == list(range(len(acts) + 1))
    assert steps[0]["hands"] == [7, 7]
    assert shown["result"] == record["result"]


@pytest.mark.parametrize("preset", AVAILABLE)
def test_every_game_can_be_shown(run: Type, tmp_path: Path, preset: str) -> None:
    """Rows of DOS, wheels and drafts included."""
    file = write(tmp_path / "game.jsonl", played(preset, rounds=2))
    assert run("show", file)[0] == 0
    assert run("show", file, "--game", 2)[0] == 2


def test_a_false_record_is_shown_up_to_nowhere(run: Type, tmp_path: Path) -> None:
    """What does not follow is not shown as if it did."""
    record = played("classic")
    record["rounds"][0]["acts"][2]["seat"] = 7
    code, _, err = run("show", write(tmp_path / "game.jsonl", record), "--json")
    assert (code, error_of(err)["reason"]) == (2, "DIVERGED")


def test_the_table_after_an_act(run: Type, tmp_path: Path) -> None:
    """Replay stops there: the deal is act 0."""
    record = played("classic")
    file = write(tmp_path / "game.jsonl", record)
    dealt = json.loads(run("replay", file, "--to", 0, "--json")[1])
    assert (dealt["game"], dealt["round"], dealt["act"], dealt["move"]) == (1, 1, 0, None)
    assert dealt["table"]["hands"] == [7, 7]
    after = json.loads(run("replay", file, "--to", 5, "--json")[1])
    assert after["move"] == record["rounds"][0]["acts"][4]
    code, out, _ = run("replay", file, "--to", 5)
    assert code == 0
    assert out.startswith("round 1, act 5: ")
    assert all(f"{bot}: " in out for bot in record["bots"])


def test_a_call_is_explained_where_it_is_shown(run: Type, tmp_path: Path) -> None:
    """`show` and `replay` write a move alike, and both say what the mark behind a called card means."""
    record = played("classic")
    acts = record["rounds"][0]["acts"]
    number, called = next((n, act) for n, act in enumerate(acts, 1) if act.get("call"))
    file = write(tmp_path / "game.jsonl", record)
    move = f"{record['bots'][called['seat']]} {called['act']} {called['card']}"
    for words in (("show", file), ("replay", file, "--to", number)):
        out = run(*words)[1]
        assert any(" ".join(line.split()).find(move) >= 0 and "!" in line for line in out.splitlines())
        assert "! = with the call" in out


@pytest.mark.parametrize("preset", AVAILABLE)
def test_games_as_text_are_read_as_they_were_printed(run: Type, tmp_path: Path, preset: str) -> None:
    """What `show --text` prints is a file of the same records, for every command here."""
    records = [played(preset), played(preset, hand_size=4)]
    text = run("show", write(tmp_path / "games.jsonl", *records), "--text")[1]
    file = tmp_path / "games.txt"
    file.write_text(text, "utf-8")
    assert record_file.read(file) == records
    assert run("verify", file) == (0, f"{file}: 2 games played again, and everything follows\n", "")
    assert run("show", file, "--text")[1] == text


def test_a_damaged_line_of_text_is_named(run: Type, tmp_path: Path) -> None:
    """With the game that it is in, and what a line can begin with."""
    text = run("show", write(tmp_path / "games.jsonl", played()), "--text")[1]
    file = tmp_path / "games.txt"
    file.write_text(text + text.replace("\nround 1", "\nrund 1", 1), "utf-8")
    code, out, _ = run("verify", file)
    assert code == 1
    assert "game 2: its text, line " in out
    assert "'rund' begins no line" in out


def test_text_and_json_exclude_each_other(run: Type, tmp_path: Path) -> None:
    """One of them is asked for."""
    code, _, err = run("show", write(tmp_path / "games.jsonl", played()), "--text", "--json")
    assert code == 2
    assert "exclude each other" in err


@pytest.mark.parametrize(
    ("words", "field"),
    [(("--to", 9999), "act"), (("--to", 1, "--round", 3), "round"), (("--to", 1, "--game", 2), "game")],
)
def test_moments_that_are_not_there_are_bad_input(
    run: Type, tmp_path: Path, words: tuple[object, ...], field: str
) -> None:
    """The error says how far the record goes."""
    code, _, err = run("replay", write(tmp_path / "game.jsonl", played()), *words, "--json")
    assert code == 2
    assert error_of(err)["field"] == field
    assert error_of(err)["allowed"]


def test_a_fork_is_a_scenario(run: Type, tmp_path: Path) -> None:
    """The runner finds nothing wrong with it."""
    file, out = write(tmp_path / "game.jsonl", played("spin")), tmp_path / "fork.jsonl"
    said = f"the table after act 9 of round 1 of game 1 written to {out}\n"
    assert run("fork", file, "--at", 9, "--out", out) == (0, "", said)
    assert conformance.main([str(out)]) == 0
    scenario = json.loads(run("fork", file, "--at", 9)[1])
    assert scenario == json.loads(out.read_text("utf-8"))
    code, _, err = run("fork", file, "--at", 9, "--out", tmp_path / "no" / "x")
    assert (code, "cannot be written" in err) == (2, True)
