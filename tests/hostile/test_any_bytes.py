"""Whatever a bot says: streams of bytes that are nothing, and of good messages with a few fields changed."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.v1 import play_pb2 as pb
from tests.hostile.mutants import RAW, mutants
from tests.hostile.raw import METHOD, Ended, RawStream, bearer, dialled
from tests.hostile.stranger import hello, joined
from tests.hostile.target import Target
from tests.hostile.test_refusals import told

SOME, MANY = 250, 20_000
"""Streams in every run, and in a night."""
TOGETHER = 8
"""Streams at once, on one connection; each with a token of its own, so that none takes another's place."""
MOST_GROWTH_MIB = 60
HELLO = hello()
REQUEST = pb.PlayRequest(
    answers=[pb.Answer(round=0, act=1, picks=[0], call=True, think_ms=3)],
    nonces=[pb.Nonce(match="m", nonce=bytes(16))],
    heartbeat=pb.Heartbeat(stamp=1),
)
CODES = set(pb.ReplyCode.values()) - {pb.REPLY_CODE_UNSPECIFIED}


def copies(message: pb.PlayRequest) -> Callable[[], pb.PlayRequest]:
    """Return what makes copies of a message."""
    return lambda: pb.PlayRequest.FromString(message.SerializeToString())


KNOWN = st.integers(0, 5).map(lambda _: HELLO.SerializeToString())
FIRST = st.one_of(KNOWN, KNOWN, KNOWN, mutants(copies(HELLO)), RAW)
LATER = st.lists(st.one_of(*[mutants(copies(REQUEST))] * 4, mutants(copies(HELLO)), RAW), max_size=8)
"""Mostly what begins well goes on, and is understood; else little of it would be looked at."""


async def spoken(stream: RawStream) -> tuple[Ended, set[int]]:
    """Read a stream to its end; returns it, and the codes of all replies."""
    codes: set[int] = set()
    while response := await stream.hear():
        codes |= {notice.reply.code for notice in response.notices if notice.HasField("reply")}
    return await stream.ended(), codes


async def say(target: Target, tokens: list[str], conversations: list[list[bytes]]) -> list[tuple[Ended, set[int]]]:
    """Begin a stream for each conversation, say it and half-close; returns how each ended."""

    async def one(channel: object, token: str, messages: list[bytes]) -> tuple[Ended, set[int]]:
        async def requests() -> AsyncIterator[bytes]:
            for message in messages:
                yield message

        call = channel.stream_stream(METHOD)(requests(), metadata=bearer(token))  # type: ignore[attr-defined]
        return await spoken(RawStream(call))

    async with dialled(target.server) as channel:
        return await asyncio.gather(*(one(channel, *both) for both in zip(tokens, conversations, strict=True)))


async def bombard(target: Target, count: int, *, fixed: bool) -> None:
    """Draw so many conversations and have them, a few at a time; each ends as the protocol says."""
    drawn: list[list[bytes]] = []

    @settings(max_examples=count, derandomize=fixed, print_blob=True, database=None, deadline=None)
    @given(FIRST, LATER)
    def draw(first: bytes, later: list[bytes]) -> None:
        drawn.append([first, *later])

    draw()
    allowed = {("OK", ""), *told()}
    memory, seen = target.rss_mib, set()
    for at in range(0, len(drawn), TOGETHER):
        group = drawn[at : at + TOGETHER]
        ends = await say(target, [target.fresh("fuzz") for _ in group], group)
        for conversation, (ended, codes) in zip(group, ends, strict=True):
            assert (ended.code, ended.reason) in allowed, (ended, conversation)
            assert ended.reason != "INTERNAL", (ended, conversation)
            assert codes <= CODES, (codes, conversation)
            seen |= {ended.reason, *codes}
    assert {"", "BAD_HELLO", pb.REPLY_CODE_MALFORMED, pb.REPLY_CODE_FOREIGN} <= seen
    async with dialled(target.server) as channel:
        await joined(RawStream(channel.stream_stream(METHOD)(metadata=bearer(target.fresh()))))
    await target.settles(1)
    assert target.rss_mib - memory < MOST_GROWTH_MIB
    assert target.betrayed() == []


@pytest.mark.slow
@pytest.mark.asyncio(loop_scope="module")
async def test_whatever_a_bot_says_ends_as_the_protocol_has_it(target: Target) -> None:
    """With OK or a refusal of the list, never with a mistake of ours; the referee lives on, and is as large."""
    await bombard(target, SOME, fixed=True)


@pytest.mark.nightly
@pytest.mark.timeout(3_600)
@pytest.mark.asyncio(loop_scope="module")
async def test_whatever_a_bot_says_in_a_night_ends_as_the_protocol_has_it(target: Target) -> None:
    """As above, other words every night; a failure prints the whole conversation."""
    await bombard(target, MANY, fixed=False)
