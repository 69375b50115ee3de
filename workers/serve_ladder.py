"""The ladder process: LadderService with pages and exporter from the ladder, TournamentService from here."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from dataclasses import asdict, replace

from ladder.app import LadderApp, open_store
from ladder.settings import LadderSettings
from ladder.store import Store
from ladder.store.deal_seeds import new_seed
from ladder.web.told import Told
from workers.broker import sender
from workers.doorbell import CeleryDoorbell
from workers.engine import deals_of, low_of, teams_of, terms
from workers.house.part import READY
from workers.plan import Planner
from workers.records.closed_match import decision_times, record_lines
from workers.settings import WorkerSettings
from workers.tournaments.desk import Desk
from workers.tournaments.reckoned import reckoner
from workers.tournaments.service import SERVICE, TournamentService

__all__ = ["run"]


def run(settings: LadderSettings, workers: WorkerSettings) -> None:
    """Serve until SIGTERM or SIGINT; while the store is waited for, they end the process as it is."""
    store = open_store(settings)
    asyncio.run(_serve(replace(settings, broker_url=settings.broker_url or workers.broker_url), workers, store))


async def _serve(settings: LadderSettings, workers: WorkerSettings, store: Store) -> None:
    stopping = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    told = Told(record_lines, decision_times, reckoner(store, luck=workers.luck))
    ladder = LadderApp(
        settings, teams_of, told, store=store, deals_of=deals_of, low_of=low_of, luck=workers.luck
    )  # fmt: skip
    async with ladder as app:
        vouched = settings.registration == "closed"
        reads, desk = app.reads, desk_of(app, workers)
        service = TournamentService(desk, reads.summaries, reads.luck, app.turnstile, vouched=vouched)
        app.rpc.add(SERVICE, service.register)
        addresses = await app.start()
        sys.stdout.write(f"{READY}{json.dumps(asdict(addresses))}\n")
        sys.stdout.flush()
        await stopping.wait()
        service.close()


def desk_of(app: LadderApp, workers: WorkerSettings) -> Desk:
    """Return the organiser's desk over the store of a ladder."""
    doorbell = CeleryDoorbell(sender(workers))
    planner = Planner(app.store, terms, doorbell, new_seed)
    fixtures = app.reads.fixtures
    return Desk(
        store=app.store,
        formats=terms,
        table_of=lambda row: fixtures.table(fixtures.of(row)),
        planner=planner,
        doorbell=doorbell,
        now_ms=lambda: time.time_ns() // 1_000_000,
        luck=workers.luck,
    )
