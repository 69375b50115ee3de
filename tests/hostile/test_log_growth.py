"""What a match costs the store is bounded by its decisions, whatever one of its bots says, and how often."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import grpc
import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard.v1 import play_pb2 as pb
from lastcard.v1.cards_pb2 import Color
from referee import logbook
from referee.bots import make
from referee.hosting.asking import MOST_PICKS, SHORT_MS
from referee.rules.chance import NONCE_BYTES
from tests.live.house import House, house, plan
from tests.live.peer import Peer
from tests.patience import until

pytestmark = pytest.mark.slow

MOST: int = 2**32 - 1
"""The largest number that a field of an answer takes."""
REPEATS = 15
"""As many of an answer as a message may bring that weighs no more than one without any use."""
ENTRY_BYTES = 9
"""Each entry of a log says when it was written."""
ACT_BYTES = 9
"""An answer of one pick, with two bytes for milliseconds and for what else is above 127."""
TIME_BYTES = 14
"""What became of its time, with five bytes for what the bot says that it thought."""
ROUND_BYTES = 64
"""The end of a round: a digest, and how it came out."""
KEPT = 2
"""So much of the store's memory a byte of a log takes at most, beside a node of its stream that is begun."""
NODE_BYTES = 8_192

MOST_ACTS = 2_000
"""Of a round, by far; such as go on for ever are ended by the rules."""


class Writer(Peer):
    """A bot that says what it likes; this one is honest."""

    def said(self, turn: pb.Turn) -> list[pb.Answer]:
        """Return what it answers."""
        return [pb.Answer(round=turn.round, act=turn.act, picks=[0], call=True)]

    def _request(self, response: pb.PlayResponse) -> pb.PlayRequest:
        request = super()._request(response)
        request.ClearField("answers")
        for turn in response.turns:
            if turn.HasField("decision"):
                request.answers.extend(self.said(turn))
        return request


class Repeating(Writer):
    """Says everything many times, also what is over, with numbers as large as they can be."""

    def said(self, turn: pb.Turn) -> list[pb.Answer]:
        """Return an answer, and again."""
        first = pb.Answer(round=turn.round, act=turn.act, picks=[0], call=True, think_ms=MOST)
        return [first, *[first] * (REPEATS - 2), pb.Answer(round=MOST, act=MOST, picks=range(MOST_PICKS))]

    def _request(self, response: pb.PlayResponse) -> pb.PlayRequest:
        request = super()._request(response)
        for nonce in list(request.nonces):
            request.nonces.extend([pb.Nonce(match=nonce.match, nonce=bytes(1024))] * 60)
        return request


class Slow(Repeating):
    """Takes so long for each answer that the log says where its time went."""

    async def say(self, request: pb.PlayRequest) -> None:
        """Wait, then say it."""
        await asyncio.sleep(1.2 * SHORT_MS / 1000 if request.answers else 0)
        await super().say(request)


class Wrong(Writer):
    """Answers with lists as long as may be, which are wrong wherever they are asked for."""

    def said(self, turn: pb.Turn) -> list[pb.Answer]:
        """Return an answer that is a fault, many times."""
        lists, color = [MOST] * MOST_PICKS, cast("Color", 9)
        return [pb.Answer(round=turn.round, act=turn.act, picks=lists, color=color, think_ms=MOST)] * (REPEATS // 2)


class Restless(Repeating):
    """Comes back with every few messages, as the same process."""

    count = 0

    async def say(self, request: pb.PlayRequest) -> None:
        """Say it and go."""
        await super().say(request)
        self.count += bool(request.answers)
        if self.count >= 4:
            self.count = 0
            self.call.cancel()


@dataclass
class Cost:
    """What the log of a match takes.

    Attributes:
        size: bytes of its entries.
        stored: bytes in the memory of the store.
    """

    entries: int
    size: int
    acts: int
    rounds: int
    stored: int

    @property
    def bound(self) -> int:
        """Return as many bytes as the entries may have, with these decisions and rounds."""
        entries = 4 * NONCE_BYTES + self.entries * ENTRY_BYTES
        return entries + self.acts * (ACT_BYTES + TIME_BYTES) + self.rounds * ROUND_BYTES


def cost(store: Store, match: str) -> Cost:
    """Measure the log of a match."""
    log = [entry for _, _, entry in store.matches.log(match)]
    found = [record for entry in log for record in logbook.records(entry)]
    acts = sum(isinstance(one, logbook.ActRecord) for one in found)
    rounds = sum(isinstance(one, logbook.RoundRecord) for one in found)
    stored = store.link.read("MEMORY", "USAGE", store.keys.shown_log(match))
    assert isinstance(stored, int)
    return Cost(len(log), sum(map(len, log)), acts, rounds, stored)


@asynccontextmanager
async def playing(home: House, name: str, kind: type[Writer]) -> AsyncIterator[str]:
    """Have a bot of this kind there, which comes back as often as it goes; yields its `name@n`."""
    known: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def play() -> None:
        while True:
            with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
                async with kind.open(home, name, instance=name) as peer:
                    if not known.done():
                        known.set_result(peer.bot)
                    if waiting := [one for turn in peer.turns if turn.HasField("decision") for one in peer.said(turn)]:
                        await peer.say(pb.PlayRequest(answers=waiting))  # what came with the Welcome
                    await until(peer.call.done)

    task = asyncio.create_task(play())
    try:
        yield await known
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@pytest.mark.parametrize(
    ("kind", "meetings"),
    [
        pytest.param(Repeating, 2, id="repeats"),
        pytest.param(Slow, 1, id="slow"),
        pytest.param(Wrong, 2, id="wrong lists"),
        pytest.param(Restless, 1, id="reconnects"),
    ],
)
async def test_a_log_grows_with_decisions_and_with_nothing_that_a_bot_says(
    store: Store, tmp_path: Path, kind: type[Writer], meetings: int
) -> None:
    """Its bytes have a bound that its decisions give it, as those of an honest bot's have."""
    costs: dict[type[Writer], Cost] = {}
    kinds: list[type[Writer]] = [Writer, kind]
    async with house(store, tmp_path) as home:
        for number, one in enumerate(kinds):
            ben = await home.join(f"ben-{number}", make("first", 2))
            async with playing(home, f"writer-{number}", one) as writer:
                await home.plan(plan(f"s.1.{number}.0", writer, ben, meetings=meetings))
                row = await home.ended(f"s.1.{number}.0")
                assert row.state is MatchState.CLOSED
                costs[one] = cost(store, row.id)
    honest, other = costs[Writer], costs[kind]
    assert other.size < other.bound, costs
    assert other.acts < MOST_ACTS * max(1, other.rounds), costs
    assert other.stored < KEPT * other.bound + NODE_BYTES, costs
    assert honest.size < honest.bound, costs
