"""Formats of an organiser's file, in a house: planned, played, rated and proven like any other."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from ladder.store.presence import Online
from ladder.tables import Table
from lastcard.cli import main
from referee import formats
from tests.store.scenes import parked
from tests.workers.house import House, spec
from workers.tournaments.life import State, Verb
from workers.tournaments.tournament_text import show_tournament

pytestmark = pytest.mark.slow

FILE = """\
[format.quick-dos]
preset = "dos"
seats = 2
options = { target_score = 0, hand_size = 4 }
clock = "fast"
"""
OWN = "quick-dos"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Be a process that was told of a file of formats."""
    path = tmp_path / "formats.toml"
    path.write_text(FILE, "utf-8")
    monkeypatch.setenv(formats.VARIABLE, str(path))
    forget()
    yield path
    monkeypatch.delenv(formats.VARIABLE)
    forget()


def forget() -> None:
    """Be a process that has just begun."""
    formats.own.cache_clear()
    formats.get.cache_clear()


def test_a_tournament_of_an_own_format(file: Path, house: House) -> None:
    """It is played to its end and rated, on a ladder of its own with the hash of its rules."""
    versions = house.register(["alpha", "beta"])
    house.referee.seat({version: Online(frozenset({OWN}), 64) for version in versions})
    house.create(replace(spec("spring", "alpha", "beta"), format=OWN))
    assert house.play("spring") is State.FINISHED
    row = house.store.matches.get("spring.1.1.0")
    assert (row.format, row.ruleset) == (OWN, formats.get(OWN).rules.hash)
    assert house.store.ratings.formats() == {OWN: row.ruleset}
    assert house.desk.get("spring").ruleset == row.ruleset


def test_a_worker_with_another_file_parks_what_it_cannot_prove(file: Path, house: House) -> None:
    """Other rules under the name prove nothing, and nothing is rated by them."""
    versions = house.register(["alpha", "beta"])
    house.referee.seat({version: Online(frozenset({OWN}), 64) for version in versions})
    house.create(replace(spec("spring", "alpha", "beta"), format=OWN))
    house.look()
    house.referee.play(house.now_ms)
    file.write_text(FILE.replace("hand_size = 4", "hand_size = 5"), "utf-8")
    forget()
    house.look()
    row = house.store.matches.get("spring.1.1.0")
    assert (row.state, row.reason) == ("parked", "unproven")
    assert house.store.ratings.formats() == {}


def gone(file: Path) -> None:
    """Be a process that begins after the organiser took the format out of the file."""
    file.write_text(FILE.replace(OWN, "another"), "utf-8")
    forget()


def test_a_tournament_whose_format_is_gone_is_shown_and_cancelled(file: Path, house: House) -> None:
    """What the ledger says of it; not its table, since nobody can read a result without the rules."""
    versions = house.register(["alpha", "beta", "gamma"])
    house.referee.seat({version: Online(frozenset({OWN}), 64) for version in versions})
    house.create(replace(spec("spring", "alpha", "beta", "gamma"), format=OWN))
    house.look()
    house.referee.play(house.now_ms, most=1)
    house.look()
    gone(file)
    shown = house.desk.get("spring")
    assert (shown.state, set(shown.entrants), shown.matches_done) == (State.RUNNING, set(versions), 1)
    assert (shown.ruleset, shown.table, shown.eta_s) == ("", Table(known=False), None)
    text = io.StringIO()
    show_tournament(shown, text)
    assert "1/3 matches, 6 games\n" in text.getvalue()
    assert f"knows no format {OWN} any more" in text.getvalue()
    assert house.desk.turn("spring", Verb.PAUSE, "", "tester").state is State.PAUSED
    with pytest.raises(formats.UnknownFormatError):
        house.desk.turn("spring", Verb.RESUME, "", "tester")
    assert house.desk.turn("spring", Verb.CANCEL, "its format is gone", "tester").state is State.CANCELLED
    house.look()
    assert sorted(row.state for row in house.store.matches.every("spring")) == ["rated", "void", "void"]


def test_a_parked_match_whose_format_is_gone_stays_parked(file: Path, house: House) -> None:
    """It cannot be put back where nobody can play it: that is said before anything is changed."""
    versions = house.register(["alpha", "beta"])
    house.referee.seat({version: Online(frozenset({OWN}), 64) for version in versions})
    house.create(replace(spec("spring", "alpha", "beta"), format=OWN))
    house.look()
    parked(house.store, "spring.1.1.0", now_ms=house.now_ms)
    before = house.store.tournaments.get("spring"), house.store.matches.get("spring.1.1.0")
    gone(file)
    with pytest.raises(formats.UnknownFormatError):
        house.desk.requeue("spring.1.1.0", "", "tester")
    assert (house.store.tournaments.get("spring"), house.store.matches.get("spring.1.1.0")) == before


@pytest.mark.parametrize("paused", [False, True])
def test_a_tournament_that_waits_is_cancelled_without_its_format(file: Path, house: House, paused: bool) -> None:
    """Nobody asks any more who could play."""
    house.register(["alpha", "beta"])
    house.create(replace(spec("spring", "alpha", "beta"), format=OWN, start_ms=house.now_ms + 60_000))
    house.answer()
    assert house.state("spring") is State.SCHEDULED
    gone(file)
    if paused:
        assert house.desk.turn("spring", Verb.PAUSE, "", "tester").state is State.PAUSED
    assert house.desk.turn("spring", Verb.CANCEL, "its format is gone", "tester").state is State.CANCELLED
    assert house.desk.get("spring").reason == "its format is gone"


@pytest.mark.usefixtures("file")
def test_own_formats_are_listed_with_the_others(capsys: pytest.CaptureFixture[str]) -> None:
    """Behind the built-in ones."""
    assert main(["formats", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["formats"]
    assert [one["name"] for one in listed][-1] == OWN
    assert listed[-1]["options"]["hand_size"] == 4


@pytest.mark.parametrize("process", ["referee", "worker", "ladder"])
def test_no_process_begins_with_a_file_that_it_cannot_use(
    file: Path, process: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says file, line and what is allowed, and ends with 2."""
    file.write_text(FILE.replace("hand_size = 4", "hand_size = 0"), "utf-8")
    forget()
    monkeypatch.setenv("LASTCARD_REDIS_URL", "redis://127.0.0.1:1")
    code, (out, err) = main(["serve", process]), capsys.readouterr()
    assert (code, out) == (2, "")
    assert f"{file}:4: format.quick-dos.options.hand_size: " in err
