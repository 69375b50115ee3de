from __future__ import annotations

import asyncio
import contextlib
import http.client
import http.server
import re
import ssl
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import grpc
import grpc.aio
import pytest

from ladder.store import Store
from lastcard.address import Address
from lastcard.proxies import HEADER
from referee.door.gate import FAILURES_PER_MINUTE
from tests.chaos.proxy import Proxy
from tests.deploy.front import FOLDER, STRANGERS, Front
from tests.deploy.places import DEPLOY, loaded, output
from tests.hostile.frames import CONTINUATION, END_HEADERS, HEADERS, RST_STREAM, call, connection, spelled
from tests.hostile.raw import opened
from tests.hostile.stranger import hello
from tests.hostile.transport import NEWEST
from tests.live.house import house
from tests.live.process import spawned
from tests.patience import PATIENCE_S

pytestmark = [pytest.mark.slow, pytest.mark.needs("nginx", "openssl")]

STREAM = "/lastcard.v1.PlayService/Play"
BURST = 20
ELSEWHERE = "127.0.0.2"
"""Another address of this machine, to dial from."""
LIE = "198.51.100.9, 127.0.0.1"


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Front]:
    with Front(tmp_path).running() as front:
        yield front


@pytest.fixture
def plain(tmp_path: Path) -> Iterator[Front]:
    """One without TLS, which clients that send what they like can dial."""
    with Front(tmp_path, tls=False).running() as front:
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
        codes = Counter(await asyncio.gather(*(dial(elsewhere) for _ in range(100))))
        assert set(codes) == {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE}
        assert codes[grpc.StatusCode.OK] >= BURST
        assert codes[grpc.StatusCode.UNAVAILABLE] >= BURST
        assert await dial(channel) is grpc.StatusCode.OK


async def test_who_opens_too_many_streams_is_told_so(proxy: Front, echo: None) -> None:
    """In one sentence for both limits and for a referee that is away: nginx does not say which it was."""

    async def told(channel: grpc.aio.Channel) -> str:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(STREAM)()
        await call.done_writing()
        return await call.details() or ""

    async with proxy.channel() as channel:
        said = set(await asyncio.gather(*(told(channel) for _ in range(10 * BURST))))
    sentence = "no process answers, or this address has too many streams, or opens them too fast; try again"
    assert said == {"", sentence}


@asynccontextmanager
async def dialled_from(source: str, front: Front) -> AsyncIterator[int]:
    """Yield a port that leads to a front, which sees the other address; a client of gRPC cannot choose its own."""
    way = Proxy(("127.0.0.1", front.port), source)
    await way.start()
    try:
        yield way.port
    finally:
        await way.stop()


async def test_calls_say_where_they_come_from(plain: Front) -> None:
    """In one header, in which nothing is left of what the caller says of itself."""
    for service in ("PlayService", "LadderService", "TournamentService"):
        for source in ("127.0.0.1", ELSEWHERE):
            assert await heard_by(service, plain, source) == [(HEADER, source)], service


async def heard_by(service: str, plain: Front, source: str) -> list[tuple[str, str]]:
    """Return what a service hears of where a call comes from that lies about it."""
    heard: list[tuple[str, str]] = []

    async def hear(_request: bytes, context: Any) -> bytes:  # noqa: ANN401 (gRPC)
        heard.extend((key, value) for key, value in context.invocation_metadata() if key.startswith("x-"))
        return b""

    name = f"lastcard.v1.{service}"
    method: Any = grpc.unary_unary_rpc_method_handler(hear)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(name, {"Do": method}),))
    server.add_insecure_port(f"127.0.0.1:{plain.referee if service == 'PlayService' else plain.ladder}")
    await server.start()
    async with dialled_from(source, plain) as port, grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        call: Any = channel.unary_unary(f"/{name}/Do")
        assert await call(b"", metadata=((HEADER, LIE), (HEADER, "more"))) == b""
    await server.stop(None)
    return heard


@contextmanager
def pages(port: int, heard: list[str]) -> Iterator[None]:
    """Serve a page, and hear from where it is asked for."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.extend(self.headers.get_all(HEADER) or ())
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_words: object) -> None: ...

    with http.server.ThreadingHTTPServer(("127.0.0.1", port), Page) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize("source", ["127.0.0.1", ELSEWHERE])
def test_pages_are_told_where_a_reader_is(proxy: Front, source: str) -> None:
    """As calls are."""
    heard: list[str] = []
    trust = ssl.create_default_context(cafile=proxy.certificate)
    with pages(proxy.pages, heard):
        reader = http.client.HTTPSConnection(
            "127.0.0.1", proxy.port, source_address=(source, 0), context=trust, timeout=PATIENCE_S
        )
        reader.request("GET", "/", headers={"X-Forwarded-For": LIE})
        assert reader.getresponse().status == http.HTTPStatus.NO_CONTENT
        reader.close()
    assert heard == [source]


async def test_who_guesses_tokens_locks_nobody_else_out(store: Store, plain: Front) -> None:
    """A referee that trusts nginx refuses whoever guesses, whatever it says of itself, and a new bot gets in."""
    first, token = hello().SerializeToString(), store.registry.register("newcomer", "Ada")[1]
    trusts = (f"127.0.0.1:{plain.referee}", "--trusted-proxies", "127.0.0.1")
    async with spawned(store, plain.folder, *trusts), dialled_from(ELSEWHERE, plain) as port:
        for number in range(FAILURES_PER_MINUTE):
            lie = ((HEADER, f"203.0.113.{number}"), ("authorization", f"Bearer lcb1_{'a' * 10}_{number:043d}"))
            async with opened(f"127.0.0.1:{port}", metadata=lie) as stream:
                assert (await stream.ended()).reason == "BAD_TOKEN"
        async with opened(f"127.0.0.1:{port}", token) as stream:
            assert (await stream.ended()).reason == "TOO_MANY_BAD_TOKENS"
        async with opened(f"127.0.0.1:{plain.port}", token) as stream:
            await stream.send(first)
            assert await stream.welcomed()


async def test_endless_metadata_ends_at_the_proxy(store: Store, plain: Front) -> None:
    """GRPC would hold all of it; nginx passes 32 KiB on at most. Dialled directly, the referee hears of it."""
    async with house(store, plain.folder, play=Address("127.0.0.1", plain.referee)) as home:
        heard = {}
        for port in (plain.port, plain.referee):
            await bombed(f"127.0.0.1:{port}")
            heard[port] = home.referee.counts.refusals.total()
    assert (heard[plain.port], heard[plain.referee]) == (0, 1)


async def bombed(server: str) -> None:
    """Name a header field 48,000 times, in four frames, and wait for what is said."""
    named = bytes((0x80 | NEWEST,)) * 16_000
    async with connection(server) as attacker:
        attacker.say(HEADERS, 0, 1, call(server, "none") + spelled("x-bomb", "z", kept=True))
        for more in (2, 1, 0):
            attacker.say(CONTINUATION, 0 if more else END_HEADERS, 1, named)
        with contextlib.suppress(EOFError, OSError):
            await attacker.until(1, HEADERS, RST_STREAM)


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
