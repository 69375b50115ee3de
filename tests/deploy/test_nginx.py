from __future__ import annotations

import os
import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import grpc
import grpc.aio
import pytest

from tests.deploy.places import DEPLOY, loaded, output, program
from tests.patience import until_true
from workers.house import ports

pytestmark = [pytest.mark.slow, pytest.mark.needs("nginx", "openssl")]

FOLDER = DEPLOY / "nginx"
STREAM = "/lastcard.v1.PlayService/Play"
MAIN = """daemon off; {user} pid {folder}/nginx.pid; error_log stderr info;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/upstreams.conf;
    include {folder}/lastcard.conf;
}}
"""


class Proxy:
    """An nginx with our configuration, on ports of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tls, self.http, self.referee, self.ladder, self.pages = ports.free(5)
        self.certificate = folder / "fullchain.pem"
        key = folder / "privkey.pem"
        subject = ("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1")
        ask = (program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject)
        output([*ask, "-keyout", key, "-out", self.certificate])
        self.write()

    def write(self) -> None:
        """Write the configuration with test addresses in place of the well-known ones."""
        site = (FOLDER / "lastcard.conf").read_text("utf-8")
        site = site.replace("/etc/lastcard/tls", str(self.folder))
        site = site.replace("listen 443 ", f"listen 127.0.0.1:{self.tls} ")
        site = site.replace("listen 80;", f"listen 127.0.0.1:{self.http};")
        (self.folder / "lastcard.conf").write_text(site, "utf-8")
        upstreams = (FOLDER / "upstreams.conf").read_text("utf-8")
        for known, mine in ((7410, self.referee), (7420, self.ladder), (7421, self.pages)):
            upstreams = upstreams.replace(f":{known}", f":{mine}")
        (self.folder / "upstreams.conf").write_text(upstreams, "utf-8")
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(MAIN.format(folder=self.folder, user=user), "utf-8")

    @property
    def command(self) -> list[str]:
        """The program and its configuration."""
        return [program("nginx"), "-p", str(self.folder), "-c", str(self.folder / "nginx.conf")]

    def channel(self) -> grpc.aio.Channel:
        """Return a channel to it, as a bot has it."""
        credentials = grpc.ssl_channel_credentials(self.certificate.read_bytes())
        return grpc.aio.secure_channel(f"localhost:{self.tls}", credentials)


@pytest.fixture
def proxy(tmp_path: Path) -> Iterator[Proxy]:
    made = Proxy(tmp_path)
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(made.command, stdout=log, stderr=log)
    try:
        until_true(lambda: not ports.is_free("127.0.0.1", made.tls))
        yield made
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
async def echo(proxy: Proxy) -> AsyncIterator[None]:
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
    assert "syntax is ok" in output([*Proxy(tmp_path).command, "-t"])


async def test_a_stream_may_send_more_than_a_megabyte(proxy: Proxy, echo: None) -> None:
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


async def test_a_referee_that_is_away_is_unavailable(proxy: Proxy) -> None:
    """A bot's library takes this for what it is and comes back later."""
    async with proxy.channel() as channel:
        call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(STREAM)()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call.read()
    assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


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
