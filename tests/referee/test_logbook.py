"""The records of a match's log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import logbook
from referee.logbook import ActRecord, Author, CorruptLogError, Fault, LeaveReason, LeaveRecord, NonceRecord

NUMBERS = st.integers(0, 70_000)


@given(
    st.lists(
        st.tuples(
            NUMBERS,
            st.integers(0, 15),
            st.integers(0, 600),
            st.one_of(NUMBERS, st.lists(NUMBERS, min_size=2, max_size=9).map(tuple)),
            st.booleans(),
            st.integers(0, 4),
            st.sampled_from(Author),
            st.sampled_from(Fault),
            NUMBERS,
        )
    )
)
def test_acts_come_back_as_they_were_written(acts: list[tuple[object, ...]]) -> None:
    """Encoding then reading is the identity (option counts modulo 256)."""
    entry = b"".join(
        logbook.act(game, seat, options, picks, color | (32 if call else 0), author, fault, ms)  # type: ignore[arg-type, operator]
        for game, seat, options, picks, call, color, author, fault, ms in acts
    )
    expected = [
        ActRecord(game, seat, options & 255, picks, call, color, author, fault, ms)  # type: ignore[arg-type, operator]
        for game, seat, options, picks, call, color, author, fault, ms in acts
    ]
    assert list(logbook.records(entry)) == expected


def test_every_other_record_comes_back() -> None:
    """Stamps, nonces, leaves, round ends and closings survive together in one entry."""
    entry = b"".join(
        (
            logbook.stamp(1_790_000_000_123),
            logbook.nonce(0, bytes(range(16))),
            logbook.nonce(1, None),
            logbook.leave(2, LeaveReason.FAULTS),
            logbook.round_end(300, b"12345678"),
            logbook.close(bytes(32)),
        )
    )
    assert list(logbook.records(entry)) == [
        logbook.Stamp(1_790_000_000_123),
        NonceRecord(0, bytes(range(16))),
        NonceRecord(1, None),
        LeaveRecord(2, LeaveReason.FAULTS),
        logbook.RoundRecord(300, b"12345678"),
        logbook.CloseRecord(bytes(32)),
    ]


@pytest.mark.parametrize(
    ("entry", "problem"),
    [
        pytest.param(b"\x07", "does not exist", id="unknown record"),
        pytest.param(b"\x01\x00", "ends inside", id="cut stamp"),
        pytest.param(b"\x80\x00\x00\x05", "ends inside", id="cut act"),
        pytest.param(b"\x87\x00\x00\x05\x00\x00", "colour 7", id="colour that does not exist"),
        pytest.param(b"\x80\x00\x40\x05\x00\x00", "fault 4", id="fault that does not exist"),
        pytest.param(b"\x05" + b"\xff" * 11, "longer than 63 bits", id="endless number"),
        pytest.param(b"\x04\x00\x03", "reason 3 to leave", id="reason to leave that does not exist"),
        pytest.param(b"\x41\x06\0\0\0\1\0\x0b", "11 seats", id="more seats than a game has"),
        pytest.param(b"\x41\x0d\0\0\0\1\0\1\0\0\0\2\0\0\0", "2 of 1 seats", id="more who left than there are"),
    ],
)
def test_a_corrupt_entry_is_refused_with_the_place(entry: bytes, problem: str) -> None:
    """An entry that is not a sequence of whole records raises and says where."""
    with pytest.raises(CorruptLogError, match=problem):
        list(logbook.records(entry))


@given(st.binary(max_size=60))
def test_no_bytes_do_more_than_raise(entry: bytes) -> None:
    """Whatever stands in an entry, reading it ends, and the only error is the typed one."""
    try:
        list(logbook.records(entry))
    except CorruptLogError:
        return
