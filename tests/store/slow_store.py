"""A real store that takes its time to load its files, and what hurries it or does not pass on what it says."""

from __future__ import annotations

import logging
import socket
import socketserver
import subprocess
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from ladder.store.client import Link
from ladder.store.errors import StoreLoadingError, StoreUnavailableError
from ladder.store.local import Fsync, command, socket_url, start
from ladder.store.server import find_program
from tests.patience import PATIENCE_S, until_true

ENTRIES = 120_000
DELAY_US = 500
"""For each entry: a minute in all, with an answer after every 1,024 of them (half a second) unless hurried."""


@contextmanager
def loading_store(folder: Path) -> Iterator[str]:
    """Run a store that has a file to load, and takes its time for every entry; yields its URL."""
    url = socket_url(folder)
    with start(folder, fsync=Fsync.EVERYSEC, unix_socket=True) as server:
        with Link(server.url, role="test") as link:
            link.read_all([["SET", f"key-{number}", number] for number in range(ENTRIES)])
        assert server.process is not None
        server.process.kill()
        server.process.wait()
    words = (*command(find_program(), folder, url, fsync=Fsync.EVERYSEC), "--key-load-delay", str(DELAY_US))
    process = subprocess.Popen(words, cwd=folder)
    try:
        until_true(lambda: loads(url), why=lambda: "it did not load anything")
        yield url
    finally:
        process.kill()
        process.wait()


def loads(url: str) -> bool:
    """Return whether a store answers that it loads."""
    with Link(url, role="test", retries=0) as link:
        try:
            link.ping()
        except StoreLoadingError:
            return True
        except StoreUnavailableError:
            return False
    return False


class Loads(socketserver.BaseRequestHandler):
    """Answers whatever it is asked as a store does that loads."""

    def handle(self) -> None:
        """Say so until the other end hangs up."""
        with suppress(ConnectionError):
            while self.request.recv(1 << 16):
                self.request.sendall(b"-LOADING Redis is loading the dataset in memory\r\n")


@contextmanager
def ever_loading() -> Iterator[str]:
    """Run what says that it loads for as long as a test may take; yields its URL."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Loads) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"redis://127.0.0.1:{server.server_address[1]}/0"
        server.shutdown()


class Hurrying(logging.Handler):
    """Lets a store load at full speed once somebody says that it is waited for."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self._path = url.removeprefix("unix://")

    def emit(self, record: logging.LogRecord) -> None:
        """Hear it."""
        self.said.append(record.getMessage())
        with socket.socket(socket.AF_UNIX) as line:
            line.connect(self._path)
            line.sendall(b"CONFIG SET key-load-delay 0\r\n")
            assert line.recv(16) == b"+OK\r\n"


@contextmanager
def hurried(url: str) -> Iterator[list[str]]:
    """Hurry a store once it is waited for; yields what was said of that."""
    logger, hurrying = logging.getLogger("ladder.store"), Hurrying(url)
    logger.addHandler(hurrying)
    try:
        yield hurrying.said
    finally:
        logger.removeHandler(hurrying)


class DeafDoor:
    """Stands before a store and never answers the first who comes; it passes on what all others say."""

    def __init__(self, url: str) -> None:
        self._path = url.removeprefix("unix://")
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lines = ExitStack()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self.url = f"redis://127.0.0.1:{self._listener.getsockname()[1]}/0"

    def __enter__(self) -> Self:
        self._threads[0].start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._lines.close()
        for thread in self._threads:
            thread.join(PATIENCE_S)
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            self._keep(self._listener.accept()[0])
            while True:
                client, server = self._listener.accept()[0], socket.socket(socket.AF_UNIX)
                server.connect(self._path)
                for one, other in ((client, server), (server, client)):
                    self._keep(one)
                    thread = threading.Thread(target=_pass, args=(one, other), daemon=True)
                    self._threads.append(thread)
                    thread.start()

    def _keep(self, line: socket.socket) -> None:
        self._lines.callback(_cut, line)


def _pass(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes until one end hangs up."""
    with suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    _cut(target)


def _cut(line: socket.socket) -> None:
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)
    line.close()
