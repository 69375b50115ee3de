"""A bot that dials where no referee is says so, and how to find one; where one was it goes on trying."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from tests.patience import until
from tests.sdk.bots import Greedy, Playing
from tests.sdk.peer import Peer
from tests.sdk.test_run import GREEDY, ended, script
from tests.trunk.certificates import Authority
from tests.wrong_ports import another_service

FIND = "name a referee's port with --server or LASTCARD_SERVER: `lastcard up` prints it (127.0.0.1:7410 by default"


@asynccontextmanager
async def pages(port: int = 0, context: ssl.SSLContext | None = None) -> AsyncIterator[str]:
    """Serve HTTP/1 and nothing else, as a ladder's pages do."""
    server = ThreadingHTTPServer(("127.0.0.1", port), BaseHTTPRequestHandler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        await asyncio.to_thread(server.shutdown)
        thread.join()
        server.server_close()


@asynccontextmanager
async def secure_pages(folder: Path) -> AsyncIterator[str]:
    """Serve HTTP/1 over TLS; the bot trusts its certificate."""
    authority = Authority.make(folder)
    issued = authority.issue("pages")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(issued.certificate, issued.key)
    async with pages(context=context) as address:
        yield f"tls://{address}"


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        pytest.param("pages", "is no referee, and no gRPC either", id="pages"),
        pytest.param(
            "secure", "is no referee, and no gRPC either", id="pages with TLS", marks=pytest.mark.needs("openssl")
        ),
        pytest.param("gRPC", "is no referee:", id="another gRPC service"),
    ],
)
async def test_a_wrong_address_ends_with_a_sentence(tmp_path: Path, kind: str, said: str) -> None:
    """It does not heal, however long a bot tries: exit code 2, as for everything that was typed wrong."""
    doors: dict[str, Callable[[], AbstractAsyncContextManager[str]]] = {
        "pages": pages, "secure": lambda: secure_pages(tmp_path), "gRPC": another_service,
    }  # fmt: skip
    serving = doors[kind]
    async with serving() as address:
        env = {"LASTCARD_SERVER": address, "LASTCARD_TOKEN": "lcb1_token"}
        if kind == "secure":
            env["LASTCARD_CA_FILE"] = str(tmp_path / "authority.pem")
        async with script(GREEDY, env=env) as process:
            code, err = await ended(process)
    last = err.strip().splitlines()[-1]
    assert (code, last.startswith(f"bot: what answers at {address.removeprefix('tls://')} {said}")) == (2, True), err
    assert FIND in last
    assert "HTTP/2" not in err


async def test_where_a_referee_was_a_bot_goes_on_trying(
    peer: Peer, playing: Playing, caplog: pytest.LogCaptureFixture
) -> None:
    """What answers in its place for a while, such as a page that says so, goes away again."""
    async with playing(Greedy()):
        await (await peer.accept()).welcome()
        await peer.crash()
        async with pages(peer.port) as address:
            await until(lambda: f"what answers at {address} is no referee, and no gRPC either" in caplog.text)
        await peer.start()
        await (await peer.accept()).welcome()
    assert "trying again in" in caplog.text
