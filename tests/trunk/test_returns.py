"""A bot has so much time for a question, wherever and however it opens its streams anew."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from referee.hosting.hosted import Hosted
from referee.hosting.roster import INSTANT_S
from referee.hosting.seats import FREE_RETURNS, Seat
from referee.hosting.sessions import Greeting, Session
from referee.hosting.timekeeper import TICK_S, Timekeeper
from referee.logbook import LeaveReason
from tests.trunk.test_arrivals import BOT, PLAYED, House, Pair, _hosting, _look_for

RULE = PLAYED.format.clock
ALLOWED_S = (RULE.decision_ms + RULE.bank_ms) / 1000
ABSENT_S = 30.0
MOST_S = (FREE_RETURNS + 1) * (ALLOWED_S + 2.0)
"""The whole time, and as often as a return is free once more; a credit and some ticks."""


class Ticking(Pair):
    """Two houses that look at their clocks; the match is at `near`, where the rival sits, too."""

    def __init__(self) -> None:
        super().__init__()
        self.keepers = []
        for house in (self.near, self.far):
            house.lodging.room = lambda _bot, _format: 8
            self.keepers.append(Timekeeper(house.host, house.lodging, ABSENT_S, lambda: False))
        self.meet()
        greeting = Greeting("rival", "1", frozenset({PLAYED.format.name}), 8, 8, (1, 1, 1), {}, 0)
        self.near.host.join(Session("rival", PLAYED.entrants[1], greeting, now=self.near.now))

    def host(self) -> None:
        """Begin the match, and ask the bot."""
        self.seats = _hosting(self.near)
        self.hand_out()
        self.began = self.near.now

    @property
    def asked(self) -> Seat:
        """The bot's seat that was asked first."""
        return next(seat for seat in self.seats if seat.act >= 0 or seat.faults)

    @property
    def hosted(self) -> Hosted:
        """The match."""
        return next(iter(self.near.host.matches.values()))

    @property
    def late(self) -> int:
        """Faults of the bot."""
        return sum(self.hosted.play.fault_kinds[PLAYED.entrants.index(BOT)].values())

    @property
    def taken_s(self) -> float:
        """Time since it was asked."""
        return self.near.now - self.began

    def hand_out(self) -> None:
        """Log and write all there is, everywhere."""
        self.talk()
        for house in (self.near, self.far):
            for hosted in house.host.matches.values():
                effects, hosted.effects = hosted.effects, []
                hosted.pending.clear()
                house.host.let_out(effects)
            for session in house.sessions:
                while session.outbox:
                    session.take(house.now)
        self.talk()

    def run(self, seconds: float) -> None:
        """Look at the clocks for so long."""
        for _ in range(round(seconds / TICK_S)):
            self.wait(TICK_S)
            for keeper in self.keepers:
                keeper.tick()
            self.hand_out()

    def close(self, house: House, session: Session) -> None:
        """Let a stream end."""
        house.lodging.parted(session)
        house.host.part(session)
        self.hand_out()

    def come(self, house: House, instance: str = "one") -> Session:
        """Let a process open a stream; where the match is not, the host finds it there."""
        session = house.join(instance)
        self.talk()
        if house is self.far:
            _look_for(self.out)
        self.hand_out()
        return session


def _until_late(pair: Ticking, turn: Callable[[], None], thinks_s: float = ALLOWED_S - 1.0) -> None:
    """Have it dial anew as it likes, each time just before it is late."""
    while True:
        for _ in range(round(thinks_s)):
            pair.run(1.0)
            if pair.late:
                return
        turn()
        assert pair.taken_s < 2 * MOST_S, "it has the time that it likes"


def test_who_opens_its_stream_anew_at_a_home_that_is_not_the_host_gains_no_time() -> None:
    """The home says how long its questions had run before it says that there is another stream."""
    pair = Ticking()
    pair.host()
    streams = [pair.come(pair.far)]
    pair.began = pair.near.now

    def turn() -> None:
        streams.append(pair.far.join())
        pair.hand_out()
        pair.close(pair.far, streams[-2])

    _until_late(pair, turn)
    assert FREE_RETURNS * (ALLOWED_S - 1.0) < pair.taken_s < MOST_S


@pytest.mark.parametrize("far", [False, True], ids=["at the host", "at another referee"])
def test_who_is_late_with_what_it_took_before_is_charged_all_of_it(*, far: bool) -> None:
    """Wherever its last stream was, its bank is spent: the next question has no more than the time of a decision."""
    pair = Ticking()
    home = pair.far if far else pair.near
    pair.host()
    stream = pair.come(home)
    pair.asked.returns = FREE_RETURNS
    seat = pair.asked
    pair.run(ALLOWED_S - 1.0)
    pair.close(home, stream)
    pair.come(home)
    while not pair.late:
        pair.run(TICK_S)
        assert pair.taken_s < MOST_S
    assert seat.clock.bank_ms == 0
    assert seat.clock.spent_ms == pytest.approx(1000 * ALLOWED_S, abs=500)


def test_who_goes_to_and_fro_between_two_referees_gains_no_time() -> None:
    """The host, a home, the host: each way is a return."""
    pair = Ticking()
    streams = [(pair.near, pair.come(pair.near))]
    pair.host()

    def turn() -> None:
        house, old = streams[-1]
        other = pair.far if house is pair.near else pair.near
        streams.append((other, pair.come(other)))
        pair.close(house, old)

    _until_late(pair, turn)
    assert FREE_RETURNS * (ALLOWED_S - 1.0) < pair.taken_s < MOST_S


def test_two_processes_that_come_and_go_together_gain_no_time() -> None:
    """First the one that has the seat goes, then the other one, which was to take it over."""
    pair = Ticking()
    streams = {name: pair.come(pair.near, name) for name in ("x", "y")}
    pair.host()
    holder = pair.asked.instance
    order = (holder, *(streams.keys() - {holder}))

    def turn() -> None:
        for name in order:
            pair.close(pair.near, streams[name])
            pair.run(0.2)
        for name in order:
            streams[name] = pair.come(pair.near, name)

    _until_late(pair, turn)
    assert pair.taken_s < MOST_S


@pytest.mark.parametrize("there_s", [0.0, INSTANT_S / 2], ids=["at once", "half an instant"])
def test_a_process_that_looks_in_now_and_then_ends_no_absence(there_s: float) -> None:
    """The one that has the seat is gone for good: it is late, and absent, as if nobody had looked in."""
    pair = Ticking()
    gone = pair.come(pair.near, "x")
    pair.host()
    pair.run(2.0)
    pair.close(pair.near, gone)
    while not pair.hosted.play.gone:
        pair.run(3.0)
        other = pair.come(pair.near, "y")
        if there_s:
            pair.run(there_s)
        pair.close(pair.near, other)
        assert pair.taken_s < 2 * ABSENT_S
    assert list(pair.hosted.play.gone.values()) == [LeaveReason.ABSENT]


def test_a_process_that_stays_for_longer_than_an_instant_ends_the_absence() -> None:
    """It is waited for anew when it has gone."""
    pair = Ticking()
    gone = pair.come(pair.near, "x")
    pair.host()
    pair.close(pair.near, gone)
    pair.run(ABSENT_S - 2.0)
    stream = pair.come(pair.near, "x")
    pair.run(INSTANT_S + TICK_S)
    pair.close(pair.near, stream)
    pair.run(ABSENT_S - 2.0)
    assert not pair.hosted.play.gone
    pair.run(4.0)
    assert pair.hosted.play.gone


def test_who_dials_faster_than_it_can_be_asked_is_late_all_the_same() -> None:
    """A question that was handed over once runs on when a line goes on which it was not yet."""
    pair = Ticking()
    stream = pair.come(pair.near)
    pair.host()
    pair.run(1.0)
    while not pair.late:
        pair.close(pair.near, stream)
        pair.run(0.5)
        stream = pair.near.join()
        assert pair.taken_s < ABSENT_S


@pytest.mark.parametrize("why", ["draining", "shut"])
def test_a_home_that_lets_nobody_in_counts_nothing_and_costs_nothing(why: str) -> None:
    """Whoever it sends away, or cannot let in again, however often, has the whole time when it is back."""
    pair = Ticking()
    pair.host()
    for _ in range(2 * FREE_RETURNS):
        setattr(pair.far.lodging, why, lambda: False)
        stream = pair.come(pair.far)
        pair.run(ALLOWED_S - 1.0)
        setattr(pair.far.lodging, why, lambda: True)
        pair.close(pair.far, stream)
        pair.run(2.0)
    assert (pair.late, pair.asked.returns, pair.asked.carried, pair.asked.started) == (0, 0, 0.0, 0.0)


def test_a_home_that_drains_when_its_bot_moves_to_the_host_counts_nothing_either() -> None:
    """Whichever is heard of first: the new stream, or why the old one went."""
    pair = Ticking()
    pair.host()
    for _ in range(2 * FREE_RETURNS):
        pair.far.lodging.draining = lambda: False
        old = pair.come(pair.far)
        pair.run(ALLOWED_S - 1.0)
        pair.far.lodging.draining = lambda: True
        new = pair.near.join()
        pair.hand_out()
        pair.close(pair.far, old)
        assert (pair.late, pair.asked.returns, pair.asked.carried) == (0, 0, 0.0)
        pair.near.lodging.draining = lambda: True
        pair.near.host.lose(new)
        pair.near.lodging.draining = lambda: False


def test_the_way_to_a_home_is_not_the_bots_time_where_a_newer_stream_took_its_question_over() -> None:
    """The host assumes that it was, until the home says how long the question had been open."""
    pair = Ticking()
    pair.host()
    pair.asked.returns = FREE_RETURNS
    pair.far.join()
    _look_for(pair.out)
    pair.back.deliver()
    pair.wait(3.0)  # the question is on its way
    pair.out.deliver()
    for session in pair.far.sessions:
        session.take(pair.far.now)
    pair.wait(1.0)
    pair.near.join()
    assert pair.asked.carried == pytest.approx(4.0)
    pair.talk()
    assert pair.asked.carried == pytest.approx(1.0, abs=0.01)
