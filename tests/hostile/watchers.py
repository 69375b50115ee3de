"""Many who watch a match, as a process of its own: `python -m tests.hostile.watchers LADDER MATCH COUNT FIRST`.

They come from as many addresses as a trusted proxy would tell, thirty from each. One line is printed when all of them
see the match or were refused, and one at the end of the match: JSON of how many saw it, and of reasons of refusals.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from typing import Any, Final

import grpc

from lastcard.link.ending import LastWord
from lastcard.v1 import ladder_pb2 as pb
from lastcard.v1.ladder_pb2_grpc import LadderServiceStub

AN_ADDRESS: Final = 30
A_CONNECTION: Final = 8


class Crowd:
    """Those who watch, and what became of them."""

    def __init__(self, match: str) -> None:
        self.match = match
        self.seen = self.ended = 0
        self.refused: Counter[str] = Counter()

    async def watch(self, channel: grpc.aio.Channel, number: int) -> None:
        """Watch the match to its end."""
        stub: Any = LadderServiceStub(channel)
        address = f"10.{number // AN_ADDRESS // 250}.{number // AN_ADDRESS % 250}.1"
        call = stub.WatchMatch(pb.WatchMatchRequest(id=self.match), metadata=(("x-forwarded-for", address),))
        first, last_word = True, LastWord(call)
        try:
            async for response in call:
                self.seen += first
                first = False
                if response.live == pb.LIVE_STATE_OVER:
                    self.ended += 1
                    return
        except grpc.aio.AioRpcError:
            told = await last_word.told()
            self.refused[told.reason or f"{told.code}: {told.sentence}"] += 1

    async def told(self, count: int) -> None:
        """Say when all are in, or refused."""
        while self.seen + self.refused.total() < count:  # noqa: ASYNC110  (of all of them)
            await asyncio.sleep(0.1)
        self.say()

    def say(self) -> None:
        """Print what became of them."""
        print(json.dumps({"seen": self.seen, "ended": self.ended, "refused": self.refused}), flush=True)


async def main(ladder: str, match: str, count: int, first: int) -> None:
    """Watch."""
    crowd = Crowd(match)
    own = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(ladder, options=own) for _ in range(-(-count // A_CONNECTION))]
    watching = [crowd.watch(channels[number // A_CONNECTION], first + number) for number in range(count)]
    await asyncio.gather(crowd.told(count), *watching)
    crowd.say()
    await asyncio.gather(*(channel.close() for channel in channels))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
