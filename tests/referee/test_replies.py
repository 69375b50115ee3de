"""What a bot is told of an answer that comes when its round is over, or goes on at another referee."""

from __future__ import annotations

from random import Random

import pytest

from lastcard.v1 import play_pb2 as pb
from referee.hosting.hosted import Phase
from referee.hosting.seats import Seat
from referee.hosting.sessions import Session
from referee.wire import ReplyCode
from tests.referee.test_late import Desk


def _asked(desk: Desk) -> tuple[Session, Seat, int, int]:
    """Return who is asked now, by which handle and id."""
    session, seat = next((one, seat) for one in desk.sessions for seat in one.open)
    assert isinstance(seat, Seat)
    return session, seat, seat.handle, seat.act


def _told(desk: Desk, session: Session, handle: int, act: int) -> ReplyCode | None:
    refused = desk.host.asker.answer(session, handle, act, 0, 0)
    return refused and refused[0]


def test_an_answer_after_the_end_of_its_round_is_told_that() -> None:
    """No fault, whoever ended it."""
    desk, chance = Desk(), Random(1)
    desk.deliver()
    session, seat, handle, act = _asked(desk)
    game = seat.table.index
    while game in desk.hosted.seats:
        desk.answer(chance)
        desk.deliver()
    assert _told(desk, session, handle, act) is ReplyCode.ROUND_OVER
    assert desk.faults() == 0


@pytest.mark.parametrize("leaving", [True, False], ids=["while it leaves", "after it has left"])
def test_an_answer_to_a_match_that_goes_on_elsewhere_is_told_that(*, leaving: bool) -> None:
    """The decision will be asked again there."""
    desk = Desk()
    desk.deliver()
    session, _, handle, act = _asked(desk)
    if leaving:
        desk.host.give_back(desk.hosted)
        assert desk.hosted.phase is Phase.LEAVING
    else:
        desk.host.drop(desk.hosted)
    assert _told(desk, session, handle, act) is ReplyCode.MOVED


def test_an_answer_to_what_another_seat_is_asked_is_foreign() -> None:
    """Though that decision is open at this moment: its seat goes on being asked, and nobody has a fault."""
    desk = Desk()
    desk.deliver()
    session, seat, handle, act = _asked(desk)
    (other, *_) = [one for one in desk.sessions if one is not session]
    assert _told(desk, other, handle, act) is ReplyCode.FOREIGN
    own = next(number for number, held in other.handles.items() if held.table is seat.table)
    assert _told(desk, other, own, act) is ReplyCode.FOREIGN
    assert (seat.act, seat in session.open, desk.faults()) == (act, True, 0)
    assert _told(desk, session, handle, act) is None


def test_an_answer_that_is_repeated_while_the_log_stands_still_is_acknowledged_once() -> None:
    """However often, nothing gathers; when the log has it the bot is told, and from then on each time at once."""
    desk = Desk()
    desk.deliver()
    session, seat, handle, act = _asked(desk)
    assert _told(desk, session, handle, act) is None
    waiting = len(desk.hosted.effects)

    def repeat() -> None:
        assert _told(desk, session, handle, act) is ReplyCode.OK
        desk.host.asker.acknowledge(session, handle, act)

    for _ in range(1_000):
        repeat()
    assert (len(desk.hosted.effects), session.outbox) == (waiting + 1, [])
    effects, desk.hosted.effects = desk.hosted.effects, []
    desk.hosted.pending.clear()
    desk.host.let_out(effects)
    assert (_acknowledged(desk, session), seat.repeated) == (1, None)
    for _ in range(3):
        repeat()
    assert _acknowledged(desk, session) == 3


def _acknowledged(desk: Desk, session: Session) -> int:
    """Return how many replies of OK a bot is sent."""
    told = pb.PlayResponse.FromString(session.take(desk.now))
    return sum(one.reply.code == pb.REPLY_CODE_OK for one in told.notices if one.HasField("reply"))
