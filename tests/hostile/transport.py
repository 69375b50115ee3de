"""Attacks below gRPC: frames of HTTP/2 that no client sends, or never so many. They need no token."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Final

from tests.hostile.frames import (
    CONTINUATION,
    DATA,
    END_HEADERS,
    HEADER_TABLE_SIZE,
    HEADERS,
    INITIAL_WINDOW,
    PING,
    PRIORITY,
    RST_STREAM,
    SETTINGS,
    WINDOW_UPDATE,
    Connection,
    call,
    connection,
    frame,
    integer,
    setting,
    spelled,
)
from tests.hostile.raw import opened
from tests.hostile.stranger import MANY, MOST_INT, hello, joined
from tests.hostile.target import Target
from tests.patience import PATIENCE_S

FLOOD: Final = 20_000
FLOOD_S: Final = 2.0
CANCEL, CALM = 8, 11
"""Errors of RFC 9113, 7."""
STREAMS: Final = range(1, 17, 2)
"""As many as a connection may have."""
NEWEST: Final = 62
"""Place in the table of the header field that was kept last (RFC 7541, 2.3.3)."""
WHOLE_FRAME: Final = 16_384
MOST_HELD_MIB: Final = 96
"""What attackers of one connection may make a referee hold while they are there."""


async def flooded(target: Target, frames: Sequence[bytes], *, settings: bytes = b"", least: int = 1) -> Connection:
    """Send frames, reading nothing meanwhile; others come in beside it. Returns the connection, hung up."""
    before = target.rss_mib
    async with connection(target.server, settings) as attacker:
        assert await attacker.flood(frames, FLOOD_S) >= least
        assert target.rss_mib - before < MOST_HELD_MIB
        async with opened(target.server, target.fresh()) as stream:
            await joined(stream)
        return attacker


async def rapid_reset(target: Target) -> None:
    """Streams that are reset as soon as they are opened, one after the other."""
    headers, cancel = call(target.server, target.fresh()), CANCEL.to_bytes(4, "big")
    both = (frame(HEADERS, END_HEADERS, n, headers) + frame(RST_STREAM, 0, n, cancel) for n in range(1, FLOOD, 2))
    await flooded(target, list(both))


async def endless_headers(target: Target) -> None:
    """A header block that goes on and on is dropped as it comes, whether it says something or not."""
    begin = frame(HEADERS, 0, 1, call(target.server, ""))
    more = frame(CONTINUATION, 0, 1, spelled("x-more", "y" * 1_000) * 16)
    await flooded(target, [begin, *[more] * 1_000])
    await flooded(target, [begin, *[frame(CONTINUATION, 0, 1)] * FLOOD])


async def header_bomb(target: Target) -> None:
    """A header field that the table has, named thousands of times in one block: refused, and forgotten."""
    headers = call(target.server, target.fresh())
    kept, named = headers + spelled("x-bomb", "z" * 3_900, kept=True), bytes((0x80 | NEWEST,)) * WHOLE_FRAME
    before = target.rss_mib
    async with connection(target.server) as attacker:
        for number in STREAMS:
            block = (headers if number > 1 else kept) + named
            attacker.say(HEADERS, END_HEADERS, number, block[:WHOLE_FRAME])
        await attacker.each(STREAMS, HEADERS, RST_STREAM)
        assert target.rss_mib - before < MOST_HELD_MIB


async def header_tables(target: Target) -> None:
    """A table larger than was agreed on ends the connection; that a client could hold a large one costs nothing."""
    headers = call(target.server, target.fresh())
    async with connection(target.server) as attacker:
        attacker.say(HEADERS, END_HEADERS, 1, integer(2**31, 5, 0x20) + headers)
        await attacker.over()
    ours = [frame(HEADERS, END_HEADERS, n, headers) for n in range(1, 1_000, 2)]
    await flooded(target, ours, settings=setting(HEADER_TABLE_SIZE, MOST_INT))


async def large_metadata(target: Target) -> None:
    """More than 16 KiB of it, of which no frame has as much: gRPC lets it through, the referee does not."""
    headers = call(target.server, target.fresh())
    half = spelled("x-large", "y" * 10_000)
    fields = b"".join(spelled(f"x-{number}", "y" * 20) for number in range(400))
    async with connection(target.server) as attacker:
        attacker.say(HEADERS, 0, 1, headers + half)
        attacker.say(CONTINUATION, END_HEADERS, 1, half)
        attacker.say(HEADERS, 0, 3, headers + fields)
        attacker.say(CONTINUATION, END_HEADERS, 3, fields)
        told = await attacker.each((1, 3), HEADERS, RST_STREAM)
        assert all(b"TOO_LARGE: " in one for one in told.values()), told


async def many_streams(target: Target) -> None:
    """Of 50 streams on a connection eight are taken, the others refused at once."""
    headers = call(target.server, target.fresh())
    async with connection(target.server) as attacker:
        for number in range(1, 100, 2):
            attacker.say(HEADERS, END_HEADERS, number, headers)
        told = await attacker.each(range(STREAMS.stop, 100, 2), RST_STREAM)
        assert {int.from_bytes(error, "big") for error in told.values()} == {CALM}


async def settings_flood(target: Target) -> None:
    """Each asks for an acknowledgement that nobody reads, and changes the room of every stream."""
    each = [frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW, number)) for number in range(FLOOD)]
    await flooded(target, each)
    await flooded(target, [frame(SETTINGS, 0, 0, setting(INITIAL_WINDOW, 9) * 2_000)] * 200)


async def ping_flood(target: Target) -> None:
    """Who pings without a pause is told to calm down, and let go."""
    async with connection(target.server) as attacker:
        hearing = asyncio.create_task(attacker.over())
        await attacker.flood([frame(PING, 0, 0, bytes(8))] * FLOOD, FLOOD_S)
        async with asyncio.timeout(PATIENCE_S):
            while CALM not in attacker.goodbyes and not hearing.done():  # noqa: ASYNC110  (the peer tells nobody else)
                await asyncio.sleep(0.02)
        hearing.cancel()
        assert set(attacker.goodbyes) <= {CALM}  # what was said last is lost where we still write
    await flooded(target, [frame(PING, 0, 0, bytes(8))] * FLOOD)


async def window_abuse(target: Target) -> None:
    """Room of nothing ends the connection; room by the byte, and more than there can be, does no harm."""
    async with connection(target.server) as attacker:
        attacker.say(WINDOW_UPDATE, 0, 0, bytes(4))
        await attacker.over()
    await flooded(target, [frame(WINDOW_UPDATE, 0, 0, (1).to_bytes(4, "big"))] * FLOOD)
    await flooded(target, [frame(WINDOW_UPDATE, 0, 0, (2**31 - 1).to_bytes(4, "big"))] * 10)


async def idle_frames(target: Target) -> None:
    """Frames that say nothing: empty data, priorities of streams that are none, kinds that nobody knows."""
    headers = frame(HEADERS, END_HEADERS, 1, call(target.server, target.fresh()))
    await flooded(target, [headers, *[frame(DATA, 0, 1)] * FLOOD])
    await flooded(target, [frame(PRIORITY, 0, number, bytes(5)) for number in range(1, FLOOD, 2)])
    await flooded(target, [frame(0x77, 0xFF, number, bytes(100)) for number in range(1, FLOOD, 2)])


async def byte_by_byte(target: Target) -> None:
    """Messages of 64 KiB in frames of a byte, on eight streams, of which the last byte never comes."""
    headers, byte = call(target.server, target.fresh()), b"\0"
    begin = [frame(HEADERS, END_HEADERS, n, headers) + frame(DATA, 0, n, b"\0\0\1\0\0") for n in STREAMS]
    await flooded(target, [*begin, *[frame(DATA, 0, n, byte) for _ in range(8_000) for n in STREAMS]])


async def no_window(target: Target) -> None:
    """Bots that grant no room, and ask for replies all the same, have none of them pile up."""
    async with contextlib.AsyncExitStack() as stack:
        before = target.rss_mib
        for _ in range(2):
            attacker = await stack.enter_async_context(connection(target.server, setting(INITIAL_WINDOW, 0)))
            headers = call(target.server, target.fresh())
            for number in STREAMS:
                attacker.say(HEADERS, END_HEADERS, number, headers)
                attacker.send(number, hello(instance=f"i{number}").SerializeToString())
                for _ in range(20):
                    attacker.send(number, MANY.SerializeToString())
            await attacker.each(STREAMS, HEADERS, RST_STREAM)
        assert target.rss_mib - before < MOST_HELD_MIB
        async with opened(target.server, target.fresh()) as stream:
            await joined(stream)
