"""A bot's stream over a simulated network: the referee's end looks like a gRPC call, the bot's end is three methods."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from random import Random
from typing import Any, Final, Protocol, cast

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.rpc import error_details_pb2, status_pb2

from lastcard.address import Address
from referee.door.service import PlayService
from tests.simulate.process import Process

LATENCY_S: Final = (0.0002, 0.002)
WRITE_S: Final = 0.00005
HALF_OPEN_S: Final = 30.0
LOST_WITH_THE_REFEREE: Final = 0.3
DETAILS: Final = "grpc-status-details-bin"


class Caller(Protocol):
    """The bot's side of a stream."""

    def received(self, message: bytes) -> None:
        """Take a message."""

    def ended(self, reason: str) -> None:
        """Take the end: the reason of a status, `OK`, or `LOST` where there was none."""


class Stream:
    """One call. Messages of one direction arrive in order; a broken one loses what is under way.

    Attributes:
        reading: whether the bot takes what comes; while it does not, writes to it wait.
        alive: whether what is sent arrives.
    """

    def __init__(self, caller: Caller, process: Process, chance: Random, metadata: dict[str, str], peer: str) -> None:
        self.caller = caller
        self.process = process
        self.chance = chance
        self.metadata = metadata
        self.name = peer
        self.reading = True
        self._inbox: deque[bytes] = deque()
        self._arrival = [0.0, 0.0]
        self._wake: asyncio.Future[None] | None = None
        self._writable: asyncio.Future[None] | None = None
        self._closed_by_bot = False
        self.alive = True
        self._task: asyncio.Task[None] | None = None
        self._said: dict[str, str] = {}

    # -- the bot's end

    def send(self, message: bytes) -> None:
        """Send a message to the referee."""
        if self.alive:
            self._later(0, lambda: self._take(message))

    def half_close(self) -> None:
        """Say that nothing more will come."""
        if self.alive:
            self._later(0, self._take_end)

    def stop_reading(self) -> None:
        """Take nothing more off the wire for now."""
        self.reading = False

    def read_on(self) -> None:
        """Take what waited."""
        self.reading = True
        self._unblock()

    def cut(self, *, silent: bool = False) -> None:
        """Break it; `silent`: the referee notices only when its pings are not answered."""
        if not self.alive:
            return
        self.alive = False
        self.process.timeline.after(0.0, lambda: self.caller.ended("LOST"))
        self.process.timeline.after(HALF_OPEN_S if silent else self._latency(), self._cancel, self.process)

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()

    # -- the referee's end

    def serve(self, service: PlayService) -> "asyncio.Task[None]":
        """Begin the handler; to be called in the referee's process."""
        self._task = self.process.create_task(self._serve(service), name=f"play {self.name}")
        return self._task

    async def _serve(self, service: PlayService) -> None:
        code = "OK"
        try:
            await service.play(self._requests(), cast("Any", self))
        except grpc.aio.AbortError:
            code = self._said.get("reason", "ABORTED")
        except asyncio.CancelledError:
            code = "CANCELLED"
            raise
        finally:
            self._finish(code)

    def _finish(self, code: str) -> None:
        if self.alive and not self.process.dead:
            self._later(1, lambda: self._tell_end(code))

    async def _requests(self) -> AsyncIterator[bytes]:
        while True:
            while self._inbox:
                yield self._inbox.popleft()
            if self._closed_by_bot:
                return
            self._wake = self.process.create_future()
            await self._wake

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        """Return what the bot sent ahead."""
        return tuple(self.metadata.items())

    def peer(self) -> str:
        """Return where the bot is."""
        return f"ipv4:{self.name}:1"

    async def send_initial_metadata(self, metadata: tuple[()]) -> None:
        """Let the headers go ahead of everything; the bot makes nothing of them."""

    async def write(self, message: bytes) -> None:
        """Send a message to the bot; returns when the transport has taken it."""
        if not self.reading:
            self._writable = self.process.create_future()
            await self._writable
        if self.alive and not self.process.dead:
            self._later(1, lambda: self._give(message))
        await asyncio.sleep(WRITE_S)

    async def abort_with_status(self, status: grpc.Status) -> None:
        """End the call with a status."""
        self._said["reason"] = reason_of(dict(status.trailing_metadata or ()))
        raise grpc.aio.AbortError

    # -- the network

    def _take(self, message: bytes) -> None:
        self._inbox.append(message)
        self._unblock_reader()

    def _take_end(self) -> None:
        self._closed_by_bot = True
        self._unblock_reader()

    def _unblock_reader(self) -> None:
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    def _unblock(self) -> None:
        waiting = self._writable
        if waiting is not None and not self.process.dead:
            self.process.timeline.after(0.0, lambda: None if waiting.done() else waiting.set_result(None), self.process)

    def _give(self, message: bytes) -> None:
        if self.alive:
            self.caller.received(message)

    def _tell_end(self, code: str) -> None:
        if self.alive:
            self.alive = False
            self.caller.ended(code)

    def _later(self, way: int, action: Callable[[], None]) -> None:
        timeline = self.process.timeline
        at = max(self._arrival[way], timeline.now + self._latency())
        self._arrival[way] = at
        timeline.after(at - timeline.now, action, None if way else self.process)

    def _latency(self) -> float:
        return self.chance.uniform(*LATENCY_S)

    def orphan(self) -> None:
        """Break it because the referee is gone: the bot is told after what was sent, some of which may be lost."""
        if self.alive:
            if self.chance.random() < LOST_WITH_THE_REFEREE:
                self.alive = False
                self.process.timeline.after(self._latency(), lambda: self.caller.ended("LOST"))
            else:
                self._later(1, lambda: self._tell_end("LOST"))


def reason_of(metadata: dict[str, Any]) -> str:
    """Return the reason that a status carries."""
    whole = status_pb2.Status.FromString(metadata[DETAILS])
    for detail in whole.details:
        assert isinstance(detail, Packed)
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            return str(info.reason)
    return "ABORTED"


class SimulatedFront:
    """Where bots find a referee: accepts streams while it is open."""

    def __init__(self, process: Process, index: int) -> None:
        self._process = process
        self._index = index
        self._service: PlayService | None = None
        self._streams: dict[Stream, asyncio.Task[None]] = {}

    def listen(self) -> Address:
        """Return the address."""
        return Address("127.0.0.1", 7_410 + self._index)

    def show(self, registry: object, live: object, ready: object) -> Address:
        """Return the address of metrics and probes, which nobody reads."""
        del registry, live, ready
        return Address("127.0.0.1", 7_431 + self._index)

    async def open(self, service: PlayService) -> None:
        """Let bots in."""
        self._service = service

    async def turn_away(self) -> None:
        """Do nothing: bots dial without asking for health."""

    async def close(self, grace_s: float) -> None:
        """Let nobody in, and cut what is left after the grace."""
        self._service = None
        tasks = list(self._streams.values())
        if tasks:
            await asyncio.wait(tasks, timeout=grace_s)
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks)

    @property
    def is_open(self) -> bool:
        """Whether a dial reaches a process that listens."""
        return self._service is not None and not self._process.dead

    @property
    def streams(self) -> int:
        """Streams that go on."""
        return len(self._streams)

    @property
    def half_open(self) -> bool:
        """Whether a stream goes on whose bot is gone without a word."""
        return any(not stream.alive for stream in self._streams)

    def accept(self, stream: Stream) -> None:
        """Serve a stream; to be called in the referee's process."""
        if self._service is None:
            stream.orphan()
            return
        task = stream.serve(self._service)
        self._streams[stream] = task
        task.add_done_callback(lambda _task: self._streams.pop(stream))
