"""Who beats whom in a circle: `tournament show` and `export` tell which pairs strength alone does not explain."""

from __future__ import annotations

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from lastcard.cli import main
from tests.circle_of_bots import NAME, Z, play_circle
from tests.ladder_house import House as Results
from tests.workers.house import House
from workers.records.export_cli import PAIRS

NOTE = "strength alone does not explain it"


@pytest.fixture
def circle(shop: House) -> House:
    """A circle in the ledger of a house that is served."""
    play_circle(Results(shop.store))
    return shop


def test_show_names_the_pairs_that_strength_does_not_explain(circle: House, capsys: pytest.CaptureFixture[str]) -> None:
    """Below the standings a sentence each, and in the table of pairs a mark behind z; other pairs have none."""
    assert main(["tournament", "show", NAME]) == 0
    notes = [line for line in capsys.readouterr().out.splitlines() if NOTE in line]
    assert sorted(notes) == [
        f"paper@1 scored 0.0% against scissors@1, ratings let expect 50.0% (z -{Z:.1f}): {NOTE}",
        f"paper@1 scored 100.0% against rock@1, ratings let expect 50.0% (z +{Z:.1f}): {NOTE}",
        f"rock@1 scored 100.0% against scissors@1, ratings let expect 50.0% (z +{Z:.1f}): {NOTE}",
    ]
    assert main(["tournament", "show", NAME, "--pairs"]) == 0
    shown = capsys.readouterr().out
    assert (shown.count(f"+{Z:.1f}!"), shown.count(f"-{Z:.1f}!"), shown.count("!")) == (2, 1, 3)
    assert "z: deviations of chance between score and expectation" in shown


def test_show_for_machines_flags_them(circle: House, capsys: pytest.CaptureFixture[str]) -> None:
    """`odd` beside `z` in every pair."""
    assert main(["tournament", "show", NAME, "--json"]) == 0
    pairs = json.loads(capsys.readouterr().out)["pairs"]
    assert [pair["odd"] for pair in pairs] == [abs(pair["z"]) > 3 for pair in pairs]
    assert {bot for pair in pairs if pair["odd"] for bot in (pair["a"], pair["b"])} == {
        "paper@1",
        "rock@1",
        "scissors@1",
    }


def test_show_prints_csv(circle: House, capsys: pytest.CaptureFixture[str]) -> None:
    """The standings, or with `--pairs` the pairs, as the files of the export have them; not as JSON, too."""
    assert main(["tournament", "show", NAME, "--csv"]) == 0
    rows = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert {row["bot"] for row in rows} == {"paper@1", "rock@1", "scissors@1", "well@1"}
    assert main(["tournament", "show", NAME, "--csv", "--pairs"]) == 0
    pairs = list(csv.DictReader(capsys.readouterr().out.splitlines()))
    assert Counter(row["odd"] for row in pairs) == {"true": 3, "false": 3}
    assert main(["tournament", "show", NAME, "--csv", "--json"]) == 2


def test_the_exported_pairs_flag_them(
    circle: House, ledger_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the columns `z` and `odd` of pairs.csv."""
    monkeypatch.setenv("LASTCARD_REDIS_URL", ledger_url)
    monkeypatch.setenv("LASTCARD_TENANT", circle.store.keys.tenant)
    monkeypatch.setenv("LASTCARD_ALLOW_VOLATILE", "1")
    assert main(["export", NAME, str(tmp_path / "out"), "--no-records"]) == 0
    rows = list(csv.DictReader((tmp_path / "out" / PAIRS).read_text("utf-8").splitlines()))
    assert sorted((row["odd"], f"{abs(float(row['z'])):.1f}") for row in rows) == [
        *[("false", "0.0")] * 3,
        *[("true", f"{Z:.1f}")] * 3,
    ]
