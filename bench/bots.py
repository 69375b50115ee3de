"""Lean bots for measuring a referee: they parse every turn and pick a play at random, in a process of their own."""

import asyncio
import json
import random
import sys
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import Any

import grpc

from bench.peers import pin
from lastcard.v1 import play_pb2 as pb

HEARTBEAT_S = 20.0
# Without a pool of its own, a channel shares the connection of the next one to the same address.
OPTIONS = (("grpc.max_receive_message_length", 262_144), ("grpc.use_local_subchannel_pool", 1))


def _small(n: int) -> bytes:
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def _answer(round_handle: int, act: int, pick: int) -> bytes:
    body = b"\x08%b\x10%b\x1a\x01%c\x20\x01" % (_small(round_handle), _small(act), pick)
    return b"\x12%c%b" % (len(body), body)


@dataclass(slots=True)
class Spec:
    """What the bots of a process do.

    Attributes:
        servers: where to dial in: the first, and the next one when that is gone.
        rounds, open: rounds in flight, and questions open at once, of each bot.
        think_s: seconds before each message of answers, give or take a half: many bots do not answer all at once.
        authority: file of the certificate that they trust; None: they dial in plain text.
        times: seconds from an answer to the next message, of all bots of the process.
    """

    servers: list[str]
    rounds: int
    open: int
    think_s: float = 0.0
    authority: str | None = None
    times: list[float] = field(default_factory=list)


async def live(spec: Spec, token: str, instance: str) -> None:
    """Play one bot, at one referee after the other, until cancelled."""
    for server in cycle(spec.servers):
        try:
            await play(spec, server, token, instance)
        except grpc.aio.AioRpcError:
            if len(spec.servers) == 1:
                raise
        await asyncio.sleep(0.05)


def _channel(server: str, authority: str | None) -> grpc.aio.Channel:
    if authority is None:
        return grpc.aio.insecure_channel(server, options=OPTIONS)
    trusted = grpc.ssl_channel_credentials(Path(authority).read_bytes())
    return grpc.aio.secure_channel(server, trusted, options=OPTIONS)


async def beat(line: "Line") -> None:
    """Say every twenty seconds that the bot is there, unless it said something else since."""
    while True:
        since = line.said
        await asyncio.sleep(HEARTBEAT_S)
        if line.said == since:
            await line.say(pb.PlayRequest(heartbeat=pb.Heartbeat()).SerializeToString())


class Line:
    """Writes to a stream, one message after the other; `said` counts them."""

    def __init__(self, call: grpc.aio.StreamStreamCall[bytes, bytes]) -> None:
        self.said = 0
        self._call = call
        self._free = asyncio.Lock()

    async def say(self, message: bytes) -> None:
        """Write a message."""
        self.said += 1
        async with self._free:
            await self._call.write(message)


async def play(spec: Spec, server: str, token: str, instance: str) -> None:
    """Play one bot on one stream."""
    draw = random.Random(instance).random
    async with _channel(server, spec.authority) as channel, asyncio.TaskGroup() as group:
        dial: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/lastcard.v1.PlayService/Play")
        call = dial(metadata=(("authorization", f"Bearer {token}"),))
        line = Line(call)
        hello = pb.Hello(
            instance=instance, version="1", formats=["uno-classic-2"], max_games=spec.rounds,
            max_open=spec.open, catch=pb.STANDING_ORDER_ALWAYS, challenge=pb.STANDING_ORDER_NEVER,
            late_call=pb.STANDING_ORDER_ALWAYS,
        )  # fmt: skip
        await line.say(pb.PlayRequest(hello=hello).SerializeToString())
        beating = group.create_task(beat(line))
        sent = 0.0
        while isinstance(raw := await call.read(), bytes):
            if sent:
                spec.times.append(perf_counter() - sent)
                sent = 0.0
            response = pb.PlayResponse.FromString(raw)
            out = []
            for turn in response.turns:
                if turn.HasField("decision"):
                    options = len(turn.decision.option_act)
                    # The last option of a turn draws or keeps: uniform over plays, draw only when there is none.
                    out.append(_answer(turn.round, turn.act, int(draw() * (options - 1))))
            answered = bool(out)
            for notice in response.notices:
                if notice.HasField("match_start"):
                    nonce = pb.Nonce(match=notice.match_start.match, nonce=bytes(16))
                    out.append(pb.PlayRequest(nonces=[nonce]).SerializeToString())
            if out:
                if answered and spec.think_s:
                    await asyncio.sleep(spec.think_s * (0.5 + draw()))
                await line.say(b"".join(out))
                sent = perf_counter() if answered else 0.0
        beating.cancel()


async def main(words: dict[str, Any]) -> None:
    """Run the bots of a spec until the process is killed, or for `seconds` from a line on if they are to be timed."""
    spec = Spec(
        [words["server"], *words.get("others", [])], words["rounds"], words["open"], words.get("think_s", 0.0),
        words.get("authority"),
    )  # fmt: skip
    first = words.get("first", 0)
    tasks = [
        asyncio.create_task(live(spec, token, f"bench-{number}")) for number, token in enumerate(words["tokens"], first)
    ]
    if "seconds" not in words:
        await asyncio.gather(*tasks)
        return
    await asyncio.to_thread(sys.stdin.readline)
    spec.times.clear()
    await asyncio.sleep(words["seconds"])
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    print(json.dumps(spec.times))


if __name__ == "__main__":
    told = json.loads(sys.stdin.readline())
    pin(told.get("core", 1))
    asyncio.run(main(told))
