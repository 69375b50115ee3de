"""Two streams of one process, closer together than an answer took on its way: it is asked on until one is gone."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from referee.hosting.host import ORPHAN_S
from referee.hosting.hosted import Stay
from referee.hosting.seats import FREE_RETURNS, Seat
from referee.hosting.sessions import REPLACED, Session
from referee.trunk import frames
from referee.trunk.link import BEAT_S
from tests.trunk.test_arrivals import BOT, PLAYED, House, Pair, Trunk, _hosting, _look_for, _trunks

pytestmark = pytest.mark.slow

STILL_S = 2.0
APART_S = 0.5


def beat(pair: Pair, seconds: float) -> int:
    """Let time pass on a trunk that carries; returns how often it was asked when a stream began."""
    inquiries = 0
    for _ in range(round(seconds / BEAT_S)):
        pair.wait(BEAT_S)
        for end in (pair.out, pair.back):
            end.beat()
        while pair.out.said or pair.back.said:
            inquiries += sum(frame.WhichOneof("frame") == "inquiry" for frame in pair.out.said + pair.back.said)
            pair.out.deliver()
            pair.back.deliver()
    return inquiries


def undecided(*, host_knows: bool) -> tuple[Pair, list[Seat], Session, Session]:
    """Have a process open a stream near, one far half a second later, and the first answer take two seconds.

    Args:
        host_knows: whether the far stream is offered to the match near.

    Returns:
        Both houses, the seats of the bot in the match near, the older stream, the newer one.
    """
    pair = Pair()
    pair.meet()
    seats, old = _hosting(pair.near), pair.near.join()
    pair.talk()
    pair.wait(APART_S)
    new = pair.far.join()
    if host_knows:
        _look_for(pair.out)
    pair.back.deliver()  # that it has come; the inquiry is on its way
    pair.wait(STILL_S)
    pair.talk()
    return pair, seats, old, new


@pytest.mark.parametrize("host_knows", [True, False], ids=["its host looks for it", "nobody looks for it"])
def test_what_one_answer_leaves_open_the_next_one_decides(*, host_knows: bool) -> None:
    """The older stream goes, and the seats are the newer one's, or nobody's."""
    pair, seats, old, new = undecided(host_knows=host_knows)
    assert (old.ending, [seat.session for seat in seats]) == (None, [old])
    beat(pair, 2.0)
    assert (old.ending, new.ending) == (REPLACED, None)
    assert [seat.session is not None and seat.session.remote for seat in seats] == [host_knows]


def test_it_is_asked_once_a_second_as_long_as_nobody_can_tell() -> None:
    """Of two streams that began at the same moment nobody ever can."""
    pair = Pair()
    pair.meet()
    one, two = pair.near.join(), pair.far.join()
    pair.talk()
    assert 2 <= beat(pair, 9.0) <= 2 * 9
    assert (one.ending, two.ending) == (None, None)


def test_who_is_gone_is_asked_for_no_more() -> None:
    """The one that is left has nobody to wait for."""
    pair, _, _, new = undecided(host_knows=False)
    pair.far.lodging.parted(new)
    pair.far.host.part(new)
    beat(pair, 3.0)
    assert beat(pair, 3.0) == 0


def test_what_was_known_of_a_stream_is_not_forgotten_for_an_answer_that_says_less() -> None:
    """Of all that its home has said the best counts: a later answer may have been longer on its way."""
    pair = Pair()
    pair.meet()
    pair.far.join()
    _look_for(pair.out)
    pair.talk()
    (there,) = pair.near.host.roster.player(BOT, 0.0).sessions.values()
    there.ask_since(pair.near.now)
    pair.talk()
    before = there.not_before, there.since
    there.ask_since(pair.near.now)
    pair.out.deliver()
    pair.wait(5.0)
    pair.back.deliver()
    there.ask_since(pair.near.now)
    pair.wait(5.0)
    pair.talk()
    assert (there.not_before, there.since) == before


class Three:
    """A host, and two referees that cannot speak to each other: of streams there nobody but the host can tell."""

    def __init__(self) -> None:
        self.host, self.one, self.two = House("host", 9.0), House("one", 1_000.0), House("two", 50.0)
        self.ends = [end for home in (self.one, self.two) for end in _trunks(self.host, home)]

    def settle(self) -> None:
        """Deliver all that is said."""
        while any(end.said for end in self.ends):
            for end in self.ends:
                end.deliver()

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for house in (self.host, self.one, self.two):
            house.now += seconds

    def contest(self) -> tuple[Session, Session]:
        """Have a process open a stream at one, and then at the other; returns both, between which nobody can tell."""
        old = self.one.join()
        _look_for(self.ends[0])
        self.settle()
        self.wait(APART_S)
        new = self.two.join()
        _look_for(self.ends[2])
        self.wait(STILL_S)
        self.ends[3].deliver()
        self.wait(STILL_S)
        self.settle()
        assert (old.ending, new.ending, len(self.host.host.contest._waiting)) == (None, None, 1)
        return old, new


def test_a_host_asks_on_about_two_streams_at_two_other_referees() -> None:
    """As long as it takes."""
    three = Three()
    seats = _hosting(three.host)
    old, new = three.contest()
    three.wait(1.0)
    three.ends[0].beat()
    three.settle()
    assert (old.ending, new.ending, three.host.host.contest._waiting) == (REPLACED, None, {})
    assert [seat.session is not None and seat.session.at(three.ends[2]) for seat in seats] == [True]


@pytest.mark.parametrize("moved", [False, True], ids=["its old stream ends", "its old home hears where it is"])
def test_a_seat_that_waits_for_a_process_with_a_newer_stream_elsewhere_is_returned_to_once(*, moved: bool) -> None:
    """When that process takes it over; that its old stream goes while the newer one is there is no return."""
    three = Three()
    first = three.host.join("gone")
    (seat,) = _hosting(three.host)
    first.take(three.host.now)
    old, _ = three.contest()
    three.host.host.part(first)
    since = seat.started
    three.wait(ORPHAN_S + 1.0)
    three.one.lodging.parted(old, moved=moved)
    three.settle()
    assert (seat.session, seat.returns, seat.started) == (None, 0, since)
    (newer,) = three.host.host.roster.player(BOT, 0.0).sessions.values()
    assert newer.at(three.ends[2])
    three.host.host.attach(three.host.host.roster.player(BOT, 0.0), newer, all_orphans=True)
    assert (seat.session, seat.returns) == (newer, 1)


@pytest.mark.parametrize("returns", [FREE_RETURNS - 1, FREE_RETURNS], ids=["free", "no more free"])
def test_a_process_that_moves_elsewhere_returns_once(returns: int) -> None:
    """Whether its clock runs on until it is found or not."""
    pair = Pair()
    (seat,), session = _hosting(pair.near), pair.near.join()
    session.take(pair.near.now)
    seat.returns = returns
    pair.wait(1.0)
    pair.near.lodging.oust(session)
    pair.wait(1.0)
    pair.near.join()
    assert (seat.returns, seat.carried) == (returns + 1, 0.0 if returns < FREE_RETURNS else 2.0)


@dataclass
class Wanderer:
    """A process of a bot that opens and closes streams at three referees whose frames arrive whenever they like."""

    chance: Random
    houses: list[House] = field(default_factory=list)
    ends: dict[tuple[int, int], Trunk] = field(default_factory=dict)
    streams: list[tuple[House, Session]] = field(default_factory=list)
    ended: list[tuple[House, Session]] = field(default_factory=list)
    newest: Session | None = None

    def __post_init__(self) -> None:
        """Open all trunks."""
        self.houses = [House(f"house {n}", self.chance.uniform(10.0, 1e5)) for n in range(3)]
        for house in self.houses:
            house.lodging.room = lambda _bot, _format: 8
            _hosting(house)
        for one in range(3):
            for other in range(one):
                self.ends[one, other], self.ends[other, one] = _trunks(self.houses[one], self.houses[other])
        for (one, _), end in self.ends.items():
            self.houses[one].lodging.arrivals.met(end)

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        for house in self.houses:
            house.now += seconds

    def open(self) -> None:
        """Open a stream anywhere, and have another referee look for the bot there."""
        self.wait(0.01)  # nobody could tell of two of one moment
        here, there = self.chance.sample(range(3), 2)
        self.newest = self.houses[here].join("one")
        self.streams.append((self.houses[here], self.newest))
        if self.chance.random() < 0.5:
            self.ends[there, here].send(frames.reserve(1, Stay("m", BOT, PLAYED.format.name), 1, must=True))

    def deliver(self, end: Trunk) -> None:
        """Have one frame arrive."""
        frame = end.said[0]
        del end._outbox[0]
        end.back._takers[frame.WhichOneof("frame") or ""](frame)
        over = [one for one in self.streams if one[1].ending is not None]
        self.streams = [one for one in self.streams if one not in over]
        self.ended += over

    def close(self) -> None:
        """Have streams end at their referees that were told to."""
        for house, session in self.ended:
            house.lodging.parted(session)
            house.host.part(session)
        self.ended.clear()

    def settle(self) -> None:
        """Have all arrive that is said, at once."""
        while busy := [end for end in self.ends.values() if end.said]:
            self.deliver(self.chance.choice(busy))
        self.close()


@pytest.mark.parametrize("first", range(1, 201, 50))
def test_of_all_streams_of_a_process_the_newest_one_is_left(first: int) -> None:
    """Wherever it was opened, and in whatever order what is said of it arrives."""
    for seed in range(first, first + 50):
        bot = Wanderer(Random(seed))
        for _ in range(120):
            bot.wait(bot.chance.choice((0.0, 0.001, 0.1, 1.0)))
            if bot.chance.random() < 0.1:
                bot.open()
            elif bot.chance.random() < 0.1:
                bot.close()
            elif busy := [end for end in bot.ends.values() if end.said]:
                bot.deliver(bot.chance.choice(busy))
            assert bot.newest is None or bot.newest.ending is None, seed
        for _ in range(4):
            bot.settle()
            bot.wait(1.0)
            for end in bot.ends.values():
                end.beat()
        assert [session for _, session in bot.streams] == ([bot.newest] if bot.newest else []), seed
        assert not any(house.host.contest._waiting for house in bot.houses), seed
