"""What is told of a match that is broken off within a meeting."""

from __future__ import annotations

import json

import pytest

from lastcard.answer import Picked
from lastcard.turn import Turn
from referee import formats
from referee.bots import Careful
from referee.local.arena import BrokenOffError, _Run
from referee.local.local_bot import LocalBot
from tests.arena.bots import Rude

FORMAT = "uno-classic-3"
WHOLE, LEFT = 2, 3
"""Meetings that are over, and those that are not."""
MORE = 20
"""Questions of the meeting that is broken off."""
NEVER = 10**9


class Interrupted(LocalBot):
    """`careful`, where somebody presses Ctrl-C at a question."""

    __slots__ = ("left",)

    def __init__(self, name: str, left: int) -> None:
        super().__init__(name, Careful())
        self.left = left

    def answer(self, turn: Turn) -> Picked:
        """Answer, or be interrupted."""
        if self.left == 0:
            raise KeyboardInterrupt
        self.left -= 1
        return super().answer(turn)


def of_a_rude_bot(first: int, meetings: int, left: int = NEVER) -> tuple[_Run, Rude, Interrupted]:
    """Return a run of a bot whose answers are illegal from question `first` on; somebody ends it at question `left`."""
    rude, other = Rude("rude", first), Interrupted("other", left)
    bots = [rude, LocalBot("third", Careful()), other]
    return _Run(formats.get(FORMAT), bots, meetings, 5, None, None), rude, other


@pytest.mark.parametrize("fault_at", [pytest.param(None, id="the first fault"), pytest.param(0, id="who leaves in it")])
def test_of_a_meeting_that_is_broken_off_nothing_is_told(fault_at: int | None) -> None:
    """Neither its faults, nor who left in it, nor how many questions were asked."""
    whole, rude, other = of_a_rude_bot(NEVER if fault_at is None else fault_at, WHOLE)
    expected = whole.result()
    asked = NEVER - other.left
    broken_off, *_ = of_a_rude_bot(rude.asked if fault_at is None else fault_at, WHOLE + LEFT, asked + MORE)
    with pytest.raises(BrokenOffError) as broken:
        broken_off.result()
    assert broken_off._now is not None
    play = broken_off._now.play
    (told,), (wanted,) = broken.value.result.matches, expected.matches
    assert (told.result, told.rounds) == (wanted.result, wanted.rounds)
    assert broken.value.result.decisions == expected.decisions < broken_off._now.decisions
    assert sum(play.fault_kinds[0].values()) > json.loads(told.result)["faults"][0]
    assert bool(play.gone) is (fault_at is not None)
