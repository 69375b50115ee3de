"""A process of a bot that opens a stream at another referee has none here any more, whatever its line looks like."""

from __future__ import annotations

from lastcard.v1 import play_pb2 as pb
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Stay
from referee.hosting.roster import Roster
from referee.hosting.seats import Seat
from referee.hosting.sessions import REPLACED, Greeting, Session
from referee.match import MatchPlay
from referee.metrics import Metrics
from referee.trunk import frames
from referee.trunk.link import Link
from referee.trunk.lodging import Lodging
from referee.trunk.remote import RemoteSession
from tests.referee.playing import SEED, spec
from tests.trunk.lines import End

PLAYED = spec()
BOT = PLAYED.entrants[0]


class House:
    """A referee with a clock of its own; `peers` are its trunks to others, whose frames arrive `late` seconds later."""

    def __init__(self, name: str, now: float) -> None:
        self.name = name
        self.now = now
        self.marked: list[Hosted] = []
        self.host = Host(lambda: self.now, Roster(), Metrics())
        self.host.connect(self)
        self.lodging = Lodging(self.host)
        self.announced = 0
        self.lodging.announce = self._announce

    def _announce(self) -> None:
        self.announced += 1

    def mark(self, hosted: Hosted) -> None:
        """Keep a log of nothing."""
        self.marked.append(hosted)

    def join(self, instance: str = "one") -> Session:
        """Let a process of the bot in."""
        greeting = Greeting(instance, "1", frozenset({PLAYED.format.name}), 8, 8, (1, 1, 1), {}, 0)
        session = Session(f"{instance} at {self.name}", BOT, greeting, now=self.now)
        self.host.join(session)
        self.lodging.joined(session)
        return session

    @property
    def sessions(self) -> list[Session]:
        """Who is here."""
        return self.host.roster.sessions


class Trunk(Link):
    """One end of a trunk between two houses, which keeps what is said until it is delivered."""

    back: Trunk

    def __init__(self, here: House, there: House) -> None:
        super().__init__(there.name, End(), here.host, here.lodging, Metrics())

    @property
    def said(self) -> list[frames.Frame]:
        """What is on its way."""
        return [frame for piece in self._outbox for frame in frames.parse(piece)]

    def deliver(self) -> None:
        """Have the other end hear what was said."""
        said = self.said
        self._outbox.clear()
        for frame in said:
            self.back._takers[frame.WhichOneof("frame") or ""](frame)


def _trunks(one: House, other: House) -> tuple[Trunk, Trunk]:
    there, back = Trunk(one, other), Trunk(other, one)
    there.back, back.back = back, there
    return there, back


class Pair:
    """Two houses whose clocks have nothing in common, with a trunk between them."""

    def __init__(self) -> None:
        self.near, self.far = House("near", 1_000.0), House("far", 50.0)
        self.out, self.back = _trunks(self.near, self.far)

    def meet(self) -> None:
        """Open the trunk."""
        self.near.lodging.arrivals.met(self.out)
        self.far.lodging.arrivals.met(self.back)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.near.now += seconds
        self.far.now += seconds

    def talk(self) -> None:
        """Deliver all that is said."""
        while self.out.said or self.back.said:
            self.out.deliver()
            self.back.deliver()


def _notices(session: Session) -> list[str | None]:
    told = pb.PlayResponse.FromString(session.take(0.0)) if session.outbox else pb.PlayResponse()
    return [notice.WhichOneof("notice") for notice in told.notices]


def test_the_newer_stream_of_a_process_takes_over_at_whichever_referee_it_is() -> None:
    """The old one is told so, is gone at once, and the list of who is where is written anew."""
    pair = Pair()
    pair.meet()
    old = pair.near.join()
    pair.wait(0.001)
    new = pair.far.join()
    pair.talk()
    assert (pair.near.sessions, pair.far.sessions) == ([], [new])
    assert old.ending is REPLACED
    assert _notices(old)[-1] == "replaced"
    assert pair.near.announced == 1


def test_what_was_long_on_its_way_makes_no_stream_look_newer() -> None:
    """The process has come back here since: the stream there is the old one."""
    pair = Pair()
    pair.meet()
    pair.far.join()
    pair.wait(0.5)
    new = pair.near.join()
    pair.wait(2.5)
    pair.back.deliver()
    pair.wait(2.5)
    pair.talk()
    assert (pair.near.sessions, pair.far.sessions) == ([new], [])


def test_referees_that_could_not_speak_catch_up() -> None:
    """As soon as their trunk is open."""
    pair = Pair()
    pair.near.join()
    pair.wait(3.0)
    new = pair.far.join()
    pair.meet()
    pair.talk()
    assert (pair.near.sessions, pair.far.sessions) == ([], [new])


def test_other_processes_of_the_same_bot_are_let_alone() -> None:
    """A version may have several, also at several referees."""
    pair = Pair()
    pair.meet()
    one = pair.near.join("one")
    two = pair.far.join("two")
    pair.talk()
    assert (pair.near.sessions, pair.far.sessions) == ([one], [two])


def test_a_seat_that_lost_its_stream_so_waits_at_nobodys_expense() -> None:
    """Its bot is known to be somewhere, and is looked for."""
    pair = Pair()
    pair.meet()
    session = pair.near.join()
    hosted = Hosted(MatchPlay(PLAYED, SEED), "1-0-x", 1, 0)
    pair.near.host.adopt(hosted, ())
    pair.near.host.let_out(hosted.effects)
    session.take(pair.near.now)
    (seats,) = hosted.seats.values()
    mine = [seat for seat in seats if hosted.play.spec.entrants[seat.entrant] == BOT]
    pair.wait(4.0)
    pair.far.join()
    pair.talk()
    assert [(seat.session, seat.started) for seat in mine] == [(None, 0.0)]
    assert pair.near.host.roster.player(BOT, 0.0).away[PLAYED.format.name] > pair.near.now


def test_a_host_elsewhere_hears_that_the_stream_is_gone_through_no_fault_of_the_bot() -> None:
    """So that it looks for it at its new home."""
    pair = Pair()
    pair.meet()
    pair.near.join()
    pair.near.lodging.room = lambda _bot, _format: 8
    third, _ = _trunks(pair.near, House("third", 7.0))
    pair.near.lodging.reserve(third, frames.parse(frames.reserve(1, Stay("m", BOT, PLAYED.format.name), 1))[0])
    pair.wait(1.0)
    pair.far.join()
    pair.talk()
    assert [frame.part.ours for frame in third.said if frame.WhichOneof("frame") == "part"] == [True]


def _hosting(house: House) -> list[Seat]:
    """Have a match of the bot at a house; returns the bot's seats."""
    hosted = Hosted(MatchPlay(PLAYED, SEED), "1-0-x", 1, 0)
    house.host.adopt(hosted, ())
    house.host.let_out(hosted.effects)
    return [seat for each in hosted.seats.values() for seat in each if PLAYED.entrants[seat.entrant] == BOT]


def _look_for(home: Trunk) -> None:
    """Have a host find the bot at a home, which tells it, sooner or later, of its streams."""
    home.send(frames.reserve(1, Stay("m", BOT, PLAYED.format.name), 1, must=True))
    home.deliver()


def _told_late(first: str) -> tuple[Pair, list[Seat], Session, Session]:
    """Have one stream open `near`, where a match of its bot is, and one `far`; near hears of that three seconds late.

    Returns:
        Both houses, the bot's seats, the stream near, the stream far.
    """
    pair = Pair()
    pair.meet()
    seats, joined = _hosting(pair.near), dict[str, Session]()
    for name in sorted(("near", "far"), key=lambda one: one != first):
        joined[name] = getattr(pair, name).join()
        if name == "far":
            _look_for(pair.out)
        pair.wait(1.0)
    pair.wait(2.0)
    pair.back.deliver()
    return pair, seats, joined["near"], joined["far"]


def test_a_stream_that_was_told_of_late_takes_no_seats_of_a_newer_one_here() -> None:
    """Its home is asked when it began, and the newer one keeps its seats."""
    pair, seats, new, old = _told_late("far")
    assert [seat.session for seat in seats] == [new]
    assert pair.out.said
    pair.talk()
    assert (pair.near.sessions, pair.far.sessions, old.ending) == ([new], [], REPLACED)
    assert [seat.session for seat in seats] == [new]
    assert pair.near.host.roster.far == 0


def test_a_newer_stream_elsewhere_has_the_seats_as_soon_as_its_home_has_said_when_it_began() -> None:
    """Until then the one here plays on, and nobody is charged for the change."""
    pair, seats, old, _ = _told_late("near")
    assert [seat.session for seat in seats] == [old]
    pair.talk()
    assert (pair.near.sessions, old.ending) == ([], REPLACED)
    assert [seat.session.remote for seat in seats if seat.session is not None] == [True]
    assert [seat.started for seat in seats] == [0.0]


def test_a_stream_that_waits_has_the_seats_where_the_one_here_ends() -> None:
    """Before anybody could say which of them is newer."""
    pair, seats, old, _ = _told_late("near")
    pair.near.lodging.parted(old)
    pair.near.host.part(old)
    assert [seat.session.remote for seat in seats if seat.session is not None] == [True]


def test_a_stream_that_waits_and_ends_leaves_nothing() -> None:
    """The one here goes on; a third one, later, has nobody to wait for but that one."""
    pair, seats, here, there = _told_late("near")
    pair.far.lodging.parted(there)
    pair.far.host.part(there)
    pair.back.deliver()
    assert [seat.session for seat in seats] == [here]
    pair.near.host.part(here)
    assert [seat.session for seat in seats] == [None]


def test_of_two_streams_at_two_other_referees_the_newer_one_has_the_seats_whichever_is_heard_of_first() -> None:
    """Also where these two cannot speak to each other."""
    for late in ("first", "second"):
        host, one, two = House("host", 9.0), House("one", 1_000.0), House("two", 50.0)
        (to_one, of_one), (to_two, of_two) = _trunks(host, one), _trunks(host, two)
        seats = _hosting(host)
        older = one.join()
        _look_for(to_one)
        for house in (host, one, two):
            house.now += 1.0
        two.join()
        _look_for(to_two)
        first, then = (of_two, of_one) if late == "first" else (of_one, of_two)
        first.deliver()
        for house in (host, one, two):
            house.now += 3.0
        then.deliver()
        while any(trunk.said for trunk in (to_one, of_one, to_two, of_two)):
            for trunk in (to_one, of_one, to_two, of_two):
                trunk.deliver()
        homes = [seat.session.home.name for seat in seats if isinstance(seat.session, RemoteSession)]
        assert (homes, older.ending) == (["two"], REPLACED), late
