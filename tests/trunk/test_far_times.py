"""The time of decisions in the log where home and host of a bot are two referees, or one that stands still."""

from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from tests.live.house import plan
from tests.live.peer import Peer
from tests.live.test_faults import FAST
from tests.live.times import stand_still, times
from tests.trunk.pair import Thoughtful, pair
from tests.trunk.test_far_seat import two_houses

pytestmark = pytest.mark.slow
MATCH = "w.1.1.0"


async def test_what_a_far_bot_says_of_its_thinking_comes_with_its_answer(store: Store, tmp_path: Path) -> None:
    """Its host logs what its home was told, also of a wrong answer that came at once."""
    async with (
        two_houses(store, tmp_path) as homes,
        Peer.open(homes[0], "ann", formats=[FAST]) as ann,
        Peer.open(homes[1], "ben", formats=[FAST]) as ben,
    ):
        for peer in (ann, ben):
            peer.answer = lambda turn: [len(turn.decision.option_act) + 7]
            peer.thought_ms = 77
        await homes[0].plan(plan(MATCH, ann.bot, ben.bot, format_name=FAST))
        row = await homes[0].ended(MATCH)
    assert row.state is MatchState.CLOSED
    for entrant in range(2):
        found = times(store, MATCH, entrant)
        assert found
        assert {(one.fault, one.thought_ms) for one in found} == {("illegal", 77)}


@pytest.mark.parametrize("far", [pytest.param(False, id="home and host"), pytest.param(True, id="home alone")])
async def test_a_referee_that_stood_still_says_so_and_charges_nobody(
    store: Store, tmp_path: Path, *, far: bool
) -> None:
    """Frozen for a moment and thawed: what was open there has that time given back, and nobody has a fault."""
    async with pair(store, tmp_path) as two:
        bots = [await two.join(name, Thoughtful(0.25), int(far and name == "ben")) for name in ("ann", "ben")]
        store.matches.plan([plan(MATCH, *bots, meetings=6)], 1)
        await two.progressed(MATCH, 4)
        host = two.host(MATCH)
        frozen = 1 - host if far else host
        while not any(one.given_back_ms >= 300 for one in times(store, MATCH, frozen if far else 0)):
            assert store.matches.get(MATCH).owner == two.at[host].incarnation
            await stand_still(store, two.at[frozen])
    found = times(store, MATCH, 0) + times(store, MATCH, 1)
    assert not any(one.fault or one.overstated for one in found)
