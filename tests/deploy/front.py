"""nginx with our configuration in front of the processes, on ports of its own."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import grpc
import grpc.aio

from tests.deploy.places import DEPLOY, output, program
from tests.patience import until_true
from workers.house import ports

FOLDER: Final = DEPLOY / "nginx"
MAIN: Final = """daemon off; {user} pid {folder}/nginx.pid; error_log stderr crit;
worker_processes 1;
events {{ worker_connections 4096; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    include {folder}/upstreams.conf;
    include {folder}/lastcard.conf;
}}
"""
ADDRESS: Final = "$binary_remote_addr"
STRANGERS: Final = "127.0.0.2"
"""Who dials this address counts as one who comes from elsewhere: on one machine all come from the same."""


@cache
def certified() -> tuple[bytes, bytes]:
    """Return a key and its certificate, made once: they are for this machine, whatever the ports."""
    subject = ("-subj", "/CN=localhost", "-addext", f"subjectAltName=IP:127.0.0.1,IP:{STRANGERS}")
    ask = (program("openssl"), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *subject)
    with TemporaryDirectory(prefix="lastcard-") as folder:
        key, certificate = Path(folder, "privkey.pem"), Path(folder, "fullchain.pem")
        output([*ask, "-keyout", key, "-out", certificate])
        return key.read_bytes(), certificate.read_bytes()


class Front:
    """An nginx before a referee, a ladder and its pages, or ports at which they may be put; `tls`: encrypted."""

    def __init__(self, folder: Path, referee: str = "", *, tls: bool = True) -> None:
        self.folder = folder
        self.port, self.http, self.referee, self.ladder, self.pages = ports.free(5)
        if referee:
            self.referee = int(referee.rpartition(":")[2])
        self.certificate = folder / "fullchain.pem"
        if tls:
            self._certify()
        self._write(tls=tls)

    def _certify(self) -> None:
        key, certificate = certified()
        (self.folder / "privkey.pem").write_bytes(key)
        self.certificate.write_bytes(certificate)

    def _write(self, *, tls: bool) -> None:
        """Write the configuration with addresses of its own in place of the well-known ones."""
        site = (FOLDER / "lastcard.conf").read_text("utf-8")
        for name in ("fullchain", "privkey"):
            site = site.replace(f"/etc/lastcard/tls/{name}.pem", f"{self.folder}/{name}.pem")
        listen = [f"listen {host}:{self.port}{' ssl' if tls else ''} http2;" for host in ("127.0.0.1", STRANGERS)]
        site = site.replace("listen 443 ssl http2;", " ".join(listen))
        site = site.replace("listen 80;", f"listen 127.0.0.1:{self.http};")
        site = site.replace(ADDRESS, f"{ADDRESS}$server_addr")
        if not tls:
            site = "\n".join(line for line in site.splitlines() if not line.lstrip().startswith("ssl_"))
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

    @contextmanager
    def running(self, core: int | None = None) -> Iterator[Front]:
        """Have it run, on a core of its own if one is given."""
        pinned = [] if core is None else [program("taskset"), "--cpu-list", str(core)]
        with (self.folder / "nginx.log").open("wb") as log:
            process = subprocess.Popen([*pinned, *self.command], stdout=log, stderr=log)
        try:
            until_true(lambda: process.poll() is not None or not ports.is_free("127.0.0.1", self.port))
            assert process.poll() is None, (self.folder / "nginx.log").read_text("utf-8")
            yield self
        finally:
            process.terminate()
            process.wait()

    def channel(self, host: str = "127.0.0.1") -> grpc.aio.Channel:
        """Return an encrypted channel to it, as a bot has it."""
        credentials = grpc.ssl_channel_credentials(self.certificate.read_bytes())
        return grpc.aio.secure_channel(f"{host}:{self.port}", credentials)
