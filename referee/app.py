"""Composition of a referee process: which adapter goes where, and the order of start and stop."""

import asyncio
import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import Final, Protocol

from prometheus_client import CollectorRegistry

from ladder.store import Store
from ladder.store.logs import logger
from ladder.store.pepper import load as load_pepper
from ladder.store.strain import measure
from ladder.store.url import on_this_machine
from lastcard.address import Address
from lastcard.errors import ExitCode
from lastcard.garbage import leave_alone
from lastcard.state import state_folder
from referee import descriptors, scrape, wire
from referee.door.front import GrpcFront
from referee.door.gate import Gate
from referee.door.probes import STUCK_S, Probe
from referee.door.service import PlayService
from referee.hosting.audience import Audience
from referee.hosting.beat import LapsedRefereeError
from referee.hosting.claim import Claimer
from referee.hosting.host import Host
from referee.hosting.matchlog import MatchLog
from referee.hosting.rooms import Rooms
from referee.hosting.roster import Roster
from referee.hosting.seeking import NoTrunks, Trunks
from referee.hosting.timekeeper import Timekeeper
from referee.hosting.versions import check as check_versions
from referee.machine import Machine
from referee.metrics import Metrics
from referee.settings import Settings
from referee.slack import Slack
from referee.trunk.carrier import GrpcCarrier
from referee.trunk.handshake import Handshake
from referee.trunk.lodging import Lodging
from referee.trunk.switchboard import Carrier, Switchboard

RECONNECT_SPREAD_MS: Final = 5_000
GOODBYE_S: Final = 5.0
"""For bots that were told to go elsewhere, to half-close; then their streams are cut, after a second more."""
CUT_S: Final = 1.0
LAPSE_S: Final = 0.2
"""For what is said at a lapse to leave."""
LAPSED: Final[int] = ExitCode.LAPSED

log = logger("referee.app")


@dataclass(frozen=True, slots=True)
class Running:
    """A referee that serves.

    Attributes:
        incarnation: its name in the ledger.
        play: where bots dial in.
        trunk: where other referees dial in, if anywhere.
        metrics: where Prometheus scrapes.
    """

    incarnation: str
    play: Address
    trunk: Address | None
    metrics: Address
    host: Host
    claimer: Claimer


class Front(Protocol):
    """Where a referee is reached."""

    def listen(self) -> Address:
        """Take the port for bots and return its address."""

    def show(self, registry: CollectorRegistry, live: Probe, ready: Probe) -> Address:
        """Serve metrics and probes, and return the address."""

    async def open(self, service: PlayService) -> None:
        """Let bots in."""

    async def turn_away(self) -> None:
        """Tell those who balance load that this referee stops."""

    async def close(self, grace_s: float) -> None:
        """Let nobody in and cut the streams that are left after the grace."""


class Referee:
    """One referee process: `start`, then `run` until it is told to stop.

    `front`, `machine` and `carrier` are ports, clocks and trunks of this machine, unless others are given; `counts` is
    where it counts what it does.
    """

    def __init__(
        self,
        settings: Settings,
        front: Front | None = None,
        machine: Machine | None = None,
        carrier: Carrier | None = None,
        counts: Metrics | None = None,
    ) -> None:
        self._settings = settings
        self._machine = machine or Machine()
        self.incarnation = f"ref-{self._machine.random_bytes(6).hex()}"
        self.counts = counts or Metrics()
        self.roster = Roster()
        self.host = Host(self._machine.monotonic, self.roster, self.counts)
        self.lodging = Lodging(self.host)
        self.log = MatchLog(
            settings.store_url, self.counts, self.host.committed, self.host.fenced, self._machine,
            lambda: len(self.roster.players),
        )  # fmt: skip
        self.host.connect(self.log)
        self.front: Front = front or GrpcFront(
            settings.play, settings.metrics, settings.play_files, reflect=settings.dev
        )
        self.stopping = asyncio.Event()
        if carrier is None and settings.trunk is not None:
            carrier = GrpcCarrier(settings.trunk, settings.trunk_files)
        self._carrier = carrier
        self.switchboard: Switchboard | None = None
        self.trunk: Address | None = None

    async def start(self, store: Store) -> Running:
        """Listen; nothing is claimed yet.

        Raises:
            InputError: a port is taken.
        """
        settings = self._settings
        play = self.front.listen()
        registry = scrape.registry(self.counts, self.host, version("lastcard"))
        metrics = self.front.show(registry, self._stuck, self._unready)
        rooms = Rooms(self.host, self.lodging, settings.rounds)
        trunks, address = await self._trunks(store, play)
        self.claimer = Claimer(
            store, self.log, rooms, trunks, me=self.incarnation, absent_s=settings.absent_s,
            address=address, machine=self._machine,
        )  # fmt: skip
        if self.switchboard is not None:
            self.claimer.meet = self.switchboard.meet
        self.audience = Audience(self.host, self.log.mark, store.scenes)
        self.claimer.watched = self.audience.beat
        self.lodging.room = rooms.of
        self.log.on_reconnect = self.claimer.reconnected
        self.gate = Gate(
            store, self.roster, self._machine.monotonic, me=self.incarnation, run=self.claimer.store,
            proxies=settings.proxies,
        )  # fmt: skip
        self.lodging.draining = lambda: self.claimer.draining
        self.lodging.shut = lambda: self.claimer.store_silent
        self.lodging.announce = self.gate.announce
        await self.front.open(PlayService(self.host, self.gate, self.claimer, self.lodging, settings.absent_s))
        return Running(self.incarnation, play, self.trunk, metrics, self.host, self.claimer)

    async def _trunks(self, store: Store, play: Address) -> tuple[Trunks, dict[str, object]]:
        """Take the port for other referees, where there is to be one; return it with what the beat says of us."""
        if self._carrier is None:
            return NoTrunks(), {"play": str(play)}
        handshake = Handshake(self.incarnation, store.registry.own_pepper(), self._machine.random_bytes)
        self.switchboard = Switchboard(self._carrier, self.host, self.lodging, self.counts, handshake)
        self.trunk = await self.switchboard.listen()
        return self.switchboard, {"play": str(play), "trunk": str(self.trunk)}

    def _stuck(self) -> str:
        """Return for how long the loop has stood still, if it has; asked by another thread."""
        ticked = self.counts.ticked_at
        still = self._machine.monotonic() - ticked if ticked else 0.0
        return f"the event loop has stood still for {still:.1f} s" if still >= STUCK_S else ""

    def _unready(self) -> str:
        """Return why bots had better go elsewhere, if they had; asked by another thread."""
        if not self.counts.ticked_at:
            return "it has not begun yet"
        if self.stopping.is_set():
            return "it stops: its matches go on at other referees"
        if self.claimer.store_silent:
            return "the store takes nothing: matches wait, nobody can come in"
        return self._stuck()

    async def run(self) -> None:
        """Serve until `stopping` is set, then drain. Raises LapsedRefereeError (in a group) when the lease is lost."""
        timekeeper = Timekeeper(
            self.host, self.lodging, self._settings.absent_s, lambda: self.claimer.store_silent, self.claimer.seeker
        )
        async with asyncio.TaskGroup() as group:
            if self.switchboard is not None:
                self.switchboard.group = group
            tasks = [
                group.create_task(self.log.run()),
                group.create_task(self.claimer.beat()),
                group.create_task(self.claimer.claim()),
                *([] if self.switchboard is None else [group.create_task(self.claimer.follow())]),
                group.create_task(self.gate.publish()),
                group.create_task(self.gate.recheck()),
                group.create_task(timekeeper.run()),
                group.create_task(self.audience.run()),
            ]
            await self.stopping.wait()
            await self._drain()
            for task in tasks:
                task.cancel()

    async def _drain(self) -> None:
        """Hand matches back, send bots elsewhere, close."""
        log.info("draining", matches=len(self.host.matches))
        await self.front.turn_away()
        await self.claimer.drain(self._settings.drain_s)
        for session in self.roster.sessions:
            session.tell(wire.going_away(self._machine.random_below(RECONNECT_SPREAD_MS)))
        deadline = self._machine.monotonic() + GOODBYE_S
        while self.roster.sessions and self._machine.monotonic() < deadline:  # noqa: ASYNC110  (watches the deadline)
            await asyncio.sleep(0.02)
        await self._close(CUT_S)

    async def _close(self, grace_s: float) -> None:
        await self.front.close(grace_s)
        if self.switchboard is not None:
            await self.switchboard.close()

    async def live(self) -> int:
        """Serve to the end; returns the exit code: 0, or 75 when the lease was lost."""
        try:
            await self.run()
        except* LapsedRefereeError as lapsed:
            log.critical("lapsed", why=str(lapsed.exceptions[0]))
            await self._lapse()
            code = LAPSED
        else:
            code = 0
        return code

    async def _lapse(self) -> None:
        """Send the bots elsewhere at once: others may host what was hosted here."""
        self.claimer.draining = True
        for session in self.roster.sessions:
            session.tell(wire.going_away(0))
        await asyncio.sleep(LAPSE_S)
        await self._close(0)


@contextmanager
def _store(settings: Settings) -> Iterator[Store]:
    pepper = load_pepper(settings.pepper_file)
    store = Store.open(
        settings.store_url,
        tenant=settings.tenant,
        role="referee",
        pepper=pepper,
        allow_volatile=settings.allow_volatile,
    )
    with store:
        yield store


def serve(settings: Settings, kind: Callable[[Settings], Referee] = Referee) -> int:
    """Run a referee until SIGTERM or SIGINT; returns the exit code (0, or 75 when its lease was lost)."""
    descriptors.allow()
    with _store(settings) as store:  # it may load its files for long: until then a signal ends the process
        return asyncio.run(_serve(kind, settings, store))


async def _serve(kind: Callable[[Settings], Referee], settings: Settings, store: Store) -> int:
    referee, loop = kind(settings), asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, referee.stopping.set)
    running = await referee.start(store)
    disk = state_folder(os.environ) if on_this_machine(settings.store_url) else None
    referee.claimer.strain = partial(measure, store.link, store.keys, disk)
    await asyncio.to_thread(check_versions, store)
    ready = {
        "play": str(running.play),
        "trunk": str(running.trunk) if running.trunk else "none",
        "metrics": str(running.metrics),
        "incarnation": running.incarnation,
    }
    leave_alone()  # with the default thresholds collecting costs 3 to 7 % of the CPU
    print(f"READY {json.dumps(ready)}", flush=True)  # noqa: T201  (the contract with the supervisor)
    async with asyncio.TaskGroup() as group:
        giving_back = group.create_task(Slack().run())
        code = await referee.live()
        giving_back.cancel()
    return code
