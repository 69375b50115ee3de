"""Who comes with another token sees nothing of a bot's session, and two copies of a bot do not throw each other out."""

import asyncio
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.settings import settings
from lastcard.v1 import play_pb2 as pb
from tests.hostile.raw import opened
from tests.hostile.stranger import FOREIGN, hello
from tests.live.house import House, house, plan, result
from tests.live.peer import Peer
from tests.live.test_matches import Greedy
from tests.live.test_sharing import first_question, told
from tests.patience import until

pytestmark = pytest.mark.slow

MATCH = "s.1.1.0"


async def pried(home: House, turn: pb.Turn, instance: str, match: str) -> list[pb.PlayResponse]:
    """Come as mallory with a bot's instance, rounds and handles; return what is told until a heartbeat comes back."""
    known = [pb.Resume(round_id=turn.start.round_id, next_event=0)]
    answers = [pb.Answer(round=turn.round, act=turn.act, picks=[0]) for _ in range(3)]
    async with opened(home.server, await home.token("mallory")) as stream:
        await stream.say(hello(instance=instance, resume=known))
        heard: list[pb.PlayResponse] = []
        first = await stream.hear()
        assert first is not None
        await stream.say(
            pb.PlayRequest(answers=answers, nonces=[pb.Nonce(match=match, nonce=bytes(16))]),
            pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=7)),
        )
        heard.append(first)
        while not any(notice.HasField("heartbeat") for notice in heard[-1].notices):
            response = await stream.hear()
            assert response is not None
            heard.append(response)
    return heard


def only_its_own(heard: list[pb.PlayResponse]) -> None:
    """Check that nothing was told but Welcome, that the answers are of no use, and the heartbeat."""
    notices = [notice for response in heard for notice in response.notices]
    assert [turn for response in heard for turn in response.turns] == []
    assert notices[0].welcome.bot == "mallory@1"
    assert [notice.reply.code for notice in notices if notice.HasField("reply")] == [FOREIGN] * 3
    assert {notice.WhichOneof("notice") for notice in notices} == {"welcome", "reply", "heartbeat"}


async def test_with_another_token_nothing_of_a_session_is_seen(store: Store, tmp_path: Path) -> None:
    """Neither while it is there nor while it is gone; its own bot comes back to the same question and plays on."""
    async with house(store, tmp_path) as home:
        ben = await home.join("ben", Greedy())
        async with Peer.open(home, "ann", instance="mine") as ann:
            await home.plan(plan(MATCH, ann.bot, ben))
            question = await first_question(ann)
            session = ann.bot
            only_its_own(await pried(home, question, "mine", MATCH))
            assert not ann.call.done()
            assert [reply.code for reply in ann.replies] == []
            before = list(ann.turns)
        only_its_own(await pried(home, question, "mine", MATCH))
        async with Peer.open(home, "ann", instance="mine") as again:
            assert again.bot == session
            asked = await first_question(again)
            games = {turn.start.round_id: turn.round for turn in before if turn.HasField("start")}
            assert told(asked) == told(*(turn for turn in before if turn.round == games[asked.start.round_id]))
            again.answer = lambda _turn: [0]
            open_now = [pb.Answer(round=turn.round, act=turn.act, picks=[0]) for turn in again.turns if turn.act]
            await again.say(pb.PlayRequest(answers=open_now))
            row = await home.ended(MATCH)
        assert row.state is MatchState.CLOSED
        assert result(row)["faults"] == [0, 0]
        assert home.referee.counts.refusals["REPLACED"] == 0


@pytest.mark.parametrize("same", [pytest.param(False, id="as processes"), pytest.param(True, id="as one process")])
async def test_two_copies_of_a_bot_do_not_throw_each_other_out(store: Store, tmp_path: Path, same: bool) -> None:
    """They share its rounds; where both claim to be one process the newer one has it, once, and no decision is lost."""
    async with house(store, tmp_path) as home:
        ben = await home.join("ben", Greedy())
        ann = await home.join("ann", Greedy())
        older, task = home.links.pop("ann"), home.tasks.pop("ann")
        copy = player(Greedy(), lambda _error: None)
        if same:
            copy.instance = older._player.instance
        newer = Link(copy, settings([], {}, server=home.server, token=await home.token("ann")))
        await home.plan(plan(MATCH, ann, ben, meetings=8))
        await until(lambda: home.running.host.matches)
        playing = asyncio.create_task(newer.run())
        await until(lambda: copy.status.connected and older._player.status.connected is not same)
        row = await home.ended(MATCH)
        here = [copy.status.connected, older._player.status.connected]
        for link in (older, newer):
            link.stop()
        await asyncio.gather(task, playing)
    assert row.state is MatchState.CLOSED
    assert result(row)["faults"] == [0, 0]
    assert result(row)["forfeits"] == []
    assert here == [True, not same]
    assert home.referee.counts.refusals.total() == int(same)
