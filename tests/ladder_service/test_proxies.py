"""What the ladder counts by address, behind a proxy that is trusted and without one; here all come from 127.0.0.1."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

import grpc
import grpc.aio
import pytest
from prometheus_client import CollectorRegistry

from ladder.rpc.identity import caller_address
from ladder.rpc.server import RpcServer
from ladder.rpc.status import decode
from ladder.settings import LadderSettings
from lastcard.proxies import HEADER, NOBODY, TRUSTED_PROXIES, Proxies
from lastcard.secret import Secret
from lastcard.v1 import ladder_pb2 as pb
from tests.ladder_house import FORMAT, House
from tests.ladder_running import running_ladder

PROXY = Proxies.of({TRUSTED_PROXIES: "127.0.0.1"})
STRANGER, OTHER = "203.0.113.7", "2001:db8::7"


def of(address: str, token: str = "") -> tuple[tuple[str, str], ...]:
    """Return the headers of a call which says, itself or through its proxy, that it comes from an address."""
    return ((HEADER, address), *((("authorization", f"Bearer {token}"),) if token else ()))


async def refusal(call: Awaitable[Any]) -> str:
    """Return why a call is refused, "" where it is answered."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return decode(error.code(), error.details() or "", error.trailing_metadata()).reason
    return ""


async def test_a_call_knows_where_it_comes_from() -> None:
    """What serves it can ask, whatever its shape."""

    class Nobody:
        def identify(self, _token: Secret) -> None: ...

    async def call(_request: bytes, _context: object) -> bytes:
        return caller_address().encode()

    async def stream(_request: bytes, _context: object) -> Any:  # noqa: ANN401 (gRPC)
        yield caller_address().encode()

    handlers: dict[str, Any] = {
        "Call": grpc.unary_unary_rpc_method_handler(call),
        "Stream": grpc.unary_stream_rpc_method_handler(stream),
    }
    server = RpcServer(Nobody(), CollectorRegistry(), PROXY)
    made = grpc.method_handlers_generic_handler("test.Where", handlers)
    server.add("test.Where", lambda inner: inner.add_generic_rpc_handlers((made,)))
    port = await server.start("127.0.0.1:0")
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        one: Any = channel.unary_unary("/test.Where/Call")
        many: Any = channel.unary_stream("/test.Where/Stream")
        assert await one(b"") == b"127.0.0.1"
        assert await one(b"", metadata=of(STRANGER)) == STRANGER.encode()
        assert [answer async for answer in many(b"", metadata=of(OTHER))] == [b"2001:db8::/64"]
    await server.stop()


@pytest.mark.parametrize(
    ("proxies", "others"),
    [
        pytest.param(PROXY, ["", "", ""], id="behind a proxy that is trusted"),
        pytest.param(NOBODY, ["TOKEN_RATE", "REGISTRATION_RATE", "TOO_MANY_STREAMS"], id="where nobody is"),
    ],
)
async def test_who_uses_up_what_an_address_may_is_alone_in_it(
    house: House, ladder_settings: LadderSettings, proxies: Proxies, others: list[str]
) -> None:
    """Bad tokens, registrations, streams. Where no proxy is trusted, who names another address gains nothing by it."""
    token = house.store.registry.register("newcomer", "Ada")[1]
    async with running_ladder(ladder_settings, proxies=proxies, registrations_per_minute=2) as ladder:
        ladder.app.turnstile.most_each = 1

        async def tokens(address: str, sent: str) -> str:
            return await refusal(ladder.stub.ListBots(pb.ListBotsRequest(), metadata=of(address, sent)))

        async def registered(address: str, name: str) -> str:
            request = pb.RegisterBotRequest(name=name, owner="Eve")
            return await refusal(ladder.stub.RegisterBot(request, metadata=of(address)))

        async def watched(address: str) -> str:
            stream = ladder.stub.WatchStandings(pb.WatchStandingsRequest(format=FORMAT), metadata=of(address))
            streams.append(stream)
            return await refusal(stream.read())

        streams: list[Any] = []
        guessed = [await tokens(STRANGER, f"guess-{number}") for number in range(10)]
        assert (set(guessed), await tokens(STRANGER, "guess")) == ({"TOKEN_BAD"}, "TOKEN_RATE")
        made = [await registered(STRANGER, f"eve-{number}") for number in range(3)]
        assert made == ["", "", "REGISTRATION_RATE"]
        assert [await watched(STRANGER), await watched(STRANGER)] == ["", "TOO_MANY_STREAMS"]
        assert [await tokens(OTHER, token), await registered(OTHER, "ada-1"), await watched(OTHER)] == others
        for stream in streams:
            stream.cancel()
