"""Many games, one slow thread: what a bot is not asked yet costs it no time."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from referee.hosting.host import Host
from referee.hosting.hosted import Hosted
from referee.hosting.roster import Roster
from referee.hosting.seats import Seat
from referee.hosting.sessions import Greeting, Session
from referee.hosting.timekeeper import TICK_S, Timekeeper
from referee.match import MatchPlay
from referee.metrics import Metrics
from referee.trunk.lodging import Lodging
from tests.referee.playing import SEED, spec
from tests.referee.test_late import Desk

PLAYED = spec("uno-classic-2", meetings=32)
GAMES = PLAYED.games
CLOCK = PLAYED.format.clock
THOUGHT_S = 0.8 * CLOCK.decision_ms / 1000
"""The slow bot needs so long for an answer, and gives one after the other."""


@dataclass
class Crowd(Desk):
    """A match all of whose games are in play at once; the first bot takes so many questions at a time."""

    max_open: int = 1

    def __post_init__(self) -> None:
        """Seat two bots."""
        self.host = Host(lambda: self.now, Roster(), Metrics())
        self.host.connect(self)
        self.timekeeper = Timekeeper(self.host, Lodging(self.host), self.absent_s, lambda: False)
        self.sessions = [
            self._open(bot, most) for bot, most in zip(PLAYED.entrants, (self.max_open, GAMES), strict=True)
        ]
        self.hosted = Hosted(MatchPlay(PLAYED, SEED), "1-0-x", 1, 0)
        self.hosted.parallel = GAMES
        self.host.adopt(self.hosted, ())

    def _open(self, bot: str, max_open: int) -> Session:
        greeting = Greeting(bot, "1", frozenset({PLAYED.format.name}), GAMES, max_open, (1, 1, 1), {}, 0)
        session = Session(bot, bot, greeting, now=self.now)
        self.host.join(session)
        return session

    def first_answer(self, session: Session) -> None:
        """Answer the question that is open for longest."""
        seat = next(iter(session.open))
        assert isinstance(seat, Seat)
        self.host.asker.answer(session, seat.handle, seat.act, 0, 0)

    def play_for(self, answers: int) -> None:
        """Have the slow bot think so often, one question after the other, and the quick one answer at once."""
        slow, quick = self.sessions
        for _ in range(answers):
            self.deliver()
            while quick.open:
                self.first_answer(quick)
                self.deliver()
            assert len(slow.open) <= self.max_open
            for _ in range(round(THOUGHT_S / TICK_S)):
                self.tick()
            if slow.open:
                self.first_answer(slow)


@pytest.mark.parametrize(
    ("max_open", "blameless"),
    [pytest.param(1, True, id="one at a time"), pytest.param(GAMES, False, id="all at once")],
)
def test_who_is_asked_one_question_at_a_time_has_the_whole_time_for_each(max_open: int, *, blameless: bool) -> None:
    """64 games wait for one thread, many times as long as its clock: only what it was handed counts."""
    crowd = Crowd(max_open=max_open)
    crowd.play_for(GAMES)
    slow = crowd.sessions[0]
    assert 10 * (CLOCK.decision_ms + CLOCK.bank_ms) / 1000 < GAMES * THOUGHT_S
    assert (crowd.faults() == 0) is blameless
    if blameless:
        assert len(slow.waiting) > GAMES // 4
        assert not any(seat.started for seat in slow.waiting)
