"""A bot whose line here broke and that is at another referee by now: it pays for nothing that keeps us from it."""

from __future__ import annotations

import asyncio

import pytest

from ladder.store.presence import Online
from referee.hosting.hosted import Home, Hosted, Stay
from referee.hosting.seeking import Seeker, Sight
from referee.hosting.sessions import Session
from referee.logbook import LeaveReason
from tests.referee.test_late import OVERDUE_S, PLAYED, Desk

LOOK_S = 1.0
THERE = Online(frozenset({PLAYED.format.name}), 64)


class Far:
    """A referee that says where its bots are when it is let."""

    def __init__(self) -> None:
        self.asked = asyncio.Event()
        self.answer: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def keep(self, stay: Stay, rounds: int) -> None:
        """Keep nothing."""

    async def reserve(self, stay: Stay, rounds: int, *, must: bool = False) -> int:
        """Wait until somebody answers."""
        self.asked.set()
        return await self.answer


class Trunks:
    """A trunk to the one other referee, or none."""

    whole = False
    told_until = 0.0

    def prove(self) -> None:
        """Ask nobody."""

    def __init__(self, far: Home | None) -> None:
        self._far = far

    def home(self, name: str) -> Home | None:
        """Return it."""
        return self._far if name == "far" else None


class Scene:
    """A desk whose bot was asked, lost its line, and may be at the other referee."""

    def __init__(self, far: Home | None, *, there: bool = True, stops: bool = False) -> None:
        self.desk = Desk(absent_s=2 * OVERDUE_S)
        self.given_back: list[Hosted] = []
        self.desk.deliver()
        (self.session,) = [session for session in self.desk.sessions if session.open]
        (self.seat,) = self.session.open
        self.desk.tick_for(0.5)
        self.part(self.session)
        at = {"far": {self.session.bot: THERE}} if there else {}
        self._sight = Sight({"here": {}, "far": {"draining": stops}}, at)
        self.seeker = Seeker(self.desk.host, Trunks(far), "here", self._look, self.given_back.append)

    def part(self, session: Session) -> None:
        """Have a line break."""
        self.desk.host.part(session)
        self.desk.sessions.remove(session)

    async def _look(self) -> Sight:
        return self._sight

    @property
    def sought(self) -> bool:
        """Whether its home is just being asked."""
        return self.desk.host.roster.player(self.session.bot, 0.0).sought


async def test_whose_home_cannot_be_reached_is_not_late() -> None:
    """Nothing runs, however long it takes; the match is given back, for it to go on where its bots can be reached."""
    scene = Scene(None)
    for _ in range(4):
        await scene.seeker.follow()
        scene.desk.tick_for(OVERDUE_S / 4)
    assert (scene.desk.faults(), scene.seat.started) == (0, 0.0)
    assert scene.given_back[:1] == [scene.desk.hosted]


async def test_who_is_nowhere_is_late_as_ever() -> None:
    """Its clock runs on from when it was asked."""
    scene = Scene(None, there=False)
    await scene.seeker.follow()
    scene.desk.tick_for(OVERDUE_S)
    assert scene.desk.faults() == 1


@pytest.mark.parametrize(("granted", "faults"), [(0, 0), (1, 0)], ids=["it says nothing in time", "it says where"])
async def test_while_its_home_is_asked_nobody_is_late(granted: int, faults: int) -> None:
    """The answer may be long on its way; then the bot is found, or out of reach."""
    far = Far()
    scene = Scene(far)
    following = asyncio.create_task(scene.seeker.follow())
    await far.asked.wait()
    assert scene.sought
    scene.desk.tick_for(OVERDUE_S)
    assert scene.desk.faults() == 0
    far.answer.set_result(granted)
    await following
    assert not scene.sought
    assert scene.desk.faults() == faults


async def test_a_home_that_cannot_be_asked_leaves_nobody_sought() -> None:
    """Whatever happens to the question."""
    far = Far()
    scene = Scene(far)
    far.answer.set_exception(ConnectionError("gone"))
    with pytest.raises(ConnectionError):
        await scene.seeker.follow()
    assert not scene.sought


class Denying(Far):
    """A referee at which the list of who is where has a bot that is not there."""

    async def reserve(self, stay: Stay, rounds: int, *, must: bool = False) -> int:
        """Grant nothing."""
        return 0


async def test_a_home_that_says_that_its_bot_is_not_there_begins_no_absence_anew() -> None:
    """However often the list says so, or the bot looks in there: it is late, and has left in the end."""
    scene = Scene(Denying())
    left_s = 0.0
    while not scene.desk.hosted.play.gone:
        await scene.seeker.follow()
        scene.desk.tick_for(LOOK_S)
        left_s += LOOK_S
        assert left_s < 2 * scene.desk.absent_s, "it has the time that it likes"
    assert list(scene.desk.hosted.play.gone.values()) == [LeaveReason.ABSENT]
    assert scene.desk.faults() > 0
    assert not scene.given_back


async def test_who_is_at_a_referee_that_stops_is_not_late() -> None:
    """It keeps nothing for anybody, and is to send its bots elsewhere first."""
    scene = Scene(Denying(), stops=True)
    for _ in range(4):
        await scene.seeker.follow()
        scene.desk.tick_for(OVERDUE_S / 4)
    assert (scene.desk.faults(), scene.seat.started) == (0, 0.0)
