"""The door of the examining referee: streams of one bot, led step by step. It takes every token."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, Self, TypeAlias

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2
from google.rpc.status_pb2 import Status

from lastcard.errors import InputError
from lastcard.v1 import play_pb2 as pb
from referee.check.line import INSIDE, Line
from referee.door.errors import RefusedStreamError
from referee.door.hello import introduced
from referee.hosting.sessions import Greeting
from referee.wire import MOST_SENT, SERVICE

MOST_UNREAD: Final = 64
"""Messages of a stream that wait to be read; a bot that says more waits, too."""
MOST_VISITS: Final = 64
READ_S: Final = 10.0
"""How long a bot may leave a message to itself unread."""
UNKNOWN_FIELD: Final = b"\xfa\x7f"  # key of field 2047, bytes: no version of the protocol has it
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class LeftError(Exception):
    """The bot half-closed the stream, or lost it."""


class WrongError(Exception):
    """The bot did what it must not do; the text says what."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer of the bot, as it came."""

    round: int
    act: int
    picks: tuple[int, ...]
    call: bool
    color: int


@dataclass(frozen=True, slots=True)
class Said:
    """One message of the bot."""

    answers: tuple[Answered, ...] = ()
    nonces: dict[str, bytes] = field(default_factory=dict)
    beats: bool = False


class Visit:
    """One stream of the bot.

    Attributes:
        greeting: what its Hello said.
        at: loop time at which it was dialled.
    """

    def __init__(self, context: Context, at: float) -> None:
        self.at = at
        self.greeting: Greeting
        self._context = context
        self._inbox: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_UNREAD)
        self._verdict: asyncio.Future[Status | None] = asyncio.get_running_loop().create_future()

    async def serve(self, requests: AsyncIterator[bytes]) -> None:
        """Keep the stream open until it is ended from one side or the other."""
        # Else they leave with the first message, and no status can follow one that is given up on its way.
        await self._context.send_initial_metadata(())
        async with asyncio.TaskGroup() as group:
            reader = group.create_task(self._read(requests))
            status = await self._verdict
            reader.cancel()
        if status is not None:
            trailing = (("grpc-status-details-bin", status.SerializeToString()),)
            code = next(code for code in grpc.StatusCode if code.value[0] == status.code)
            await self._context.abort(code, status.message, trailing)

    async def _read(self, requests: AsyncIterator[bytes]) -> None:
        try:
            async for raw in requests:
                await self._inbox.put(raw)
        finally:
            if self._inbox.full():
                self._inbox.get_nowait()
            self._inbox.put_nowait(None)

    # -- from the bot

    async def hello(self, patience_s: float) -> None:
        """Take the Hello.

        Raises:
            WrongError: it is none, or not as it must be.
            TimeoutError: nothing was said.
        """
        async with asyncio.timeout(patience_s):
            message = await self._message()
        try:
            self.greeting = introduced(message)
        except RefusedStreamError as refused:
            raise WrongError(refused.sentence) from None

    async def hear(self, patience_s: float) -> Said:
        """Return the next message.

        Raises:
            LeftError: the bot half-closed or is gone.
            TimeoutError: nothing was said.
            WrongError: it is no message of the protocol, or a second Hello.
        """
        async with asyncio.timeout(patience_s):
            message = await self._message()
        if message.HasField("hello"):
            raise WrongError("a second hello in one stream; it is for the first message only")
        answers = [Answered(one.round, one.act, tuple(one.picks), one.call, one.color) for one in message.answers]
        nonces = {one.match: one.nonce for one in message.nonces}
        return Said(tuple(answers), nonces, message.HasField("heartbeat"))

    async def _message(self) -> pb.PlayRequest:
        raw = await self._inbox.get()
        if raw is None:
            self._inbox.put_nowait(None)
            raise LeftError
        try:
            return pb.PlayRequest.FromString(raw)
        except DecodeError:
            raise WrongError(f"a message of {len(raw)} bytes is no PlayRequest") from None

    async def half_closed(self, patience_s: float) -> None:
        """Wait until the bot half-closes; what it says before is of no interest any more.

        Raises:
            TimeoutError: it does not.
        """
        async with asyncio.timeout(patience_s):
            while await self._inbox.get() is not None:
                pass

    # -- to the bot

    async def send(self, parts: Iterable[bytes]) -> None:
        """Send encoded turns and notices as one message.

        Raises:
            LeftError: nobody takes it any more.
            WrongError: nobody reads it; the stream is over.
        """
        try:
            async with asyncio.timeout(READ_S):
                await self._context.write(b"".join(parts))
        except TimeoutError:
            sentence = f"it has not read what it was told for {READ_S:g} s"
            self.abort(grpc.StatusCode.DEADLINE_EXCEEDED, "UNREAD", sentence)
            raise WrongError(sentence) from None
        except (grpc.aio.BaseError, asyncio.InvalidStateError):
            raise LeftError from None

    def finish(self) -> None:
        """End the stream in good order."""
        if not self._verdict.done():
            self._verdict.set_result(None)

    def abort(self, code: grpc.StatusCode, reason: str, sentence: str) -> None:
        """End the stream with an error."""
        if not self._verdict.done():
            info = any_pb2.Any()
            info.Pack(error_details_pb2.ErrorInfo(reason=reason, domain="lastcard"))
            self._verdict.set_result(Status(code=code.value[0], message=f"{reason}: {sentence}", details=[info]))


class Door:
    """Where the bot dials in; every stream waits in line until it is led."""

    def __init__(self, address: str) -> None:
        self.line = Line(address)
        self._visits: asyncio.Queue[Visit] = asyncio.Queue(MOST_VISITS)
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)], maximum_concurrent_rpcs=MOST_VISITS)

    async def __aenter__(self) -> Self:
        """Listen.

        Raises:
            OSError: the address cannot be had.
            InputError: nor can any port for what is behind it.
        """
        play: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._play)
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"Play": play}),))
        try:
            inside = self._server.add_insecure_port(f"{INSIDE}:0")
        except RuntimeError:
            sentence = (
                f"no port of {INSIDE} can be had for the referee that the bot is led to; end programs that hold many"
            )
            raise InputError("NO_PORT", sentence) from None
        await self.line.open(inside)
        await self._server.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cut what is still open."""
        await self.line.close()
        await self._server.stop(0)

    async def _play(self, requests: AsyncIterator[bytes], context: Context) -> None:
        visit = Visit(context, asyncio.get_running_loop().time())
        await self._visits.put(visit)
        await visit.serve(requests)

    async def next(self, patience_s: float) -> Visit:
        """Return the next stream.

        Raises:
            TimeoutError: nobody dials.
        """
        async with asyncio.timeout(patience_s):
            return await self._visits.get()


# -- what no referee would say


def unheard_of() -> bytes:
    """Encode a notice of a kind, and fields, that no version of the protocol has."""
    inside = UNKNOWN_FIELD + b"\x03new"
    notice = b"\xf2\x07\x03new"  # field 126 of Notice
    return b"\x12" + bytes((len(notice),)) + notice + inside


def padding(size: int) -> bytes:
    """Encode an unknown field that brings a message of so many bytes to the most that one may have."""
    left = MOST_SENT - size - 8
    length = bytes((left & 127 | 128, left >> 7 & 127 | 128, left >> 14))
    return UNKNOWN_FIELD + length + bytes(left)
