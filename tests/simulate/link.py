"""Connections to the simulated store: the one of blocking calls, and the pipelined one of the match log."""

import asyncio
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, cast

import hiredis
import redis
from greenlet import getcurrent
from redis.exceptions import NoScriptError, ResponseError

from ladder.store.call import Word
from ladder.store.client import RETRIES, Link, Reply
from ladder.store.unread import UnreadMembers
from tests.simulate.process import Process
from tests.simulate.server import Server

LATENCY_S: Final = (0.0001, 0.0008)
SOCKET_TIMEOUT_S: Final = 2.0
BACKOFF_S: Final = (0.05, 1.0)


class SimulatedLink(Link):
    """The link of the ledger on a simulated server, with the retries of the real one.

    Outside a blocking call of a process (while a run is set up or looked at) it takes no time and nothing is lost.
    """

    def __init__(self, server: Server, process: Process | None = None, chance: Random | None = None) -> None:
        self.url = "redis://simulated"
        self._circuit = None
        self._unread = UnreadMembers()
        self._server = server
        self._process = process
        self._chance = chance or Random(0)

    def close(self) -> None:
        """Do nothing."""

    def _execute(self, *words: Word) -> Reply:
        (reply,) = self._ask([words])
        if isinstance(reply, Exception):
            raise reply
        return cast("Reply", reply)

    def _pipe(self, commands: Sequence[Sequence[Word]], *, atomic: bool = False) -> list[object]:
        del atomic  # a pipeline is executed in one go here
        return self._ask(commands)

    def _ask(self, commands: Sequence[Sequence[Word]]) -> list[object]:
        if self._process is None or getcurrent().parent is None:
            return _run_all(self._server, commands, "nobody")
        problem: Exception | None = None
        for attempt in range(RETRIES + 1):
            if attempt:
                self._pause(self._chance.uniform(0, min(BACKOFF_S[1], BACKOFF_S[0] * 2**attempt)))
            said = self._process.pause(_Trip(self._server, self._process, self._chance, commands).begin)
            if isinstance(said, list):
                return said
            assert isinstance(said, Exception)
            problem = said
        assert problem is not None
        raise problem

    def _pause(self, seconds: float) -> None:
        process = self._process
        assert process is not None
        process.pause(lambda resume: process.later(seconds, lambda: resume(None)))


def _run_all(server: Server, commands: Sequence[Sequence[Word]], writer: str) -> list[object]:
    replies: list[object] = []
    for words in commands:
        try:
            replies.append(server.execute(words, writer))
        except ResponseError as error:
            replies.append(error)
    return replies


class _Trip:
    """One request and its reply."""

    def __init__(self, server: Server, process: Process, chance: Random, commands: Sequence[Sequence[Word]]) -> None:
        self._server = server
        self._process = process
        self._chance = chance
        self._commands = commands
        self._resume: Callable[[object], None] | None = None

    def begin(self, resume: Callable[[object], None]) -> None:
        self._resume = resume
        timeline = self._process.timeline
        timeline.after(SOCKET_TIMEOUT_S, lambda: self._end(redis.TimeoutError("no reply within 2 s")), self._process)
        if not self._server.up:
            self._reply(redis.ConnectionError("connection refused"))
            return
        if self._process.name in self._server.apart:
            return
        fate = self._server.lossy()
        if fate == "request":
            self._reply(redis.ConnectionError("connection reset"))
            return
        timeline.after(self._latency(), lambda: self._server.arrive(lambda: self._arrive(fate)))

    def _arrive(self, fate: str) -> None:
        if not self._server.up:
            self._reply(redis.ConnectionError("connection reset"))
            return
        replies = _run_all(self._server, self._commands, self._process.name)
        self._reply(redis.ConnectionError("connection reset") if fate else replies)

    def _reply(self, value: object) -> None:
        if self._process.name in self._server.apart:
            return
        self._process.timeline.after(self._latency(), lambda: self._end(value), self._process)

    def _latency(self) -> float:
        return self._chance.uniform(*LATENCY_S)

    def _end(self, value: object) -> None:
        resume, self._resume = self._resume, None
        if resume is not None:
            resume(value)


class LogTransport(asyncio.Transport):
    """The pipelined connection of a match log, both ends of it."""

    def __init__(self, server: Server, process: Process, chance: Random, protocol: asyncio.Protocol) -> None:
        super().__init__()
        self._server = server
        self._process = process
        self._chance = chance
        self._protocol = protocol
        self._requests = hiredis.Reader()
        self._arrivals = [0.0, 0.0]
        self.open = True
        self.owner = process.name

    # -- the referee's end

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Send commands."""
        if self.open and not self._process.dead:
            raw = bytes(data)
            self._later(0, lambda: self._server.arrive(lambda: self._take(raw)))

    def abort(self) -> None:
        """Cut the connection from this end."""
        self.cut()

    def close(self) -> None:
        """As abort: what is written is not waited for."""
        self.cut()

    def is_closing(self) -> bool:
        """Return whether it is cut."""
        return not self.open

    def cut(self) -> None:
        """Break the connection: what is under way is lost both ways, and the referee is told."""
        if self.open:
            self.open = False
            self._process.call_soon(self._protocol.connection_lost, ConnectionResetError("cut"))

    def orphan(self) -> None:
        """Notice that the referee died: what it had sent may or may not be on the way."""
        self.open = self.open and self._chance.random() < 0.5

    # -- the store's end

    def _take(self, raw: bytes) -> None:
        if not (self.open and self._server.up) or self.owner in self._server.apart:
            return
        fate = self._server.lossy()
        if fate == "request":
            self._server.trace.note("store", "loses requests of", self._process.name)
            self.cut()
            return
        self._requests.feed(raw)
        replies = []
        while (words := self._requests.gets()) is not False:
            replies.append(_encoded(_run_all(self._server, [words], self._process.name)[0]))
        if fate:
            self._server.trace.note("store", "loses replies to", self._process.name)
            self.cut()
        else:
            whole = b"".join(replies)
            self._later(1, lambda: self._give(whole))

    def _give(self, raw: bytes) -> None:
        if self.open and self.owner not in self._server.apart:
            self._process.call_soon(self._protocol.data_received, raw)

    def _later(self, way: int, action: Callable[[], None]) -> None:
        """Have something arrive after what was sent before it."""
        timeline = self._process.timeline
        at = max(self._arrivals[way], timeline.now + self._chance.uniform(*LATENCY_S))
        self._arrivals[way] = at
        timeline.after(at - timeline.now, action)


def _encoded(reply: object) -> bytes:
    """Return a reply as the server writes it."""
    match reply:
        case NoScriptError():
            return b"-NOSCRIPT %b\r\n" % str(reply).encode()
        case ResponseError():
            return b"-%b\r\n" % str(reply).encode()
        case None:
            return b"$-1\r\n"
        case int():
            return b":%d\r\n" % reply
        case bytes():
            return b"$%d\r\n%b\r\n" % (len(reply), reply)
        case list():
            return b"*%d\r\n%b" % (len(reply), b"".join(map(_encoded, reply)))
        case _:
            raise TypeError(f"no reply of a store: {reply!r}")
