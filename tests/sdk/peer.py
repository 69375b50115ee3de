"""A scripted wire peer: a real gRPC server whose every stream is led, step by step, by a test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Self

import grpc
from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from lastcard.v1 import play_pb2 as pb
from lastcard.v1 import play_pb2_grpc
from tests.patience import PATIENCE_S
from workers.house.ports import free

Context = grpc.aio.ServicerContext[pb.PlayRequest, pb.PlayResponse]


class PeerStream:
    """One stream of a bot, seen from the referee's side."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.inbox: asyncio.Queue[pb.PlayRequest | None] = asyncio.Queue()
        self.ended: asyncio.Future[tuple[grpc.StatusCode, str, str, int] | None] = (
            asyncio.get_running_loop().create_future()
        )
        self.metadata = {str(key): value for key, value in context.invocation_metadata() or ()}

    async def receive(self) -> pb.PlayRequest | None:
        """Return the next message, or None when the bot has half-closed."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.inbox.get()

    async def expect(self) -> pb.PlayRequest:
        """Return the next message, which must be there."""
        message = await self.receive()
        assert message is not None, "the bot half-closed"
        return message

    async def expect_hello(self) -> pb.Hello:
        """Return the Hello of the first message, which carries nothing else."""
        message = await self.expect()
        assert message.HasField("hello")
        assert not message.answers
        assert not message.nonces
        return message.hello

    async def expect_answers(self, count: int) -> list[pb.Answer]:
        """Return `count` answers, from as many messages as they come in."""
        answers: list[pb.Answer] = []
        while len(answers) < count:
            answers += (await self.expect()).answers
        assert len(answers) == count
        return answers

    async def expect_half_close(self) -> None:
        """Wait until the bot half-closes; it may not say anything before."""
        assert await self.receive() is None

    async def welcome(self, bot: str = "greedy@1", **limits: int) -> pb.Hello:
        """Take Hello, say Welcome; returns the Hello."""
        hello = await self.expect_hello()
        await self.send(
            notices=[pb.Notice(welcome=pb.Welcome(session="s1", bot=bot, limits=pb.Limits(max_games=64, **limits)))]
        )
        return hello

    async def send(self, *turns: pb.Turn, notices: list[pb.Notice] | None = None) -> None:
        """Send one message."""
        await self.context.write(pb.PlayResponse(turns=turns, notices=notices))

    def finish(self) -> None:
        """End the stream with OK, unless the bot has left it already."""
        if not self.ended.done():
            self.ended.set_result(None)

    def abort(self, code: grpc.StatusCode, sentence: str, reason: str = "", retry_s: int = 0) -> None:
        """End the stream with an error, and with the seconds after which to come again, if any."""
        self.ended.set_result((code, sentence, reason, retry_s))

    async def assert_done(self) -> None:
        """Half-closed by the bot and nothing left unread; then end with OK."""
        await self.expect_half_close()
        self.finish()


class Peer(play_pb2_grpc.PlayServiceServicer):
    """A referee that says only what a test says."""

    def __init__(self) -> None:
        self.streams: asyncio.Queue[PeerStream] = asyncio.Queue()
        (self.port,) = free(1)
        self._server: grpc.aio.Server | None = None

    async def Play(  # type: ignore[override]
        self, request_iterator: AsyncIterator[pb.PlayRequest], context: Context
    ) -> None:
        stream = PeerStream(context)
        await self.streams.put(stream)
        reader = asyncio.ensure_future(self._read(request_iterator, stream))
        try:
            ended = await stream.ended
        finally:
            reader.cancel()
        if ended:
            code, sentence, reason, retry_s = ended
            await context.abort(code, sentence, trailing_metadata=(details(code, sentence, reason, retry_s),))

    async def _read(self, requests: AsyncIterator[pb.PlayRequest], stream: PeerStream) -> None:
        async for request in requests:
            await stream.inbox.put(request)
        await stream.inbox.put(None)

    async def accept(self) -> PeerStream:
        """Return the next stream."""
        async with asyncio.timeout(PATIENCE_S):
            return await self.streams.get()

    async def start(self) -> None:
        """Listen; on the same port as before, if there was one."""
        self._server = grpc.aio.server(options=[("grpc.so_reuseport", 0)])
        play_pb2_grpc.add_PlayServiceServicer_to_server(self, self._server)
        self.port = self._server.add_insecure_port(f"127.0.0.1:{self.port}")
        await self._server.start()

    async def crash(self) -> None:
        """Cut every connection."""
        assert self._server
        await self._server.stop(0)

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.crash()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"127.0.0.1:{self.port}"


def details(code: grpc.StatusCode, sentence: str, reason: str, retry_s: int = 0) -> tuple[str, bytes]:
    """Return the rich status of an error as trailing metadata."""
    info, again = Any(), Any()
    info.Pack(ErrorInfo(reason=reason, domain="lastcard"))
    again.Pack(RetryInfo(retry_delay=Duration(seconds=retry_s)))
    status = Status(code=code.value[0], message=sentence, details=[again, info] if retry_s else [info])
    return "grpc-status-details-bin", status.SerializeToString()
