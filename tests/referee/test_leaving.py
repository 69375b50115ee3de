"""What bots are told that answer a window, or have answered it, out of which another seat has left."""

from random import Random

import pytest

from referee.hosting.seats import Seat
from referee.logbook import LeaveReason
from referee.rules.calls import CATCH_OPTIONS, PASS, CallingRound
from referee.wire import ReplyCode
from tests.referee.test_late import Desk

PASSED = CATCH_OPTIONS.index(PASS)


class Window:
    """A referee with a call window of three open, in which nobody has answered.

    Attributes:
        act: its decision id.
        subject: the seat that it is about.
        others: those that may catch it.
    """

    def __init__(self) -> None:
        self.desk, chance = Desk(), Random(7)
        self.desk.deliver()
        while (found := self.desk.window()) is None or len(found[0].asked) < 3:
            self.desk.answer(chance)
            self.desk.deliver()
        self.round, seats = found
        self.act = self.round.asked_at
        self.subject = seats[self.round.subject]
        self.others = [seat for seat in seats if seat is not self.subject]
        self.handles = {seat: (seat.session, seat.handle) for seat in seats}

    def says(self, seat: Seat, pick: int = PASSED) -> ReplyCode | None:
        """Have a bot answer the window; return what it is told, None where that counts."""
        session, handle = self.handles[seat]
        assert session is not None
        refused = self.desk.host.asker.answer(session, handle, self.act, pick, 0)
        self.desk.deliver()
        return refused and refused[0]

    def leaves(self, seat: Seat) -> None:
        """Have a bot leave the match."""
        self.desk.host.leave(self.desk.hosted, seat.entrant, LeaveReason.ABSENT)
        self.desk.deliver()


@pytest.fixture
def window() -> Window:
    """Return an open window."""
    return Window()


def test_the_others_answer_the_question_that_they_were_asked(window: Window) -> None:
    """The window stands: the same id, put to nobody anew; who has answered is not asked again, and that counts."""
    early, leaver = window.others
    assert window.says(early) is None
    window.leaves(leaver)
    assert isinstance(window.round, CallingRound)
    assert (window.round.asked_at, list(window.round.asked)) == (window.act, [window.subject.number])
    assert early.act < 0
    assert window.says(early) is ReplyCode.OK
    assert window.says(early, 1 - PASSED) is ReplyCode.STALE
    assert window.says(window.subject) is None
    assert not window.round._window
    assert window.desk.faults() == 0


@pytest.mark.parametrize(("answered", "told"), [(False, ReplyCode.STALE), (True, ReplyCode.OK)])
def test_who_has_left_is_told_what_became_of_its_question(window: Window, told: ReplyCode, *, answered: bool) -> None:
    """Nobody waits for an answer any more; one that was logged before is acknowledged, though it is void. No fault."""
    leaver, other = window.others
    if answered:
        assert window.says(leaver) is None
    window.leaves(leaver)
    assert window.says(leaver) is told
    assert list(window.round.asked) == sorted((window.subject.number, other.number))
    assert window.desk.faults() == 0


def test_where_the_window_closes_nobody_is_asked_about_it_any_more(window: Window) -> None:
    """The seat that it is about has left: an answer is too late then, without a fault, and the next turn is asked."""
    early, late = window.others
    assert window.says(early) is None
    window.leaves(window.subject)
    assert window.round.asked_at > window.act
    assert window.says(late) is ReplyCode.STALE
    assert window.says(early) is ReplyCode.OK
    assert [seat.act for seat in window.others if seat.number in window.round.asked] == [window.round.asked_at]
    assert window.desk.faults() == 0
