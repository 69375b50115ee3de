"""Two streams of one process, closer together than an answer took on its way: it is asked on until one is gone."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from referee.hosting.hosted import Stay
from referee.hosting.seats import Seat
from referee.hosting.sessions import REPLACED, Session
from referee.trunk import frames
from referee.trunk.link import BEAT_S
from tests.trunk.test_arrivals import BOT, PLAYED, House, Pair, Trunk, _hosting, _look_for, _trunks

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


def test_a_host_asks_on_about_two_streams_at_two_other_referees() -> None:
    """Which cannot speak to each other: nobody but the host can tell."""
    host, one, two = houses = House("host", 9.0), House("one", 1_000.0), House("two", 50.0)
    ends = [end for home in (one, two) for end in _trunks(host, home)]
    seats = _hosting(host)

    def settle() -> None:
        while any(end.said for end in ends):
            for end in ends:
                end.deliver()

    def wait(seconds: float) -> None:
        for house in houses:
            house.now += seconds

    old = one.join()
    _look_for(ends[0])
    settle()
    wait(APART_S)
    new = two.join()
    _look_for(ends[2])
    wait(STILL_S)
    ends[3].deliver()
    wait(STILL_S)
    settle()
    assert (old.ending, new.ending, len(host.host.contest._waiting)) == (None, None, 1)
    wait(1.0)
    ends[0].beat()
    settle()
    assert (old.ending, new.ending, host.host.contest._waiting) == (REPLACED, None, {})
    assert [seat.session is not None and seat.session.at(ends[2]) for seat in seats] == [True]


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
