"""The two stores of the suite: Redis, and the simulated one; with what a network and time may do to each."""

import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Final, TypeVar, cast
from unittest.mock import patch

from ladder.store import Store
from ladder.store.keys import Keys
from ladder.store.local import LocalStore
from tests.fixtures_store import PEPPER
from tests.simulate.database import Database
from tests.simulate.link import SimulatedLink
from tests.simulate.process import Process
from tests.simulate.server import Server
from tests.simulate.timeline import Timeline
from tests.simulate.trace import Trace
from tests.simulate.world import GOOD
from tests.store.proxy import LossyProxy

T = TypeVar("T")
LONGEST_S: Final = 60.0
Dump = dict[bytes, object]


class Stand(ABC):
    """A store on a stand.

    Attributes:
        store: the ledger on it, over a connection that nothing happens to.
    """

    store: Store

    @abstractmethod
    def let_pass(self, ms: int) -> None:
        """Let time pass."""

    @abstractmethod
    def dump(self) -> Dump:
        """Return everything that it holds: by key, its value in a shape of its own, and whether it will expire."""

    @abstractmethod
    def losing_a_reply(self, call: Callable[[Store], T]) -> T:
        """Do something over a connection that loses the reply to the first script, which was carried out."""

    @abstractmethod
    def stalling(self, seconds: float, call: Callable[[Store], T]) -> T:
        """Do something while it stands still for so long."""

    @abstractmethod
    def restart(self) -> None:
        """Have it forget the scripts that it was taught, as after a restart."""


class SimulatedStand(Stand):
    """The store of the simulation."""

    def __init__(self, tenant: str) -> None:
        self._tenant = tenant
        self._timeline = Timeline()
        trace = Trace(lambda: self._timeline.now)
        self._server = Server(self._timeline, Random(1), trace)
        self.store = self._open(None)
        self.store.link.load()

    def _open(self, process: Process | None) -> Store:
        link = SimulatedLink(self._server, process, Random(2))
        return Store.on(link, Keys(self._tenant), GOOD, pepper=PEPPER, clock=lambda: 7)

    def let_pass(self, ms: int) -> None:
        """Let time pass."""
        self._timeline.now += ms / 1000

    def dump(self) -> Dump:
        """Return everything that it holds."""
        db = self._server.db
        return {key: (_shape(db, key), db.expires(key)) for key in db.names()}

    def _in_a_process(self, call: Callable[[Store], T]) -> T:
        """Do something as a process does: it takes time, and the network is between."""
        process = Process("tester", self._timeline)  # type: ignore[abstract]  # the rest of asyncio is not asked for
        done = process.run_in_executor(None, lambda: call(self._open(process)))
        assert self._timeline.run(done.done, self._timeline.now + LONGEST_S)
        return done.result()

    def losing_a_reply(self, call: Callable[[Store], T]) -> T:
        """Do something over a connection that loses a reply."""
        fates = iter(["reply"])
        with patch.object(self._server, "lossy", lambda: next(fates, "")):
            return self._in_a_process(call)

    def stalling(self, seconds: float, call: Callable[[Store], T]) -> T:
        """Do something while it stands still."""
        self._server.stall(seconds)
        return self._in_a_process(call)

    def restart(self) -> None:
        """Die and come back."""
        self._server.restart(0.0)
        self._timeline.run(lambda: self._server.up, self._timeline.now + 1)


class RealStand(Stand):
    """A Redis server."""

    def __init__(self, server: LocalStore, tenant: str, store: Store) -> None:
        self._server = server
        self._tenant = tenant
        self.store = store

    def let_pass(self, ms: int) -> None:
        """Wait."""
        time.sleep(ms / 1000)

    def dump(self) -> Dump:
        """Return everything that it holds of this tenant."""
        link = self.store.link
        found: Dump = {}
        for key in sorted(cast("list[bytes]", link.read("KEYS", f"{{{self._tenant}}}:*"))):
            name = key.decode()
            kind = cast("bytes", link.read("TYPE", name)).decode()
            found[key] = (SHAPES[kind](link.read(*READS[kind](name))), cast("int", link.read("PTTL", name)) > 0)
        return found

    @contextmanager
    def _opened(self, url: str) -> Iterator[Store]:
        with Store.open(url, tenant=self._tenant, role="tester", pepper=PEPPER, clock=lambda: 7) as store:
            yield store

    def losing_a_reply(self, call: Callable[[Store], T]) -> T:
        """Do something over a connection that loses a reply."""
        with LossyProxy(self._server) as proxy, self._opened(proxy.url) as store, proxy.losing_one_reply():
            return call(store)

    def stalling(self, seconds: float, call: Callable[[Store], T]) -> T:
        """Do something while it is frozen."""
        assert self._server.process is not None
        pid = self._server.process.pid
        with self._opened(self._server.url) as store:
            os.kill(pid, signal.SIGSTOP)
            thaw = threading.Timer(seconds, os.kill, (pid, signal.SIGCONT))
            thaw.start()
            try:
                return call(store)
            finally:
                thaw.join()

    def restart(self) -> None:
        """Flush its scripts."""
        self.store.link.read("SCRIPT", "FLUSH")


def _shape(db: Database, key: bytes) -> object:
    value = db.value(key)
    if isinstance(value, dict):
        return dict(value)
    if isinstance(value, list):
        return [(b"%d-%d" % number, fields) for number, fields in value]
    return value


READS: Final[dict[str, Callable[[str], tuple[str, ...]]]] = {
    "string": lambda key: ("GET", key),
    "hash": lambda key: ("HGETALL", key),
    "set": lambda key: ("SMEMBERS", key),
    "zset": lambda key: ("ZRANGE", key, "0", "-1", "WITHSCORES"),
    "stream": lambda key: ("XRANGE", key, "-", "+"),
}
SHAPES: Final[dict[str, Callable[[object], object]]] = {
    "string": lambda value: value,
    "hash": lambda value: dict(cast("dict[bytes, bytes]", value)),
    "set": lambda value: set(cast("set[bytes]", value)),
    "zset": lambda value: dict(cast("list[tuple[bytes, float]]", value)),
    "stream": lambda value: [
        (number, dict(fields)) for number, fields in cast("list[tuple[bytes, dict[bytes, bytes]]]", value)
    ],
}
