"""The frames that are formatted by hand are what the generated code makes and reads."""

from hypothesis import given
from hypothesis import strategies as st

from referee.internal.v1 import trunk_pb2 as pb
from referee.trunk import frames

SMALL = st.integers(0, 2**32 - 1)
LANE = st.integers(0, 2**63)


@given(lane=LANE, handle=SMALL, act=SMALL, decision_ms=SMALL, allowance_ms=SMALL, turn=st.binary(max_size=300))
def test_a_question(lane: int, handle: int, act: int, decision_ms: int, allowance_ms: int, turn: bytes) -> None:
    """Whatever is in it; several put together are a message."""
    piece = frames.question(lane, handle, act, decision_ms, allowance_ms, turn)
    question = pb.Question(
        lane=lane, handle=handle, act=act, decision_ms=decision_ms, allowance_ms=allowance_ms, turn=turn
    )
    assert list(frames.parse(piece * 2)) == [pb.Frame(question=question)] * 2


@given(
    lane=LANE, handle=SMALL, act=SMALL, picks=st.one_of(SMALL, st.lists(SMALL, max_size=40).map(tuple)),
    flags=SMALL, ms=SMALL, ours=SMALL, thought=SMALL,
)  # fmt: skip
def test_an_answer(
    lane: int, handle: int, act: int, picks: int | tuple[int, ...], flags: int, ms: int, ours: int, thought: int
) -> None:
    """One pick alone is a number, several are a list, none is an empty one."""
    listed = (picks,) if isinstance(picks, int) else picks
    answer = pb.Answer(
        lane=lane, handle=handle, act=act, picks=listed, flags=flags, ms=ms, given_back_ms=ours, thought_ms=thought
    )
    [frame] = frames.parse(frames.answer(lane, handle, act, picks, flags, ms, ours, thought))
    assert frame == pb.Frame(answer=answer)
    assert frames.picks_of(frame.answer) == (listed[0] if len(listed) == 1 else listed)
