from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc
import grpc.aio
import pytest

from tests.deploy.front import FOLDER, STRANGERS, Front
from tests.deploy.places import DEPLOY, loaded, output

pytestmark = [pytest.mark.slow, pytest.mark.needs("nginx", "openssl")]

STREAM = "/lastcard.v1.PlayService/Play"
BURST = 20


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Front]:
    with Front(tmp_path).running() as front:
        yield front


@pytest.fixture
async def echo(proxy: Front) -> AsyncIterator[None]:
    """A referee that says everything back."""

    async def play(requests: AsyncIterator[bytes], _context: object) -> AsyncIterator[bytes]:
        async for request in requests:
            yield request

    handler = grpc.method_handlers_generic_handler(
        "lastcard.v1.PlayService", {"Play": grpc.stream_stream_rpc_method_handler(play)}
    )
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((handler,))
    server.add_insecure_port(f"127.0.0.1:{proxy.referee}")
    await server.start()
    yield
    await server.stop(None)


def test_nginx_accepts_the_configuration(tmp_path: Path) -> None:
    """No unknown directive, no value that it does not take."""
    assert "syntax is ok" in output([*Front(tmp_path).command, "-t"])


async def test_a_stream_may_send_more_than_a_megabyte(proxy: Front, echo: None) -> None:
    """The default limit of a request's body would end a bot's stream after 1 MB; half-closing first ends it with OK."""
    message, count = bytes(60_000), 40
    async with proxy.channel() as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(STREAM)()
        for _ in range(count):
            await call.write(message)
            assert await call.read() == message
        await call.done_writing()
        assert await call.read() is grpc.aio.EOF
        assert await call.code() is grpc.StatusCode.OK


async def test_a_referee_that_is_away_is_unavailable(proxy: Front) -> None:
    """A bot's library takes this for what it is and comes back later."""
    async with proxy.channel() as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(STREAM)()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call.read()
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_an_address_opens_a_few_streams_a_second(proxy: Front, echo: None) -> None:
    """A flood of dials is told to come again before a referee hears of it; from another address one gets in at once."""

    async def dial(channel: grpc.aio.Channel) -> grpc.StatusCode:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(STREAM)()
        await call.done_writing()
        return await call.code()

    async with proxy.channel() as channel, proxy.channel(STRANGERS) as elsewhere:
        codes = Counter(await asyncio.gather(*(dial(elsewhere) for _ in range(1_000))))
        assert set(codes) == {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE}
        assert codes[grpc.StatusCode.OK] >= BURST
        assert codes[grpc.StatusCode.UNAVAILABLE] >= BURST
        assert await dial(channel) is grpc.StatusCode.OK


def test_silence_does_not_end_a_stream_for_an_hour() -> None:
    """The defaults of 60 s would end streams of bots that wait for a match."""
    site = (FOLDER / "lastcard.conf").read_text("utf-8")
    (play,) = re.findall(r"location /lastcard\.v1\.PlayService/ \{(.*?)\n    \}", site, re.DOTALL)
    for setting in ("client_body_timeout 1h", "grpc_read_timeout 1h", "grpc_send_timeout 1h", "client_max_body_size 0"):
        assert f"{setting};" in play


def test_compose_has_the_same_upstreams() -> None:
    """Both files name the same three, and those of compose are services."""
    names = [
        re.findall(r"^upstream (\w+)", (FOLDER / f"{file}.conf").read_text("utf-8"), re.MULTILINE)
        for file in ("upstreams", "upstreams-compose")
    ]
    assert names[0] == names[1]
    hosts = re.findall(r"server ([\w-]+):", (FOLDER / "upstreams-compose.conf").read_text("utf-8"))
    assert set(hosts) <= loaded(DEPLOY / "compose.yaml")["services"].keys()
