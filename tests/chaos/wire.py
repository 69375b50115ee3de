"""Real streams and real time for the bots of the simulation."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import grpc

from tests.simulate.stream import DETAILS, Caller, reason_of

LOOK_S: Final = 0.05
METHOD: Final = "/lastcard.v1.PlayService/Play"
OPTIONS: Final = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.enable_retries", 0),
    ("grpc.max_receive_message_length", 262_144),
    ("grpc.initial_reconnect_backoff_ms", 100),
)


class Wall:
    """The clock of this machine, from the moment on at which it was made."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._began = self._loop.time()

    @property
    def now(self) -> float:
        """Seconds since the beginning."""
        return self._loop.time() - self._began

    def after(self, delay: float, action: Callable[[], object]) -> object:
        """Have something happen after so many seconds."""
        return self._loop.call_later(delay, action)


async def tell_delays(
    now: Callable[[], float], sleep: Callable[[float], Awaitable[object]], told: Callable[[float], object]
) -> None:
    """Tell the longest time that a busy machine gave this process, and so its bots and proxies, no turn, as it grows.

    Args:
        now: the clock, in seconds.
        sleep: waits on it.
        told: told of the seconds.
    """
    longest = 0.0
    while True:
        due = now() + LOOK_S
        await sleep(LOOK_S)
        if (late := now() - due) > longest:
            longest = late
            told(longest)


class GrpcWire:
    """A bot's end of one stream, on a connection of its own."""

    def __init__(self, caller: Caller, address: str, token: str) -> None:
        self._caller = caller
        self._address = address
        self._metadata = (("authorization", f"Bearer {token}"),)
        self._outgoing: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._alive = True
        self.task = asyncio.get_running_loop().create_task(self._run(), name=f"wire to {address}")

    # -- what the bot does

    def send(self, message: bytes) -> None:
        """Send a message to the referee."""
        if self._alive:
            self._outgoing.put_nowait(message)

    def half_close(self) -> None:
        """Say that nothing more will come."""
        if self._alive:
            self._outgoing.put_nowait(None)

    def cut(self, *, silent: bool = False) -> None:
        """Break it."""
        del silent  # a network that says nothing is the proxy's business
        if self._alive:
            self._alive = False
            self.task.cancel()
            asyncio.get_running_loop().call_soon(self._caller.ended, "LOST")

    # -- the stream

    async def _run(self) -> None:
        async with grpc.aio.insecure_channel(self._address, options=OPTIONS) as channel:
            dial: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
            call = dial(metadata=self._metadata)
            writing = asyncio.get_running_loop().create_task(self._write(call))
            try:
                while isinstance(raw := await call.read(), bytes) and self._alive:
                    self._caller.received(raw)
            except grpc.aio.AioRpcError:
                pass  # its status is looked at below
            finally:
                writing.cancel()
                await asyncio.gather(writing, return_exceptions=True)
            reason = await _reason(call)
        if self._alive:
            self._alive = False
            self._caller.ended(reason)

    async def _write(self, call: "grpc.aio.StreamStreamCall[bytes, bytes]") -> None:
        while (message := await self._outgoing.get()) is not None:
            await call.write(message)
        await call.done_writing()


async def _reason(call: "grpc.aio.StreamStreamCall[bytes, bytes]") -> str:
    """Return why a stream ended: `OK`, the reason in its status, or `LOST` where nobody gave one."""
    if await call.code() is grpc.StatusCode.OK:
        return "OK"
    metadata: dict[str, Any] = dict(await call.trailing_metadata() or ())
    return reason_of(metadata) if DETAILS in metadata else "LOST"
