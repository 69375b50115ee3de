"""Bots that are slow, wrong, silent or gone: counted faults, and nobody else is harmed."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard import Bot, Option, Turn
from lastcard.v1 import play_pb2 as pb
from referee.fold import fold
from referee.hosting.takeover import spec_of
from tests.live.house import House, house, plan, result
from tests.live.peer import Peer
from tests.live.test_matches import Greedy
from tests.patience import until

FAST = "uno-classic-2-fast"


class Quick(Greedy):
    """Greedy with little time."""

    formats = (FAST,)


async def _against_quick(home: House, match: str, bot: str, **changes: int) -> dict[str, Any]:
    quick = await home.join("quick", Quick())
    await home.plan(plan(match, bot, quick, format_name=FAST, **changes))  # type: ignore[arg-type]
    row = await home.ended(match)
    assert row.state is MatchState.CLOSED
    return result(row)


async def test_a_bot_that_never_answers_loses_by_its_clock(store: Store, tmp_path: Path) -> None:
    """Silence is late: three faults lose the meeting, the opponent has none and wins."""
    async with house(store, tmp_path) as home, Peer.open(home, "mute", formats=[FAST]) as mute:
        told = await _against_quick(home, "f.1.1.0", mute.bot)
        faults = told["fault_kinds"]
        assert faults[0]["late"] >= 3
        assert told["faults"][1] == 0
        assert all(game["ranks"] == [2, 1] for game in told["meetings"][0]["games"])


async def test_a_bot_that_answers_garbage_is_told_and_counted(store: Store, tmp_path: Path) -> None:
    """Picks that are not listed are illegal: the default is played, a reply says so, three lose the meeting."""
    async with house(store, tmp_path) as home, Peer.open(home, "liar", formats=[FAST]) as liar:
        liar.answer = lambda turn: [len(turn.decision.option_act) + 7]
        told = await _against_quick(home, "f.1.2.0", liar.bot)
        assert told["fault_kinds"][0]["illegal"] >= 3
        assert {reply.code for reply in liar.replies} == {6}
        assert told["faults"][1] == 0


async def test_a_stale_a_foreign_and_a_repeated_answer_are_no_faults(store: Store, tmp_path: Path) -> None:
    """Answers to decisions that are closed, never asked, or answered alike before get their reply and cost nothing."""
    async with house(store, tmp_path) as home, Peer.open(home, "echo", formats=[FAST]) as echo:
        echo.echoes = True
        echo.answer = lambda _turn: [0]
        told = await _against_quick(home, "f.1.3.0", echo.bot)
        assert told["faults"] == [0, 0]
        assert {1, 2, 3, 4} >= {reply.code for reply in echo.replies} >= {1, 4}


@pytest.mark.parametrize("nonce", [None, b"", bytes(15)], ids=["none", "empty", "too short"])
async def test_a_bot_that_gives_no_good_nonce_in_time_is_left_out(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nonce: bytes | None
) -> None:
    """Its match is dealt without it, which the log says; that is no fault."""
    monkeypatch.setattr("referee.hosting.host.NONCE_S", 0.3)
    async with house(store, tmp_path) as home, Peer.open(home, "mute", formats=[FAST]) as mute:
        mute.nonce, mute.answer = nonce, lambda _turn: [0]
        told = await _against_quick(home, "f.1.3.1", mute.bot)
    spec, seed = spec_of(store.matches.get("f.1.3.1")), store.matches.seed("f.1.3.1")
    assert spec is not None
    assert seed is not None
    play = fold(spec, seed, [data for _, _, data in store.matches.log("f.1.3.1")])
    given = [play.nonces[entrant] is not None for entrant in range(2)]
    assert (given, told["faults"]) == ([False, True], [0, 0])


async def test_a_bot_that_vanishes_forfeits_the_rest(store: Store, tmp_path: Path) -> None:
    """When it was away for too long its remaining games are lost; the match closes and the other bot has no fault."""
    async with house(store, tmp_path, absent_s=1.5) as home:
        async with Peer.open(home, "ghost", formats=[FAST]) as ghost:
            ghost.answer = lambda _turn: [0]
            quick = await home.join("quick", Slow())
            await home.plan(plan("f.1.4.0", ghost.bot, quick, format_name=FAST, meetings=8))
            await ghost.seen_turns(3)
        row = await home.ended("f.1.4.0")
        told = result(row)
        assert row.state is MatchState.CLOSED
        assert told["forfeits"] == [{"entrant": 0, "reason": "ABSENT"}]
        assert told["faults"][1] == 0


class Slow(Bot):
    """Takes its time, within the clock."""

    formats = (FAST,)

    async def choose(self, turn: Turn) -> Option:
        """Think for a moment."""
        await asyncio.sleep(0.05)
        return turn.options[0]


async def test_a_bot_that_never_came_loses_by_walkover(store: Store, tmp_path: Path) -> None:
    """Nothing is dealt; the present bot is first in all games."""
    async with house(store, tmp_path, absent_s=0.5) as home:
        quick = await home.join("quick", Quick())
        await home.token("idler")
        absent = store.registry.version("idler", "1")
        await home.plan(plan("f.1.5.0", absent, quick, format_name=FAST))
        told = result(await home.ended("f.1.5.0"))
        assert told["walkover"] is True
        assert [game["ranks"] for game in told["meetings"][0]["games"]] == [[2, 1], [2, 1]]


async def test_a_match_to_which_nobody_came_is_void(store: Store, tmp_path: Path) -> None:
    """After the wait; nobody has won it, and nobody has a fault."""
    async with house(store, tmp_path, absent_s=0.5) as home:
        names = []
        for name in ("idler", "loafer"):
            await home.token(name)
            names.append(store.registry.version(name, "1"))
        await home.plan(plan("f.1.5.1", *names, format_name=FAST))
        row = await home.ended("f.1.5.1")
    assert (row.state, row.reason, row.result) == (MatchState.VOID, "all_absent", "")


async def test_a_slow_bot_is_not_hurried_by_the_number_of_its_rounds(store: Store, tmp_path: Path) -> None:
    """With one open decision at a time, a bot that needs 50 ms a decision plays many rounds without a fault."""
    async with house(store, tmp_path) as home:
        slow = Slow()
        slow.max_open = 1
        name = await home.join("slow", slow)
        told = await _against_quick(home, "f.1.6.0", name, meetings=4)
        assert told["faults"] == [0, 0]


async def test_an_answer_to_a_question_that_was_put_anew_is_stale_and_no_fault(store: Store, tmp_path: Path) -> None:
    """Another seat left meanwhile: what was picked by its place may be something else now. The new question counts."""
    three = "uno-classic-3"
    async with (
        house(store, tmp_path, absent_s=0.5) as home,
        Peer.open(home, "ann", formats=[three]) as ann,
        Peer.open(home, "ben", formats=[three]) as ben,
    ):
        ben.answer = lambda _turn: [0]
        async with Peer.open(home, "cem", formats=[three]) as cem:
            cem.answer = ben.answer
            await home.plan(plan("f.1.7.0", ann.bot, ben.bot, cem.bot, format_name=three))
            await until(lambda: _asked(ann))
        [first, *_] = _asked(ann)
        await until(lambda: any(turn.round == first.round and turn.act > first.act for turn in _asked(ann)))
        await ann.say(pb.PlayRequest(answers=[pb.Answer(round=first.round, act=first.act, picks=[0])]))
        await until(lambda: ann.replies)
        assert [(one.round, one.act, one.code) for one in ann.replies] == [
            (first.round, first.act, pb.REPLY_CODE_STALE)
        ]
        ann.answer = ben.answer
        newest = {turn.round: pb.Answer(round=turn.round, act=turn.act, picks=[0]) for turn in _asked(ann)}
        await ann.say(pb.PlayRequest(answers=newest.values()))
        told = result(await home.ended("f.1.7.0"))
        assert told["forfeits"] == [{"entrant": 2, "reason": "ABSENT"}]
        assert told["faults"][:2] == [0, 0]


def _asked(peer: Peer) -> list[pb.Turn]:
    """Return the questions that a peer has seen."""
    return [turn for turn in peer.turns if turn.HasField("decision")]
