"""Everything that the protocol has for a bot to be told is told by a real referee: every reply and every notice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import grpc
import pytest

from ladder.store import Store
from lastcard.v1 import play_pb2 as pb
from tests.live.house import House, house, plan
from tests.live.peer import Peer
from tests.live.test_faults import FAST, Quick
from tests.patience import PATIENCE_S, until

CODES: Final = [number for number in pb.ReplyCode.values() if number]
NOTICES: Final = [field.name for field in pb.Notice.DESCRIPTOR.fields]
Scene = Callable[[House, Peer], Awaitable[object]]


async def asked(peer: Peer, after: int = 0) -> pb.Turn:
    """Return the last decision that a bot is asked, once there are more than so many turns."""
    await peer.seen_turns(after + 1)
    await until(lambda: peer.turns[-1].HasField("decision"))
    return peer.turns[-1]


async def begin(home: House, peer: Peer, meetings: int = 1) -> pb.Turn:
    """Have a match begin against a quick bot; return the first decision."""
    quick = await home.join("quick", Quick())
    await home.plan(plan("s.1.1.0", peer.bot, quick, format_name=FAST, meetings=meetings))
    return await asked(peer)


def answer(turn: pb.Turn, *picks: int, color: int = 0) -> pb.PlayRequest:
    """Return an answer to a decision."""
    given = pb.Answer(round=turn.round, act=turn.act, picks=picks or [0], call=True)
    given.color = color  # type: ignore[assignment]  # also what is no colour
    return pb.PlayRequest(answers=[given])


async def again(home: House, peer: Peer) -> None:
    """The same answer twice."""
    turn = await begin(home, peer)
    await peer.say(answer(turn))
    await peer.say(answer(turn))


async def another(home: House, peer: Peer) -> None:
    """Another answer to a decision that is closed."""
    turn = await begin(home, peer)
    await peer.say(answer(turn))
    await peer.say(answer(turn, len(turn.decision.option_act) + 1))


async def after_the_round(home: House, peer: Peer) -> None:
    """An answer to a round that is over."""
    turn = await begin(home, peer)
    peer.answer = lambda _turn: [0]
    await peer.say(answer(turn))
    await until(lambda: any(one.HasField("end") and one.round == turn.round for one in peer.turns))
    await peer.say(answer(turn))


async def of_nobody(home: House, peer: Peer) -> None:
    """An answer to a round that there never was."""
    del home
    await peer.say(pb.PlayRequest(answers=[pb.Answer(round=99, act=1, picks=[0])]))


async def while_it_moves(home: House, peer: Peer) -> None:
    """An answer to a match that this referee has given back."""
    turn = await begin(home, peer)
    home.referee.stopping.set()
    await until(lambda: any(notice.HasField("going_away") for notice in peer.notices))
    await peer.say(answer(turn))


async def not_listed(home: House, peer: Peer) -> None:
    """An option that there is not."""
    await peer.say(answer(await begin(home, peer), 250))


async def no_color(home: House, peer: Peer) -> None:
    """A colour that there is not."""
    await peer.say(answer(await begin(home, peer), color=9))


async def flooding(home: House, peer: Peer) -> None:
    """More messages of no use than are borne."""
    del home
    with suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):  # the stream is ended meanwhile
        for _ in range(400):
            await peer.say(pb.PlayRequest(nonces=[pb.Nonce(match="none", nonce=bytes(16))]))


async def too_late(home: House, peer: Peer) -> None:
    """No answer at all."""
    await begin(home, peer)


REPLIES: Final[dict[int, Scene]] = {
    pb.REPLY_CODE_OK: again,
    pb.REPLY_CODE_STALE: another,
    pb.REPLY_CODE_ROUND_OVER: after_the_round,
    pb.REPLY_CODE_FOREIGN: of_nobody,
    pb.REPLY_CODE_MOVED: while_it_moves,
    pb.REPLY_CODE_ILLEGAL: not_listed,
    pb.REPLY_CODE_MALFORMED: no_color,
    pb.REPLY_CODE_RATE: flooding,
    pb.REPLY_CODE_LATE: too_late,
}


@pytest.mark.parametrize("code", [pytest.param(code, id=pb.ReplyCode.Name(code)[11:].lower()) for code in CODES])
async def test_every_reply_is_said(store: Store, tmp_path: Path, code: pb.ReplyCode) -> None:
    """With a sentence wherever something is to be changed."""
    async with house(store, tmp_path) as home, Peer.open(home, "ann", formats=[FAST]) as peer:
        await REPLIES[code](home, peer)
        await until(lambda: any(reply.code == code for reply in peer.replies), PATIENCE_S, lambda: str(peer.replies))
        reply = next(reply for reply in peer.replies if reply.code == code)
        assert bool(reply.reason) == (code != pb.REPLY_CODE_OK)


async def test_every_notice_is_said(store: Store, tmp_path: Path) -> None:
    """Two streams of one process, a match to its end, and a referee that stops: nothing else has to be known of."""
    seen: set[str | None] = {"welcome"}  # without it there is no peer
    names = {"name": "ann", "formats": [FAST]}
    async with house(store, tmp_path) as home, Peer.open(home, **names) as old, Peer.open(home, **names) as peer:  # type: ignore[arg-type]
        await until(lambda: any(notice.HasField("replaced") for notice in old.notices))
        peer.answer = lambda _turn: [0]
        await peer.say(answer(await begin(home, peer)))
        await peer.say(pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=77)))
        await peer.seen_end()
        home.referee.stopping.set()
        await until(lambda: any(notice.HasField("going_away") for notice in peer.notices))
        seen |= {notice.WhichOneof("notice") for notice in (*old.notices, *peer.notices)}
        echoes = [notice.heartbeat.stamp for notice in peer.notices if notice.HasField("heartbeat")]
    assert echoes == [77]
    assert seen == set(NOTICES)
