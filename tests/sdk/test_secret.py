"""A secret shows itself to who asks for it by name, and to nothing else."""

import copy
import json
import logging
import pickle
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.secret import SHOWN, Secret

HIDDEN = Secret(b"\x01hush-hush")


@pytest.mark.parametrize(
    "shown",
    [
        pytest.param(repr(HIDDEN), id="repr"),
        pytest.param(str(HIDDEN), id="str"),
        pytest.param(f"{HIDDEN}", id="format"),
        pytest.param(f"{HIDDEN!r:>40}".strip(), id="format of its repr"),
        pytest.param(f"{HIDDEN:>40}", id="format with a width"),
        pytest.param("%s" % HIDDEN, id="percent"),  # noqa: UP031 (a way to print it)
        pytest.param(json.dumps(HIDDEN, default=str).strip('"'), id="JSON of what has none"),
        pytest.param(logging.makeLogRecord({"msg": "%s", "args": (HIDDEN,)}).getMessage(), id="a log record"),
    ],
)
def test_it_looks_the_same_whatever_it_hides(shown: str) -> None:
    """However it is printed."""
    assert shown == SHOWN


def test_it_is_revealed_by_name() -> None:
    """As bytes, and as the text that it was made of."""
    assert HIDDEN.reveal() == b"\x01hush-hush"
    assert Secret("lcb1_é").text() == "lcb1_é"
    assert (len(HIDDEN), len(Secret(""))) == (10, 0)


@pytest.mark.parametrize(
    "leave",
    [
        pytest.param(lambda: pickle.dumps(HIDDEN), id="pickle"),
        pytest.param(lambda: pickle.dumps({"seed": HIDDEN}, protocol=0), id="pickle of what holds it"),
        pytest.param(lambda: json.dumps(HIDDEN), id="JSON"),
        pytest.param(lambda: memoryview(cast("bytes", HIDDEN)), id="bytes"),
        pytest.param(lambda: iter(cast("bytes", HIDDEN)), id="letter by letter"),
        pytest.param(lambda: b"x" + cast("bytes", HIDDEN), id="added to bytes"),
    ],
)
def test_it_leaves_by_no_accident(leave: object) -> None:
    """What would take it along without a word is an error."""
    with pytest.raises(TypeError) as caught:
        leave()  # type: ignore[operator]
    assert "hush" not in str(caught.value)


def test_it_does_not_change() -> None:
    """A copy of it is itself, and nothing of it can be set."""
    assert copy.copy(HIDDEN) is copy.deepcopy({"a": HIDDEN})["a"] is HIDDEN
    with pytest.raises(AttributeError):
        HIDDEN._hidden = b"x"
    with pytest.raises(AttributeError):
        del HIDDEN._hidden
    assert not hasattr(HIDDEN, "__dict__")
    assert Secret(HIDDEN) == HIDDEN


@given(st.binary(max_size=8), st.binary(max_size=8))
def test_two_are_equal_as_their_bytes_are(one: bytes, other: bytes) -> None:
    """Also beside bytes themselves, and as keys of a dictionary; never equal to text."""
    assert (Secret(one) == Secret(other)) is (one == other)
    assert (Secret(one) == other) is (one == other) is (other == Secret(one))
    assert len({Secret(one), Secret(other), one, other}) == len({one, other})
    assert Secret(b"a") != "a"


def test_they_are_compared_in_a_time_that_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the comparison that is made for it, whatever stands on the other side."""
    compared: list[tuple[bytes, bytes]] = []

    def equal(one: bytes, other: bytes) -> bool:
        compared.append((one, other))
        return True

    monkeypatch.setattr("lastcard.secret.compare_digest", equal)
    assert Secret(b"ab") == Secret(b"xy")
    assert Secret(b"ab") == b"xy"
    assert compared == [(b"ab", b"xy")] * 2
