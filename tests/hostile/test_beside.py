"""What stands beside the play service: health, and reflection for developers; asked badly, without a token."""

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2

from ladder.store import Store
from referee.door.checkup import Checkup
from referee.door.front import Elsewhere
from referee.door.reflected import reflected
from tests.hostile.raw import RawStream
from tests.hostile.raw import dialled as channel_to
from tests.live.house import house

CHECK = "/grpc.health.v1.Health/Check"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
JUNK = b"\xff\xff\xff"


async def asked(channel: grpc.aio.Channel, method: str, raw: bytes) -> tuple[str, str, str]:
    """Return status, reason and sentence with which a method ends where it is sent these bytes."""

    async def once() -> AsyncIterator[bytes]:
        yield raw

    call: Any = channel.stream_stream(method)
    ended = await RawStream(call(once())).ended()
    return ended.code, ended.reason, ended.sentence


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return what was logged as a mistake of ours."""
    return [one.getMessage() for one in caplog.records if one.levelno >= logging.ERROR]


async def test_health_is_asked_badly(store: Store, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Each caller is told what to change; none of it is an error of ours."""
    async with house(store, tmp_path) as home, channel_to(home.server) as channel:
        assert (await asked(channel, CHECK, JUNK))[:2] == ("INVALID_ARGUMENT", "MALFORMED")
        nobodys = health_pb2.HealthCheckRequest(service="nobody.v1.Nothing").SerializeToString()
        code, reason, sentence = await asked(channel, CHECK, nobodys)
        assert (code, reason) == ("NOT_FOUND", "UNKNOWN_SERVICE")
        assert "lastcard.v1.PlayService" in sentence
        assert "nobody" not in sentence
        assert (await asked(channel, "/grpc.health.v1.Health/List", b""))[:2] == ("UNIMPLEMENTED", "UNKNOWN_METHOD")
        check: Any = channel.unary_unary(CHECK)
        for name in ("", "lastcard.v1.PlayService"):
            raw = await check(health_pb2.HealthCheckRequest(service=name).SerializeToString())
            assert health_pb2.HealthCheckResponse.FromString(raw).status == health_pb2.HealthCheckResponse.SERVING
    assert errors(caplog) == []


async def test_reflection_is_asked_badly(caplog: pytest.LogCaptureFixture) -> None:
    """A stream of bytes that are no request is refused as such."""
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((Checkup().handler(), reflected(("lastcard.v1.PlayService",)), Elsewhere()))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    async with channel_to(f"127.0.0.1:{port}") as channel:
        assert (await asked(channel, REFLECTION, JUNK))[:2] == ("INVALID_ARGUMENT", "MALFORMED")
        assert (await asked(channel, REFLECTION, b""))[:2] == ("OK", "")
    await server.stop(0)
    assert errors(caplog) == []
