"""Who is late is late for the question that was put, and for no other."""

import itertools
from dataclasses import dataclass, field, replace
from random import Random

import pytest

from lastcard.v1 import play_pb2 as pb
from referee import logbook
from referee.hosting.host import ORPHAN_S, Host
from referee.hosting.hosted import Hosted
from referee.hosting.roster import Roster
from referee.hosting.seats import FREE_RETURNS, Seat
from referee.hosting.sessions import AGAIN_S, Greeting, Session
from referee.hosting.timekeeper import MOMENT_S, TICK_S, Timekeeper
from referee.logbook import LeaveReason
from referee.match import FAULTS_TO_LOSE_MEETING, MEETINGS_TO_LEAVE, MatchPlay
from referee.metrics import Metrics
from referee.rules.calls import CallingRound
from referee.rules.vocabulary import DecisionKind
from referee.trunk.lodging import Lodging
from tests.referee.playing import SEED, spec

ABSENT_S = 20.0
PLAYED = spec("uno-classic-3", meetings=4)
OVERDUE_S = 1.0 + (PLAYED.format.clock.decision_ms + PLAYED.format.clock.bank_ms) / 1000


@dataclass
class Desk:
    """A referee with one match, whose log takes everything at once."""

    now: float = 1000.0
    silent: bool = False
    absent_s: float = ABSENT_S
    rounds: int = 1
    touched: dict[Hosted, None] = field(default_factory=dict)
    entries: list[bytes] = field(default_factory=list)
    """Of its log."""

    def __post_init__(self) -> None:
        """Seat three bots."""
        self.host = Host(lambda: self.now, Roster(), Metrics())
        self.host.connect(self)
        self.timekeeper = Timekeeper(self.host, Lodging(self.host), self.absent_s, lambda: self.silent)
        self.sessions = [self._join(bot) for bot in PLAYED.entrants]
        self.hosted = Hosted(MatchPlay(PLAYED, SEED), "1-0-x", self.rounds, 0)
        self.host.adopt(self.hosted, ())

    def _join(self, bot: str) -> Session:
        greeting = Greeting(bot, "1", frozenset({PLAYED.format.name}), 64, 64, (1, 1, 1), {}, 0)
        session = Session(bot, bot, greeting, now=self.now)
        self.host.join(session)
        return session

    def mark(self, hosted: Hosted) -> None:
        """Note that there is something to write."""
        self.touched[hosted] = None

    def deliver(self) -> None:
        """Write what there is, and hand out what that lets out."""
        while self.touched:
            self.touched.clear()
            self.entries.append(logbook.stamp(round(self.now * 1000)) + self.hosted.pending)
            self.hosted.pending.clear()
            self.hosted.leave_pending = False
            effects, self.hosted.effects = self.hosted.effects, []
            self.host.let_out(effects)
        for session in self.sessions:
            while session.outbox:
                pb.PlayResponse.FromString(session.take(self.now))

    def window(self) -> tuple[CallingRound, list[Seat]] | None:
        """Return the round and its seats where a call window is open and its subject is asked, too."""
        for game, table in self.hosted.play.tables.items():
            current = table.round
            assert isinstance(current, CallingRound)
            if current.asked.get(current.subject) is DecisionKind.CALL_WINDOW and len(current.asked) > 1:
                return current, self.hosted.seats[game]
        return None

    def answer(self, chance: Random) -> None:
        """Give an answer to an open question."""
        session, seat = chance.choice([(one, seat) for one in self.sessions for seat in one.open])
        assert isinstance(seat, Seat)
        options = len(seat.table.round.options(seat.number))
        pick = 0 if len(seat.table.round.asked) > 1 else chance.randrange(max(1, options - 1))
        self.host.asker.answer(session, seat.handle, seat.act, pick, 0)

    def tick(self) -> None:
        """Look at the clocks, in time."""
        self.now += TICK_S
        self.timekeeper.tick()

    def tick_for(self, seconds: float) -> None:
        """Look at the clocks for so long, and hand out what comes of it."""
        for _ in range(round(seconds / TICK_S)):
            self.tick()
            self.deliver()

    def again(self, session: Session) -> Session:
        """Have a process open another stream in place of its own."""
        new = Session(session.id, session.bot, session.greeting, now=self.now)
        self.host.join(new)
        return new

    def faults(self) -> int:
        """Return how many faults were counted."""
        return sum(sum(kinds.values()) for kinds in self.hosted.play.fault_kinds)


def _window_with_a_next() -> tuple[Desk, Seat, Seat]:
    """Play until a window is open whose subject, if it left, were followed by the turn of a bot looked at after it."""
    desk, chance = Desk(), Random(7)
    for _ in range(20_000):
        desk.deliver()
        found = desk.window()
        if found is not None:
            current, seats = found
            left = current.copy()
            left.forfeit(current.subject)
            if left.result is None and left.seat >= 0:
                subject, follower = seats[current.subject], seats[left.seat]
                if subject.entrant < follower.entrant and follower.number in current.asked:
                    return desk, subject, follower
        desk.answer(chance)
    raise AssertionError("no such window: take another seed")


def test_a_question_that_came_up_while_the_late_were_told_is_not_late() -> None:
    """The fault of the first has it leave, that closes the window, and the turn of the second is a new question."""
    desk, subject, follower = _window_with_a_next()
    play, game = desk.hosted.play, subject.table.index
    unit = game // len(PLAYED.entrants)
    play.lost |= {(other, subject.entrant) for other in range(MEETINGS_TO_LEAVE) if other != unit}
    play._counts[unit, subject.entrant] = FAULTS_TO_LOSE_MEETING - 1
    asked, faults = follower.act, dict(play.fault_kinds[follower.entrant])
    desk.now += OVERDUE_S
    desk.timekeeper._last = desk.now  # the loop did not stand still
    desk.tick()
    desk.tick()
    assert play.gone == {subject.entrant: LeaveReason.FAULTS}
    assert follower.act != asked
    assert follower.act >= 0
    assert play.fault_kinds[follower.entrant] == faults


def test_who_was_not_heard_since_before_an_outage_may_have_been_turned_away_at_another_referee() -> None:
    """Its stream here may be half of one; it is late when it had time to dial again, and not before."""
    desk = Desk()
    desk.deliver()
    desk.tick_for(1.0)
    desk.silent = True
    desk.tick_for(3.0)
    desk.silent = False
    desk.tick_for(AGAIN_S - 1.0)
    assert desk.faults() == 0
    desk.tick_for(2.0)
    assert desk.faults() == 1


def test_who_was_heard_since_an_outage_is_late_as_ever() -> None:
    """Its stream is whole."""
    desk = Desk()
    desk.deliver()
    desk.silent = True
    desk.tick_for(3.0)
    desk.silent = False
    for session in desk.sessions:
        session.heard = desk.now
    desk.tick_for(OVERDUE_S)
    assert desk.faults() == 1


def _seen_elsewhere() -> Desk:
    """A second after its first question, whose bot was just seen at a referee that cannot be reached."""
    desk = Desk()
    desk.deliver()
    desk.tick_for(1.0)
    (asked,) = [session for session in desk.sessions if session.open]
    desk.host.roster.player(asked.bot, desk.now).elsewhere = desk.now
    return desk


def test_who_was_seen_since_at_a_referee_that_cannot_be_reached_may_have_a_dead_line_here() -> None:
    """That one would tell us so. It is late when pings have found out about the line, and not before."""
    desk = _seen_elsewhere()
    desk.tick_for(OVERDUE_S + AGAIN_S - 3.0)
    assert desk.faults() == 0
    desk.tick_for(3.0)
    assert desk.faults() == 1


def test_who_comes_and_goes_at_such_a_referee_gains_that_time_once() -> None:
    """However often it is seen there anew, as long as trunks are cut."""
    desk = _seen_elsewhere()
    seconds = 0.0
    while not desk.faults():
        for bot in PLAYED.entrants:
            desk.host.roster.player(bot, desk.now).elsewhere = desk.now
        desk.tick_for(1.0)
        seconds += 1.0
    assert OVERDUE_S + AGAIN_S - 2.0 < seconds < OVERDUE_S + AGAIN_S + 2.0


def test_who_speaks_here_is_late_wherever_else_it_was_seen() -> None:
    """It has another process there; this line is whole."""
    desk = _seen_elsewhere()
    for session in desk.sessions:
        session.heard = desk.now
    desk.tick_for(OVERDUE_S)
    assert desk.faults() == 1


def test_a_moment_without_the_store_gives_nobody_time() -> None:
    """Nobody is turned away for long by that."""
    desk = Desk()
    desk.deliver()
    desk.tick_for(1.0)
    desk.silent = True
    desk.tick_for(MOMENT_S / 2)
    desk.silent = False
    desk.tick_for(OVERDUE_S)
    assert desk.faults() == 1


def test_who_stops_reading_is_late_for_what_was_put_before_anybody_noticed() -> None:
    """Questions that wait behind a message which nobody reads do not wait for ever."""
    desk = Desk()
    for session in desk.sessions:
        session.writing_since = desk.now - 0.5  # a message is on its way, and does not arrive
    readers, desk.sessions = desk.sessions, []
    desk.deliver()
    assert any(session.open for session in readers)
    desk.tick_for(OVERDUE_S + 1.0)
    assert desk.faults() == 1


def test_who_dials_again_and_again_gains_no_time() -> None:
    """A few times in a round a bot has the whole time anew; then the clock of its question goes on."""
    desk = Desk()
    desk.deliver()
    (asked,) = [session for session in desk.sessions if session.open]
    seconds = 0.0
    while not desk.faults():
        desk.tick_for(1.5)
        seconds += 1.5
        place = desk.sessions.index(asked)
        asked = desk.sessions[place] = desk.again(asked)
        desk.deliver()
        assert seconds < (FREE_RETURNS + 2) * 1.5 + OVERDUE_S
    assert seconds > FREE_RETURNS * 1.5 + OVERDUE_S - 3.0


def test_who_leaves_one_process_for_another_again_and_again_has_the_time_of_a_question() -> None:
    """As often as that is free it begins anew; then it is late also while it waits for the process that went."""
    desk = Desk()
    desk.deliver()
    (asked,) = [session for session in desk.sessions if session.open]
    others = itertools.cycle(replace(asked.greeting, instance=f"process {number}") for number in range(8))
    seconds = 0.0
    while not desk.faults():
        new = Session(asked.id, asked.bot, next(others), now=desk.now)
        desk.host.join(new)
        desk.host.part(asked)
        desk.sessions.remove(asked)
        desk.sessions.append(asked := new)
        while not (asked.open or desk.faults()):
            desk.tick_for(TICK_S)
            seconds += TICK_S
        assert seconds < (FREE_RETURNS + 2) * ORPHAN_S + OVERDUE_S
    assert seconds == pytest.approx(FREE_RETURNS * ORPHAN_S + OVERDUE_S - 1.0, abs=0.5)


def test_while_games_stand_still_nobodys_time_runs() -> None:
    """Neither that of who is asked nor that of who is away; afterwards each has all of it."""
    desk = Desk()
    desk.deliver()
    desk.tick_for(1.0)
    desk.host.part(desk.sessions[2])
    desk.host.halted = True
    desk.tick_for(3 * max(OVERDUE_S, ABSENT_S))
    desk.host.halted = False
    desk.tick_for(min(OVERDUE_S - 1.0, ABSENT_S) - 0.5)
    assert (desk.faults(), desk.hosted.play.gone) == (0, {})
    desk.tick_for(OVERDUE_S + ABSENT_S)
    assert desk.faults() > 0
    assert desk.hosted.play.gone[2] is LeaveReason.ABSENT
    assert desk.host.metrics.faults[PLAYED.format.name, "absent"] == 1
