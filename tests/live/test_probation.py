"""Matches whose last hosts died of something: a referee hosts one of them at a time, and the others play on."""

import asyncio
from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from tests.live.house import house, plan, result
from tests.trunk.pair import Thoughtful

STRUCK = ("p.1.1.0", "p.1.1.1", "p.1.1.2")
FINE = "p.1.1.3"
THINKS_S = 0.01


async def test_one_match_at_a_time_is_on_probation(store: Store, tmp_path: Path) -> None:
    """If it kills its referee, no other struck match gets a strike for it; all of them are played in the end."""
    async with house(store, tmp_path) as home:
        matches, most, beside = home.referee.host.matches, 0, 0
        ann, ben = [await home.join(name, Thoughtful(THINKS_S)) for name in ("ann", "ben")]
        claimer = home.running.claimer
        claimer.draining = True  # until the strikes are written
        planned = [plan(match, ann, ben) for match in (*STRUCK, FINE)]
        await home.plan(*planned)
        for match in STRUCK:
            store.link._execute("HSET", store.keys.match(match), "strikes", "1")
        claimer.draining = False
        ending = [asyncio.create_task(home.ended(match)) for match in (*STRUCK, FINE)]
        while not all(task.done() for task in ending):
            hosted = [match for match in STRUCK if match in matches]
            most = max(most, len(hosted))
            beside += bool(hosted) and FINE in matches
            await asyncio.sleep(0.001)
        rows = [task.result() for task in ending]
    assert [row.state for row in rows] == [MatchState.CLOSED] * 4
    assert [result(row)["forfeits"] for row in rows] == [[]] * 4
    assert most == 1
    assert beside
