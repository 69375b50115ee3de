"""Bugs planted into what is between referees; every one must show in a few seeds."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final
from unittest.mock import patch

from referee import wire
from referee.door.gate import Gate
from referee.hosting.lane import Peer
from referee.hosting.seats import Seat
from referee.hosting.seeking import Seeker
from referee.hosting.sessions import Asked, Session
from referee.hosting.timekeeper import Timekeeper
from referee.trunk import frames
from referee.trunk.arrivals import Arrivals
from referee.trunk.lodging import Lodging
from referee.trunk.remote import Away, RemoteSession
from referee.wire import ReplyCode
from tests.simulate.bugs import Bug
from tests.simulate.invariant import Invariant
from tests.simulate.scenario import Kind


@contextmanager
def _lost_home_is_charged() -> Iterator[None]:
    leave = Away._leave

    def planted(self: Away, session: RemoteSession, *, excused: bool) -> None:
        started = {seat: seat.started or self._host.clock() for seat in session.handles.values()}
        leave(self, session, excused=excused)
        for seat, since in started.items():
            seat.started = since

    with patch.object(Away, "_leave", planted):
        yield


@contextmanager
def _lanes_stay() -> Iterator[None]:
    def planted(self: Lodging, peer: Peer) -> None:
        self._granted.pop(peer, None)
        self._wanted.pop(peer, None)

    with patch.object(Lodging, "lost", planted):
        yield


async def _stays(_self: Seeker) -> None:
    pass


@contextmanager
def _nobody_is_followed() -> Iterator[None]:
    with patch.object(Seeker, "follow", _stays):
        yield


@contextmanager
def _clock_runs_at_the_host() -> Iterator[None]:
    push, stamp = RemoteSession.push, Away._stamp

    def planted(self: RemoteSession, turn: bytes, seat: Asked | None, now: float) -> None:
        push(self, turn, seat, now)
        if seat is not None:
            seat.started = now

    def keeping(self: Away, session: RemoteSession, said: frames.Closed) -> Seat | None:
        asked = session.handles.get(said.handle)
        since = asked.started if asked is not None else 0.0
        seat = stamp(self, session, said)
        if seat is not None:
            seat.started = since
        return seat

    with patch.object(RemoteSession, "push", planted), patch.object(Away, "_stamp", keeping):
        yield


@contextmanager
def _acknowledged_by_the_home() -> Iterator[None]:
    def planted(_self: Lodging, session: Session, handle: int, act: int) -> None:
        session.hint(wire.reply(handle, act, ReplyCode.OK, ""))

    with patch.object(Lodging, "acknowledge", planted):
        yield


@contextmanager
def _room_of_the_dead_stays() -> Iterator[None]:
    lost = Lodging.lost

    def planted(self: Lodging, peer: Peer) -> None:
        granted = self._granted.get(peer)
        lost(self, peer)
        if granted:
            self._granted[peer] = granted

    with patch.object(Lodging, "lost", planted):
        yield


def _room_granted_twice() -> AbstractContextManager[object]:
    return patch.object(Lodging, "promised", lambda _self: [])


@contextmanager
def _half_a_line_is_charged() -> Iterator[None]:
    """As if nobody were anywhere else, and nobody had to say so."""
    with patch.object(Seeker, "doubt", _stays), patch.object(Timekeeper, "_told", lambda _self, _until: True):
        yield


@contextmanager
def _nobody_is_told_who_came() -> Iterator[None]:
    with patch.object(Arrivals, "met", lambda _self, _peer: None), patch.object(Arrivals, "joined", lambda *_: None):
        yield


def _turned_away_is_charged() -> AbstractContextManager[object]:
    return patch.object(Gate, "expect", lambda _self, _name: None)


FAR_BUGS: Final[tuple[Bug, ...]] = (
    Bug(
        "a lost home is charged",
        "clocks of far seats run while their home is gone",
        _lost_home_is_charged,
        Invariant.BLAMELESS,
        10,
        6,
        (Kind.DRAIN,),
    ),
    Bug("lanes stay", "questions of a dead host keep their place at the home", _lanes_stay, Invariant.REST, 20, 2),
    Bug(
        "nobody is followed",
        "a bot that lost its home is not looked for at others",
        _nobody_is_followed,
        Invariant.BLAMELESS,
        40,
        36,
    ),
    Bug(
        "clock runs at the host",
        "the way there and back, and a trunk that is cut, are the bot's time",
        _clock_runs_at_the_host,
        Invariant.BLAMELESS,
        10,
        1,
    ),
    Bug(
        "acknowledged by the home",
        "a repeated answer is said to count before its host has logged it",
        _acknowledged_by_the_home,
        Invariant.KEPT,
        80,
        72,
        (Kind.KILL_IN_STALL,),
    ),
    Bug(
        "room of the dead stays",
        "what was promised to a host that is gone stays promised",
        _room_of_the_dead_stays,
        Invariant.REST,
        10,
        3,
    ),
    Bug(
        "room granted twice",
        "a home promises a host the room that another one has already",
        _room_granted_twice,
        Invariant.ROOM,
        24,
        23,
        (Kind.SKEW,),
    ),
    Bug(
        "half a line is charged",
        "a bot that came back at a referee that cannot be reached is late at its old line",
        _half_a_line_is_charged,
        Invariant.BLAMELESS,
        189,
        188,
        (Kind.BOT_HALF_OPEN, Kind.DRAIN),
    ),
    Bug(
        "nobody is told who came",
        "a line was cut silently at one home, and the host goes on asking there",
        _nobody_is_told_who_came,
        Invariant.BLAMELESS,
        34,
        33,
        (Kind.BOT_HALF_OPEN, Kind.DRAIN),
    ),
    Bug(
        "turned away by a drain is charged",
        "a bot whose line is dead is late there though the referee, which stops, lets it open no other",
        _turned_away_is_charged,
        Invariant.BLAMELESS,
        123,
        122,
        (Kind.BOT_HALF_OPEN, Kind.DRAIN),
    ),
)
"""All of them."""
