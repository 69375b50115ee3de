"""A bot goes for good while several are asked at once: on the wire, the others notice when the window closes."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard.v1 import cards_pb2 as cards
from lastcard.v1 import play_pb2 as pb
from tests.live.house import house, plan, result
from tests.live.peer import Peer
from tests.patience import until

FORMAT = "uno-classic-4"
MATCH = "w.1.1.0"
OK = 1


def _window(peer: Peer) -> pb.Turn | None:
    """Return the window that a peer is asked about now."""
    last = peer.turns[-1] if peer.turns else pb.Turn()
    return last if last.decision.kind == cards.DECISION_KIND_CALL_WINDOW else None


def _answer(turn: pb.Turn) -> pb.PlayRequest:
    """Return an answer that lets it pass."""
    return pb.PlayRequest(answers=[pb.Answer(round=turn.round, act=turn.act, picks=[0])])


async def test_an_open_window_stands_when_another_bot_leaves(store: Store, tmp_path: Path) -> None:
    """Who has answered is told so, who has not answers what it was asked, and nobody is asked twice or pays for it."""
    ask = pb.STANDING_ORDER_ASK
    async with house(store, tmp_path, absent_s=0.5) as home, AsyncExitStack() as rest:
        streams = {name: AsyncExitStack() for name in ("ann", "ben", "cem", "dan")}
        peers: list[Peer] = []
        for name, stream in streams.items():
            await rest.enter_async_context(stream)
            hello = {"formats": [FORMAT], "catch": ask, "late_call": ask, "max_games": 1}
            peer = await stream.enter_async_context(Peer.open(home, name, **hello))
            peer.calls = False
            peer.answer = lambda turn: None if turn.decision.kind == cards.DECISION_KIND_CALL_WINDOW else [0]
            peers.append(peer)
        await home.plan(plan(MATCH, *(peer.bot for peer in peers), format_name=FORMAT))
        await until(lambda: all(_window(peer) for peer in peers))
        asked = {peer: peer.turns[-1] for peer in peers}
        catching = [peer for peer in peers if cards.ACT_CATCH in asked[peer].decision.option_act]
        leaver, early, late, subject = [*catching, *(peer for peer in peers if peer not in catching)]
        await early.say(_answer(asked[early]))
        await streams[leaver.bot.partition("@")[0]].aclose()
        hosted = home.running.host.matches[MATCH]
        await until(lambda: hosted.play.gone and not hosted.unlogged_leave)
        await early.say(_answer(asked[early]))
        await until(lambda: early.replies)
        for peer in (early, late, subject):
            peer.answer, peer.calls = (lambda _turn: [0]), True
        for peer in (late, subject):
            await peer.say(_answer(asked[peer]))
        row = await home.ended(MATCH)
    told = result(row)
    assert row.state is MatchState.CLOSED
    assert told["faults"] == [0, 0, 0, 0]
    assert told["forfeits"] == [{"entrant": peers.index(leaver), "reason": "ABSENT"}]
    assert [(one.round, one.act, one.code) for one in early.replies] == [(asked[early].round, asked[early].act, OK)]
    for peer in (early, late, subject):
        same = [turn for turn in peer.turns if (turn.round, turn.act) == (asked[peer].round, asked[peer].act)]
        assert sum(turn.HasField("decision") for turn in same) == 1
    assert late.replies == subject.replies == []
