"""A page for supervisors, balancers and Prometheus: does this referee live, can it take bots, what has it counted?

It answers from a thread of its own: it still does while the event loop, which it speaks of, stands still.
"""

import json
import socket
from collections.abc import Callable, Iterable
from http import HTTPStatus
from socketserver import ThreadingMixIn
from threading import Thread
from typing import TYPE_CHECKING, Any, Final
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

from prometheus_client import CollectorRegistry, make_wsgi_app

from lastcard.address import Address

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment

STUCK_S: Final = 1.0
"""A loop that has not come round for so long is stuck (every clock of a bot is counted by it)."""

Probe = Callable[[], str]
"""Returns what is wrong, empty if nothing is. Called by another thread than the loop's."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _SixServer(_Server):
    address_family = socket.AF_INET6


class _Silent(WSGIRequestHandler):
    timeout = 10.0  # of a caller who says nothing

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401  (as in its base)
        """Say nothing: somebody asks every few seconds."""


class Page:
    """`/metrics`, `/livez` and `/readyz`.

    The last two are `{"ok": true}` with 200 or `{"ok": false, "wrong": …}` with 503.
    """

    def __init__(self, registry: CollectorRegistry, live: Probe, ready: Probe) -> None:
        self._metrics: Callable[..., Iterable[bytes]] = make_wsgi_app(registry)
        self._probes = {"/livez": live, "/readyz": ready}

    def __call__(self, environ: "WSGIEnvironment", start: "StartResponse") -> Iterable[bytes]:
        """Answer one request."""
        path = environ.get("PATH_INFO", "")
        if path in ("/metrics", "/metrics/"):
            return self._metrics(environ, start)
        probe = self._probes.get(path)
        if probe is None:
            return _answer(start, HTTPStatus.NOT_FOUND, {"ok": False, "wrong": f"there are {', '.join(self._all)}"})
        why = probe()
        if why:
            return _answer(start, HTTPStatus.SERVICE_UNAVAILABLE, {"ok": False, "wrong": why})
        return _answer(start, HTTPStatus.OK, {"ok": True})

    @property
    def _all(self) -> Iterable[str]:
        return ("/metrics", *self._probes)

    def serve(self, address: Address) -> Address:
        """Listen, in a thread that ends with the process; return the address.

        Raises:
            OSError: the port is taken.
        """
        kind = _SixServer if ":" in address.host else _Server
        server = make_server(address.host, address.port, self, kind, _Silent)
        Thread(target=server.serve_forever, name="probes", daemon=True).start()
        return Address(address.host, server.server_port)


def _answer(start: "StartResponse", status: HTTPStatus, body: dict[str, object]) -> list[bytes]:
    start(f"{status.value} {status.phrase}", [("Content-Type", "application/json"), ("Cache-Control", "no-store")])
    return [json.dumps(body).encode()]
