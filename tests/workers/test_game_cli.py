"""`lastcard game …` as it is typed: records from the ledger, and what is said of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ladder.store import Store
from lastcard.cli import main
from tests.workers.house import House, spec
from tests.workers.typed_games import Type, error_of
from workers.engine import spec_of
from workers.rate import UnprovenResultError

pytestmark = pytest.mark.slow

RECORDS = Path(__file__).parents[1] / "data" / "records"
MATCH = "spring.1.1.0"


@pytest.mark.parametrize("verb", ["export", "verify", "show", "replay", "fork"])
def test_help_says_what_is_read(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Of an id that is the store, which is not for everybody."""
    assert main(["game", verb, "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "LASTCARD_REDIS_URL" in said
    assert "operators only" in said


@pytest.fixture
def ledger(house: House, ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> House:
    """Be an operator of a house in which two bots play a tournament of one match."""
    monkeypatch.setenv("LASTCARD_REDIS_URL", ledger_url)
    monkeypatch.setenv("LASTCARD_TENANT", house.store.keys.tenant)
    monkeypatch.setenv("LASTCARD_ALLOW_VOLATILE", "1")
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=3))
    return house


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
