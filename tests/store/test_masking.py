"""How errors are told in a log: with all that helps, and nothing that may be a secret."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator

import pytest
import structlog

from ladder.store.logs import configure, logger
from ladder.store.masking import MASKED, told, traced

HAND = "[9, 3, 14, 27, 40, 55, 8]"
QUOTED = f"no points: {HAND}"


@pytest.mark.parametrize(
    "error",
    [
        pytest.param(ValueError("invalid literal for int() with base 10: 'soon'"), id="a word"),
        pytest.param(KeyError("expires_ms"), id="a field that is missing"),
        pytest.param(ValueError("the row of cup-26.1.1.0 says that it is 'cup-26.1.1.1'"), id="names of matches"),
        pytest.param(ValueError("match cup.1.1.0 has 3 bots, and meetings 1, 2, 3"), id="numbers"),
    ],
)
def test_what_helps_to_mend_an_entry_is_said(error: Exception) -> None:
    """Words, names and numbers stay as they are."""
    assert told(error) == f"{type(error).__name__}: {error}"


def lose() -> None:
    """Raise an error that led to another one, a group; all but one quote a hand."""
    try:
        int(HAND)
    except ValueError as first:
        raise ExceptionGroup(QUOTED, [KeyError(HAND), TypeError("plain words")]) from first


def broken() -> Exception:
    """Return that error."""
    with pytest.raises(ExceptionGroup) as raised:
        lose()
    return raised.value


def test_a_traceback_says_where_and_not_what() -> None:
    """Those that led to an error, and those of a group, are told as it is."""
    text = traced(broken())
    assert HAND not in text
    assert text.count(MASKED) == 3
    assert (
        text.index("ValueError: invalid literal")
        < text.index("ExceptionGroup: no points")
        < text.index("TypeError: plain words")
    )
    assert "in lose" in text


def test_errors_that_led_to_each_other_end() -> None:
    """Each is told once."""
    one, other = ValueError("one"), ValueError("other")
    one.__cause__, other.__cause__ = other, one
    assert [line for line in traced(one).splitlines() if line.startswith("ValueError")] == [
        "ValueError: other",
        "ValueError: one",
    ]


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """Return what processes log, as they are set up."""
    stream = io.StringIO()
    configure(stream)
    yield stream
    structlog.reset_defaults()


def test_a_log_shows_no_secret_of_an_error(lines: io.StringIO) -> None:
    """Neither in its sentence nor in its traceback."""
    logger("tests").critical("match_set_aside", exc_info=broken())
    line = json.loads(lines.getvalue())
    assert HAND not in lines.getvalue()
    assert "ExceptionGroup: no points" in line["exception"]
