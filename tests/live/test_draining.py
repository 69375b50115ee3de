"""A referee that stops: matches first, then answers that come too late, then goodbye, to each bot at its own time."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard.v1 import play_pb2 as pb
from referee.app import RECONNECT_SPREAD_MS
from tests.live.house import house, plan
from tests.live.peer import Peer
from tests.patience import until

BOTS = 6


def _waits_ms(peer: Peer) -> list[int]:
    """Return the times after which a bot was told to come back."""
    return [one.going_away.reconnect_after_ms for one in peer.notices if one.HasField("going_away")]


async def test_bots_are_sent_away_one_by_one_when_their_matches_are_handed_back(store: Store, tmp_path: Path) -> None:
    """Who hears of it can dial another referee, which finds the match; a late answer is told so, and is no fault."""
    async with house(store, tmp_path) as home, AsyncExitStack() as stack:
        peers = [await stack.enter_async_context(Peer.open(home, f"bot{number}")) for number in range(BOTS)]
        await home.plan(plan("d.1.1.0", peers[0].bot, peers[1].bot))
        await until(lambda: any(turn.HasField("decision") for peer in peers for turn in peer.turns))
        asked, turn = next((one, turn) for one in peers for turn in one.turns if turn.HasField("decision"))
        home.referee.stopping.set()
        await until(lambda: all(map(_waits_ms, peers)))
        row = store.matches.get("d.1.1.0")
        assert (row.state, row.owner, row.strikes) == (MatchState.READY, "", 0)
        assert "d.1.1.0" in store.matches.waiting()
        assert store.matches.referees() == {}
        await asked.say(pb.PlayRequest(answers=[pb.Answer(round=turn.round, act=turn.act, picks=[0])]))
        await until(lambda: asked.replies)
        assert [reply.code for reply in asked.replies] == [pb.REPLY_CODE_MOVED]
        await asyncio.gather(*(peer.call.done_writing() for peer in peers))
    waits = [wait for peer in peers for wait in _waits_ms(peer)]
    assert len(waits) == BOTS
    assert all(0 <= wait < RECONNECT_SPREAD_MS for wait in waits)
    assert len(set(waits)) > BOTS // 2
