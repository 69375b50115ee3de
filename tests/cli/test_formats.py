"""`lastcard formats`: what can be played, and by which rules."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lastcard.cli import main
from referee import formats
from referee.formats.builtin_formats import BASES, GRAMMAR, OFFERED, find

KEYS = ["name", "ruleset", "rules_version", "preset", "options", "seats", "teams", "outcome", "clock", "deals"]


def test_all_formats_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    """With everything that makes them what they are."""
    assert main(["formats", "list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert list(listed) == ["formats"]
    assert [row["name"] for row in listed["formats"]] == list(formats.names())
    assert all(list(row) == KEYS for row in listed["formats"])
    assert len({row["ruleset"] for row in listed["formats"]}) == len(listed["formats"])


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        pytest.param("uno-clasic-2", "uno-classic-2", id="a letter left out"),
        pytest.param("uno-clasic-2-feild", "uno-classic-2-field", id="and in its ending, too"),
    ],
)
def test_an_unknown_format_is_answered_with_the_nearest(
    capsys: pytest.CaptureFixture[str], name: str, meant: str
) -> None:
    """And with all that may follow a name."""
    assert main(["formats", "show", name]) == 2
    said = capsys.readouterr().err
    assert f"there is no format '{name}'; did you mean {meant}? There are: uno-classic-2, " in said
    assert "each also with -fast, and then with -mirrored or -field" in said
    assert "<rules>[-<target>][-<seats>], rules one of uno-classic, " in said  # there are more than are listed


def test_what_resembles_nothing_is_no_other_name(capsys: pytest.CaptureFixture[str]) -> None:
    """Then all are offered."""
    assert main(["formats", "show", "zzz"]) == 2
    assert "there is no format 'zzz'; there are: uno-classic-2, " in capsys.readouterr().err


def test_all_rules_are_named_where_names_are_explained() -> None:
    """And the example is a format that no list has."""
    assert set(BASES) <= set(re.findall(r"[a-z]+(?:-[a-z]+)?", GRAMMAR))
    example = GRAMMAR.rpartition(" as ")[2]
    assert find(example)
    assert example not in OFFERED


def test_a_format_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """The one object of the list."""
    main(["formats", "list", "--json"])
    listed = {row["name"]: row for row in json.loads(capsys.readouterr().out)["formats"]}
    assert main(["formats", "show", "uno-pairs-4", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == listed["uno-pairs-4"]
    assert shown["teams"] == shown["options"]["team_of"] == [0, 1, 0, 1]
    assert (shown["preset"], shown["seats"], shown["outcome"]) == ("classic", 4, "round_order")
    assert listed["uno-classic-2"]["teams"] is None


@pytest.mark.parametrize(
    ("name", "clock", "deals"),
    [
        pytest.param("uno-classic-2", (5000, 20000, 600000), "fresh", id="plain"),
        pytest.param("uno-classic-2-fast", (500, 2000, 600000), "fresh", id="fast"),
        pytest.param("uno-classic-2-mirrored", (5000, 20000, 600000), "mirrored", id="mirrored"),
        pytest.param("uno-classic-2-fast-field", (500, 2000, 600000), "field", id="fast and field"),
    ],
)
def test_endings_of_a_name_mean_clock_and_deals(
    capsys: pytest.CaptureFixture[str], name: str, clock: tuple[int, ...], deals: str
) -> None:
    """The rules stay the same."""
    assert main(["formats", "show", name, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["name"], shown["deals"], tuple(shown["clock"].values())) == (name, deals, clock)
    assert shown["ruleset"] == formats.get("uno-classic-2").rules.hash


def test_for_people_options_come_with_what_they_may_be(capsys: pytest.CaptureFixture[str]) -> None:
    """And with their source for who wants it."""
    assert main(["formats", "list"]) == 0
    assert "uno-classic-500-2" in capsys.readouterr().out
    assert main(["formats", "show", "uno-house-2"]) == 0
    out = capsys.readouterr().out
    for text in ("ruleset", "stacking", "SAME", "OFF, SAME, DRAW_TWO_ONLY", "5 s + 20 s", "20 50 50"):
        assert text in out
    assert "seed 002" not in out
    assert main(["formats", "show", "uno-house-2", "--sources"]) == 0
    assert "seed 002" in capsys.readouterr().out


@pytest.fixture
def file(tmp_path: Path) -> str:
    """Return a file with two formats."""
    path = tmp_path / "formats.toml"
    path.write_text(
        '[format.pair-duo]\npreset = "duo"\n[format.small-uno]\npreset = "uno"\nseats = 3\n'
        "options = { hand_size = 3 }\n",
        "utf-8",
    )
    return str(path)


def test_the_formats_of_a_file(capsys: pytest.CaptureFixture[str], file: str) -> None:
    """They are listed and shown as the built-in ones are."""
    assert main(["formats", "list", "--file", file, "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)["formats"]
    assert [row["name"] for row in listed] == ["pair-duo", "small-uno"]
    assert main(["formats", "show", "small-uno", "--file", file, "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown == listed[1]
    assert (shown["seats"], shown["options"]["hand_size"], shown["outcome"]) == (3, 3, "round_order")
    assert main(["formats", "show", "small-uno", "--file", file]) == 0
    assert f"ruleset {shown['ruleset']}" in capsys.readouterr().out


@pytest.mark.parametrize("words", [(), ("uno-classic-2",)])
def test_which_format_of_a_file_must_be_said(
    capsys: pytest.CaptureFixture[str], file: str, words: tuple[str, ...]
) -> None:
    """A file with several formats, or without the one that is named, is no answer."""
    assert main(["formats", "show", *words, "--file", file, "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["reason"], error["allowed"]) == ("UNKNOWN_FORMAT", ["pair-duo", "small-uno"])


@pytest.mark.parametrize("name", ["uno-classic-11", "uno", "", "uno-classic-2-slow"])
def test_an_unknown_format_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Never a default."""
    assert main(["formats", "show", name, "--json"]) == 2
    error = json.loads(capsys.readouterr().err)["error"]
    assert (error["reason"], error["field"], error["value"]) == ("UNKNOWN_FORMAT", "format", name)
    assert "uno-classic-2" in error["allowed"]
