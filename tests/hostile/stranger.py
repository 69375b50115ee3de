"""What a stranger says, and what it may be told: the words of all attacks."""

from collections.abc import Awaitable, Callable
from typing import Final

import grpc

from lastcard.v1 import play_pb2 as pb
from tests.hostile.raw import Ended, Metadata, RawStream, opened
from tests.hostile.target import Target
from tests.live.peer import greeting

Attack = Callable[[Target], Awaitable[None]]

MOST_INT: Final = 2**32 - 1
MALFORMED, FOREIGN, RATE = pb.REPLY_CODE_MALFORMED, pb.REPLY_CODE_FOREIGN, pb.REPLY_CODE_RATE
USELESS: Final = pb.PlayRequest(answers=[pb.Answer(round=77)]).SerializeToString()
MANY: Final = pb.PlayRequest(answers=[pb.Answer(round=number) for number in range(15)])
"""As many replies as a message may ask for that weighs no more than one without any use."""
BEAT: Final = pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=7))


def hello(name: str = "mallory", **changes: object) -> pb.PlayRequest:
    """Return a first message."""
    return pb.PlayRequest(hello=greeting(name, **changes))


async def refused(
    target: Target,
    *messages: bytes,
    token: str = "",
    metadata: Metadata | None = None,
    compression: grpc.Compression | None = None,
) -> Ended:
    """Send these first messages on a stream and return how it is ended."""
    known = token or target.fresh()
    async with opened(target.server, known, metadata=metadata, compression=compression) as stream:
        await stream.send(*messages)
        return await stream.ended()


async def joined(stream: RawStream, **changes: object) -> str:
    """Say a good Hello and return the name that is welcomed."""
    await stream.say(hello("mallory", **changes))
    name = await stream.welcomed()
    assert name
    return name


async def cut_for_rate(target: Target, stream: RawStream, *messages: bytes) -> None:
    """Send messages until the stream is cut, for their number."""
    before = target.metric('lastcard_replies_total{code="rate"}')
    ended = await stream.flood(*messages)
    # A client that still writes when the end comes may lose the status to an error of its own.
    assert (ended.code, ended.reason) in {("RESOURCE_EXHAUSTED", "RATE"), ("", "")}, ended
    assert target.metric('lastcard_replies_total{code="rate"}') == before + 1
