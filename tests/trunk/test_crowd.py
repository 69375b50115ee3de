"""A version has eight processes and a token sixteen at all referees together; a cut counts against nobody."""

import urllib.request
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest

from ladder.store import Store
from referee.door.crowd import MOMENT_S, PROCESSES_PER_TOKEN, Crowd
from referee.door.errors import RefusedStreamError
from referee.hosting.sessions import INSTANCES_PER_VERSION, Greeting, Session
from referee.trunk.link import UNHEARD
from tests.hostile.raw import Ended, RawStream, opened
from tests.hostile.stranger import hello
from tests.live.process import Process
from tests.patience import until
from tests.trunk.pair import Pair as LivePair
from tests.trunk.pair import pair as live_pair
from tests.trunk.test_arrivals import House, Pair

FORMATS = frozenset({"uno-classic-2"})
TOKEN = "0123456789abcdef"


class Doors(Pair):
    """Two referees that reach each other, each with a door."""

    def __init__(self) -> None:
        super().__init__()
        self.crowds = {house.name: self._door(house) for house in (self.near, self.far)}
        self.meet()

    @staticmethod
    def _door(house: House) -> Crowd:
        abroad = house.lodging.arrivals.abroad
        crowd = Crowd(house.host.roster, abroad)
        abroad.told = lambda bot, keyid: crowd.came_elsewhere(bot, keyid, house.now)
        return crowd

    def enter(self, house: House, instance: str, bot: str = "ann@1", keyid: str = TOKEN) -> Session:
        """Let a process in, or raise why it may not."""
        greeting = Greeting(instance, "1", FORMATS, 8, 8, (1, 1, 1), {}, 0)
        session = Session(f"{bot} {instance}", bot, greeting, keyid, house.now)
        self.crowds[house.name].enter(session)
        house.host.join(session)
        house.lodging.joined(session)
        return session

    def leave(self, house: House, session: Session) -> None:
        """Close the stream of a process."""
        self.crowds[house.name].leave(session)
        house.lodging.parted(session)
        house.host.part(session)
        house.lodging.arrivals.gone(session)

    def refused(self, house: House, instance: str, bot: str = "ann@1", keyid: str = TOKEN) -> str:
        """Return why a process may not come in."""
        with pytest.raises(RefusedStreamError) as refused:
            self.enter(house, instance, bot, keyid)
        return refused.value.reason

    def fill(self, house: House) -> list[Session]:
        """Let as many processes of a version in as may be."""
        sessions = [self.enter(house, f"i{number}") for number in range(INSTANCES_PER_VERSION)]
        self.talk()
        self.wait(2 * MOMENT_S)
        return sessions


def test_those_at_another_referee_are_counted() -> None:
    """One that leaves there makes room here; one of those that comes here takes its own place; others are let in."""
    doors = Doors()
    sessions = doors.fill(doors.near)
    assert doors.refused(doors.far, "ninth") == "TOO_MANY_INSTANCES"
    assert doors.enter(doors.far, "one", "ben@1", "other token").ending is None
    assert doors.enter(doors.far, "i3").ending is None
    doors.talk()
    assert doors.refused(doors.far, "ninth") == "TOO_MANY_INSTANCES"
    doors.leave(doors.near, sessions[0])
    doors.talk()
    assert doors.enter(doors.far, "ninth").ending is None
    doors.talk()
    assert doors.refused(doors.near, "tenth") == "TOO_MANY_INSTANCES"


def test_a_stream_that_follows_another_one_of_its_process_leaves_no_room() -> None:
    """Its end is not that of the process."""
    doors = Doors()
    first = doors.fill(doors.near)[0]
    doors.enter(doors.near, "i0")
    doors.leave(doors.near, first)
    doors.talk()
    assert doors.refused(doors.far, "ninth") == "TOO_MANY_INSTANCES"


def test_a_token_is_counted_at_all_referees() -> None:
    """Whatever the versions; who comes with another token is let in."""
    doors = Doors()
    for number in range(PROCESSES_PER_TOKEN):
        doors.enter((doors.near, doors.far)[number % 2], f"i{number // 4}", f"ann@{number % 4}")
    doors.talk()
    doors.wait(2 * MOMENT_S)
    for house in (doors.near, doors.far):
        assert doors.refused(house, "i9", "ann@5") == "TOO_MANY_PROCESSES"
    assert doors.enter(doors.near, "i9", "ann@5", "a second token").ending is None


@pytest.mark.parametrize("how", ["cut", "still"])
def test_who_is_behind_a_cut_counts_for_nothing(how: str) -> None:
    """An honest bot comes in with new processes while its referee cannot be heard; no one goes when it is again."""
    doors = Doors()
    doors.fill(doors.near)
    if how == "cut":
        doors.near.lodging.lost(doors.out)
        doors.far.lodging.lost(doors.back)
    else:
        doors.back._unheard = UNHEARD
    again = [doors.enter(doors.far, f"new {number}") for number in range(INSTANCES_PER_VERSION)]
    doors.wait(2 * MOMENT_S)
    doors.meet()
    doors.back._unheard = 0
    doors.talk()
    assert [session.ending for session in again] == [None] * INSTANCES_PER_VERSION
    assert doors.refused(doors.far, "one more") == "TOO_MANY_INSTANCES"


@pytest.mark.parametrize("order", ["near first", "far first"])
def test_of_those_that_come_in_at_two_referees_at_once_so_many_stay(order: str) -> None:
    """Neither knew of the other's: both find the same ones too many, whoever is told first."""
    doors = Doors()
    entered = [
        doors.enter((doors.near, doors.far)[number % 2], f"i{number:02}") for number in range(2 * INSTANCES_PER_VERSION)
    ]
    ways = [doors.out, doors.back]
    for trunk in ways if order == "near first" else reversed(ways):
        trunk.deliver()
    stayed = [session.greeting.instance for session in entered if session.ending is None]
    assert stayed == [f"i{number:02}" for number in range(INSTANCES_PER_VERSION)]
    gone = {session.ending.reason for session in entered if session.ending is not None}
    assert gone == {"TOO_MANY_INSTANCES"}


def test_versions_that_come_in_at_two_referees_at_once_share_their_token() -> None:
    """So many processes of a token stay, as of a version."""
    doors = Doors()
    entered = [
        doors.enter((doors.near, doors.far)[number % 2], f"i{number // 4}", f"ann@{number % 4}")
        for number in range(PROCESSES_PER_TOKEN + 4)
    ]
    doors.talk()
    ended = [session.ending.reason for session in entered if session.ending is not None]
    assert ended == ["TOO_MANY_PROCESSES"] * 4


@asynccontextmanager
async def linked(store: Store, folder: Path) -> AsyncIterator[LivePair]:
    """Run two referees whose trunk is open."""
    async with live_pair(store, folder) as two:
        await until(lambda: all(map(_linked, two.at)))
        yield two


def _linked(one: Process) -> bool:
    with urllib.request.urlopen(f"http://{one.metrics}/metrics") as page:
        return "\nlastcard_trunk_links 1" in page.read().decode()


@pytest.mark.slow
async def test_a_ninth_process_is_refused_at_another_referee_until_that_of_the_eight_is_gone(
    store: Store, tmp_path: Path
) -> None:
    """Killed, it says nothing of those who were there, and they are counted no more."""
    _, token = store.registry.register("ann", "owner of ann")
    async with AsyncExitStack() as streams, linked(store, tmp_path) as two:

        async def dial(at: int, instance: str) -> RawStream:
            stream = await streams.enter_async_context(opened(two.at[at].play, token))
            await stream.say(hello("ann", instance=instance))
            return stream

        eight = [await dial(0, f"i{number}") for number in range(INSTANCES_PER_VERSION)]
        assert all([await stream.welcomed() for stream in eight])
        ended: list[Ended] = []

        async def refused() -> bool:
            stream = await dial(1, "ninth")
            if await stream.welcomed():
                await stream.call.done_writing()
            ended.append(await stream.ended())
            return ended[-1].reason == "TOO_MANY_INSTANCES"

        assert await refused()
        two.at[0].process.kill()
        await two.at[0].process.wait()
        await until(lambda: not _linked(two.at[1]))
        assert not await refused()
        assert ended[-1].code == "OK"
