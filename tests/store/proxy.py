"""A connection that swallows replies: what a network does now and then, on purpose."""

import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from types import TracebackType
from typing import Self

from ladder.store.local import LocalStore
from tests.patience import PATIENCE_S


class LossyProxy:
    """Stands before a store. Armed, it passes the next script call on, and cuts the connection at its reply."""

    def __init__(self, server: LocalStore) -> None:
        host, _, port = server.url.removeprefix("redis://").removesuffix("/0").partition(":")
        self._target = (host, int(port))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._armed = threading.Event()
        self._threads: list[threading.Thread] = []
        self._sockets: list[socket.socket] = [self._listener]
        self.swallowed = 0
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"

    def __enter__(self) -> Self:
        self._start(self._accept)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for end in self._sockets:
            _cut(end)
        for thread in self._threads:
            thread.join(PATIENCE_S)

    @contextmanager
    def losing_one_reply(self) -> Iterator[None]:
        """Within this, the reply of one script call is lost."""
        before = self.swallowed
        self._armed.set()
        yield
        assert self.swallowed == before + 1, "no script was called"

    def losing(self, lost: int, steps: Iterable[Callable[[], object]]) -> None:
        """Take these steps one after the other; of the script call of one of them, by its number, the reply is lost."""
        for number, step in enumerate(steps):
            with self.losing_one_reply() if number == lost else nullcontext():
                step()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.create_connection(self._target)
            self._sockets += [client, server]
            lose = threading.Event()
            self._start(self._pass_requests, client, server, lose)
            self._start(self._pass_replies, server, client, lose)

    def _pass_requests(self, client: socket.socket, server: socket.socket, lose: threading.Event) -> None:
        while data := _receive(client):
            if b"EVAL" in data and self._armed.is_set():
                self._armed.clear()
                lose.set()
            _send(server, data)
        _cut(server)

    def _pass_replies(self, server: socket.socket, client: socket.socket, lose: threading.Event) -> None:
        while data := _receive(server):
            if lose.is_set():
                self.swallowed += 1
                break
            _send(client, data)
        _cut(client)

    def _start(self, target: object, *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()


def _send(end: socket.socket, data: bytes) -> None:
    with suppress(OSError):  # it has hung up, or the other way has cut it: the next read ends this way, too
        end.sendall(data)


def _receive(end: socket.socket) -> bytes:
    try:
        return end.recv(1 << 16)
    except OSError:
        return b""


def _cut(end: socket.socket) -> None:
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
