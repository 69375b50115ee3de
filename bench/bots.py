"""Lean bots for measuring a referee: they parse every turn and pick a play at random, in a process of their own."""

import asyncio
import json
import random
import sys
from collections.abc import Sequence

import grpc

from bench.peers import pin
from lastcard.v1 import play_pb2 as pb

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


async def play(server: str, token: str, instance: str, rounds: int, open_decisions: int, nonces: bool) -> None:
    """Play one bot until cancelled."""
    draw = random.Random(instance).random
    async with grpc.aio.insecure_channel(server, options=OPTIONS) as channel:
        dial: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream("/lastcard.v1.PlayService/Play")
        call = dial(metadata=(("authorization", f"Bearer {token}"),))
        hello = pb.Hello(
            instance=instance, version="1", formats=["uno-classic-2"], max_games=rounds,
            max_open=open_decisions, catch=pb.STANDING_ORDER_ALWAYS, challenge=pb.STANDING_ORDER_NEVER,
            late_call=pb.STANDING_ORDER_ALWAYS,
        )  # fmt: skip
        await call.write(pb.PlayRequest(hello=hello).SerializeToString())
        while isinstance(raw := await call.read(), bytes):
            response = pb.PlayResponse.FromString(raw)
            out = []
            for turn in response.turns:
                if turn.HasField("decision"):
                    options = len(turn.decision.option_act)
                    # The last option of a turn draws or keeps: uniform over plays, draw only when there is none.
                    out.append(_answer(turn.round, turn.act, int(draw() * (options - 1))))
            for notice in response.notices:
                if nonces and notice.HasField("match_start"):
                    nonce = pb.Nonce(match=notice.match_start.match, nonce=bytes(16))
                    out.append(pb.PlayRequest(nonces=[nonce]).SerializeToString())
            if out:
                await call.write(b"".join(out))


async def main(spec: dict[str, object]) -> None:
    """Run the bots of a spec until the process is killed."""
    tokens = spec["tokens"]
    assert isinstance(tokens, Sequence)
    async with asyncio.TaskGroup() as group:
        for number, token in enumerate(tokens):
            group.create_task(
                play(str(spec["server"]), str(token), f"bench-{number}", int(str(spec["rounds"])),
                     int(str(spec["open"])), nonces=True)
            )  # fmt: skip


if __name__ == "__main__":
    pin(1)
    asyncio.run(main(json.loads(sys.stdin.readline())))
