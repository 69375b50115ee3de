"""A scheduler's mistake with deals, seen to by the referee's own claim: the table is void, and the others play on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ladder.store import Store
from ladder.store.counters import Counter
from ladder.store.rows import MatchState
from lastcard import Bot, Turn
from tests.live.house import house, plan

FIELD = "uno-classic-2-field"


class First(Bot):
    """Plays what comes first."""

    formats = (FIELD,)

    def choose(self, turn: Turn) -> int:
        """Play the first option."""
        return 0


async def test_an_owner_that_is_seated_twice_at_a_deal_is_refused_and_the_rest_goes_on(
    store: Store, tmp_path: Path
) -> None:
    """Two accounts were linked, and the planner did not know."""
    async with house(store, tmp_path) as home:
        ann, ben, cid, dan, eve, fay = [
            await home.join(name, First()) for name in ("ann", "ben", "cid", "dan", "eve", "fay")
        ]
        store.registry.link(["owner of ann", "owner of cid"])
        tables = {"t.1.1.0": (ann, ben), "t.1.2.0": (cid, dan), "t.1.3.0": (eve, fay)}
        planned = [plan(match, *bots, format_name=FIELD, nonces=False) for match, bots in tables.items()]
        for one in planned:
            await home.plan(replace(one, deals="field", group="t.1.0.g0"))
            await home.ended(one.id)
        rows = {match: store.matches.get(match) for match in tables}
    assert [rows[match].state for match in tables] == [MatchState.CLOSED, MatchState.VOID, MatchState.CLOSED]
    assert rows["t.1.2.0"].reason == "deal: one of its owners met its deals before"
    assert not rows["t.1.2.0"].commitment
    assert store.counters.read()[Counter("alarms_total", {"kind": "deal"})] == 1
