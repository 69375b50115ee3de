"""A ladder process as an operator starts it, over a house that has played: services, pages, metrics, and tokens."""

from __future__ import annotations

import itertools
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import grpc
import pytest

from ladder.store import Store
from ladder.store.local import LocalStore
from tests.fixtures_store import PEPPER
from tests.ladder_house import House, played_house
from tests.patience import PATIENCE_S

_numbers = itertools.count(1)


@dataclass(frozen=True)
class Served:
    """Where it listens, what it stands on, and who may ask what."""

    addresses: dict[str, str]
    environment: dict[str, str]
    log: Path
    house: House
    tokens: dict[str, str] = field(default_factory=dict)
    """By scope: play, organiser, admin."""
    pid: int = 0

    @property
    def store(self) -> Store:
        """Its ledger."""
        return self.house.store

    @property
    def channel(self) -> grpc.Channel:
        """A connection of its own."""
        options = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0))
        return grpc.insecure_channel(self.addresses["grpc"], options=options)

    def metadata(self, who: str) -> tuple[tuple[str, str], ...]:
        """Return what a caller sends ahead; "" sends nothing."""
        return (("authorization", f"Bearer {self.tokens[who]}"),) if who else ()


@pytest.fixture(scope="session")
def served(store_server: LocalStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One for all tests, which leave it as they found it."""
    with serving(store_server, tmp_path_factory) as found:
        yield found


@contextmanager
def serving(store_server: LocalStore, folders: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a ladder process over a house of its own until the end of the block."""
    tenant = f"served-{next(_numbers)}"
    folder = folders.mktemp(tenant)
    pepper = folder / "pepper"
    pepper.touch(mode=0o600)
    pepper.write_text(PEPPER.hex(), "ascii")
    environment = {
        "LASTCARD_REDIS_URL": store_server.url,
        "LASTCARD_TENANT": tenant,
        "LASTCARD_PEPPER_FILE": str(pepper),
        "LASTCARD_ALLOW_VOLATILE": "1",
        "LASTCARD_REGISTRATIONS_PER_MINUTE": "0",
    }
    with Store.open(store_server.url, tenant=tenant, role="test", pepper=PEPPER, allow_volatile=True) as store:
        house = played_house(store)
        tokens = {
            "play": house.tokens["greedy"],
            "organiser": store.registry.operator("Olga", ["organiser"]),
            "admin": store.registry.operator("Ada", ["admin"]),
        }
        with (folder / "log").open("wb") as log, _started(environment, log) as process:
            try:
                addresses = _ready(process, folder / "log")
                yield Served(addresses, environment, folder / "log", house, tokens, process.pid)
            finally:
                process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0


def _started(environment: dict[str, str], log: Any) -> subprocess.Popen[str]:  # noqa: ANN401 - an open file
    clean = {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_")}
    free = [word for door in ("--grpc", "--web", "--metrics") for word in (door, "127.0.0.1:0")]
    command = [sys.executable, "-m", "lastcard.cli", "serve", "ladder", *free]
    return subprocess.Popen(command, env=clean | environment, stdout=subprocess.PIPE, stderr=log, text=True)


def _ready(process: subprocess.Popen[str], log: Path) -> dict[str, str]:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line.startswith("READY "), log.read_text("utf-8")[-2_000:]
    return dict(json.loads(line.removeprefix("READY ")))
