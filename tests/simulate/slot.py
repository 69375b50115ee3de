"""A place for a referee: runs incarnations of the real one, one after the other, as a supervisor does."""

import asyncio
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final, Protocol

from ladder.store import Store
from lastcard.address import Address
from referee.app import LAPSED, Referee
from referee.machine import Machine
from referee.settings import Settings
from tests.simulate.invariant import Invariant
from tests.simulate.link import LogTransport
from tests.simulate.process import Process
from tests.simulate.server import EPOCH_MS, Server
from tests.simulate.stream import SimulatedFront
from tests.simulate.timeline import Timeline
from tests.simulate.trace import Trace

BOOT_S: Final = 0.05
CONNECT_S: Final = 3.0


class Site(Protocol):
    """What a slot needs of the world."""

    timeline: Timeline
    trace: Trace
    server: Server

    def store(self, process: Process, chance: Random) -> Store:
        """Open the ledger for a process."""

    def complain(self, invariant: Invariant, text: str) -> None:
        """Note that something is not as it should be."""

    def killed(self, matches: list[str]) -> None:
        """Have a look at what a killed referee leaves behind."""


class Slot:
    """One address at which a referee is found, most of the time.

    Attributes:
        process, referee, front: of the incarnation that runs, if one does.
        jump_ms: how far its wall clock is off.
        closed: nothing is started here any more.
    """

    def __init__(self, index: int, site: Site, absent_s: float, chance: Random) -> None:
        self.index = index
        self.site = site
        self.process: Process | None = None
        self.referee: Referee | None = None
        self.front: SimulatedFront | None = None
        self.jump_ms = 0
        self.closed = False
        self.exits: list[int | None] = []
        self._absent_s = absent_s
        self._chance = chance
        self._number = 0

    # -- its life

    def start(self) -> None:
        """Start an incarnation."""
        if self.closed or self.process is not None:
            return
        self._number += 1
        timeline = self.site.timeline
        name, offset = f"r{self.index}.{self._number}", self._chance.uniform(10.0, 1e6)
        process = Process(name, timeline, offset)  # type: ignore[abstract]  # the rest of asyncio is not asked for
        process.connect = partial(self._connect, process)
        process.on_death.append(lambda: self._died(process))
        self.process = process
        self.front = SimulatedFront(process, self.index)
        self.referee = referee = self._referee(process)
        self.site.trace.note("referee", process.name, "starts")
        timeline.after(BOOT_S, lambda: self._boot(process, referee), process)

    def _referee(self, process: Process) -> Referee:
        return Referee(self._settings(), self.front, self._machine(process))

    def _machine(self, process: Process) -> Machine:
        return Machine(
            monotonic=process.time,
            wall_ms=lambda: EPOCH_MS + self.jump_ms + int(process.timeline.now * 1000),
            random_bytes=self._chance.randbytes,
            random_below=self._chance.randrange,
        )

    def _settings(self) -> Settings:
        return Settings(
            store_url="redis://simulated:1/0", play=Address("127.0.0.1", 0), metrics=Address("127.0.0.1", 0),
            pepper_file=Path("pepper"), absent_s=self._absent_s,
        )  # fmt: skip

    def _boot(self, process: Process, referee: Referee) -> None:
        main = process.create_task(self._main(process, referee), name="main")
        main.add_done_callback(lambda task: self._exited(process, task))

    async def _main(self, process: Process, referee: Referee) -> int:
        with self.site.store(process, self._chance) as store:
            await referee.start(store)
            return await referee.live()

    def _exited(self, process: Process, main: "asyncio.Task[int]") -> None:
        if process.dead:
            return
        problem = None if main.cancelled() else main.exception()
        code = None if main.cancelled() or problem else main.result()
        self.site.trace.note("referee", process.name, "exits with", code)
        if problem is not None:
            trace = "".join(traceback.format_exception(problem))
            self.site.complain(Invariant.ALARM, f"{process.name} crashed: {trace}")
        elif code == 0:
            self._look_for_leaks(process)
        process.timeline.after(0.0, lambda: self._reap(code, 0.1 if code == LAPSED else self._chance.uniform(0.1, 1.0)))

    def _look_for_leaks(self, process: Process) -> None:
        left = [task.get_name() for task in process.living()]
        if left:
            self.site.complain(Invariant.REST, f"{process.name} exits while {left} go on")

    def _reap(self, code: int | None, restart_s: float) -> None:
        process, self.process, self.referee, self.front = self.process, None, None, None
        if process is not None:
            if process.uncaught:
                self.site.complain(Invariant.ALARM, f"{process.name}: {process.uncaught}")
            process.kill()
        self.exits.append(code)
        self.site.timeline.after(restart_s, self.start)

    # -- what is done to it

    def kill(self, steps: int) -> None:
        """Kill it so many steps later; then start another."""
        process = self.process
        if process is not None and not process.frozen:
            process.die_at = process.steps + 1 + steps

    def _died(self, process: Process) -> None:
        if self.process is not process:
            return
        self.site.trace.note("referee", process.name, "is killed at step", process.steps)
        referee = self.referee
        if referee is not None:
            self.site.killed(list(referee.host.matches))
        delete_beat = self._chance.random() < 0.5
        restart_s = self._chance.choice((0.1, 1.0, 4.0))

        def reap() -> None:
            if delete_beat and referee is not None and self.site.server.up:
                self.site.store(process, self._chance).matches.leave(referee.incarnation)
            self._reap(None, restart_s)

        process.timeline.after(0.05, reap)

    def freeze(self, seconds: float) -> None:
        """Stop it for a while."""
        process = self.process
        if process is not None and not process.frozen:
            self.site.trace.note("referee", process.name, "freezes for", seconds)
            process.freeze()
            process.timeline.after(seconds, process.thaw)

    def part(self, seconds: float) -> None:
        """Cut it off from the store for a while; neither side is told."""
        process, server = self.process, self.site.server
        if process is None:
            return
        self.site.trace.note("referee", process.name, "is cut off from the store for", seconds)
        server.apart.add(process.name)

        def heal() -> None:
            server.apart.discard(process.name)
            for connection in server.connections:
                if connection.owner == process.name:
                    connection.cut()

        process.timeline.after(seconds, heal)

    def drain(self) -> None:
        """Send it a SIGTERM."""
        process, referee = self.process, self.referee
        if process is not None and referee is not None:
            self.site.trace.note("referee", process.name, "gets a SIGTERM")
            process.timeline.after(0.0, referee.stopping.set, process)

    # -- what it connects to

    async def _connect(
        self, process: Process, factory: Callable[[], asyncio.Protocol], *_: object, **__: object
    ) -> tuple[LogTransport, asyncio.Protocol]:
        await asyncio.sleep(self._chance.uniform(0.0002, 0.001))
        server = self.site.server
        if not server.up:
            raise ConnectionRefusedError("the simulated store is down")
        if process.name in server.apart:
            await asyncio.sleep(CONNECT_S)
            raise TimeoutError("the simulated store cannot be reached")
        made = factory()
        transport = LogTransport(server, process, self._chance, made)
        server.connections.append(transport)
        process.on_death.append(transport.orphan)
        made.connection_made(transport)
        return transport, made
