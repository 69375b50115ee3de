"""Who breaks the protocol again and again is shut out for a minute; others, and who does so now and then, are not."""

import asyncio
from pathlib import Path

import pytest

from ladder.store import Store
from lastcard.v1 import play_pb2 as pb
from referee.door.bans import BAN_S, WINDOW_S, Bans
from referee.door.errors import RefusedStreamError
from referee.door.hold import HELD_S
from referee.hosting.roster import Roster
from referee.hosting.sessions import Greeting, Session
from referee.metrics import Metrics
from referee.wire import MOST_ERRORS, MOST_TAKEN
from tests.hostile.raw import Ended, RawStream, opened
from tests.hostile.stranger import USELESS, hello
from tests.live.house import House, house

pytestmark = pytest.mark.slow

HELLO = hello().SerializeToString()
JUNK = b"\xff\xff\xff"
OVERFULL = pb.PlayRequest(nonces=[pb.Nonce()] * 257).SerializeToString()


async def replies(stream: RawStream, *messages: bytes) -> set[int]:
    """Send messages that are each replied to; returns the codes."""
    assert await stream.send(*messages)
    return {reply.code for reply in await stream.replies(len(messages))}


async def ended(home: House, token: str, *messages: bytes) -> Ended:
    """Dial with a token, send these and return how it ends."""
    async with opened(home.server, token) as stream:
        await stream.send(*messages)
        return await stream.ended()


@pytest.mark.parametrize(
    "broken", [pytest.param(JUNK, id="no message"), pytest.param(HELLO, id="a second hello"),
               pytest.param(OVERFULL, id="too many nonces")],
)  # fmt: skip
async def test_a_hundred_broken_messages_end_every_stream_of_a_token(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: bytes
) -> None:
    """All but the last are borne. Who comes again is told for how long not to; others come in, and both is counted."""
    monkeypatch.setattr("referee.door.hold.HELD_S", 0.0)
    second = hello(instance="i2").SerializeToString()
    async with house(store, tmp_path) as home:
        token, counts = await home.token("mallory"), home.referee.counts
        async with opened(home.server, token) as stream, opened(home.server, token) as beside:
            assert await stream.send(HELLO)
            assert await beside.send(second)
            assert await stream.welcomed()
            assert await beside.welcomed()
            assert await replies(stream, *[broken] * (MOST_ERRORS - 1)) == {pb.REPLY_CODE_MALFORMED}
            assert counts.bans == 0
            await stream.send(broken)
            ends = [await stream.ended(), await beside.ended(), await ended(home, token, HELLO)]
        assert {(one.code, one.reason) for one in ends} == {("RESOURCE_EXHAUSTED", "BANNED")}
        assert all(BAN_S - 30 < one.retry_s <= BAN_S for one in ends)
        assert ends[2].retry_s < BAN_S
        assert "connect again in a minute" in ends[2].sentence
        assert (counts.bans, counts.refusals["BANNED"]) == (1, 3)
        async with opened(home.server, await home.token("ann")) as other:
            await other.send(HELLO)
            assert await other.welcomed() == "ann@1"


async def test_who_is_banned_waits_at_the_door_before_it_is_told(store: Store, tmp_path: Path) -> None:
    """At least for the second that callers are held: nobody asks as fast as it can be refused."""
    loop = asyncio.get_running_loop()
    async with house(store, tmp_path) as home:
        token = await home.token("mallory")
        async with opened(home.server, token) as stream:
            assert await stream.send(HELLO)
            assert await stream.welcomed()
            await stream.send(*[JUNK] * MOST_ERRORS)
            assert (await stream.ended()).reason == "BANNED"
        came = loop.time()
        assert (await ended(home, token, HELLO)).reason == "BANNED"
        assert loop.time() - came >= HELD_S


async def test_who_stood_at_the_door_before_a_ban_stays_outside(store: Store, tmp_path: Path) -> None:
    """A stream that holds its Hello back until its token is banned is not let in with it."""
    async with house(store, tmp_path) as home:
        token = await home.token("mallory")
        async with opened(home.server, token) as stream, opened(home.server, token) as held:
            assert await stream.send(HELLO)
            assert await stream.welcomed()
            assert await held.send()
            assert await replies(stream, *[JUNK] * (MOST_ERRORS - 1)) == {pb.REPLY_CODE_MALFORMED}
            await stream.send(JUNK)
            assert (await stream.ended()).reason == "BANNED"
            await held.send(HELLO)
            assert (await held.ended()).reason == "BANNED"


async def test_what_breaks_no_rule_of_the_protocol_bans_nobody(store: Store, tmp_path: Path) -> None:
    """Answers to what was never asked cost what useless messages cost, however many they are."""
    async with house(store, tmp_path) as home, opened(home.server, await home.token("mallory")) as stream:
        assert await stream.send(HELLO)
        assert await stream.welcomed()
        assert await replies(stream, *[USELESS] * (MOST_ERRORS + 20)) == {pb.REPLY_CODE_FOREIGN}
        assert await replies(stream, JUNK) == {pb.REPLY_CODE_MALFORMED}
        assert home.referee.counts.bans == 0


@pytest.mark.parametrize(
    ("first", "reason", "counted"),
    [
        pytest.param(JUNK, "BAD_HELLO", True, id="no message"),
        pytest.param(bytes(MOST_TAKEN + 1), "TOO_LARGE", True, id="too large"),
        pytest.param(hello(max_minor=9, min_minor=9).SerializeToString(), "UPGRADE", False, id="of another version"),
    ],
)
async def test_a_wrong_hello_counts_an_old_client_does_not(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: bytes, reason: str, counted: bool
) -> None:
    """Whoever dials again and again only to say nonsense is told so in the end."""
    monkeypatch.setattr("referee.wire.MOST_ERRORS", 2)
    async with house(store, tmp_path) as home:
        token = await home.token("mallory")
        ends = [(await ended(home, token, first)).reason for _ in range(3)]
        assert ends == [reason, reason, "BANNED" if counted else reason]


async def test_a_flood_that_is_cut_again_and_again_is_banned(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each cut for useless messages counts as one that breaks the protocol; the last one is told that."""
    monkeypatch.setattr("referee.wire.MOST_ERRORS", 2)
    flood = pb.PlayRequest(answers=[pb.Answer(round=9)] * 4_000).SerializeToString()
    async with house(store, tmp_path) as home:
        token = await home.token("mallory")
        assert [(await ended(home, token, HELLO, flood)).reason for _ in range(2)] == ["RATE", "BANNED"]


# -- the law, on a clock that tests move


class Now:
    """A clock that stands still until it is moved."""

    at = 1_000.0

    def __call__(self) -> float:
        return self.at


async def passes(bans: Bans) -> bool:
    """Return whether the token is let in."""
    try:
        await bans.refuse_if_banned("k")
    except RefusedStreamError:
        return False
    return True


async def test_a_rare_mistake_bans_nobody() -> None:
    """One every six seconds or more, for ever, is borne: there are never so many within the window."""
    now = Now()
    bans = Bans(Roster(), now, Metrics())
    for _ in range(5 * MOST_ERRORS):
        assert not bans.blame("k")
        now.at += WINDOW_S / (MOST_ERRORS - 1) + 0.001
    assert await passes(bans)


async def test_a_ban_ends_and_what_led_to_it_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a minute the token is let in, with as many mistakes before it as at first; a neighbour always was."""
    monkeypatch.setattr("referee.door.hold.HELD_S", 0.0)
    now, roster, counts = Now(), Roster(), Metrics()
    bans = Bans(roster, now, counts)
    sessions = [Session(name, f"{name}@1", _greeting(name), keyid) for name, keyid in (("ann", "k"), ("ben", "other"))]
    for session in sessions:
        roster.join(session, now())
    assert [bans.blame("k") for _ in range(MOST_ERRORS)] == [False] * (MOST_ERRORS - 1) + [True]
    assert [session.ending and session.ending.reason for session in sessions] == ["BANNED", None]
    now.at += BAN_S - 1
    assert not await passes(bans)
    now.at += 1
    assert await passes(bans)
    assert [bans.blame("k") for _ in range(MOST_ERRORS)] == [False] * (MOST_ERRORS - 1) + [True]
    assert counts.bans == 2


def _greeting(instance: str) -> Greeting:
    return Greeting(instance, "1", frozenset({"uno-classic-2"}), 64, 8, (1, 1, 1), {}, 0)
