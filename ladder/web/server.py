"""An HTTP server in the running event loop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Iterator
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from lastcard.address import PortTakenError

STOP_GRACE_S: Final = 3
IDLE_S: Final = 10
MOST_CONNECTIONS: Final = 500
LONGEST_HEAD: Final = 16 * 1024


class _Quiet(uvicorn.Server):
    """Leaves signals to whoever runs the process."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        yield


class HttpServer:
    """Serves one application until it is stopped."""

    def __init__(self, app: ASGIApp, *, certificate: str = "", key: str = "") -> None:
        config = uvicorn.Config(
            app,
            loop="asyncio",
            http="h11",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            date_header=True,
            proxy_headers=False,
            limit_concurrency=MOST_CONNECTIONS,
            timeout_keep_alive=IDLE_S,
            timeout_graceful_shutdown=STOP_GRACE_S,
            h11_max_incomplete_event_size=LONGEST_HEAD,
            ssl_certfile=certificate or None,
            ssl_keyfile=key or None,
        )
        self._server = _Quiet(config)
        self._listener: socket.socket | None = None
        self._task: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int, field: str, group: asyncio.TaskGroup) -> int:
        """Listen, serve in a task of the group, and return the port; port 0 takes a free one.

        Raises:
            PortTakenError: something else listens there, or the address is not of this machine.
        """
        self._listener = bound(host, port, field)
        self._task = group.create_task(self._server.serve([self._listener]), name=field)
        chosen: int = self._listener.getsockname()[1]
        return chosen

    async def stop(self) -> None:
        """Finish open requests and end."""
        if self._task is not None:
            self._server.should_exit = True
            await asyncio.wait([self._task])  # what went wrong in it, its group raises
        if self._listener is not None:  # uvicorn leaves it open where it failed, or had no time to begin
            self._listener.close()


def bound(host: str, port: int, field: str) -> socket.socket:
    """Return a socket that is bound to an address and not shared with anybody.

    Raises:
        PortTakenError: something else listens there, or the address is not of this machine.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio switches Nagle's algorithm off only where a socket names its protocol: answers would wait 40 ms for it.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(2048)
    except OSError as error:
        listener.close()
        raise PortTakenError(f"{host}:{port}", field) from error
    return listener
