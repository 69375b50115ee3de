"""Callers of a ladder without a good token: what stands beside its services, and how neighbours are counted."""

from __future__ import annotations

from typing import Any

import grpc
import grpc.aio
import pytest
from grpc_health.v1 import health_pb2
from prometheus_client import CollectorRegistry

from ladder.rpc.server import RpcServer
from ladder.rpc.status import Refusal, decode
from ladder.settings import LadderSettings
from lastcard.proxies import HEADER, Proxies
from tests.hostile.frames import CONTINUATION, END_HEADERS, END_STREAM, HEADERS, call, connection, spelled
from tests.ladder_running import Running, running_ladder
from tests.ladder_service.test_frame import Book

CHECK = "/grpc.health.v1.Health/Check"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
JUNK = b"\xff\xff\xff"
BOTS = "/lastcard.v1.LadderService/ListBots"


async def refusal(call: Any) -> Refusal:  # noqa: ANN401 - a call of any shape
    """Return how a call ends that is refused."""
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await (call.read() if hasattr(call, "read") else call)
    return decode(caught.value.code(), caught.value.details() or "", caught.value.trailing_metadata())


async def test_what_stands_beside_the_services_is_asked_badly(
    store: object, ladder_settings: LadderSettings, capsys: pytest.CaptureFixture[str]
) -> None:
    """Health and reflection refuse what is no request of theirs, with a reason; nothing of it is an error of ours."""
    async with running_ladder(ladder_settings, dev=True) as running:
        channel: Any = running.channel
        told = await refusal(channel.unary_unary(CHECK)(JUNK))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
        nobodys = health_pb2.HealthCheckRequest(service="nobody").SerializeToString()
        told = await refusal(channel.unary_unary(CHECK)(nobodys))
        assert (told.code, told.reason, told.field) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_SERVICE", "service")
        assert "lastcard.v1.LadderService" in told.allowed
        told = await refusal(channel.stream_stream(REFLECTION)(iter([JUNK])))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
        for method in ("List", "Watch"):
            told = await refusal(channel.unary_stream(f"/grpc.health.v1.Health/{method}")(b""))
            assert (told.code, told.reason) == (grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_METHOD")
    said = "".join(capsys.readouterr())
    assert "internal error" not in said
    assert "Traceback" not in said


async def test_guessing_from_many_addresses_of_a_network_is_guessing() -> None:
    """All addresses of an IPv6 /64 are one; those beyond it are others."""
    server = RpcServer(Book(), CollectorRegistry(), Proxies.of({"LASTCARD_TRUSTED_PROXIES": "127.0.0.1"}))
    port = await server.start("127.0.0.1:0")
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        check: Any = channel.unary_unary(CHECK)

        async def guess(address: str) -> str:
            metadata = (("authorization", "Bearer wrong"), (HEADER, address))
            return (await refusal(check(b"", metadata=metadata))).reason

        told = [await guess(f"2001:db8:0:7:{number:x}::1") for number in range(12)]
        assert told == ["TOKEN_BAD"] * 10 + ["TOKEN_RATE"] * 2
        assert await guess("2001:db8:0:8::1") == "TOKEN_BAD"
    await server.stop()


async def test_metadata_are_refused_however_they_are_cut(ladder: Running) -> None:
    """More than 16 KiB of it, of which no frame has as much: gRPC lets it through, the ladder does not."""
    fields = b"".join(spelled(f"x-{number}", "y" * 20) for number in range(400))
    for more in (spelled("x-large", "y" * 10_000), fields):
        async with connection(ladder.addresses.grpc) as attacker:
            attacker.say(HEADERS, 0, 1, call(ladder.addresses.grpc, "lcb1_none", path=BOTS) + more)
            attacker.say(CONTINUATION, END_HEADERS, 1, more)
            attacker.send(1, b"", END_STREAM)
            told = await attacker.until(1, HEADERS)
            assert b"bytes of metadata; this ladder takes 16,384" in told[3], told
