"""Counts requests by route and status."""

from __future__ import annotations

import time
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Histogram
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
OTHER: Final = "other"
STARTED: Final = "http.response.start"


class WebMeter:
    """Request metrics. The labels are routes, never addresses."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter("lastcard_http_requests", "Requests answered.", ["route", "status"], registry=registry)
        self._seconds = Histogram(
            "lastcard_http_request_seconds", "Seconds from a request to its answer.", buckets=SECONDS, registry=registry
        )

    def around(self, app: ASGIApp) -> ASGIApp:
        """Return the application with counting around it."""

        async def metered(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return
            begun, status = time.perf_counter(), 500

            async def noting(message: Message) -> None:
                nonlocal status
                if message["type"] == STARTED:
                    status = message["status"]
                await send(message)

            try:
                await app(scope, receive, noting)
            finally:
                self._requests.labels(_route(scope), str(status)).inc()
                self._seconds.observe(time.perf_counter() - begun)

        return metered


def _route(scope: Scope) -> str:
    """Return the pattern that the address fitted; a closed set, whatever is asked for."""
    route = scope.get("route")
    return route.path if isinstance(route, Route | Mount) else OTHER
