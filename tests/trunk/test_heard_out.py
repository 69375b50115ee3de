"""Before a bot is late all referees have said, after its time was over, whether it had come in there."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from math import inf

import pytest

from ladder.store.presence import Online
from lastcard.address import Address
from lastcard.secret import Secret
from referee.hosting.hosted import Hosted, Phase
from referee.hosting.seats import Seat
from referee.hosting.seeking import DOUBT_S, LISTED_S, Seeker
from referee.hosting.sessions import AGAIN_S, Greeting, Session
from referee.hosting.timekeeper import LOOKS_MS, TICK_S, Timekeeper
from referee.match import MatchPlay
from referee.metrics import Metrics
from referee.trunk.handshake import Handshake
from referee.trunk.line import Line
from referee.trunk.link import BEAT_S, RESERVE_S, UNHEARD
from referee.trunk.switchboard import Switchboard
from tests.referee.playing import SEED, spec
from tests.trunk.test_arrivals import House, Pair, _trunks
from tests.trunk.test_still_trunk import TICKS, Trunks, seeker, there

FAST = spec("uno-classic-2-fast")
RULE = FAST.format.clock
OVER_S = RULE.decision_ms / 1000 + 0.05
"""A decision with its lag, where the bank is spent."""
SCAN = 4
"""Ticks between two looks at the ledger."""
SOON_S = 4 * TICK_S
MOST_S = OVER_S + max(UNHEARD * BEAT_S, RESERVE_S) + LISTED_S + 2 * DOUBT_S + SOON_S


class Deaf:
    """A network on which nobody listens and nobody is dialled."""

    async def listen(self, accept: Callable[[Line], Awaitable[None]]) -> Address:
        """Listen nowhere."""
        raise AssertionError(accept)

    def dial(self, address: str) -> AbstractAsyncContextManager[Line]:
        """Dial nobody."""
        raise AssertionError(address)

    async def close(self) -> None:
        """Nothing is open."""


class Scene(Pair):
    """A host near whose bots sit there, one of them asked with a spent bank; another referee far."""

    def __init__(self, *, nonces: bool = False, rival_far: bool = False) -> None:
        super().__init__()
        self.meet()
        self.talks = True
        self.at: dict[str, dict[str, Online]] = {"far": {}}
        self.seeker: Seeker = seeker(self.near, {"far": self.out}, self.at)
        self.trunks = Trunks({"far": self.out})
        self.seeker._trunks = self.trunks
        self.keeper = Timekeeper(self.near.host, self.near.lodging, 60.0, lambda: False, self.seeker)
        self.far_keeper = Timekeeper(self.far.host, self.far.lodging, 60.0, lambda: False)
        for bot in FAST.entrants[: 1 if rival_far else 2]:
            self.sit(self.near, bot)
        played = spec("uno-classic-2-fast", with_nonces=nonces)
        self.hosted = Hosted(MatchPlay(played, SEED), "1-0-x", 1, 0)
        self.near.host.adopt(self.hosted, ())
        self.write()
        self.ticks = 0
        for seats in self.hosted.seats.values():
            for seat in seats:
                seat.clock.bank_ms = 0

    @property
    def seat(self) -> Seat:
        """The seat that is asked."""
        return next(seat for seats in self.hosted.seats.values() for seat in seats if seat.act >= 0)

    @property
    def bot(self) -> str:
        """The bot that sits there."""
        return FAST.entrants[self.seat.entrant]

    def sit(self, house: House, bot: str) -> Session:
        """Let a bot in."""
        greeting = Greeting("one", "1", frozenset({FAST.format.name}), 8, 8, (1, 1, 1), {}, 0)
        session = Session(bot, bot, greeting, now=house.now)
        house.host.join(session)
        house.lodging.joined(session)
        return session

    def write(self) -> None:
        """Log and write all there is."""
        effects, self.hosted.effects = self.hosted.effects, []
        self.near.host.let_out(effects)
        for house in (self.near, self.far):
            for session in house.sessions:
                while session.outbox:
                    session.take(house.now)

    def faults(self) -> int:
        """Return how many faults were counted."""
        return sum(sum(each.values()) for each in self.hosted.play.fault_kinds)

    async def run(self, seconds: float) -> None:
        """Let time pass; what is said on the trunk arrives, unless it stands still."""
        for _ in range(round(seconds / TICK_S)):
            self.wait(TICK_S)
            self.ticks += 1
            if self.ticks % TICKS == 0:
                self.out.beat()
                self.back.beat()
            if self.talks:
                self.talk()
                self.out.heard(b"")
                self.back.heard(b"")
            if self.ticks % SCAN == 0:
                await self.seeker.doubt()
            self.keeper.tick()
            self.far_keeper.tick()
            self.write()

    async def first_fault(self) -> float:
        """Return after how many seconds somebody is late."""
        began = self.near.now
        while not self.faults():
            await self.run(TICK_S)
            assert self.near.now - began < MOST_S, "it has the time that it likes"
        return self.near.now - began


@pytest.mark.parametrize("before_s", [0.05, 0.2, 0.4])
async def test_nobody_is_late_in_the_first_moment_of_a_still_trunk(before_s: float) -> None:
    """The bot came in far in time, its line here is dead, and nothing of that is heard."""
    scene = Scene()
    await scene.run(OVER_S - before_s)
    scene.talks = False
    scene.sit(scene.far, scene.bot)
    scene.at["far"] = there(scene.bot, format_name=FAST.format.name)
    await scene.run(AGAIN_S / 2)
    assert scene.faults() == 0
    scene.talks = True
    await scene.run(1.0)
    assert (scene.faults(), scene.bot in [one.bot for one in scene.near.sessions]) == (0, False)


async def test_who_is_nowhere_else_is_late_in_time() -> None:
    """All others answer at once: a bot gains nothing."""
    scene = Scene()
    await scene.run(OVER_S + SOON_S)
    assert scene.faults() == 1


async def test_who_spoke_here_after_its_time_was_over_is_late_whatever_trunks_do() -> None:
    """Its line is whole, and it gave no answer."""
    scene = Scene()
    scene.talks = False
    await scene.run(OVER_S - 2 * TICK_S)
    assert scene.seat.session is not None
    for _ in range(6):
        await scene.run(TICK_S)
        scene.near.sessions[0].heard = scene.near.sessions[1].heard = scene.near.now
    assert scene.faults() == 1


def _stands_still(scene: Scene) -> None:
    scene.talks = False


def _answers_nothing(scene: Scene) -> None:
    scene.back._over.set()


def _was_never_reached(scene: Scene) -> None:
    scene.trunks.links.clear()
    scene.trunks.unreached = True


@pytest.mark.parametrize("trouble", [_stands_still, _answers_nothing, _was_never_reached])
async def test_whoever_cannot_be_reached_a_bot_that_the_ledger_has_nowhere_else_is_late_soon(
    trouble: Callable[[Scene], None],
) -> None:
    """The ledger is asked in its place, since the time was over; there is no time without end."""
    scene = Scene()
    trouble(scene)
    assert OVER_S < await scene.first_fault() < MOST_S


async def test_who_is_away_is_late_soon_though_everybody_here_is_heard() -> None:
    """The ledger is looked at because of it."""
    scene = Scene()
    scene.talks = False
    gone, other = sorted(scene.near.sessions, key=lambda one: one.bot != scene.bot)
    scene.near.host.part(gone)
    while not scene.faults():
        other.heard = scene.near.now
        await scene.run(TICK_S)
        assert scene.near.now < 1000.0 + MOST_S


async def test_what_it_took_to_find_out_is_not_the_bots_time() -> None:
    """The log has of a late question what it may take, and two looks."""
    scene = Scene()
    scene.talks = False
    clock = scene.seat.clock
    assert await scene.first_fault() > OVER_S + 0.5
    assert OVER_S * 1000 <= clock.spent_ms <= OVER_S * 1000 + LOOKS_MS


async def test_a_nonce_behind_a_still_trunk_is_waited_for() -> None:
    """It was said in time; a nonce that was not said is left out as ever."""
    for still, phase in ((True, Phase.NONCES), (False, Phase.PLAYING)):
        scene = Scene(nonces=True, rival_far=True)
        scene.far.lodging.room = lambda _bot, _format: 8
        rival = scene.sit(scene.far, FAST.entrants[1])
        scene.out.keep(scene.hosted.stay(rival.bot), 1)
        scene.talk()
        assert scene.near.host.roster.player(rival.bot, 0.0).sessions
        for session in scene.near.sessions:
            scene.near.host.nonce(session, scene.hosted.id, bytes(16))
        scene.talks = not still
        await scene.run(3.5)
        assert scene.hosted.phase is phase
        if still:
            assert scene.far.lodging.nonce(rival, scene.hosted.id, bytes(16))
            scene.talks = True
            await scene.run(0.2)
            assert scene.hosted.play.nonces[1] == bytes(16)


def test_a_referee_knows_as_much_as_the_last_of_those_that_answer_has_told() -> None:
    """Alone it knows all; one that is silent is not waited for, and asked nothing more."""
    near = House("near", 1_000.0)
    (to_one, of_one), (to_two, of_two) = (_trunks(near, House(name, 5.0)) for name in ("one", "two"))
    board = Switchboard(Deaf(), near.host, near.lodging, Metrics(), Handshake("near", Secret(b""), bytes))
    assert board.told_until == inf
    board.links.update({"one": to_one, "two": to_two})
    board.prove()
    board.prove()
    assert [len(end.said) for end in (to_one, to_two)] == [1, 1], "one sign at a time"
    near.now += 1.0
    to_one.deliver()
    of_one.deliver()
    assert (board.told_until, to_one.told_until) == (-inf, 1_000.0)
    to_two.deliver()
    of_two.deliver()
    assert board.told_until == 1_000.0
    for _ in range(UNHEARD):
        to_two.beat()
    board.prove()
    assert not to_two.said
    to_one.deliver()
    of_one.deliver()
    assert board.told_until == 1_001.0
