"""The processes of a house under fire: a store and its referees, each started again whatever ended it."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from random import Random
from typing import Final, Protocol

from ladder.store import Store
from ladder.store.client import Link
from ladder.store.errors import StoreError
from ladder.store.local import Fsync, command
from ladder.store.server import find_program
from tests.chaos.proxy import Proxy
from tests.patience import PATIENCE_S
from tests.simulate.invariant import Invariant
from workers.house import launch, ports

BOOT_S: Final = PATIENCE_S
LAPSED: Final = 75
NO_STORE: Final = 3
ALARMS: Final = ('"level": "error"', '"level": "critical"')
EXPECTED: Final = ('"event": "lapsed"', '"logger": "grpc._cython.cygrpc"')
"""What is loud and right: the farewell of a lapsed referee, and that gRPC calls a cancelled handler an error."""
TENANT: Final = "chaos"


def wrapped(*command: str) -> list[str]:
    """Return the command of a child that cannot outlive this process."""
    return [sys.executable, "-I", "-S", str(Path(launch.__file__)), str(os.getpid()), *command]


class StoreProcess:
    """The store: may be killed, which loses nothing that it acknowledged, and frozen.

    Attributes:
        up: it is there and answers.
        port: where, on 127.0.0.1.
    """

    def __init__(self, folder: Path) -> None:
        self.up = False
        (self.port,) = ports.free(1)
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._command = wrapped(*command(find_program(), folder, self.url, fsync=Fsync.ALWAYS))
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it answers."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.DEVNULL
        )
        async with asyncio.timeout(BOOT_S):
            while not await asyncio.to_thread(self._answers):  # noqa: ASYNC110  (it tells nobody)
                await asyncio.sleep(0.02)
        self.up = True

    def _answers(self) -> bool:
        with Link(self.url, role="chaos", retries=0) as link:
            try:
                link.ping()
            except StoreError:
                return False
        return True

    def _signal(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    async def kill(self, seconds: float) -> None:
        """Kill it and start it again after so long."""
        assert self._process is not None
        self.up = False
        self._signal(signal.SIGKILL)
        await self._process.wait()
        await asyncio.sleep(seconds)
        await self.start()

    async def freeze(self, seconds: float) -> None:
        """Stop it for so long."""
        self.up = False
        self._signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._signal(signal.SIGCONT)
        self.up = True

    async def stop(self) -> None:
        """End it."""
        if self._process is not None and self._process.returncode is None:
            self._signal(signal.SIGTERM)
            await self._process.wait()


class Site(Protocol):
    """What a place needs of the house.

    Attributes:
        bug: name of a bug that is planted in every referee, or nothing.
    """

    folder: Path
    ledger: Store
    store: StoreProcess
    bug: str

    def complain(self, invariant: Invariant, text: str) -> None:
        """Note that something is not as it should be."""


class Place:
    """Where a referee is found: incarnations of it one after the other, behind a proxy, and behind another the store.

    Attributes:
        door: what bots dial.
        line: its way to the store.
        trunk: what other referees dial.
        process, incarnation: of the referee that runs, if one does.
        exits: codes with which it ended.
    """

    def __init__(self, index: int, site: Site, chance: Random) -> None:
        self.index = index
        self.door = Proxy()
        self.line = Proxy(("127.0.0.1", site.store.port))
        (self._trunk_port,) = ports.free(1)
        self.trunk = Proxy(("127.0.0.1", self._trunk_port))
        self.process: asyncio.subprocess.Process | None = None
        self.incarnation = ""
        self.exits: list[int] = []
        self._site = site
        self._chance = chance
        self._asked: set[int] = set()
        self._stopping = False
        self._log = site.folder / f"referee-{index}.log"

    @property
    def ready(self) -> bool:
        """Whether a referee serves here."""
        return self.process is not None and self.door.target is not None

    async def run(self) -> None:
        """Keep a referee running until `stop`."""
        for proxy in (self.door, self.line, self.trunk):
            await proxy.start()
        try:
            while not self._stopping:
                await self._live()
                if not self._stopping:
                    await asyncio.sleep(self._chance.choice((0.05, 0.3, 1.0)))
        finally:
            if self.process is not None:
                self.process.kill()
            for proxy in (self.door, self.line, self.trunk):
                await proxy.stop()

    async def _live(self) -> None:
        """Run one incarnation to its end."""
        with self._log.open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *self._command(), stdout=asyncio.subprocess.PIPE, stderr=log, env=self._environment()
            )
        self.process = process
        assert process.stdout is not None
        async with asyncio.timeout(BOOT_S):
            said = (await process.stdout.readline()).decode()
        if said.startswith("READY "):
            ready = json.loads(said.removeprefix("READY "))
            self.incarnation = ready["incarnation"]
            host, _, port = ready["play"].rpartition(":")
            self.door.target = (host, int(port))
        code = await process.wait()
        self.door.target = self.process = None
        self._ended(process.pid, code)
        if self.incarnation and self._site.store.up and self._chance.random() < 0.5:
            await asyncio.to_thread(self._site.ledger.matches.leave, self.incarnation)  # as a supervisor does
        self.incarnation = ""

    def _ended(self, pid: int, code: int) -> None:
        self.exits.append(code)
        if pid in self._asked or code in (LAPSED, NO_STORE):
            return
        tail = self._log.read_text("utf-8")[-1_500:]
        self._site.complain(Invariant.ALARM, f"referee {self.index} ended with {code} unasked: {tail}")

    def _command(self) -> list[str]:
        disguised = ["-m", "tests.chaos.disguised", self.trunk.address, self._site.bug]
        referee = ["serve", "referee", "--play", "127.0.0.1:0", "--metrics", "127.0.0.1:0"]
        return wrapped(sys.executable, *disguised, *referee, "--trunk", f"127.0.0.1:{self._trunk_port}")

    def _environment(self) -> dict[str, str]:
        clean = {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_")}
        return clean | {
            "LASTCARD_REDIS_URL": f"redis://{self.line.address}/0",
            "LASTCARD_TENANT": TENANT,
            "LASTCARD_PEPPER_FILE": str(self._site.folder / "pepper"),
        }

    # -- what is done to it

    def send(self, number: signal.Signals) -> None:
        """Send it a signal; that it ends then is its duty."""
        if self.process is not None:
            if number in (signal.SIGKILL, signal.SIGTERM):
                self._asked.add(self.process.pid)
            self.process.send_signal(number)

    async def freeze(self, seconds: float) -> None:
        """Stop it for so long."""
        process = self.process
        if process is None:
            return
        process.send_signal(signal.SIGSTOP)
        try:
            await asyncio.sleep(seconds)
        finally:
            if process.returncode is None:
                process.send_signal(signal.SIGCONT)

    async def stop(self, seconds: float) -> None:
        """Have it end in good order; complains if it does not."""
        self._stopping = True
        process = self.process
        if process is None:
            return
        right = (0, LAPSED) if self.ready else (-signal.SIGTERM, 0, LAPSED, NO_STORE)
        self.send(signal.SIGTERM)
        try:
            async with asyncio.timeout(seconds):
                code = await process.wait()
        except TimeoutError:
            self._site.complain(Invariant.REST, f"referee {self.index} does not stop within {seconds} s")
            process.kill()
            return
        if code not in right:
            self._site.complain(Invariant.ALARM, f"referee {self.index} ended with {code} when it was asked to stop")

    def alarms(self) -> list[str]:
        """Return the lines of its log that nobody should ever see."""
        lines = self._log.read_text("utf-8").splitlines() if self._log.exists() else []
        loud = [line for line in lines if any(word in line for word in ALARMS)]
        return [line for line in loud if not any(word in line for word in EXPECTED)]
