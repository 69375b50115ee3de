"""The web application: pages, API, static files, health."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import Path
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from ladder.readings.reads import Reads
from ladder.store.errors import StoreError
from ladder.web.api import Api
from ladder.web.headers import ReadOnly
from ladder.web.meter import WebMeter
from ladder.web.pages import Pages
from ladder.web.records import Records
from ladder.web.refusals import no_such_page, refused
from ladder.web.times import DecisionTimes
from ladder.web.told import NOTHING, Told
from lastcard.errors import LastcardError
from lastcard.proxies import NOBODY, Proxies

STATIC: Final = Path(str(files("ladder.web"))) / "static"
Ready = Callable[[], Awaitable[dict[str, object] | None]]
"""Returns what is wrong with this process, None if it can do its work."""


def web_app(
    reads: Reads,
    live: Ready,
    ready: Ready,
    meter: WebMeter,
    told: Told = NOTHING,
    *,
    proxies: Proxies = NOBODY,
) -> ASGIApp:
    """Return the application, which answers GET and HEAD only."""
    records = Records(reads.store, told.records_of) if told.records_of else None
    times = DecisionTimes(reads.store, told.times_of) if told.times_of else None
    further = [one.route() for one in (records, times) if one]
    app = Starlette(
        routes=[
            *Pages(reads, times, records=records is not None, proxies=proxies).routes(),
            *Api(reads, further, reckoned=told.reckoned, proxies=proxies).routes(),
            Route("/livez", _health(live)),
            Route("/readyz", _health(ready)),
            Route("/favicon.ico", favicon),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        exception_handlers={
            HTTPException: no_such_page,
            LastcardError: refused,
            StoreError: refused,
            Exception: refused,
        },
    )
    app.router.redirect_slashes = False
    return meter.around(ReadOnly(app))


async def favicon(_request: Request) -> Response:
    """Return the picture of the site."""
    return FileResponse(STATIC / "favicon.svg", media_type="image/svg+xml")


def _health(check: Ready) -> Callable[[Request], Awaitable[Response]]:
    async def answer(_request: Request) -> Response:
        wrong = await check()
        body: dict[str, object] = {"ok": wrong is None} | (wrong or {})
        return JSONResponse(body, 200 if wrong is None else 503, headers={"Cache-Control": "no-store"})

    return answer
