"""A ladder process inside a test: its services, pages and metrics on free ports over the store of the test."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import grpc.aio
import httpx

from ladder.app import Addresses, LadderApp
from ladder.settings import LadderSettings
from lastcard.v1.ladder_pb2_grpc import LadderServiceStub
from tests.fixtures_store import PEPPER
from tests.patience import PATIENCE_S


@dataclass
class Reached:
    """A ladder that listens."""

    addresses: Addresses
    channel: grpc.aio.Channel
    http: httpx.AsyncClient

    @property
    def stub(self) -> Any:  # noqa: ANN401 - tests also send what its types forbid
        """LadderService, without a token."""
        return LadderServiceStub(self.channel)

    @property
    def web(self) -> str:
        """Where the pages are."""
        return f"http://{self.addresses.web}"


@dataclass
class Running(Reached):
    """A ladder that listens in this process."""

    app: LadderApp


def settings_for(url: str, tenant: str, folder: Path) -> LadderSettings:
    """Return settings over a store that other parts of the test use, too."""
    pepper = folder / "pepper"
    if not pepper.exists():
        pepper.touch(mode=0o600)
        pepper.write_text(PEPPER.hex())
    free = "127.0.0.1:0"
    return LadderSettings(
        redis_url=url, tenant=tenant, pepper_file=pepper, grpc=free, web=free, metrics=free, allow_volatile=True,
        registrations_per_minute=0,
    )  # fmt: skip


@asynccontextmanager
async def running_ladder(settings: LadderSettings, **changes: object) -> AsyncIterator[Running]:
    """Run a ladder."""
    told = replace(settings, **cast("dict[str, Any]", changes))
    async with LadderApp(told) as app, reached(await app.start()) as found:
        yield Running(found.addresses, found.channel, found.http, app)


@asynccontextmanager
async def reached(addresses: Addresses) -> AsyncIterator[Reached]:
    """Connect to a ladder."""
    async with (
        grpc.aio.insecure_channel(addresses.grpc) as channel,
        httpx.AsyncClient(base_url=f"http://{addresses.web}", trust_env=False, timeout=PATIENCE_S) as http,
    ):
        yield Reached(addresses, channel, http)
