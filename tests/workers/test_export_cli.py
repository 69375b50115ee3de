"""`lastcard export` as it is typed: a tournament as files that can be checked again."""

from __future__ import annotations

import csv
import json
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ladder.store import Store
from lastcard.cli import main
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT
from workers import work_progress
from workers.records import closed_match
from workers.records.export_cli import MATCHES, PAIRS, RECORDS, STANDINGS, TABLE


@pytest.fixture
def ledger(house: House, ledger_url: str, monkeypatch: pytest.MonkeyPatch) -> House:
    """Be an operator of a house in which three bots play a tournament."""
    monkeypatch.setenv("LASTCARD_REDIS_URL", ledger_url)
    monkeypatch.setenv("LASTCARD_TENANT", house.store.keys.tenant)
    monkeypatch.setenv("LASTCARD_ALLOW_VOLATILE", "1")
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    return house


def lines(file: Path) -> list[Any]:
    """Objects, one a line."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def test_a_tournament_is_written_as_files(ledger: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tables, pairs, matches and records; the records verify."""
    ledger.play("spring")
    out = tmp_path / "new" / "out"
    assert main(["export", "spring", str(out), "--json"]) == 0
    written = json.loads(capsys.readouterr().out)["files"]
    assert written == {TABLE: 1, STANDINGS: 3, PAIRS: 3, MATCHES: 3, RECORDS: 12}
    table = json.loads((out / TABLE).read_text("utf-8"))
    standings = list(csv.DictReader((out / STANDINGS).read_text("utf-8").splitlines()))
    assert [row["bot"] for row in table["standings"]] == [row["bot"] for row in standings]
    assert {row["lc_versions"] for row in standings} == {";".join(table["lc_versions"])}
    assert len(list(csv.DictReader((out / PAIRS).read_text("utf-8").splitlines()))) == 3
    assert {match["state"] for match in lines(out / MATCHES)} == {"rated"}
    assert sum(match["games_done"] for match in lines(out / MATCHES)) == len(lines(out / RECORDS)) == 12
    assert main(["game", "verify", str(out / RECORDS)]) == 0
    capsys.readouterr()
    again = tmp_path / "again"
    assert main(["export", "spring", str(again)]) == 0
    said = [line.removeprefix(f"{again}/") for line in capsys.readouterr().out.splitlines()]
    assert said == [
        f"{TABLE}: 1 tournament",
        f"{STANDINGS}: 3 bots",
        f"{PAIRS}: 3 pairs",
        f"{MATCHES}: 3 matches",
        f"{RECORDS}: 12 games",
    ]


def test_what_is_not_over_shows_no_cards(ledger: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its matches are listed; there are no records of them."""
    ledger.look()  # planned and ready, not yet played
    assert main(["export", "spring", str(tmp_path / "out")]) == 0
    assert "records.jsonl: 0 games" in capsys.readouterr().out
    assert lines(tmp_path / "out" / MATCHES)
    assert (tmp_path / "out" / RECORDS).read_text("utf-8") == ""


def test_a_wrong_call_writes_nothing(ledger: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No such tournament, or a folder in which something lies."""
    ledger.play("spring")
    assert main(["export", "sprung", str(tmp_path / "out"), "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["error"]["allowed"] == ["spring"]
    assert not (tmp_path / "out").exists()
    (tmp_path / "notes.txt").write_text("mine", "utf-8")
    assert main(["export", "spring", str(tmp_path), "--json"]) == 2
    assert json.loads(capsys.readouterr().err)["error"]["reason"] == "NOT_EMPTY"
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


@pytest.mark.parametrize("where", ["games.jsonl/x", "/proc/x", "a" * 300])
def test_a_folder_that_cannot_be_made_is_refused(
    ledger: House, tmp_path: Path, capsys: pytest.CaptureFixture[str], where: str
) -> None:
    """Under a file, where nothing can be made, and by a name that is too long."""
    ledger.look()
    (tmp_path / "games.jsonl").write_text("", "utf-8")
    assert main(["export", "spring", str(tmp_path / where), "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["reason"], error["field"], error["value"]) == ("NOT_WRITABLE", "folder", str(tmp_path / where))


def test_without_its_format_all_but_the_games_is_written(
    ledger: House, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody can read a game without its rules: that is said before anything is written."""
    ledger.play("spring")
    text = ledger.store.tournaments.get("spring").spec.replace(FORMAT, "thursday-3")
    ledger.store.link.read("HSET", ledger.store.keys.tournament("spring"), "spec", text)
    out = tmp_path / "out"
    assert main(["export", "spring", str(out), "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["reason"], error["value"]) == ("UNKNOWN_FORMAT", "thursday-3")
    assert not out.exists()
    assert main(["export", "spring", str(out), "--no-records"]) == 0
    assert len(lines(out / MATCHES)) == 3
    assert json.loads((out / TABLE).read_text("utf-8"))["format_known"] is False


def meanwhile(monkeypatch: pytest.MonkeyPatch, do: Callable[[], object]) -> None:
    """Do something while the records of the second match are read."""
    read, asked = closed_match.record_lines, []

    def reading(store: Store, match: str) -> str:
        asked.append(match)
        if len(asked) == 2:
            do()
        return read(store, match)

    monkeypatch.setattr(closed_match, "record_lines", reading)


@pytest.mark.parametrize(
    ("number", "code"), [pytest.param(signal.SIGINT, 130, id="Ctrl-C"), pytest.param(signal.SIGTERM, 143, id="SIGTERM")]
)
def test_what_was_broken_off_does_not_look_whole(
    ledger: House,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    number: signal.Signals,
    code: int,
) -> None:
    """Every name says so, a sentence tells how to go on, and the same command does."""
    ledger.play("spring")
    out = tmp_path / "the games"
    with monkeypatch.context() as patch:
        meanwhile(patch, lambda: signal.raise_signal(number))
        assert main(["export", "spring", str(out)]) == code
    assert {file.name for file in out.iterdir()} == {
        f"{name}.part" for name in (TABLE, STANDINGS, PAIRS, MATCHES, RECORDS)
    }
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "broken off after 1 of 3 matches; the files" in captured.err
    assert f"`lastcard export spring '{out}'` begins anew" in captured.err
    assert main(["export", "spring", str(out), "--no-records"]) == 0
    assert {file.name for file in out.iterdir()} == {TABLE, STANDINGS, PAIRS, MATCHES}
    assert json.loads((out / TABLE).read_text("utf-8"))["name"] == "spring"
    assert len(lines(out / MATCHES)) == 3


def test_two_exports_into_one_folder_do_not_mix(
    ledger: House, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second one is refused while the first one writes, and the first one comes to its end."""
    ledger.play("spring")
    words = ["export", "spring", str(tmp_path / "out"), "--json"]
    meanwhile(monkeypatch, lambda: codes.append(main(words)))
    codes: list[int] = []
    assert main(words) == 0
    assert codes == [2]
    captured = capsys.readouterr()
    assert json.loads(captured.err)["error"]["reason"] == "FOLDER_IN_USE"
    assert json.loads(captured.out)["files"][RECORDS] == len(lines(tmp_path / "out" / RECORDS)) == 12


@pytest.mark.parametrize("as_json", [pytest.param([], id="for people"), pytest.param(["--json"], id="for programs")])
def test_long_work_says_how_far_it_is(
    ledger: House,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    as_json: list[str],
) -> None:
    """On stderr, matches of all; to programs nothing."""
    ledger.play("spring")
    monkeypatch.setattr(work_progress, "BETWEEN_S", 0.0)
    assert main(["export", "spring", str(tmp_path / "out"), *as_json]) == 0
    said = [line.partition(",")[0] for line in capsys.readouterr().err.splitlines()]
    assert said == ([] if as_json else ["1/3 matches", "2/3 matches", "3/3 matches"])
