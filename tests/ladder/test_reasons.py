"""Reasons that people typed, as others read them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.reasons import told

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        pytest.param("a wrong deal", "a wrong deal", id="plain"),
        pytest.param("\x1b[2J\x07gone", "[2J gone", id="control"),
        pytest.param("one\r\n two\u2028three", "one two three", id="lines"),
        pytest.param("\u202egnp.exe", "gnp.exe", id="direction of writing"),
        pytest.param("\u200b\ufeff\u3164\u2800\u00a0", "", id="nothing to see"),
        pytest.param("\ufe0f\u034f\u0301", "", id="marks on nothing"),
        pytest.param("falsch: Grün für Zoë 日本", "falsch: Grün für Zoë 日本", id="any alphabet"),
    ],
)
def test_a_reason_is_one_line_that_can_be_seen(typed: str, read: str) -> None:
    """Whatever does something to a terminal or a page, or takes no room, is a space."""
    assert told(typed) == read


@given(st.text(max_size=50))
def test_what_is_read_is_printable_and_stays(typed: str) -> None:
    """Told again it is the same."""
    assert told(typed).isprintable()
    assert told(told(typed)) == told(typed)
