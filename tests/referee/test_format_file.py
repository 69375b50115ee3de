"""Formats of an organiser: what a file may say, and how it is told what it may not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.clock import ClockRule
from referee.formats import format_file
from referee.formats.format_file import FormatFileError
from referee.rules.games import resolve
from tests.referee.format_texts import GOOD, Write, changed


def test_a_format_is_a_preset_seats_and_what_differs(write: Write) -> None:
    """Everything that is not said is as the preset, or the usual format, has it."""
    found = format_file.read(write(GOOD))
    assert list(found) == ["thursday-3", "short-dos", "plain-duo"]
    first, second, third = found.values()
    assert first.rules == resolve("classic", {"target_score": 200, "stacking": "SAME"}, 3)
    assert (first.name, first.seats, first.deals, first.outcome) == ("thursday-3", 3, "mirrored", "game_order")
    assert first.clock == ClockRule(decision_ms=3_000)
    assert second.rules == resolve("dos", {"target_score": 0, "hand_size": 5}, 2)
    assert second.clock == ClockRule(decision_ms=500, bank_ms=2_000)
    assert (second.deals, second.outcome) == ("fresh", "round_order")
    assert (third.seats, third.outcome) == (2, "game_order")


@pytest.mark.parametrize(
    ("text", "reason", "line", "field", "allowed"),
    [
        pytest.param(
            changed('"SAME"', '"ON"'),
            "INVALID_OPTION",
            5,
            "thursday-3.options.stacking",
            "DRAW_TWO_ONLY",
            id="no such value",
        ),
        pytest.param(
            changed("stacking", "stakcing"),
            "UNKNOWN_OPTION",
            5,
            "thursday-3.options.stakcing",
            "stacking",
            id="no such option",
        ),
        pytest.param(
            changed("hand_size = 5", "hand_size = 0"),
            "INVALID_OPTION",
            17,
            "short-dos.options.hand_size",
            "a whole number from 1",
            id="too small",
        ),
        pytest.param(
            changed("hand_size = 5", "row_mni = 5"),
            "UNKNOWN_OPTION",
            17,
            "short-dos.options.row_mni",
            "row_min",
            id="unknown in a table",
        ),
        pytest.param(
            changed("hand_size = 5", "hand_size = 54"),
            "INVALID_OPTION",
            17,
            "short-dos.options.hand_size",
            "",
            id="no card left",
        ),
        pytest.param(
            changed('stacking = "SAME"', "points = [20, 1_000_001, 50]"),
            "BAD_VALUE",
            5,
            "thursday-3.options.points",
            "up to 1000000",
            id="more than can be told",
        ),
        pytest.param(
            changed('stacking = "SAME"', "max_turns_per_round = 1_000_001"),
            "BAD_VALUE",
            5,
            "thursday-3.options.max_turns_per_round",
            "up to 1000000",
            id="a number without end",
        ),
        pytest.param(
            changed("hand_size = 5", "rounds = 2.5"),
            "INVALID_OPTION",
            17,
            "short-dos.options.rounds",
            "",
            id="a fraction",
        ),
        pytest.param(
            changed('stacking = "SAME"', "team_of = [0, 1]"),
            "INVALID_OPTION",
            5,
            "thursday-3.options.team_of",
            "",
            id="teams for two of three",
        ),
        pytest.param(
            changed('stacking = "SAME"', "rounds = 3"),
            "IDLE_OPTION",
            5,
            "thursday-3.options.rounds",
            "target_score",
            id="rounds beside a target",
        ),
        pytest.param(
            changed('stacking = "SAME"', 'wd4_challengers = "ANYONE"'),
            "IDLE_OPTION",
            5,
            "thursday-3.options.wd4_challengers",
            "BLUFF",
            id="challengers where nobody challenges",
        ),
        pytest.param(
            changed(
                'seats = 3\noptions = { target_score = 200, stacking = "SAME" }',
                'seats = 2\noptions = { start_reverse = "RIGHT_OF_DEALER" }',
            ),
            "IDLE_OPTION",
            5,
            "thursday-3.options.start_reverse",
            "2 to 10",
            id="a direction where two play",
        ),
        pytest.param(
            changed('stacking = "SAME"', "team_of = [2, 0, 1]"),
            "IDLE_OPTION",
            5,
            "thursday-3.options.team_of",
            "two seats or more",
            id="teams of one",
        ),
        pytest.param(
            changed('stacking = "SAME"', "team_of = [2, 0, 2]"),
            "BAD_VALUE",
            5,
            "thursday-3.options.team_of",
            "[0, 1, 0]",
            id="teams numbered in another order",
        ),
        pytest.param(
            changed('stacking = "SAME"', "draw_until_max = 1"),
            "BAD_VALUE",
            5,
            "thursday-3.options.draw_until_max",
            "0",
            id="up to one card, which is one card",
        ),
        pytest.param(
            changed("hand_size = 5", "max_rounds = 7"),
            "IDLE_OPTION",
            17,
            "short-dos.options.max_rounds",
            "target_score",
            id="a limit without a target",
        ),
        pytest.param(
            changed('"classic"', '"clasic"'), "UNKNOWN_PRESET", 3, "thursday-3.preset", "classic", id="no such preset"
        ),
        pytest.param(
            changed('"classic"', "3"),
            "UNKNOWN_PRESET",
            3,
            "thursday-3.preset",
            "classic",
            id="a preset that is a number",
        ),
        pytest.param(
            changed('preset = "classic"\n', ""), "MISSING_KEY", 2, "thursday-3.preset", "classic", id="no preset"
        ),
        pytest.param(changed("seats = 3\n", ""), "MISSING_KEY", 2, "thursday-3.seats", "2 to 10", id="no seats"),
        pytest.param(
            changed("seats = 3", "seats = 11"), "INVALID_OPTION", 4, "thursday-3.seats", "2 to 10", id="too many seats"
        ),
        pytest.param(
            changed("seats = 3", 'seats = "3"'), "INVALID_OPTION", 4, "thursday-3.seats", "2 to 10", id="seats in words"
        ),
        pytest.param(
            changed("seats = 3", "chairs = 3"), "UNKNOWN_KEY", 4, "thursday-3.chairs", "seats", id="no such key"
        ),
        pytest.param(
            changed('"mirrored"', '"stale"'), "BAD_VALUE", 7, "thursday-3.deals", "mirrored", id="no such deals"
        ),
        pytest.param(
            changed('"game_order"', '"round_order"'),
            "BAD_VALUE",
            8,
            "thursday-3.outcome",
            "game_order",
            id="an outcome that contradicts the target",
        ),
        pytest.param(changed('"fast"', '"slow"'), "BAD_VALUE", 13, "short-dos.clock", "normal", id="no such clock"),
        pytest.param(
            changed("decision_ms = 3_000", "decision_ms = 10"),
            "BAD_VALUE",
            6,
            "thursday-3.clock.decision_ms",
            "a whole number from 100 to 600000",
            id="too little time",
        ),
        pytest.param(
            changed("decision_ms = 3_000", "seconds = 3"),
            "UNKNOWN_KEY",
            6,
            "thursday-3.clock.seconds",
            "decision_ms",
            id="no such part of a clock",
        ),
        pytest.param(
            changed("decision_ms = 3_000", "decision_ms = 3_000, round_ms = 2_000"),
            "BAD_VALUE",
            6,
            "thursday-3.clock.round_ms",
            "from 3000",
            id="a round shorter than a decision",
        ),
        pytest.param(
            changed("options = {", "options = 3 #"),
            "BAD_VALUE",
            5,
            "thursday-3.options",
            "",
            id="options that are none",
        ),
        pytest.param(
            changed("[format.thursday-3]", "[format.uno-classic-3]"),
            "NAME_TAKEN",
            2,
            "uno-classic-3",
            "",
            id="the name of a built-in format",
        ),
        pytest.param(
            changed("[format.thursday-3]", "[format.dos-200-4-fast]"),
            "NAME_TAKEN",
            2,
            "dos-200-4-fast",
            "",
            id="one that is not shown",
        ),
        pytest.param(
            changed("[format.thursday-3]", "[format.uno-pairs-3]"),
            "NAME_TAKEN",
            2,
            "uno-pairs-3",
            "",
            id="one that looks like one",
        ),
        pytest.param(changed("[format.thursday-3]", "[format.Thursday]"), "BAD_NAME", 2, "Thursday", "", id="capitals"),
        pytest.param(changed("[format.thursday-3]", '[format."a:b"]'), "BAD_NAME", 2, "a:b", "", id="a colon"),
        pytest.param(changed("[format.thursday-3]", "[format.ab]"), "BAD_NAME", 2, "ab", "", id="too short"),
        pytest.param(
            changed("[format.plain-duo]", "[other.plain-duo]"), "UNKNOWN_KEY", 19, "other", "format", id="another table"
        ),
        pytest.param("[format]\nx-y-z = 3\n", "BAD_VALUE", 2, "x-y-z", "", id="a format that is a number"),
    ],
)
def test_what_is_wrong_is_refused_with_its_line(
    write: Write, text: str, reason: str, line: int, field: str, allowed: str
) -> None:
    """The error names file, line, field, value and what is allowed."""
    path = write(text)
    with pytest.raises(FormatFileError, match=re.escape(f"{path}:{line}: ")) as caught:
        format_file.read(path)
    error = caught.value
    assert (error.reason, error.exit_code) == (reason, 2)
    assert error.field.removeprefix("format.") == field
    assert any(allowed in str(one) for one in (*error.allowed, ""))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(b"", "NO_FORMATS", id="nothing"),
        pytest.param(b"[format]\n", "NO_FORMATS", id="no format"),
        pytest.param(b"[format.x\n", "BAD_TOML", id="no TOML"),
        pytest.param(b"x = " + b"1" * 5_000, "BAD_TOML", id="a number of thousands of digits"),
        pytest.param(b"x = " + b"[" * 50_000, "BAD_TOML", id="nested too deep"),
        pytest.param(b'[format."a\\u001b[31m"]\n', "BAD_NAME", id="a name that would colour the terminal"),
        pytest.param(b"\xff", "NO_FORMAT_FILE", id="no text"),
        pytest.param(
            b"".join(b'[format.own-%d]\npreset = "duo"\n' % n for n in range(13)), "TOO_MANY_FORMATS", id="13"
        ),
    ],
)
def test_files_that_hold_no_formats_are_refused(tmp_path: Path, content: bytes, reason: str) -> None:
    """With a sentence that begins with the file."""
    path = tmp_path / "formats.toml"
    path.write_bytes(content)
    with pytest.raises(FormatFileError, match=r"formats\.toml") as caught:
        format_file.read(path)
    assert caught.value.reason == reason
    assert str(caught.value).isprintable()


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    """It says what the system said."""
    with pytest.raises(FormatFileError, match="No such file"):
        format_file.read(tmp_path / "none.toml")


def test_options_as_the_preset_has_them_may_be_written_out(write: Write) -> None:
    """All options of a preset, copied from `lastcard formats show`, are no contradiction."""
    rules = resolve("official", {}, 4)
    lines = [f"{name} = {_toml(value)}" for name, value in rules.as_json().items() if value is not None]
    head = '[format.whole-4]\npreset = "official"\nseats = 4\n[format.whole-4.options]\n'
    assert format_file.read(write(head + "\n".join(lines)))["whole-4"].rules == rules


def _toml(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else repr(value).replace("'", '"')
