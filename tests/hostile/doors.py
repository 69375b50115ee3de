"""Attacks on the way in: tokens, methods and sockets."""

import asyncio
from collections.abc import Awaitable
from typing import Any, Final

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from tests.hostile.raw import dialled, opened
from tests.hostile.stranger import (
    MANY,
    hello,
    joined,
    refused,
)
from tests.hostile.target import Target
from tests.patience import PATIENCE_S, until

SERVED_S: Final = 5.0
"""Within which a bot is let in beside them; it takes some hundredths of a second where nothing else runs."""
GONE_S: Final = 30.0
"""After five seconds they are hung up on."""


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
    """Hundreds of connections that say nothing, half of a request, or HTTP/1: gone within seconds, and nobody waits."""
    host, _, port = target.server.rpartition(":")
    before = target.descriptors
    sockets = [await asyncio.open_connection(host, int(port)) for _ in range(target.sockets)]
    for number, (_, writer) in enumerate(sockets):
        writer.write((b"", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"GET / HTTP/1.1\r\n", b"\x16\x03\x01")[number % 4])
    async with asyncio.timeout(SERVED_S), opened(target.server, target.fresh()) as stream:
        await joined(stream)
    await until(lambda: target.descriptors <= before + 5, GONE_S)
    for _, writer in sockets:
        writer.close()
