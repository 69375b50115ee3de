"""The TournamentService on a real port, in a thread of its own, so that blocking clients can talk to it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager

from prometheus_client import CollectorRegistry

from ladder.door.tokens import RegistryTokens
from ladder.door.turnstile import Turnstile
from ladder.readings.match_luck import MatchLucks
from ladder.readings.summaries import Summaries
from ladder.readings.weighing import Weighing
from ladder.rpc.server import RpcServer
from lastcard.proxies import NOBODY, Proxies
from tests.patience import PATIENCE_S
from tests.workers.house import House
from workers.engine import teams_of
from workers.tournaments.service import SERVICE, TournamentService


@contextmanager
def served(house: House, proxies: Proxies = NOBODY, *, vouched: bool = False, at: str = "127.0.0.1:0") -> Iterator[str]:
    """Serve the desk of a house, behind these proxies, with or without vouching for owners; yields its address."""
    address: Future[str] = Future()
    loop = asyncio.new_event_loop()
    stop = asyncio.Event()
    thread = threading.Thread(
        target=lambda: loop.run_until_complete(_serve(house, proxies, address, stop, vouched=vouched, at=at))
    )
    thread.start()
    try:
        yield address.result(PATIENCE_S)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join(PATIENCE_S)
        loop.close()


async def _serve(
    house: House, proxies: Proxies, address: Future[str], stop: asyncio.Event, *, vouched: bool, at: str
) -> None:
    summaries, lucks = Summaries(house.store.matches, teams_of), MatchLucks(Weighing.of(house.store), teams_of)
    service = TournamentService(house.desk, summaries, lucks, Turnstile(), vouched=vouched)
    server = RpcServer(RegistryTokens(house.store.registry), CollectorRegistry(), proxies)
    server.add(SERVICE, service.register)
    address.set_result(f"127.0.0.1:{await server.start(at)}")
    await stop.wait()
    service.close()
    await server.stop()
