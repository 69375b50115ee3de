"""Puts the ladder process together: services, pages, API and metrics in one event loop over one store."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from prometheus_client import CollectorRegistry, GCCollector, PlatformCollector, ProcessCollector
from starlette.types import ASGIApp

from ladder.door.pulse import Pulse
from ladder.door.registration import Registration
from ladder.door.rotation import Rotation
from ladder.door.tokens import RegistryTokens
from ladder.door.turnstile import Turnstile
from ladder.exporter import LadderCollector, Queues, metrics_app
from ladder.readings.boards import LowOf, untold
from ladder.readings.reads import Reads
from ladder.readings.teams import TeamsOf, alone
from ladder.readings.tournament_tables import DealsOf, unshared
from ladder.rpc.server import Certificate, RpcServer
from ladder.service import NAME, LadderService
from ladder.settings import LadderSettings
from ladder.store import pepper
from ladder.store.archive import Archive
from ladder.store.circuit import Circuit
from ladder.store.client import Link
from ladder.store.errors import StoreUnavailableError
from ladder.store.store import Store
from ladder.web.app import web_app
from ladder.web.meter import WebMeter
from ladder.web.server import HttpServer
from ladder.web.told import NOTHING, Told
from lastcard.address import Address

QUEUES: Final = {"celery": ("lc:celery", *(f"lc:celery\x06\x16{priority}" for priority in (3, 6, 9)))}
"""Celery's queues by the keys that hold them, one for each priority."""
LONGEST_LAG_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where the process really listens."""

    grpc: str
    web: str
    metrics: str


def open_store(settings: LadderSettings) -> Store:
    """Return the ledger as these settings say.

    Raises:
        StoreError: it does not answer, still loads its files, or is not fit.
        PepperError: there is no pepper, or another one.
    """
    return Store.open(
        settings.redis_url,
        tenant=settings.tenant,
        role="ladder",
        pepper=pepper.load(settings.pepper_file),
        archive=Archive.of(),
        allow_volatile=settings.allow_volatile,
        circuit=Circuit(),
    )


class LadderApp:
    """The ladder process. Services are added between entering it and `start`.

    If a part of it fails, whoever entered it is cancelled, and leaving it raises the failure in a group.
    """

    def __init__(
        self,
        settings: LadderSettings,
        teams_of: TeamsOf = alone,
        told: Told = NOTHING,
        *,
        store: Store | None = None,
        deals_of: DealsOf = unshared,
        low_of: LowOf = untold,
        luck: bool = True,
    ) -> None:
        """`told`: who tells pages what takes rules; `luck`: workers compute it here.

        A `store` that is given belongs to the app from now on; without one it opens its own, which may take a while.
        """
        self._settings = settings.checked()
        self._store = open_store(settings) if store is None else store
        self._broker = Link(settings.broker_url, role="ladder") if settings.broker_url else None
        self.registry = CollectorRegistry()
        self.reads = Reads.of(self._store, teams_of, deals_of=deals_of, low_of=low_of, luck=luck)
        self.turnstile = Turnstile()
        self._pulse = Pulse(self.registry)
        tokens = RegistryTokens(self._store.registry)
        self.rpc = RpcServer(tokens, self.registry, settings.proxies, reflect=settings.dev)
        self._service = self._ladder_service()
        meter, proxies = WebMeter(self.registry), settings.proxies
        pages = web_app(self.reads, self.live, self.ready, meter, told, proxies=proxies)
        self._web = self._http(pages)
        self._metrics = HttpServer(metrics_app(self._collected()))
        self._group = asyncio.TaskGroup()
        self._pulsing: asyncio.Task[None] | None = None

    @property
    def store(self) -> Store:
        """The ledger."""
        return self._store

    async def __aenter__(self) -> Self:
        """Return the app; nothing listens yet."""
        await self._group.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Stop; raise what went wrong in a part, if anything did."""
        cancelled = isinstance(error, asyncio.CancelledError)  # the group wraps others, whose callers know them bare
        try:
            await self.stop()
        finally:
            await self._group.__aexit__(*((kind, error, trace) if cancelled else (None, None, None)))

    async def start(self) -> Addresses:
        """Listen everywhere and return where.

        Raises:
            PortTakenError: somebody else listens there.
        """
        told = self._settings
        calls, pages, scraped = (
            Address.parse(text, field)
            for text, field in ((told.grpc, "grpc"), (told.web, "web"), (told.metrics, "metrics"))
        )
        web = await self._web.start(pages.host, pages.port, "web", self._group)
        metrics = await self._metrics.start(scraped.host, scraped.port, "metrics", self._group)
        grpc = await self.rpc.start(str(calls), self._certificate())
        self._pulsing = self._group.create_task(self._pulse.run(), name="pulse")
        found = ((calls, grpc), (pages, web), (scraped, metrics))
        return Addresses(*(str(Address(address.host, port)) for address, port in found))

    async def stop(self) -> None:
        """End streams, finish open calls and requests, and give everything back, whatever goes wrong with a part."""
        async with AsyncExitStack() as last_first:
            if self._broker is not None:
                last_first.callback(self._broker.close)
            last_first.callback(self._store.close)
            if self._pulsing is not None:
                last_first.callback(self._pulsing.cancel)
            for part in (self._metrics, self._web, self.rpc):
                last_first.push_async_callback(part.stop)
            last_first.callback(self._service.close)

    async def live(self) -> dict[str, object] | None:
        """Return what is wrong with the process itself; None if it runs."""
        lag_s = self._pulse.lag_s
        return None if lag_s < LONGEST_LAG_S else {"wrong": "the event loop is late", "lag_seconds": lag_s}

    async def ready(self) -> dict[str, object] | None:
        """Return what keeps the process from its work; None if nothing does."""
        try:
            await asyncio.to_thread(self._store.ticks.probe, "ladder")
        except StoreUnavailableError:
            return {"wrong": "the store does not answer, or takes no writes"}
        return await self.live()

    def _ladder_service(self) -> LadderService:
        told, reads = self._settings, self.reads
        registration = Registration(
            self._store.registry,
            closed=told.registration == "closed",
            per_minute=told.registrations_per_minute,
        )
        rotation = Rotation(self._store.registry)
        readings = (reads.profiles, reads.boards, reads.summaries, reads.gallery)
        service = LadderService(registration, rotation, *readings, self.turnstile)
        self.rpc.add(NAME, service.register)
        return service

    def _collected(self) -> CollectorRegistry:
        queues = Queues(self._broker, QUEUES) if self._broker else None
        self.registry.register(LadderCollector(self.reads, queues, version("lastcard")))
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self.registry)
        return self.registry

    def _http(self, app: ASGIApp) -> HttpServer:
        return HttpServer(app, certificate=self._settings.certificate_file, key=self._settings.key_file)

    def _certificate(self) -> Certificate | None:
        told = self._settings
        if not told.certificate_file:
            return None
        return Certificate(Path(told.certificate_file).read_bytes(), Path(told.key_file).read_bytes())
