"""A referee's log over TLS, with the certificates that the store's URL names."""

from __future__ import annotations

import asyncio
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.store.client import Link
from ladder.store.server import find_program
from ladder.store.url import store_address
from referee.hosting.resp import connect, encode
from tests.trunk.certificates import Authority
from workers.house.ports import free

pytestmark = pytest.mark.needs("openssl")


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[tuple[int, Authority]]:
    """Run a store that speaks TLS alone and wants a certificate from its clients."""
    authority = Authority.make(tmp_path)
    server = authority.issue("store")
    (port,) = free(1)
    words = {
        "port": "0", "tls-port": str(port), "tls-ca-cert-file": str(authority.certificate),
        "tls-cert-file": str(server.certificate), "tls-key-file": str(server.key), "save": "", "dir": str(tmp_path),
    }  # fmt: skip
    options = [part for name, value in words.items() for part in (f"--{name}", value)]
    process = subprocess.Popen([find_program().path, *options], stdout=subprocess.DEVNULL)
    try:
        yield port, authority
    finally:
        process.kill()
        process.wait()


async def _answer(url: str) -> object:
    """What a log connection is answered; it is opened again until the store is up."""
    for attempt in range(100):
        try:
            made = await connect(store_address(url), ("append",), lambda: None)
        except ConnectionRefusedError:
            await asyncio.sleep(0.02 * attempt)
            continue
        reply: asyncio.Future[object] = asyncio.get_running_loop().create_future()
        made.send(encode(["GET", "there"]), [reply.set_result])
        try:
            return await reply
        finally:
            made.abort()
    raise AssertionError("the store never listened")


async def test_the_log_goes_where_everything_else_goes(ledger: tuple[int, Authority]) -> None:
    """The same URL serves the general client and the log; without its certificates neither gets in."""
    port, authority = ledger
    mine = authority.issue("referee")
    options = f"ssl_ca_certs={authority.certificate}&ssl_certfile={mine.certificate}&ssl_keyfile={mine.key}"
    url = f"rediss://127.0.0.1:{port}/0?{options}"
    assert await _answer(url) is None
    with Link(url, role="command") as link:
        await asyncio.to_thread(link.ping)
    with pytest.raises(ssl.SSLError):
        await _answer(f"rediss://127.0.0.1:{port}/0")
