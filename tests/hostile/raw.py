"""A client that sends whatever bytes it likes on the play method, and notes how the referee ends it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import grpc

from lastcard.link.ending import LastWord
from lastcard.v1 import play_pb2 as pb
from tests.patience import PATIENCE_S

METHOD = "/lastcard.v1.PlayService/Play"
OVER = (grpc.aio.AioRpcError, grpc.aio.UsageError, asyncio.InvalidStateError)
Metadata = Sequence[tuple[str, str]]


@dataclass(frozen=True)
class Ended:
    """The status of a stream that is over, with the reason of its `ErrorInfo` and the seconds of its `RetryInfo`."""

    code: str
    reason: str
    sentence: str
    retry_s: float = 0.0


class RawStream:
    """One stream. What comes is read only when asked for."""

    def __init__(self, call: "grpc.aio.StreamStreamCall[bytes, bytes]") -> None:
        self.call = call
        self._last_word = LastWord(call)

    async def send(self, *messages: bytes) -> bool:
        """Send messages; returns whether the stream still took the last one."""
        try:
            for message in messages:
                async with asyncio.timeout(PATIENCE_S):
                    await self.call.write(message)
        except OVER:
            return False
        return True

    async def say(self, *requests: pb.PlayRequest) -> bool:
        """Send well-formed messages; returns as `send`."""
        return await self.send(*(request.SerializeToString() for request in requests))

    async def hear(self) -> pb.PlayResponse | None:
        """Return the next message, None when there is none any more."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                raw = await self.call.read()
        except OVER:
            return None
        return pb.PlayResponse.FromString(raw) if isinstance(raw, bytes) else None

    async def replies(self, count: int) -> list[pb.Reply]:
        """Return the first replies, of all that is heard."""
        found: list[pb.Reply] = []
        while len(found) < count and (response := await self.hear()):
            found += [notice.reply for notice in response.notices if notice.HasField("reply")]
        return found[:count]

    async def welcomed(self) -> str:
        """Return the name that the referee welcomes this bot by, "" if it does not."""
        response = await self.hear()
        return response.notices[0].welcome.bot if response and response.notices else ""

    async def ended(self) -> Ended:
        """Read to the end and return how it ended."""
        while await self.hear():
            pass
        told = await self._last_word.told()
        return Ended(told.code.name if told.code else "", told.reason, told.sentence, told.wait_s)

    async def flood(self, *messages: bytes) -> Ended:
        """Send messages while reading; returns how the stream ended.

        Who only sends never learns of a status that stands behind replies.
        """
        ended, _ = await asyncio.gather(self.ended(), self.send(*messages))
        return ended


@asynccontextmanager
async def dialled(server: str, *options: tuple[str, int]) -> AsyncIterator[grpc.aio.Channel]:
    """Open a connection that is shared with nobody."""
    own = (("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0), *options)
    async with grpc.aio.insecure_channel(server, options=own) as channel:
        yield channel


def stream_on(channel: grpc.aio.Channel, metadata: Metadata, compression: grpc.Compression | None = None) -> RawStream:
    """Begin a stream on a connection."""
    dial: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
    return RawStream(dial(metadata=metadata, compression=compression))


@asynccontextmanager
async def opened(
    server: str, token: str = "", *, metadata: Metadata | None = None, compression: grpc.Compression | None = None
) -> AsyncIterator[RawStream]:
    """Open a stream on a connection of its own; it is cut at the end of the block."""
    async with dialled(server) as channel:
        stream = stream_on(channel, bearer(token) if metadata is None else metadata, compression)
        try:
            yield stream
        finally:
            stream.call.cancel()


def bearer(token: str) -> Metadata:
    """Return the metadata that carries a token, none without one."""
    return (("authorization", f"Bearer {token}"),) if token else ()
