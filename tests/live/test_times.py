"""The time of decisions in the log of real matches: whose doing it was."""

import asyncio
from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard import Option, Turn
from tests.live.house import house, plan, result
from tests.live.peer import Peer
from tests.live.test_faults import FAST, Quick
from tests.live.times import times

MATCH = "w.1.1.0"
THINKS_S = 0.11


class Thinker(Quick):
    """Thinks for a moment about everything."""

    async def choose(self, turn: Turn) -> Option:  # type: ignore[override]
        """Think."""
        await asyncio.sleep(THINKS_S)
        return turn.options[0]


async def test_a_bot_of_the_library_says_how_long_it_thought(store: Store, tmp_path: Path) -> None:
    """Its time is told from that of the line, never as nothing, and never as more than passed."""
    async with house(store, tmp_path) as home:
        names = [await home.join("slow", Thinker()), await home.join("quick", Quick())]
        await home.plan(plan(MATCH, *names, format_name=FAST))
        row = await home.ended(MATCH)
    found = times(store, MATCH, 0)
    assert row.state is MatchState.CLOSED
    assert found
    assert all((one.thought_ms or 0) >= 1000 * THINKS_S and not one.overstated for one in found if one.answered)
    assert all(one.thought_ms for one in times(store, MATCH, 1))  # a busy machine may have made them slow


async def test_a_bot_that_says_nothing_of_its_thinking_is_not_said_to_think(store: Store, tmp_path: Path) -> None:
    """Its faults are logged with what the referee knows; 0 is no answer."""
    async with house(store, tmp_path) as home, Peer.open(home, "liar", formats=[FAST]) as liar:
        liar.answer = lambda turn: [len(turn.decision.option_act) + 7]
        quick = await home.join("quick", Quick())
        await home.plan(plan(MATCH, liar.bot, quick, format_name=FAST))
        told = result(await home.ended(MATCH))
    found = times(store, MATCH, 0)
    assert sum(one.fault == "illegal" for one in found) == told["faults"][0] > 0
    assert {one.thought_ms for one in found} == {None}
    assert all(one.decision is not None for one in found)
