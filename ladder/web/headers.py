"""What every response says to browsers, and which methods are answered at all."""

from __future__ import annotations

from typing import Final

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ladder.web.refusals import method_not_allowed, refused

READING: Final = frozenset({"GET", "HEAD"})
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; "
    "object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class ReadOnly:
    """Answers 405 to whatever is not GET or HEAD, before anything looks at it, and adds the headers to all."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a reading request on; answer any other."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        app = self._app if scope["method"] in READING else method_not_allowed(scope)
        try:
            await app(scope, receive, send_with_headers)
        except Exception as error:  # noqa: BLE001 - nothing of an unexpected error may reach the caller
            if not started:  # else it was answered and logged, and is raised once more for the server's own log
                await (await refused(Request(scope), error))(scope, receive, send_with_headers)
