"""Attacks by number: messages, streams, processes and versions."""

import asyncio
from contextlib import AsyncExitStack

from tests.hostile.raw import bearer, dialled, opened, stream_on
from tests.hostile.stranger import (
    BEAT,
    MANY,
    USELESS,
    cut_for_rate,
    hello,
    joined,
)
from tests.hostile.target import Target


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
            await joined(stream)  # one after the other: the last to come in stays
            await stream.say(*[MANY] * 45)
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
    assert set(told) <= {"welcome", "TOO_MANY_STREAMS", "REPLACED", "NO_HELLO"}, set(told)
    assert told.count("welcome") >= 5
    assert "TOO_MANY_STREAMS" in told


async def many_versions(target: Target) -> None:
    """A new version string at every dial: soon no more new ones today, and the old ones still play."""
    token, reasons = target.fresh("versions"), set()
    name = next(name for name, known in target.tokens.items() if known == token)
    for number in range(45):
        target.store.registry.version(name, f"v{number}")
    for number in range(45, 60):
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
