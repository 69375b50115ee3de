"""Who guesses tokens, who is silent, and what a referee tells of itself only when it is asked to."""

import asyncio
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from ladder.store import Store
from ladder.store.errors import StoreUnavailableError
from ladder.store.registry import Identity
from lastcard.proxies import HEADER
from lastcard.strikes import MOST_PEERS
from referee.door.gate import FAILURES_PER_MINUTE, SILENCE_S, Gate
from referee.door.limits import USELESS_BURST
from referee.hosting.roster import Roster
from referee.hosting.sessions import Greeting, Session
from referee.wire import USELESS_PER_S
from tests.hostile.raw import Ended, Metadata, bearer, dialled, opened, stream_on
from tests.hostile.stranger import USELESS, hello, refused
from tests.hostile.target import Target
from tests.live.house import House, house
from tests.live.process import spawn, spawned
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.slow

HELLO = hello().SerializeToString()
T = TypeVar("T")


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_a_retired_bot_leaves_and_stays_away(target: Target) -> None:
    """It is told why, now and when it comes again; an operator can bring it back."""
    token = target.fresh()
    name = target.store.registry.authenticate(token).bot
    async with opened(target.server, token) as stream:
        await stream.send(HELLO)
        assert await stream.welcomed()
        target.store.registry.retire(name)
        assert (await stream.ended()).reason == "RETIRED"
    assert (await refused(target, HELLO, token=token)).reason == "RETIRED"
    target.store.registry.unretire(name)
    async with opened(target.server, token) as stream:
        await stream.send(HELLO)
        assert await stream.welcomed()


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_who_comes_back_has_not_got_its_useless_messages_back(target: Target) -> None:
    """They are counted by token: one stream after the other is no way around the limit."""
    token, began = target.fresh(), time.monotonic()
    async with opened(target.server, token) as first:
        await first.send(HELLO, *[USELESS] * 150)
        assert len(await first.replies(150)) == 150
    async with opened(target.server, token) as second:
        await second.send(HELLO, *[USELESS] * 1_000)
        replies = await second.replies(1_000)
        left = USELESS_BURST - 150 + USELESS_PER_S * (time.monotonic() - began)
        assert len(replies) <= left + 2  # the message too many is answered, too, and then why it was the last


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_guessing_tokens_locks_out_only_who_was_never_let_in(target: Target) -> None:
    """After ten bad tokens a minute of refusals, also for good tokens that are new; known ones go on."""
    early, late = target.fresh(), target.fresh()
    async with opened(target.server, early) as stream:
        await stream.send(HELLO)
        assert await stream.welcomed()
    wrong = [f"lcb1_{'a' * 10}_{number:043d}" for number in range(FAILURES_PER_MINUTE + 5)]
    told = [(await refused(target, HELLO, token=token)).reason for token in wrong]
    assert told == ["BAD_TOKEN"] * FAILURES_PER_MINUTE + ["TOO_MANY_BAD_TOKENS"] * 5
    assert (await refused(target, HELLO, token=late)).reason == "TOO_MANY_BAD_TOKENS"
    async with opened(target.server, early) as stream, target.honest() as names:
        await stream.send(HELLO)
        assert await stream.welcomed()
        assert await target.faults(target.begin(*names)) == [0, 0]
    assert target.betrayed() == []


async def test_a_thousand_bad_tokens_are_told_one_thing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten are looked at: an unknown id and a wrong secret get the same words. The others are refused, with a time."""
    async with house(store, tmp_path) as home:
        known = (await home.token("ann")).split("_")[1]
        await home.token("ben")
        asked: list[str] = []
        look = store.registry.authenticate

        def counted(token: str) -> Identity:
            asked.append(token)
            return look(token)

        monkeypatch.setattr(store.registry, "authenticate", counted)
        guesses = [f"lcb1_{known if number % 2 else 'a' * 10}_{number:043d}" for number in range(1_000)]
        ends = [await dialled_with(home, *guesses[:FAILURES_PER_MINUTE])]
        ends += await asyncio.gather(*(dialled_with(home, *guesses[at : at + 11]) for at in range(10, 1_000, 11)))
        first, later = ends[0], [one for group in ends[1:] for one in group]
        assert len(first) == FAILURES_PER_MINUTE
        assert {(one.code, one.reason) for one in first} == {("UNAUTHENTICATED", "BAD_TOKEN")}
        assert len({one.sentence for one in first}) == 1
        assert len(later) == 1_000 - FAILURES_PER_MINUTE
        assert {(one.code, one.reason) for one in later} == {("RESOURCE_EXHAUSTED", "TOO_MANY_BAD_TOKENS")}
        assert all(30 < one.retry_s <= 60 for one in later)
        assert len(asked) == FAILURES_PER_MINUTE
        assert home.referee.counts.refusals == {"BAD_TOKEN": 10, "TOO_MANY_BAD_TOKENS": 990}


async def dialled_with(home: House, *tokens: str) -> list[Ended]:
    """Dial with tokens, eight at a time on one connection; returns how each ended, in this order."""
    ends: list[Ended] = []
    async with dialled(home.server) as channel:
        for at in range(0, len(tokens), 8):
            streams = [stream_on(channel, bearer(token)) for token in tokens[at : at + 8]]
            ends += await asyncio.gather(*(stream.ended() for stream in streams))
    return ends


def _from(address: str, token: str) -> Metadata:
    """Return the headers of a stream which says, itself or through its proxy, that it comes from an address."""
    return ((HEADER, address), *bearer(token))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "known"),
    [
        pytest.param(("--trusted-proxies", "10.0.0.0/8,127.0.0.1"), True, id="behind a proxy that is trusted"),
        pytest.param((), False, id="where none is trusted"),
    ],
)
async def test_guessing_through_a_trusted_proxy_locks_out_only_who_guesses(
    store: Store, tmp_path: Path, options: tuple[str, ...], known: bool
) -> None:
    """A new bot behind the same proxy gets in; where none is trusted, what is said of addresses counts for nothing."""
    async with spawned(store, tmp_path, "127.0.0.1:0", *options) as process:
        target = Target(store, process, tmp_path)
        for number in range(FAILURES_PER_MINUTE):
            address = "203.0.113.7" if known else f"203.0.113.{number}"
            lie = _from(f"198.51.100.{number}, {address}", f"lcb1_{'a' * 10}_{number:043d}")
            assert (await refused(target, HELLO, metadata=lie)).reason == "BAD_TOKEN"
        late = target.fresh()
        assert (await refused(target, HELLO, metadata=_from("203.0.113.7", late))).reason == "TOO_MANY_BAD_TOKENS"
        async with opened(target.server, metadata=_from("203.0.113.8", late)) as stream:
            await stream.send(HELLO)
            assert bool(await stream.welcomed()) is known


def _session(instance: str, heard: float = 0.0) -> Session:
    greeting = Greeting(instance, "1", frozenset({"uno-classic-2"}), 64, 8, (1, 1, 1), {}, 0)
    return Session(instance, "ann@1", greeting, now=heard)


def _gate(store: Store, roster: Roster, now: float) -> Gate:
    async def run(call: Callable[[], T], /) -> T:
        return call()

    return Gate(store, roster, lambda: now, me="me", run=run)


async def test_a_session_that_says_nothing_for_a_minute_is_ended(store: Store) -> None:
    """One that was heard in time is not."""
    roster = Roster()
    for instance, heard in (("quiet", 0.0), ("heard", 2.0)):
        roster.join(_session(instance, heard), heard)
    _gate(store, roster, SILENCE_S + 1)._end_silent()
    ended = {session.id: session.ending and session.ending.reason for session in roster.sessions}
    assert ended == {"quiet": "SILENT", "heard": None}


async def test_who_left_while_the_ledger_was_away_is_listed_no_more(store: Store) -> None:
    """It is dropped as soon as the ledger answers: else matches would wait for a bot that nobody has."""
    roster, session = Roster(), _session("leaves")
    refused: list[bool] = []
    away = False

    async def run(call: Callable[[], T], /) -> T:
        if away:
            refused.append(True)
            raise StoreUnavailableError("planted")
        return call()

    def listed() -> dict[str, str]:
        return store.link.hash(store.keys.presence)

    gate = Gate(store, roster, lambda: 0.0, me="me", run=run)
    roster.join(session, 0.0)
    publishing = asyncio.create_task(gate.publish())
    try:
        gate.announce()
        await until(listed)
        away = True
        roster.part(session, 0.0)
        gate.announce()
        await until(lambda: refused)
        away = False
        gate.announce()
        await until(lambda: not listed())
    finally:
        publishing.cancel()


async def test_memory_for_those_who_guess_is_bounded(store: Store) -> None:
    """A flood of addresses, or of tokens, costs a fixed amount."""
    gate = _gate(store, Roster(), 1.0)
    for number in range(MOST_PEERS + 10):
        gate._guesses.add(str(number))
        gate._remember(number.to_bytes(4, "big"), "ann")
    assert len(gate._guesses._recent) == MOST_PEERS
    assert len(gate._known) < MOST_PEERS


async def test_tokens_that_are_good_no_more_are_told_apart(store: Store) -> None:
    """Revoked, expired and unknown ones are not alive."""
    for name in ("ann", "ben", "cyd"):
        store.registry.register(name, f"owner of {name}")
    ids = {name: store.registry.revoke(name)[0] if name == "ann" else _keyid(store, name) for name in ("ann", "ben")}
    assert store.registry.living([*ids.values(), "nobodys"]) == {ids["ben"]}
    assert store.registry.living(ids.values(), now_ms=2**52) == set()
    assert store.registry.living([]) == set()


def _keyid(store: Store, name: str) -> str:
    return store.registry.authenticate(store.registry.rotate(name)).keyid


@pytest.mark.slow
async def test_reflection_is_there_when_asked_for(store: Store, tmp_path: Path) -> None:
    """With --dev a client may list the services and read their descriptions."""
    process = await spawn(store, tmp_path, "127.0.0.1:0", "--dev")
    async with dialled(process.play) as channel, asyncio.timeout(PATIENCE_S):
        stub: Any = reflection_pb2_grpc.ServerReflectionStub(cast("Any", channel))
        wanted = [
            reflection_pb2.ServerReflectionRequest(list_services=""),
            reflection_pb2.ServerReflectionRequest(file_containing_symbol="lastcard.v1.PlayService"),
        ]
        answers = [answer async for answer in stub.ServerReflectionInfo(iter(wanted))]
    names = {service.name for service in answers[0].list_services_response.service}
    assert {"lastcard.v1.PlayService", "grpc.health.v1.Health"} <= names
    assert b"PlayRequest" in answers[1].file_descriptor_response.file_descriptor_proto[0]
    process.send(signal.SIGTERM)
    assert await process.ended() == 0
