"""One look for work counts room once, however many matches are hosted here."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from ladder.store import Store
from ladder.store.keys import Keys
from lastcard.address import Address
from referee.app import Referee
from referee.hosting.claim import Claimer
from referee.hosting.hosted import Hosted, Phase
from referee.hosting.rooms import Rooms
from referee.hosting.seeking import NoTrunks
from referee.hosting.sessions import Greeting, Session
from referee.machine import Machine
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.settings import Settings
from tests.referee.playing import SEED, spec
from tests.simulate.link import SimulatedLink
from tests.simulate.server import TENANT, Server
from tests.simulate.timeline import Timeline
from tests.simulate.trace import Trace
from tests.simulate.world import GOOD, PEPPER

ANYWHERE = Address("127.0.0.1", 0)


def claimer(matches: int, room: int) -> Claimer:
    """Return the claimer of a referee that hosts so many matches, each with one game in play; `room` of each bot."""
    settings = Settings(store_url="redis://nowhere:1/0", play=ANYWHERE, metrics=ANYWHERE, pepper_file=Path("pepper"))
    referee = Referee(settings)
    timeline = Timeline()
    server = Server(timeline, Random(0), Trace(lambda: timeline.now))
    store = Store.on(SimulatedLink(server), Keys(TENANT), GOOD, pepper=PEPPER, clock=server.wall_ms)
    played = spec(meetings=4)
    for bot in played.entrants:
        greeting = Greeting("one", "1", frozenset({played.format.name}), room, 8, (1, 1, 1), {}, 0)
        referee.roster.join(Session("one", bot, greeting), 0.0)
    for number in range(matches):
        one = MatchSpec(f"cup.1.{number}.0", played.format, played.entrants, 4)
        hosted = referee.host.matches[one.id] = Hosted(MatchPlay(one, SEED), "0-0-", 0, 0)
        hosted.phase = Phase.PLAYING
    rooms = Rooms(referee.host, referee.lodging, 1024)
    return Claimer(
        store, referee.log, rooms, NoTrunks(), me="me", absent_s=1.0, address={}, machine=Machine()
    )  # fmt: skip


@pytest.mark.parametrize("matches", [10, 40])
@pytest.mark.parametrize(("games", "grown"), [pytest.param(1, 1, id="no room"), pytest.param(3, 3, id="room for all")])
async def test_matches_that_would_grow_are_each_counted_a_few_times_a_look(
    monkeypatch: pytest.MonkeyPatch, matches: int, games: int, grown: int
) -> None:
    """Once for the room of this referee and once for that of their format, not once for each other match."""
    reads = 0
    reserved: Callable[[Hosted], int] = vars(Hosted)["reserved"].fget

    def counted(self: Hosted) -> int:
        nonlocal reads
        reads += 1
        return reserved(self)

    looking = claimer(matches, games * matches)
    monkeypatch.setattr(Hosted, "reserved", property(counted))
    looking.growth.grow()
    parallel = [one.parallel for one in looking.rooms.host.matches.values()]
    assert sum(parallel) == grown * matches
    assert matches <= reads <= 2 * matches
