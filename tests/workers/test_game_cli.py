"""`lastcard game …` as it is typed: records from the ledger and from files, and what is said of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ladder.store import Store
from lastcard.cli import main
from referee import record_file
from referee.record_file import line_of
from referee.rules import conformance
from tests.rules.playing import AVAILABLE
from tests.rules.recording import played
from tests.workers.house import House, spec
from workers.engine import spec_of
from workers.rate import UnprovenResultError

pytestmark = pytest.mark.slow

RECORDS = Path(__file__).parents[1] / "data" / "records"
MATCH = "spring.1.1.0"
Type = Callable[..., tuple[int, str, str]]


@pytest.mark.parametrize("verb", ["export", "verify", "show", "replay", "fork"])
def test_help_says_what_is_read(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of an id that is the store, which is not for everybody."""
    assert main(["game", verb, "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "LASTCARD_REDIS_URL" in said
    assert "operators only" in said


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Type:
    """Type a command; returns its exit code and what it wrote on stdout and stderr."""

    def typed(*words: object) -> tuple[int, str, str]:
        capsys.readouterr()
        code = main(["game", *map(str, words)])
        return (code, *capsys.readouterr())

    return typed


@pytest.fixture
def ledger(house: House, ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> House:
    """Be an operator of a house in which two bots play a tournament of one match."""
    monkeypatch.setenv("LASTCARD_REDIS_URL", ledger_url)
    monkeypatch.setenv("LASTCARD_TENANT", house.store.keys.tenant)
    monkeypatch.setenv("LASTCARD_ALLOW_VOLATILE", "1")
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=3))
    return house


def write(path: Path, *records: dict[str, Any]) -> Path:
    """A file of records."""
    path.write_text("".join(map(line_of, records)), "utf-8")
    return path


def error_of(text: str) -> dict[str, Any]:
    """The error that a command wrote for programs."""
    error: dict[str, Any] = json.loads(text)["error"]
    return error


# -- from the ledger


@pytest.mark.parametrize("verb", ["export", "verify", "show"])
def test_a_tournament_is_no_match(ledger: House, run: Type, verb: str) -> None:
    """Whoever names it is told so, and which command takes tournaments."""
    code, out, err = run(verb, "spring")
    assert (code, out) == (2, "")
    assert "spring is a tournament, and this takes one match or game: `lastcard export spring FOLDER` writes" in err


def test_a_closed_match_is_exported_game_by_game(ledger: House, run: Type, tmp_path: Path) -> None:
    """With all that a reader needs to play it again; the file verifies, and so does the match in the ledger."""
    ledger.play("spring")
    file = tmp_path / "spring.jsonl"
    assert run("export", MATCH, "--out", file) == (0, "", f"6 games written to {file}\n")
    code, _, unwritten = run("export", MATCH, "--out", tmp_path / ("a" * 300))
    assert code == 2
    assert "cannot be written: File name too long" in " ".join(unwritten.split())
    code, _, refused = run("export", MATCH, "--out", file)
    assert (code, "is there already" in refused) == (2, True)
    records = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert [record["game_id"] for record in records] == [f"{MATCH}/{m}/{g}" for m in range(3) for g in range(2)]
    first = records[0]
    entrants = list(ledger.store.matches.get(MATCH).entrants)
    assert first["fairness"]["entrants"] == entrants
    assert first["fairness"]["match_id"] == MATCH
    assert first["fairness"]["commitment"] == ledger.store.matches.get(MATCH).commitment
    assert (first["format_id"], first["bots"]) == ("uno-classic-2", entrants)
    assert first["ruleset"] == ledger.store.matches.get(MATCH).ruleset
    for source in (file, MATCH):
        code, out, _ = run("verify", source, "--json")
        assert (code, json.loads(out)) == (0, {"ok": True, "games": 6, "divergence": None})


def test_one_game_is_exported_to_standard_output(ledger: House, run: Type) -> None:
    """By its id."""
    ledger.play("spring")
    code, out, err = run("export", f"{MATCH}/2/1")
    assert (code, err) == (0, "")
    assert json.loads(out)["game_id"] == f"{MATCH}/2/1"
    assert json.loads(out)["fairness"]["meeting"] == 2
    assert run("verify", f"{MATCH}/2/1")[1] == f"{MATCH}/2/1: 1 game played again, and everything follows\n"
    assert f"game 1: {MATCH}/2/1, uno-classic-2" in run("show", f"{MATCH}/2/1")[1]


def test_nothing_of_a_match_that_is_not_over_is_shown(ledger: House, run: Type) -> None:
    """Neither before it is claimed nor while it runs: its seed is in the store, and stays there."""
    ledger.look()
    for state in ("ready", "running"):
        code, out, err = run("show", MATCH, "--json")
        assert (code, out) == (2, "")
        error = error_of(err)
        assert (error["reason"], error["field"], error["value"]) == ("WRONG_STATE", "state", state)
        assert error["allowed"] == ["closed", "rated", "archived", "trimmed"]
        ledger.store.matches.claim(MATCH, ledger.referee.me, ledger.now_ms, seed=bytes(32))
        assert bytes(32).hex() not in err


def test_a_void_match_keeps_its_seed(ledger: House, run: Type) -> None:
    """What does not count is not shown."""
    ledger.look()
    ledger.store.matches.void(MATCH, "rain", "tester", ledger.now_ms)
    for verb in ("export", "verify", "show"):
        code, out, err = run(verb, MATCH)
        assert (code, out) == (2, "")
        assert "is void" in err


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        pytest.param("spring.9.9.9", "UNKNOWN_MATCH", id="no such match"),
        pytest.param(f"{MATCH}/3/0", "UNKNOWN_GAME", id="no such meeting"),
        pytest.param(f"{MATCH}/0/2", "UNKNOWN_GAME", id="no such game"),
        pytest.param(f"{MATCH}/0", "NO_RECORD_FILE", id="half an id"),
        pytest.param("Spring", "NO_RECORD_FILE", id="neither file nor id"),
        pytest.param("spring.jsonl", "NO_RECORD_FILE", id="a file that is missing"),
    ],
)
def test_what_is_not_there_is_bad_input(ledger: House, run: Type, source: str, reason: str) -> None:
    """With a reason and the value."""
    ledger.play("spring")
    code, out, err = run("verify", source, "--json")
    assert (code, out) == (2, "")
    assert error_of(err)["reason"] == reason
    assert source in error_of(err)["message"]
    assert reason != "UNKNOWN_MATCH" or "like spring.1.1.0; `lastcard bot log NAME`" in error_of(err)["message"]


def test_a_match_that_nobody_came_to_has_no_record(ledger: House, run: Type) -> None:
    """A walkover is decided without a deal."""
    ledger.referee.seat({})
    for _ in range(5):
        ledger.look(60_000)
        ledger.referee.play(ledger.now_ms)
    assert error_of(run("show", MATCH, "--json")[2])["reason"] == "NOTHING_DEALT"


@pytest.mark.parametrize(
    ("key", "message"),
    [
        pytest.param("log", "the log of spring.1.1.0 was changed", id="a byte of the log"),
        pytest.param("seed", "does not belong to its commitment", id="the seed"),
        pytest.param("result", "does not lead to its result", id="the result"),
        pytest.param("ruleset", "the log of spring.1.1.0 was changed", id="the ruleset"),
    ],
)
def test_what_was_changed_in_the_ledger_is_found(ledger: House, run: Type, key: str, message: str) -> None:
    """Verify names it, and nothing is exported."""
    ledger.play("spring")
    tamper(ledger.store, key)
    code, out, _ = run("verify", MATCH, "--json")
    verdict = json.loads(out)
    assert (code, verdict["ok"], verdict["games"]) == (1, False, 0)
    assert message in verdict["divergence"]["message"]
    assert (verdict["divergence"]["game"], verdict["divergence"]["round"]) == (None, None)
    code, out, err = run("export", MATCH)
    assert (code, out) == (1, "")
    assert message in err


def test_a_match_of_other_rules_is_not_followed(ledger: House) -> None:
    """Where a format of this name has other rules, a log proves nothing."""
    ledger.play("spring")
    row = replace(ledger.store.matches.get(MATCH), ruleset="0" * 16)
    with pytest.raises(UnprovenResultError, match="was played by ruleset 0000000000000000"):
        spec_of(row)


def tamper(store: Store, key: str) -> None:
    """Change what the ledger has of a match, past all scripts."""
    keys, write = store.keys, store.link.read
    match key:
        case "log":
            entries = store.matches.log(MATCH)
            write("DEL", keys.shown_log(MATCH))
            for number, (epoch, seq, data) in enumerate(entries, 1):
                changed = bytearray(data)
                changed[len(data) // 2 : len(data) // 2 + 1] = b"x" if number == len(entries) - 1 else b""
                write(
                    "XADD",
                    keys.shown_log(MATCH),
                    f"{epoch}-{seq}",
                    "d",
                    bytes(changed) if number == len(entries) - 1 else data,
                )
        case "seed":
            write("SET", keys.shown_seed(MATCH), bytes(31) + b"x")
        case "result":
            result = store.matches.get(MATCH).result.replace('"points":[', '"points":[1', 1)
            write("HSET", keys.match(MATCH), "result", result)
        case _:
            write("HSET", keys.match(MATCH), "ruleset", "0" * 16)


# -- files


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
