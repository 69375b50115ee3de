"""A record as bytes of a file: whatever byte is changed, it is found."""

from pathlib import Path
from random import Random

import pytest

from lastcard.errors import InputError
from referee import record_file
from referee.record_file import Damage, line_of
from referee.rules.verify import verify
from tests.rules.playing import AVAILABLE
from tests.rules.recording import played

pytestmark = pytest.mark.slow

LONG = ("official", "uno")
"""Presets whose records have most bytes."""


def true(content: bytes) -> bool:
    """Whether a file says nothing but what follows."""
    records = record_file.parse(content)
    return bool(records) and all(not isinstance(one, Damage) and verify(one) is None for one in records)


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("preset", "options"),
    [
        *(
            pytest.param(preset, {}, marks=pytest.mark.thorough if preset in LONG else (), id=preset)
            for preset in AVAILABLE
        ),
        pytest.param("classic", {"hand_size": 48}, marks=pytest.mark.thorough, id="with reshuffles"),
    ],
)
def test_a_changed_byte_anywhere_is_found(preset: str, options: dict[str, object]) -> None:
    """Every byte of a record is changed once, in a way of its own: one bit, all bits, or any other value."""
    content = line_of(played(preset, **{"hand_size": 2} | options)).encode()
    assert true(content)
    rng = Random(preset)
    unnoticed = []
    for place, byte in enumerate(content):
        other = rng.choice((byte ^ 1 << rng.randrange(8), byte ^ 255, (byte + rng.randrange(1, 256)) % 256))
        if true(content[:place] + bytes([other]) + content[place + 1 :]):
            unnoticed.append((place, content[place - 20 : place + 20], other))
    assert unnoticed == []


def test_the_end_of_the_line_is_part_of_it() -> None:
    """Also its last byte may be nothing else, though JSON would not mind a blank."""
    content = line_of(played(hand_size=1)).encode()
    others = [bytes([byte]) for byte in range(256)]
    assert [other for other in others if true(content[:-1] + other)] == [b"\n"]


def test_bytes_that_are_cut_or_doubled_are_found() -> None:
    """Two records that run together, and half a record, are no records."""
    line = line_of(played(hand_size=2)).encode()
    assert true(line)
    assert true(line[:-1])
    assert true(line * 3)
    assert not true(line[:-1] + line)
    assert not true(line + line[: len(line) // 2])
    assert not true(line + line[:-2])


@pytest.mark.parametrize(
    ("text", "count"),
    [
        pytest.param("{}", 1, id="one"),
        pytest.param("{}\n{}\n", 2, id="one a line"),
        pytest.param("{}\r\n{}\r\n", 2, id="lines of another system"),
        pytest.param("{}\n\n{}\n\n", 2, id="empty lines"),
        pytest.param("[{}, {},\n {}]", 3, id="a list"),
        pytest.param('{\n "a": 1\n}\n', 1, id="one over several lines"),
        pytest.param("", 0, id="nothing"),
        pytest.param("\n\n", 0, id="nothing but lines"),
    ],
)
def test_a_file_holds_one_record_or_a_list_or_one_a_line(text: str, count: int) -> None:
    """Each is read without being told which."""
    found = record_file.parse(text.encode())
    assert len(found) == count
    assert not any(isinstance(one, Damage) for one in found)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        pytest.param(b"{}\n{\n{}\n", "line 2 is no JSON", id="a line that is none"),
        pytest.param(b"{}\n{}\xff\n", "line 2 is no text", id="no text"),
        pytest.param(b"{} ", "ends in a blank", id="a blank at the end"),
        pytest.param(b"[" * 100_000, "nested too deep", id="nested too deep"),
        pytest.param(b'{}\n{"seats": ' + b"1" * 5_000 + b"}\n", "line 2 has a number", id="thousands of digits"),
        pytest.param(b'{}\n{"seats": 2, "seats": 3}\n', 'line 2 has the field "seats" twice', id="a field twice"),
    ],
)
def test_damage_is_named_with_its_line(content: bytes, message: str) -> None:
    """What cannot be read is no exception: it stands among the records."""
    damage = [one for one in record_file.parse(content) if isinstance(one, Damage)]
    assert damage
    assert message in damage[0].message


def test_files_that_cannot_be_read_or_are_empty_are_bad_input(tmp_path: Path) -> None:
    """A path that is wrong is a mistake of the caller, not of a record."""
    empty = tmp_path / "empty.jsonl"
    empty.write_text("\n")
    for path, reason in ((tmp_path / "none", "NO_RECORD_FILE"), (tmp_path, "NO_RECORD_FILE"), (empty, "NO_RECORDS")):
        with pytest.raises(InputError) as caught:
            record_file.read(path)
        assert caught.value.reason == reason
