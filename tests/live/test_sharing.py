"""Two processes of one version share its rounds; what one of them played when it went for good, the other plays on."""

import asyncio
from pathlib import Path
from time import monotonic

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard.v1 import play_pb2 as pb
from referee.bots import make
from referee.hosting.host import ORPHAN_S
from tests.live.house import house, plan, result
from tests.live.peer import Peer

MATCH = "s.1.1.0"
AWHILE_S = 1.0


async def first_question(peer: Peer) -> pb.Turn:
    """Wait for the first turn that asks something."""
    seen = 0
    while True:
        await peer.seen_turns(seen + 1)
        if peer.turns[seen].HasField("decision"):
            return peer.turns[seen]
        seen += 1


def told(*turns: pb.Turn) -> list[tuple[int, int, int, int]]:
    """Return what turns say of the table, in order: kind, seat, card and argument of each event."""
    return [
        event
        for turn in turns
        for event in zip(turn.event_kind, turn.event_seat, turn.event_card, turn.event_arg, strict=True)
    ]


async def test_a_round_stays_with_its_process_until_that_is_gone_for_five_seconds(store: Store, tmp_path: Path) -> None:
    """Then the other one is asked the same question, knows all that was told, and pays for none of the wait."""
    async with house(store, tmp_path) as home, Peer.open(home, "twin", instance="first") as first:
        ben = await home.join("ben", make("careful", 2))
        await home.plan(plan(MATCH, first.bot, ben))
        await first_question(first)
        async with Peer.open(home, "twin", instance="second") as second:
            await asyncio.sleep(AWHILE_S)
            assert second.turns == []
            games = {turn.round: turn.start.round_id for turn in first.turns if turn.HasField("start")}
            first.call.cancel()
            gone = monotonic()
            again = await first_question(second)
            assert monotonic() - gone > ORPHAN_S
            before = [turn for turn in first.turns if games[turn.round] == again.start.round_id]
            assert told(again) == told(*before)
            assert (again.act, again.decision) == (before[-1].act, before[-1].decision)
            second.answer = lambda _turn: [0]
            now = [pb.Answer(round=turn.round, act=turn.act, picks=[0]) for turn in second.turns if turn.act]
            await second.say(pb.PlayRequest(answers=now))
            row = await home.ended(MATCH)
    assert row.state is MatchState.CLOSED
    assert result(row)["forfeits"] == []
    assert result(row)["faults"] == [0, 0]
