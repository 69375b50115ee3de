"""Attacks on the way in: tokens, methods and sockets."""

import asyncio
import socket
from collections.abc import Awaitable, Sequence
from contextlib import ExitStack
from itertools import cycle
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.hostile.frames import ACK, PREFACE, SETTINGS, frame
from tests.hostile.raw import dialled, opened
from tests.hostile.stranger import MANY, hello, joined, refused
from tests.hostile.target import Target
from tests.patience import PATIENCE_S, until

SERVED_S: Final = 1.0
"""Within which a bot is let in beside them; it takes some hundredths of a second where nothing else runs."""
GONE_S: Final = 15.0
"""They are hung up on: after five seconds without a greeting, after ten without a stream."""


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
        async with asyncio.timeout(PATIENCE_S):
            await call
    except grpc.aio.AioRpcError as error:
        return str(error.code().name)
    return "OK"


async def silent_sockets(target: Target) -> None:
    """Thousands of connections that say nothing, half of a request, or HTTP/1: gone in seconds, and nobody waits."""
    await _hung_up_on(target, (b"", PREFACE, b"GET / HTTP/1.1\r\n", b"\x16\x03\x01"))


async def idle_connections(target: Target) -> None:
    """As many that greet as HTTP/2 has it, and open no stream."""
    greeting = PREFACE + frame(SETTINGS, 0, 0) + frame(SETTINGS, ACK, 0)
    await _hung_up_on(target, (greeting,))


async def _hung_up_on(target: Target, words: Sequence[bytes]) -> None:
    """Connect and say these words in turn, and wait until all of that is over; a bot is let in beside it."""
    host, _, port = target.server.rpartition(":")
    before = target.descriptors
    loop = asyncio.get_running_loop()
    with ExitStack() as stack:
        for _, word in zip(range(target.sockets), cycle(words), strict=False):
            one = stack.enter_context(socket.socket())
            one.setblocking(False)
            await loop.sock_connect(one, (host, int(port)))
            await loop.sock_sendall(one, word)
        async with asyncio.timeout(SERVED_S), opened(target.server, target.fresh()) as stream:
            await joined(stream)
        await until(lambda: target.descriptors <= before + 5, GONE_S)
