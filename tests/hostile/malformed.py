"""Attacks with what is no message, or no Hello."""

import random
from typing import Any, Final

import grpc

from lastcard.v1 import play_pb2 as pb
from tests.hostile.raw import opened
from tests.hostile.stranger import BEAT, FOREIGN, MALFORMED, MOST_INT, hello, joined, refused
from tests.hostile.target import Target


async def noise_for_a_hello(target: Target) -> None:
    """Random bytes first: BAD_HELLO, or no token, whatever they are."""
    chance = random.Random(1)
    for size in (0, 1, 7, 100, 4_000):
        ended = await refused(target, chance.randbytes(size))
        assert (ended.code, ended.reason) == ("INVALID_ARGUMENT", "BAD_HELLO"), (size, ended)


async def noise_after_hello(target: Target) -> None:
    """Random bytes later: told MALFORMED, and banned when there are too many."""
    chance, token = random.Random(2), target.fresh()
    async with opened(target.server, token) as stream:
        await joined(stream)
        await stream.send(*(chance.randbytes(chance.randrange(1, 400)) for _ in range(20)))
        assert all(reply.code in (MALFORMED, FOREIGN) for reply in await stream.replies(5))
        ended = await stream.flood(*(chance.randbytes(chance.randrange(1, 400)) for _ in range(1_500)))
        assert (ended.code, ended.reason) in {("RESOURCE_EXHAUSTED", "BANNED"), ("", "")}, ended
    assert (await refused(target, hello().SerializeToString(), token=token)).reason == "BANNED"


async def too_large(target: Target) -> None:
    """A message of 4 MiB, and one a byte over the limit: the transport refuses the one, we the other."""
    for size, reason in ((4 * 1024 * 1024, ""), (65_537, "TOO_LARGE")):
        ended = await refused(target, bytes(size))
        assert (ended.code, ended.reason) == ("RESOURCE_EXHAUSTED", reason), ended


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
    for name, change in BAD_HELLOS.items():
        ended = await refused(target, hello(**change).SerializeToString())
        assert ended.code == "INVALID_ARGUMENT", (name, ended)
        assert ended.reason in {"BAD_HELLO", "BAD_VERSION"}, (name, ended)
        assert name.partition(",")[0] in ended.sentence, ended
        assert len(ended.sentence) < 1_500
    ended = await refused(target, hello(min_minor=1, max_minor=9).SerializeToString())
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
    both, beating = hello(), hello()
    both.answers.append(answer)
    beating.heartbeat.CopyFrom(BEAT.heartbeat)
    nonce = pb.PlayRequest(nonces=[pb.Nonce(match="m")])
    for first in (pb.PlayRequest(answers=[answer]), nonce, BEAT, both, beating):
        ended = await refused(target, first.SerializeToString())
        assert (ended.code, ended.reason) == ("INVALID_ARGUMENT", "BAD_HELLO")


async def silent_after_dialling(target: Target) -> None:
    """A stream without Hello is ended after five seconds; so is one that half-closes at once."""
    async with opened(target.server, target.fresh()) as mute, opened(target.server, target.fresh()) as short:
        await short.call.done_writing()
        for stream in (short, mute):
            ended = await stream.ended()
            assert (ended.code, ended.reason) == ("DEADLINE_EXCEEDED", "NO_HELLO")
