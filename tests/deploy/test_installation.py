from __future__ import annotations

import asyncio
import json
import shutil
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path

import pytest

from tests.demo.running import lastcard, short_folder
from tests.deploy.installation import Installation, binary
from workers.house import ports
from workers.house.folder import StateFolder
from workers.house.house import give_operator_token
from workers.house.part import Part, Stage
from workers.house.supervisor import Supervisor

pytestmark = pytest.mark.thorough

BOTS = ("greedy", "careful")


@pytest.fixture
def stores() -> Iterator[Installation]:
    folder = short_folder()
    made = Installation(binary("valkey"), folder)
    try:
        made.start("ledger")
        made.start("broker")
        yield made
    finally:
        made.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Processes:
    """The processes of an installation, each with the rights of its role, under a supervisor of the test's."""

    def __init__(self, stores: Installation, supervisor: Supervisor, state: StateFolder) -> None:
        self.stores, self.supervisor, self.state = stores, supervisor, state
        self.play, self.metrics, self.grpc, self.web, self.exporter = (f"127.0.0.1:{port}" for port in ports.free(5))

    def part(self, role: str, stage: Stage, *words: str) -> Part:
        """Return a process that is told what its environment file says."""
        told = self.stores.environment(role) | {
            "LASTCARD_STATE": str(self.state.root),
            "LASTCARD_PEPPER_FILE": str(self.stores.folder / "pepper"),
            "LASTCARD_TICK_MS": "1000",
        }
        return Part(role, (sys.executable, "-m", "lastcard.cli", "serve", role, *words), stage, told)

    async def start(self) -> None:
        """Start all of them."""
        await self.supervisor.start_all(
            self.part("referee", Stage.REFEREE, "--play", self.play, "--metrics", self.metrics),
            self.part("worker", Stage.WORKER),
            self.part("beat", Stage.BEAT),
            self.part("ladder", Stage.LADDER, "--grpc", self.grpc, "--web", self.web, "--metrics", self.exporter),
        )

    def operator(self) -> dict[str, str]:
        """Return what an operator sets at the terminal."""
        return {
            **self.stores.environment("ops"),
            "LASTCARD_LADDER": self.grpc,
            "LASTCARD_TOKEN_FILE": str(self.state.operator_token),
            "LASTCARD_PEPPER_FILE": str(self.stores.folder / "pepper"),
        }

    async def start_bot(self, name: str) -> None:
        """Register a house bot and start it."""
        file = self.state.bots / f"{name}.token"
        register = ("bot", "register", name, "--owner", "house", "--token-file", str(file))
        said = await asyncio.to_thread(lastcard, register, self.operator())
        assert said.returncode == 0, said.stderr
        words = ("-m", "referee.bots", name, "--server", self.play, "--token-file", str(file))
        await self.supervisor.start(Part(name, (sys.executable, *words), Stage.BOT))


@pytest.fixture
async def processes(stores: Installation, tmp_path: Path) -> AsyncIterator[Processes]:
    state = StateFolder(tmp_path)
    state.prepare()
    shutil.copy(stores.folder / "pepper", state.pepper)
    give_operator_token(state, stores.environment("ops")["LASTCARD_REDIS_URL"], {})

    async def reaped(_part: Part, _addresses: Mapping[str, str]) -> None:
        return

    async with Supervisor(state.logs, print, reaped) as supervisor:
        made = Processes(stores, supervisor, state)
        await made.start()
        yield made


async def test_a_tournament_is_played_with_the_rights_of_each_role(processes: Processes) -> None:
    """No process needs more than `make_secrets.py` grants it: a rated tournament runs through all of them."""
    for name in BOTS:
        await processes.start_bot(name)
    what = ("--format", "uno-classic-2", "--bots", ",".join(BOTS), "--meetings", "4", "--wait", "--json")
    said = await asyncio.to_thread(lastcard, ("tournament", "create", "rights", *what), processes.operator())
    assert said.returncode == 0, said.stderr
    found = json.loads(said.stdout)
    assert (found["state"], found["matches_lost"], found["games_done"]) == ("finished", 0, 8)
    assert [row["meetings"] for row in found["standings"]] == [4, 4]
    assert found["deal_seed"]
    rebuilt = await asyncio.to_thread(lastcard, ("ladder", "rebuild", "--json"), processes.operator())
    assert json.loads(rebuilt.stdout)["equal"] is True
    logs = "".join(log.read_text("utf-8") for log in processes.state.logs.iterdir())
    assert "NOPERM" not in logs
    assert "refused this user" not in logs
