"""A bare protocol peer: a bot without the SDK, for saying what the SDK would never say."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Self

import grpc

from lastcard.v1 import play_pb2 as pb
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from tests.live.house import House

METHOD = "/lastcard.v1.PlayService/Play"
Choose = Callable[[pb.Turn], Sequence[int] | None]


class Peer:
    """One stream. `answer` picks for a turn (None: silence); everything received is kept, `raw` since the Welcome.

    Attributes:
        calls: it says its call with every answer.
        thought_ms: what it says that it thought about each; 0: it does not say.
    """

    def __init__(self, call: "grpc.aio.StreamStreamCall[bytes, bytes]", bot: str) -> None:
        self.call = call
        self.bot = bot
        self.turns: list[pb.Turn] = []
        self.replies: list[pb.Reply] = []
        self.notices: list[pb.Notice] = []
        self.raw: list[bytes] = []
        self.answer: Choose = lambda _turn: None
        self.echoes = False
        self.calls = True
        self.thought_ms = 0
        self.nonce: bytes | None = bytes(16)
        self._more = asyncio.Condition()
        self._writing = asyncio.Lock()  # a second message that is written meanwhile ends a stream

    async def say(self, request: pb.PlayRequest) -> None:
        """Send a message."""
        async with self._writing:
            await self.call.write(request.SerializeToString())

    async def listen(self) -> None:
        """Receive and answer until the stream ends."""
        while True:
            raw = await self.call.read()
            if not isinstance(raw, bytes):
                return
            self.raw.append(raw)
            response = pb.PlayResponse.FromString(raw)
            request = self._request(response)
            if request.ByteSize():
                await self.say(request)
            async with self._more:
                self._more.notify_all()

    def _request(self, response: pb.PlayResponse) -> pb.PlayRequest:
        request = pb.PlayRequest()
        for turn in response.turns:
            self.turns.append(turn)
            if not turn.HasField("decision"):
                continue
            picks = self.answer(turn)
            if picks is None:
                continue
            answer = pb.Answer(round=turn.round, act=turn.act, picks=picks, call=self.calls, think_ms=self.thought_ms)
            request.answers.append(answer)
            if self.echoes:
                request.answers.append(pb.Answer(round=turn.round, act=turn.act, picks=picks, call=True))
                request.answers.append(pb.Answer(round=turn.round, act=turn.act + 500, picks=picks, call=True))
        for notice in response.notices:
            self.notices.append(notice)
            if notice.HasField("reply"):
                self.replies.append(notice.reply)
            if notice.HasField("match_start") and self.nonce is not None:
                request.nonces.append(pb.Nonce(match=notice.match_start.match, nonce=self.nonce))
        return request

    async def seen_turns(self, count: int) -> None:
        """Wait until so many turns have come."""
        async with asyncio.timeout(PATIENCE_S), self._more:
            await self._more.wait_for(lambda: len(self.turns) >= count)

    async def seen_end(self) -> None:
        """Wait until the end of a match has been told."""
        async with asyncio.timeout(PATIENCE_S), self._more:
            await self._more.wait_for(lambda: any(notice.HasField("match_end") for notice in self.notices))

    @classmethod
    @asynccontextmanager
    async def open(cls, home: "House", name: str, **hello: object) -> AsyncIterator[Self]:
        """Connect a bot of this name; closes the stream at the end."""
        token = await home.token(name)
        async with grpc.aio.insecure_channel(home.server) as channel:
            dial: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
            call = dial(metadata=(("authorization", f"Bearer {token}"),))
            await call.write(pb.PlayRequest(hello=greeting(name, **hello)).SerializeToString())
            first = await call.read()
            assert isinstance(first, bytes)
            welcome = pb.PlayResponse.FromString(first)
            peer = cls(call, welcome.notices[0].welcome.bot)
            peer._request(welcome)  # what came with it is kept, unanswered
            listening = asyncio.create_task(peer.listen())
            try:
                yield peer
            finally:
                call.cancel()
                listening.cancel()
                await asyncio.gather(listening, return_exceptions=True)


def greeting(name: str, **changes: object) -> pb.Hello:
    """Return a valid Hello with these changes."""
    order = pb.STANDING_ORDER_NEVER
    wanted = {
        "instance": f"{name}-1", "version": "1", "formats": ["uno-classic-2"], "catch": order, "challenge": order,
        "late_call": order,
    }  # fmt: skip
    return pb.Hello(**{**wanted, **changes})  # type: ignore[arg-type]
