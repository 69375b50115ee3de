"""A bot on the bare protocol that does one thing wrong on purpose: `python bare_bot.py FAULT [FORMAT …]`, or `none`."""

from __future__ import annotations

import asyncio
import os
import secrets
import sys
from collections.abc import Iterator, Sequence

import grpc

from lastcard.v1 import play_pb2 as pb
from lastcard.v1 import play_pb2_grpc

FORMATS = ("uno-classic-2", "uno-classic-2-fast")
"""What it plays where it is told nothing."""
BEAT_S = 5.0
HURRY_S = 1.5
"""What a bot without patience waits for anything."""
VANISHES_AFTER = 60
SMALL_BYTES = 64 * 1024
"""What a bot takes at most that has not read how large a message may be."""


class BareBot:
    """Plays first options over one stream after another."""

    def __init__(self, fault: str, formats: Sequence[str]) -> None:
        self.fault = fault
        self.formats = formats
        self.instance = secrets.token_hex(8)
        self.wait_s = 0.0
        self.asked = 0
        self.newest = 0
        self.greeted = False
        self.last: dict[int, int] = {}
        self.over: set[int] = set()
        self.sulks: set[int] = set()
        self._writing = asyncio.Lock()  # a second message that is written meanwhile ends a stream

    async def live(self) -> None:
        """Dial for ever."""
        while True:
            if self.fault == "another instance":
                self.instance = secrets.token_hex(8)
            code = await self._play()
            if code is grpc.StatusCode.UNAUTHENTICATED and self.fault != "bad token":
                return
            await asyncio.sleep(self.wait_s)

    async def _play(self) -> grpc.StatusCode:
        self.wait_s, self.greeted = 0.1, False
        options = [("grpc.max_receive_message_length", SMALL_BYTES)] if self.fault == "small" else []
        async with grpc.aio.insecure_channel(os.environ["LASTCARD_SERVER"], options=options) as channel:
            call = play_pb2_grpc.PlayServiceStub(channel).Play(
                metadata=(("authorization", f"Bearer {os.environ['LASTCARD_TOKEN']}"),)
            )
            beating = asyncio.create_task(self._beat(call))
            try:
                await self._say(call, pb.PlayRequest(hello=self._hello()))
                while isinstance(response := await self._read(call), pb.PlayResponse):
                    self.greeted = True
                    self._look(response)
                    request = pb.PlayRequest(answers=self._answers(response), nonces=self._nonces(response))
                    if request.ByteSize():
                        await self._say(call, request)
                    if any(notice.HasField("going_away") for notice in response.notices):
                        if self.fault == "stays":
                            continue
                        await call.done_writing()
                return await call.code()
            except grpc.aio.AioRpcError as error:
                return error.code()
            finally:
                beating.cancel()

    async def _read(self, call: grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]) -> object:
        """Wait for a message; one that has no patience gives up what is late."""
        hurry = self.fault == ("impatient" if self.greeted else "no patience")
        try:
            async with asyncio.timeout(HURRY_S if hurry else None):
                return await call.read()
        except TimeoutError:
            if self.fault == "impatient":
                sys.exit(5)
            call.cancel()
            return None

    async def _beat(self, call: grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse]) -> None:
        while self.fault != "silent":
            await asyncio.sleep(BEAT_S)
            await self._say(call, pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=1)))

    async def _say(
        self, call: grpc.aio.StreamStreamCall[pb.PlayRequest, pb.PlayResponse], request: pb.PlayRequest
    ) -> None:
        async with self._writing:
            await call.write(request)

    def _hello(self) -> pb.Hello:
        order = pb.STANDING_ORDER_ALWAYS
        return pb.Hello(
            instance=self.instance, version="1", formats=self.formats, max_open=16, catch=order, challenge=order,
            late_call=pb.STANDING_ORDER_UNSPECIFIED if self.fault == "hello" else order,
        )  # fmt: skip

    def _look(self, response: pb.PlayResponse) -> None:
        """Do what is only wrong in one that takes an old turn, or a reply, amiss."""
        for turn in response.turns:
            if self.fault == "strict" and turn.HasField("decision") and turn.act < self.last.get(turn.round, 0):
                sys.exit(6)
            if self.fault == "final" and turn.round in self.over:
                sys.exit(7)
            self.last[turn.round] = 0 if turn.HasField("end") else turn.act
            if turn.HasField("end") and turn.end.game_over:
                self.over.add(turn.round)
        if self.fault == "sulky":
            self.sulks.update(notice.reply.round for notice in response.notices if notice.HasField("reply"))

    def _answers(self, response: pb.PlayResponse) -> Iterator[pb.Answer]:
        for turn in response.turns:
            if not turn.HasField("decision"):
                continue
            self.asked += 1
            if self.fault == "vanishes" and self.asked > VANISHES_AFTER:
                os._exit(0)
            if self.fault == "mute" or turn.round in self.sulks:
                continue
            options = len(turn.decision.option_act)
            pick = {"illegal": options, "fickle": self.asked % options}.get(self.fault, 0)
            self.newest = max(self.newest, turn.round)
            yield pb.Answer(round=self.newest if self.fault == "one table" else turn.round, act=turn.act, picks=[pick])
            if self.fault == "twice":
                yield pb.Answer(round=turn.round, act=turn.act, picks=[pick])
        if self.fault == "unknown" and any(not notice.WhichOneof("notice") for notice in response.notices):
            sys.exit(3)
        if self.fault == "touchy" and any(notice.HasField("reply") for notice in response.notices):
            sys.exit(4)

    def _nonces(self, response: pb.PlayResponse) -> Iterator[pb.Nonce]:
        for notice in response.notices:
            if notice.HasField("going_away") and self.fault != "hurries":
                self.wait_s = notice.going_away.reconnect_after_ms / 1000
            if notice.HasField("replaced") and self.fault != "fights":
                self.wait_s = 60.0
            if notice.HasField("match_start") and self.fault != "no nonce":
                size = 8 if self.fault == "short nonce" else 16
                nonce = bytes(size) if self.fault == "same nonce" else secrets.token_bytes(size)
                yield pb.Nonce(match=notice.match_start.match, nonce=nonce)


if __name__ == "__main__":
    asyncio.run(BareBot(sys.argv[1], sys.argv[2:] or FORMATS).live())
