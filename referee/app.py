"""Composition of a referee process: which adapter goes where, and the order of start and stop."""

import asyncio
import json
import secrets
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import Final

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc

from ladder.store import Store
from ladder.store.pepper import load as load_pepper
from lastcard.errors import InputError
from referee import metrics as metering
from referee import wire
from referee.claim import Claimer, LapsedRefereeError
from referee.gate import Gate
from referee.host import Host
from referee.matchlog import MatchLog
from referee.service import PlayService
from referee.sessions import Roster
from referee.settings import Address, Settings
from referee.timekeeper import Timekeeper

SERVER_OPTIONS: Final = (
    ("grpc.max_receive_message_length", 65_536),
    ("grpc.max_send_message_length", 262_144),
    ("grpc.max_metadata_size", 8_192),
    ("grpc.absolute_max_metadata_size", 16_384),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_concurrent_streams", 8),
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.http2.settings_timeout", 5_000),
    ("grpc.max_allowed_incoming_connections", 4_000),
    ("grpc.so_reuseport", 0),
    ("grpc.max_connection_idle_ms", 300_000),
)
MOST_RPCS: Final = 4_000
RECONNECT_SPREAD_MS: Final = 5_000
PLAY_SERVICE: Final = "lastcard.v1.PlayService"

log = structlog.get_logger("referee.app")


@dataclass(frozen=True, slots=True)
class Running:
    """A referee that serves.

    Attributes:
        incarnation: its name in the ledger.
        play: where bots dial in.
        metrics: where Prometheus scrapes.
    """

    incarnation: str
    play: Address
    metrics: Address
    host: Host
    claimer: Claimer


class Referee:
    """One referee process: `start`, then `run` until it is told to stop."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.incarnation = f"ref-{secrets.token_hex(6)}"
        self.counts = metering.Metrics()
        self.roster = Roster()
        self.host = Host(time.monotonic, self.roster, self.counts)
        self.log = MatchLog(settings.store_url, self.counts, self.host.committed, self.host.fenced)
        self.host.connect(self.log)
        self.health = health.aio.HealthServicer()
        self.server = grpc.aio.server(options=SERVER_OPTIONS, maximum_concurrent_rpcs=MOST_RPCS)
        self.stopping = asyncio.Event()

    async def start(self, store: Store) -> Running:
        """Listen; nothing is claimed yet.

        Raises:
            InputError: a port is taken.
        """
        settings = self._settings
        play = self._listen(settings.play)
        metrics = self._serve_metrics(settings.metrics)
        self.claimer = Claimer(
            store, self.host, self.log, me=self.incarnation, room=settings.rounds, absent_s=settings.absent_s,
            address={"play": str(play)},
        )  # fmt: skip
        self.log.on_reconnect = self.claimer.reconnected
        self.gate = Gate(store, self.roster, time.monotonic, me=self.incarnation, run=self.claimer.store)
        self.server.add_generic_rpc_handlers((PlayService(self.host, self.gate, self.claimer).handler(),))
        health_pb2_grpc.add_HealthServicer_to_server(self.health, self.server)
        await self.server.start()
        for name in ("", PLAY_SERVICE):
            await self.health.set(name, health_pb2.HealthCheckResponse.SERVING)
        return Running(self.incarnation, play, metrics, self.host, self.claimer)

    def _listen(self, address: Address) -> Address:
        try:
            port = self.server.add_insecure_port(str(address))
        except RuntimeError as error:
            raise InputError(
                "PORT_TAKEN", f"{address} is taken by another process; stop it or choose another with --play",
                field="--play", value=str(address),
            ) from error  # fmt: skip
        return Address(address.host, port)

    def _serve_metrics(self, address: Address) -> Address:
        from prometheus_client import start_http_server

        registry = metering.registry(self.counts, self.host, version("lastcard"))
        try:
            server, _ = start_http_server(address.port, address.host, registry)
        except OSError as error:
            raise InputError(
                "PORT_TAKEN", f"{address} is taken by another process; stop it or choose another with --metrics",
                field="--metrics", value=str(address),
            ) from error  # fmt: skip
        return Address(address.host, server.server_port)

    async def run(self) -> None:
        """Serve until `stopping` is set, then drain. Raises LapsedRefereeError (in a group) when the lease is lost."""
        timekeeper = Timekeeper(self.host, self._settings.absent_s)
        async with asyncio.TaskGroup() as group:
            tasks = [
                group.create_task(self.log.run()),
                group.create_task(self.claimer.beat()),
                group.create_task(self.claimer.claim()),
                group.create_task(self.gate.publish()),
                group.create_task(timekeeper.run()),
            ]
            await self.stopping.wait()
            await self._drain()
            for task in tasks:
                task.cancel()

    async def _drain(self) -> None:
        """Hand matches back, send bots elsewhere, close."""
        log.info("draining", matches=len(self.host.matches))
        for name in ("", PLAY_SERVICE):
            await self.health.set(name, health_pb2.HealthCheckResponse.NOT_SERVING)
        await self.claimer.drain(self._settings.drain_s)
        for session in self.roster.sessions:
            session.tell(wire.going_away(secrets.randbelow(RECONNECT_SPREAD_MS)))
        deadline = time.monotonic() + 5
        while self.roster.sessions and time.monotonic() < deadline:  # noqa: ASYNC110  (also watches the deadline)
            await asyncio.sleep(0.02)
        await self.server.stop(1)


@asynccontextmanager
async def _store(settings: Settings) -> AsyncIterator[Store]:
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


async def serve(settings: Settings, kind: type[Referee] = Referee) -> int:
    """Run a referee until SIGTERM or SIGINT; returns the exit code (0, or 75 when its lease was lost)."""
    referee = kind(settings)
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, referee.stopping.set)
    async with _store(settings) as store:
        running = await referee.start(store)
        ready = {"play": str(running.play), "metrics": str(running.metrics), "incarnation": running.incarnation}
        print(f"READY {json.dumps(ready)}", flush=True)  # noqa: T201  (the contract with the supervisor)
        try:
            await referee.run()
        except* LapsedRefereeError as lapsed:
            log.critical("lapsed", why=str(lapsed.exceptions[0]))
            for session in referee.roster.sessions:
                session.tell(wire.going_away(0))
            await asyncio.sleep(0.2)
            await referee.server.stop(0)
            return_code = 75
        else:
            return_code = 0
    return return_code
