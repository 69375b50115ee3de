"""What strangers try on the play port. Each attack checks what it is told; what it costs others is checked after it.

An attack is an async function of the target; `ATTACKS` names them all. `QUICK` are those that take a second or so.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final, cast

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from lastcard.v1 import play_pb2 as pb
from tests.hostile.raw import Ended, Metadata, RawStream, bearer, dialled, opened, stream_on
from tests.hostile.target import Target
from tests.live.peer import greeting

Attack = Callable[[Target], Awaitable[None]]

MOST_INT: Final = 2**32 - 1
MALFORMED, FOREIGN, RATE = pb.REPLY_CODE_MALFORMED, pb.REPLY_CODE_FOREIGN, pb.REPLY_CODE_RATE
USELESS: Final = pb.PlayRequest(answers=[pb.Answer(round=77)]).SerializeToString()
MANY: Final = pb.PlayRequest(answers=[pb.Answer(round=number) for number in range(4_096)])
BEAT: Final = pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=7))


def hello(name: str = "mallory", **changes: object) -> pb.PlayRequest:
    """Return a first message."""
    return pb.PlayRequest(hello=greeting(name, **changes))


async def refused(
    target: Target,
    *messages: bytes,
    token: str = "",
    metadata: Metadata | None = None,
    compression: grpc.Compression | None = None,
) -> Ended:
    """Send these first messages on a stream and return how it is ended."""
    known = token or target.fresh()
    async with opened(target.server, known, metadata=metadata, compression=compression) as stream:
        await stream.send(*messages)
        return await stream.ended()


async def joined(stream: RawStream, **changes: object) -> str:
    """Say a good Hello and return the name that is welcomed."""
    await stream.say(hello("mallory", **changes))
    name = await stream.welcomed()
    assert name
    return name


async def cut_for_rate(target: Target, stream: RawStream, *messages: bytes) -> None:
    """Send messages until the stream is cut, for their number."""
    before = target.metric('lastcard_replies_total{code="rate"}')
    ended = await stream.flood(*messages)
    # A client that still writes when the end comes may lose the status to an error of its own.
    assert (ended.code, ended.reason) in {("RESOURCE_EXHAUSTED", "RATE"), ("", "")}, ended
    assert target.metric('lastcard_replies_total{code="rate"}') == before + 1


# -- bytes


async def noise_for_a_hello(target: Target) -> None:
    """Random bytes first: BAD_HELLO, or no token, whatever they are."""
    chance = random.Random(1)
    for size in (0, 1, 7, 100, 4_000):
        ended = await refused(target, chance.randbytes(size))
        assert (ended.code, ended.reason) == ("INVALID_ARGUMENT", "BAD_HELLO"), (size, ended)


async def noise_after_hello(target: Target) -> None:
    """Random bytes later: told MALFORMED, and cut with RATE when there are too many."""
    chance = random.Random(2)
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await stream.send(*(chance.randbytes(chance.randrange(1, 400)) for _ in range(20)))
        assert all(reply.code in (MALFORMED, FOREIGN) for reply in await stream.replies(5))
        await cut_for_rate(target, stream, *(chance.randbytes(chance.randrange(1, 400)) for _ in range(1_500)))


async def too_large(target: Target) -> None:
    """A message of 4 MiB, and one a byte over the limit: refused by the transport."""
    for size in (4 * 1024 * 1024, 65_537):
        ended = await refused(target, bytes(size))
        assert ended.code == "RESOURCE_EXHAUSTED", ended


async def bomb(target: Target) -> None:
    """50 MiB of zeros in a few KiB of gzip: the limit counts what comes out."""
    ended = await refused(target, bytes(50 * 1024 * 1024), compression=grpc.Compression.Gzip)
    assert ended.code in {"RESOURCE_EXHAUSTED", "INVALID_ARGUMENT"}, ended


async def packed_with_nothing(target: Target) -> None:
    """32,000 empty answers in 64 KiB: told MALFORMED once, whatever their number."""
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await stream.send(b"\x12\x00" * 32_000)
        [reply] = await stream.replies(1)
        assert reply.code == MALFORMED


async def deep_and_unknown(target: Target) -> None:
    """Unknown fields are ignored, however deep; groups that never end are no message."""
    deep = b""
    for _ in range(120):
        deep = b"\xfa\x01" + _varint(len(deep)) + deep
    async with opened(target.server, target.fresh()) as stream:
        await stream.send(hello().SerializeToString() + deep)
        assert await stream.welcomed()
        await stream.send(deep, b"\xfb\x01" * 10_000, b"\x0b" * 60_000)
        [reply, *_] = await stream.replies(1)
        assert reply.code == MALFORMED


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes((*out, number))


# -- hello


BAD_HELLOS: Final[dict[str, dict[str, Any]]] = {
    "instance": {"instance": ""},
    "instance, long": {"instance": "x" * 65},
    "instance, controls": {"instance": "a\x00\x1b[31m"},
    "instance, other script": {"instance": "\N{CYRILLIC SMALL LETTER A}"},
    "version": {"version": ""},
    "version, long": {"version": "9" * 5_000},
    "version, spaces": {"version": " "},
    "formats, none": {"formats": []},
    "formats, unknown": {"formats": ["uno-classic-2", "uno-classic-99"]},
    "formats, many": {"formats": ["uno-classic-2"] * 65},
    "formats, long": {"formats": ["x" * 50_000]},
    "max_games": {"max_games": 257},
    "max_games, most": {"max_games": MOST_INT},
    "max_open": {"max_open": 257},
    "max_open, most": {"max_open": MOST_INT},
    "catch": {"catch": 0},
    "catch, unknown": {"catch": 99},
    "challenge, negative": {"challenge": -1},
    "late_call, most": {"late_call": 2**31 - 1},
    "resume": {"resume": [pb.Resume(round_id=str(n)) for n in range(513)]},
    "sdk": {"sdk": "s" * 65},
}
GOOD_HELLOS: Final[dict[str, dict[str, Any]]] = {
    "resume of rounds that never were": {
        "resume": [pb.Resume(round_id=f"x/{n}", next_event=MOST_INT) for n in range(512)]
    },
    "any newer minor as well": {"max_minor": MOST_INT},
    "the same format many times": {"formats": ["uno-classic-2"] * 64},
}


async def hellos_out_of_range(target: Target) -> None:
    """Every field of Hello has its limits, and the refusal names the field."""
    token = target.fresh()
    for name, change in BAD_HELLOS.items():
        ended = await refused(target, hello(**change).SerializeToString(), token=token)
        assert ended.code == "INVALID_ARGUMENT", (name, ended)
        assert ended.reason in {"BAD_HELLO", "BAD_VERSION"}, (name, ended)
        assert name.partition(",")[0] in ended.sentence, ended
        assert len(ended.sentence) < 1_500
    ended = await refused(target, hello(min_minor=1, max_minor=9).SerializeToString(), token=token)
    assert (ended.code, ended.reason) == ("FAILED_PRECONDITION", "UPGRADE")
    for name, change in GOOD_HELLOS.items():
        async with opened(target.server, target.fresh()) as stream:
            assert await joined(stream, **change), name


async def two_hellos(target: Target) -> None:
    """A second Hello is told MALFORMED; the session goes on."""
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await stream.say(hello(version="2"), BEAT)
        [reply] = await stream.replies(1)
        assert reply.code == MALFORMED


async def before_hello(target: Target) -> None:
    """Answers, nonces or a heartbeat without, or together with, Hello: BAD_HELLO."""
    answer = pb.Answer(round=0, act=1, picks=[0])
    both = hello()
    both.answers.append(answer)
    for first in (pb.PlayRequest(answers=[answer]), pb.PlayRequest(nonces=[pb.Nonce(match="m")]), BEAT, both):
        ended = await refused(target, first.SerializeToString())
        assert (ended.code, ended.reason) == ("INVALID_ARGUMENT", "BAD_HELLO")


async def silent_after_dialling(target: Target) -> None:
    """A stream without Hello is ended after five seconds; so is one that half-closes at once."""
    async with opened(target.server, target.fresh()) as mute, opened(target.server, target.fresh()) as short:
        await short.call.done_writing()
        for stream in (short, mute):
            ended = await stream.ended()
            assert (ended.code, ended.reason) == ("DEADLINE_EXCEEDED", "NO_HELLO")


# -- answers and nonces


async def answers_to_nothing(target: Target) -> None:
    """Handles and decisions that never were are told FOREIGN, each of a few; thousands cost one message's worth."""
    answers = [
        pb.Answer(round=n, act=MOST_INT, picks=[MOST_INT] * 3, color=cast("Any", 99), think_ms=MOST_INT)
        for n in range(5)
    ]
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await stream.say(pb.PlayRequest(answers=answers))
        assert [reply.code for reply in await stream.replies(5)] == [FOREIGN] * 5
        await stream.say(*[pb.PlayRequest(answers=[pb.Answer(round=9)] * 4_096)] * 40)
        assert await stream.replies(1)


async def nonces_for_others(target: Target) -> None:
    """Nonces for matches of others, of no match and of any size change nothing."""
    nonces = [
        pb.Nonce(match=match, nonce=bytes(size)) for match in ("", "x.1.1.0", "\U0001f0cf") for size in (0, 16, 99)
    ]
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await stream.say(pb.PlayRequest(nonces=nonces), pb.PlayRequest(nonces=[nonces[0]] * 257))
        [reply] = await stream.replies(1)
        assert reply.code == MALFORMED


WILD: Final[tuple[dict[str, Any], ...]] = (
    {"picks": [MOST_INT]},
    {"picks": [5_000], "call": True},
    {"picks": [0] * 5_000},
    {"picks": []},
    {"picks": [0, 0]},
    {"picks": [0], "color": 99},
    {"picks": [0], "color": -1},
    {"picks": [0], "color": 4, "call": True, "think_ms": MOST_INT},
    {"picks": list(range(512))},
)


async def wild_answers(target: Target, format_name: str = "uno-classic-2", seats: int = 2) -> None:
    """In a match: acts of the future, picks and colours that are none. Who sends them is shown out, the others are not.

    Many games at once, so that the bot leaves them all in the middle of an answer to one.
    """
    async with opened(target.server, target.fresh()) as stream, target.honest(seats - 1, format_name) as honest:
        me = await joined(stream, formats=[format_name], max_open=64)
        match = target.begin(*honest, me, meetings=4, format_name=format_name)
        codes = await _wildly(stream)
        *others, mine = await target.faults(match)
    assert mine >= 3
    assert others == [0] * len(others)
    assert {pb.REPLY_CODE_ILLEGAL, MALFORMED, FOREIGN} <= codes <= set(range(1, 8)), codes


async def _wildly(stream: RawStream) -> set[int]:
    """Answer every question wildly until the match is over; returns the codes of the replies."""
    codes: set[int] = set()
    asked = 0
    while response := await stream.hear():
        request = pb.PlayRequest()
        for notice in response.notices:
            if notice.HasField("reply"):
                codes.add(notice.reply.code)
            if notice.HasField("match_start"):
                request.nonces.append(pb.Nonce(match=notice.match_start.match, nonce=bytes(3)))
            if notice.HasField("match_end"):
                return codes
        for turn in response.turns:
            if turn.HasField("decision"):
                asked += 1
                request.answers.append(pb.Answer(round=turn.round, act=turn.act + 100_000, picks=[0]))
                request.answers.append(pb.Answer(round=turn.round, act=turn.act, **WILD[asked % len(WILD)]))
                request.answers.append(pb.Answer(round=turn.round, act=turn.act, picks=[1], call=True))
        if request.ByteSize():
            await stream.say(request)
    return codes


# -- floods


async def useless_flood(target: Target) -> None:
    """Messages without anything of use: told RATE, cut with RATE."""
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await cut_for_rate(target, stream, *[USELESS] * 2_000)


async def heartbeat_flood(target: Target) -> None:
    """Heartbeats as fast as they go are as useless as anything else."""
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
        await stream.say(BEAT)
        assert await stream.hear()
        await cut_for_rate(target, stream, *[BEAT.SerializeToString()] * 2_000)


async def never_reading(target: Target) -> None:
    """Who asks for replies and takes none off the wire costs a bounded amount of memory."""
    async with dialled(target.server) as channel:
        streams = [stream_on(channel, bearer(target.fresh())) for _ in range(4)]
        for stream in streams:
            await stream.say(hello())
        before = target.rss_mib
        for stream in streams:
            await stream.say(*[MANY] * 150)
        assert target.rss_mib - before < 20
        for stream in streams:
            stream.call.cancel()


async def replaced_and_never_reading(target: Target) -> None:
    """A stream that its own successor replaces is ended, whether it reads or not."""
    token = target.fresh()
    async with AsyncExitStack() as stack:
        streams = [await stack.enter_async_context(opened(target.server, token)) for _ in range(4)]
        for stream in streams:
            await stream.say(hello(), *[MANY] * 150)
        for stream in streams[:-1]:
            assert (await stream.ended()).reason == "REPLACED"


async def nine_instances(target: Target) -> None:
    """Eight processes of a version share; the ninth is refused, and one that leaves makes room."""
    token = target.fresh()
    async with dialled(target.server) as one, dialled(target.server) as other:
        streams = [stream_on(one, bearer(token)) for _ in range(8)]
        for number, stream in enumerate(streams):
            await joined(stream, instance=f"i{number}")
        ninth = stream_on(other, bearer(token))
        await ninth.say(hello(instance="i8"))
        assert (await ninth.ended()).reason == "TOO_MANY_INSTANCES"
        await streams[0].call.done_writing()
        assert (await streams[0].ended()).code == "OK"
        await joined(stream_on(other, bearer(token)), instance="i8")


async def opened_and_cancelled(target: Target) -> None:
    """500 streams that are cancelled as soon as they begin: no work is left behind."""
    token = target.fresh()
    async with dialled(target.server) as channel:
        for _ in range(100):
            streams = [stream_on(channel, bearer(token)) for _ in range(5)]
            await asyncio.sleep(0)
            for stream in streams:
                stream.call.cancel()
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)


async def reconnect_storm(target: Target) -> None:
    """One token that dials 100 times at once: some are served, the others told to come more slowly."""
    token = target.fresh()

    async def dial(number: int) -> str:
        async with opened(target.server, token) as stream:
            await stream.say(hello(instance=f"i{number % 3}"))
            if await stream.welcomed():
                await stream.call.done_writing()
                await stream.ended()
                return "welcome"
            return (await stream.ended()).reason

    told = await asyncio.gather(*(dial(number) for number in range(100)))
    assert set(told) <= {"welcome", "TOO_MANY_STREAMS", "REPLACED"}, set(told)
    assert told.count("welcome") >= 5
    assert "TOO_MANY_STREAMS" in told


async def many_versions(target: Target) -> None:
    """A new version string at every dial: soon no more new ones today, and the old ones still play."""
    token, reasons = target.fresh(), set()
    for number in range(60):
        async with opened(target.server, token) as stream:
            await stream.say(hello(version=f"v{number}"))
            if await stream.welcomed():
                continue
            ended = await stream.ended()
            reasons.add(ended.reason)
            if ended.reason == "TOO_MANY_STREAMS":
                await asyncio.sleep(0.3)
    assert "TOO_MANY_VERSIONS" in reasons
    assert reasons <= {"TOO_MANY_VERSIONS", "TOO_MANY_STREAMS"}


# -- who asks


async def bad_metadata(target: Target) -> None:
    """No token, another scheme, 20 kB: refused before a word is read."""
    for metadata, told in (
        ((), "NO_TOKEN"),
        ((("authorization", "Basic bWFsbG9yeTpzZWNyZXQ="),), "NO_TOKEN"),
        ((("authorization", "Bearer"),), "NO_TOKEN"),
        ((("authorization", "Bearer  "),), "NO_TOKEN"),
        ((("authorization", "Bearer lcb1_short"),), "BAD_TOKEN"),
        ((("authorization", f"Bearer {'x' * 7_000}"),), "BAD_TOKEN"),
    ):
        ended = await refused(target, hello().SerializeToString(), metadata=metadata)
        assert (ended.code, ended.reason) == ("UNAUTHENTICATED", told), (metadata, ended)
    ended = await refused(target, hello().SerializeToString(), metadata=(("authorization", "Bearer " + "x" * 20_000),))
    assert ended.code == "RESOURCE_EXHAUSTED", ended


async def operators_token(target: Target) -> None:
    """An operator does not play."""
    token = target.store.registry.operator("Ada", ["admin"])
    target.tokens["operator"] = token
    ended = await refused(target, hello().SerializeToString(), token=token)
    assert (ended.code, ended.reason) == ("PERMISSION_DENIED", "WRONG_SCOPE")


async def revoked_while_connected(target: Target) -> None:
    """A token that is revoked ends its sessions within seconds, also one that never reads."""
    token = target.fresh("revoked")
    name = next(name for name, known in target.tokens.items() if known == token)
    async with opened(target.server, token) as stream, opened(target.server, token) as deaf:
        await joined(stream)
        await deaf.say(hello(instance="deaf"), *[MANY] * 150)
        target.store.registry.revoke(name)
        for one in (stream, deaf):
            ended = await one.ended()
            assert (ended.code, ended.reason) == ("UNAUTHENTICATED", "BAD_TOKEN")


# -- beside the method


async def other_services(target: Target) -> None:
    """Health is answered; reflection, unknown methods and other shapes are not there."""
    async with dialled(target.server) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        assert (await health.Check(health_pb2.HealthCheckRequest())).status == 1
        assert await _code(health.Check(health_pb2.HealthCheckRequest(service="x" * 1_000))) == "NOT_FOUND"
        reflection = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
        for method in (reflection, "/lastcard.v1.PlayService/Peek", "/lastcard.v1.LadderService/GetBot", "/x"):
            unary: Any = channel.unary_unary(method)
            assert await _code(unary(b"")) == "UNIMPLEMENTED"


async def many_watches(target: Target) -> None:
    """Streams that need no token are few, so that they take no room from bots."""
    async with dialled(target.server) as channel:
        health: Any = health_pb2_grpc.HealthStub(channel)
        watches = [health.Watch(health_pb2.HealthCheckRequest()) for _ in range(8)]
        told = [await _code(watch.read()) for watch in watches]
        assert set(told) == {"UNIMPLEMENTED"}


async def _code(call: Awaitable[object]) -> str:
    try:
        async with asyncio.timeout(10):
            await call
    except grpc.aio.AioRpcError as error:
        return str(error.code().name)
    return "OK"


async def silent_sockets(target: Target) -> None:
    """200 connections that say nothing, half of a request, or HTTP/1: gone within seconds."""
    host, _, port = target.server.rpartition(":")
    before = target.descriptors
    sockets = [await asyncio.open_connection(host, int(port)) for _ in range(200)]
    for number, (_, writer) in enumerate(sockets):
        writer.write((b"", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\r\n", b"\x16\x03\x01")[number % 4])
    async with opened(target.server, target.fresh()) as stream:
        await joined(stream)
    async with asyncio.timeout(20):
        while target.descriptors > before + 5:  # noqa: ASYNC110  (looked at from outside)
            await asyncio.sleep(0.2)
    for _, writer in sockets:
        writer.close()


QUICK: Final[Sequence[Attack]] = (
    noise_for_a_hello,
    noise_after_hello,
    too_large,
    packed_with_nothing,
    deep_and_unknown,
    two_hellos,
    before_hello,
    answers_to_nothing,
    nonces_for_others,
    useless_flood,
    heartbeat_flood,
    bad_metadata,
    operators_token,
    other_services,
)
SLOW: Final[Sequence[Attack]] = (
    bomb,
    hellos_out_of_range,
    silent_after_dialling,
    wild_answers,
    never_reading,
    replaced_and_never_reading,
    nine_instances,
    opened_and_cancelled,
    reconnect_storm,
    many_versions,
    revoked_while_connected,
    many_watches,
    silent_sockets,
)
