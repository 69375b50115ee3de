"""Watch streams of tournaments: slow watchers, many of them, those that leave, and a ladder that ends."""

from __future__ import annotations

from contextlib import ExitStack

import grpc
import pytest

from ladder.errors import NotReachableError, TooManyError
from ladder.rpc.dial import Dial, ladder_of
from lastcard.proxies import HEADER, TRUSTED_PROXIES, Proxies
from lastcard.v1 import tournament_pb2 as pb
from lastcard.v1 import tournament_pb2_grpc as rpc
from tests.workers.house import House, spec
from tests.workers.served import served
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State

pytestmark = pytest.mark.slow

MOST_EACH = 50
EACH = 8
"""Streams of a connection."""
OWN = [("grpc.use_local_subchannel_pool", 1)]
"""A connection of its own for each channel."""


def test_a_watcher_that_does_not_read_holds_nobody_up(house: House) -> None:
    """Others see every change; it sees the end once it reads again, after no more than what was on its way."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    with served(house) as address, Dial(ladder_of(address)) as one, Dial(ladder_of(address)) as other:
        slow, quick = TournamentClient(one).watch("spring"), TournamentClient(other).watch("spring")
        assert next(slow).state is next(quick).state is State.DRAFT
        house.play("spring")
        assert [status.state for status in quick][-1] is State.FINISHED
        assert [status.state for status in slow][-1] is State.FINISHED


def test_one_address_has_so_many_watchers_and_no_more(house: House) -> None:
    """A further one is refused with a sentence, whatever else it asks is answered, and who leaves makes room."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    with served(house) as address, Dial(ladder_of(address)) as dial, ExitStack() as stack:
        client = TournamentClient(dial)
        channels = [stack.enter_context(grpc.insecure_channel(address, OWN)) for _ in range(1 + MOST_EACH // EACH)]
        stubs = [rpc.TournamentServiceStub(channels[number // EACH]) for number in range(MOST_EACH)]
        streams = [stub.Watch(pb.WatchRequest(name="spring")) for stub in stubs]
        assert {next(stream).tournament.spec.name for stream in streams} == {"spring"}
        with pytest.raises(TooManyError, match="at most 50 open streams from one address; end some") as refused:
            next(client.watch("spring"))
        assert refused.value.reason == "TOO_MANY_STREAMS"
        assert client.get("spring").state is State.DRAFT
        streams.pop().cancel()
        assert _admitted(client)


def test_watchers_behind_a_proxy_are_counted_each_at_home(house: House) -> None:
    """One who watches as often as an address may keeps nobody out who comes through the same trusted proxy."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    proxies, request = Proxies.of({TRUSTED_PROXIES: "127.0.0.1"}), pb.WatchRequest(name="spring")
    with served(house, proxies) as address, ExitStack() as stack:
        channels = [stack.enter_context(grpc.insecure_channel(address, OWN)) for _ in range(1 + MOST_EACH // EACH)]
        stubs = [rpc.TournamentServiceStub(channel) for channel in channels]
        many = [
            stubs[number // EACH].Watch(request, metadata=((HEADER, "203.0.113.7"),)) for number in range(MOST_EACH)
        ]
        assert {next(stream).tournament.spec.name for stream in many} == {"spring"}
        with pytest.raises(grpc.RpcError, match="50 open streams from one address"):
            next(stubs[-1].Watch(request, metadata=((HEADER, "203.0.113.7"),)))
        assert next(stubs[-1].Watch(request, metadata=((HEADER, "203.0.113.8"),))).tournament.spec.name == "spring"


def _admitted(client: TournamentClient) -> bool:
    """Watch once there is room; the server hears of an end a little later than it came."""
    while True:
        try:
            return next(client.watch("spring")).spec.name == "spring"
        except TooManyError:
            continue


def test_a_watch_of_a_ladder_that_ends_goes_on_at_the_next_one(house: House) -> None:
    """It says that the ladder is going, and the same question again has the state of then."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    with served(house) as address:
        dial = Dial(ladder_of(address))
        watched = TournamentClient(dial).watch("spring")
        assert next(watched).state is State.DRAFT
    with dial, pytest.raises(NotReachableError, match="this server stops; ask again"):
        list(watched)
    house.play("spring")
    with served(house) as address, Dial(ladder_of(address)) as dial:
        (status,) = TournamentClient(dial).watch("spring")
    assert (status.state, status.matches_done) == (State.FINISHED, 1)
