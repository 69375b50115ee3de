"""A process of a bot that opens a stream at another referee has none here any more, whatever its line looks like."""

from __future__ import annotations

from collections.abc import Callable

from lastcard.v1 import play_pb2 as pb
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Stay
from referee.hosting.roster import Roster
from referee.hosting.sessions import REPLACED, Greeting, Session
from referee.match import MatchPlay
from referee.metrics import Metrics
from referee.trunk import frames
from referee.trunk.lodging import Lodging
from tests.referee.playing import SEED, spec

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


class Trunk:
    """One end of a trunk between two houses, which keeps what is said until it is delivered."""

    def __init__(self, there: House) -> None:
        self.name = there.name
        self.there = there
        self.back: Trunk | None = None
        self.said: list[frames.Frame] = []

    def send(self, frame: bytes) -> None:
        """Say a frame."""
        self.said += frames.parse(frame)

    def deliver(self) -> None:
        """Have the other end hear what was said."""
        assert self.back is not None
        arrivals = self.there.lodging.arrivals
        takers: dict[str, Callable[[frames.Frame], None]] = {
            "arrival": lambda frame: arrivals.arrived(self.back, frame),  # type: ignore[arg-type]
            "inquiry": lambda frame: arrivals.asked(self.back, frame),  # type: ignore[arg-type]
            "age": arrivals.told,
        }
        said, self.said = self.said, []
        for frame in said:
            takers[frame.WhichOneof("frame") or ""](frame)


class Pair:
    """Two houses whose clocks have nothing in common, with a trunk between them."""

    def __init__(self) -> None:
        self.near, self.far = House("near", 1_000.0), House("far", 50.0)
        self.out, self.back = Trunk(self.far), Trunk(self.near)
        self.out.back, self.back.back = self.back, self.out

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
    third = Trunk(House("third", 7.0))
    pair.near.lodging.reserve(third, frames.parse(frames.reserve(1, Stay("m", BOT, PLAYED.format.name), 1))[0])
    pair.wait(1.0)
    pair.far.join()
    pair.talk()
    assert [frame.part.ours for frame in third.said if frame.WhichOneof("frame") == "part"] == [True]
