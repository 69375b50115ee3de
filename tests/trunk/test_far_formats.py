"""What a bot offers at its home is what its far seats are asked in."""

from pathlib import Path

import pytest

from ladder.store import Store
from tests.live.house import plan, result
from tests.live.peer import Peer
from tests.live.test_faults import FAST, Quick, Slow
from tests.live.test_offered_formats import OTHER, asked, begun
from tests.trunk.test_far_seat import two_houses

pytestmark = pytest.mark.slow


async def test_the_process_that_offers_the_format_is_asked_wherever_it_is(store: Store, tmp_path: Path) -> None:
    """Though another one of the same bot is at the host."""
    async with (
        two_houses(store, tmp_path) as homes,
        Peer.open(homes[0], "twin", instance="near", formats=[OTHER]) as near,
        Peer.open(homes[1], "twin", instance="far", formats=[FAST]) as far,
    ):
        far.answer = lambda _turn: [0]
        quick = await homes[0].join("quick", Quick())
        await homes[0].plan(*(plan(f"ff.1.{n}.0", far.bot, quick, format_name=FAST) for n in range(4)))
        for n in range(4):
            assert result(await homes[0].ended(f"ff.1.{n}.0", 60))["forfeits"] == []
        assert asked(far)
        assert near.turns == []
        assert begun(near) == []


async def test_who_offers_the_format_at_no_referee_never_came(store: Store, tmp_path: Path) -> None:
    """Whichever of them claims the match."""
    async with (
        two_houses(store, tmp_path, absent_s=0.5) as homes,
        Peer.open(homes[0], "dosser", instance="near", formats=[OTHER]) as near,
        Peer.open(homes[1], "dosser", instance="far", formats=[OTHER]) as far,
    ):
        quick = await homes[0].join("quick", Quick())
        await homes[0].plan(plan("ff.2.1.0", far.bot, quick, format_name=FAST))
        told = result(await homes[0].ended("ff.2.1.0", 60))
        assert told["forfeits"] == [{"entrant": 0, "reason": "NEVER_CAME"}]
        assert (near.turns, far.turns) == ([], [])


async def test_a_far_bot_that_comes_back_with_fewer_formats_forfeits(store: Store, tmp_path: Path) -> None:
    """As one that dialled the host."""
    async with two_houses(store, tmp_path, absent_s=1.0) as homes:
        slow = await homes[0].join("slow", Slow())
        async with Peer.open(homes[1], "fickle", formats=[FAST, OTHER]) as before:
            before.answer = lambda _turn: [0]
            await homes[0].plan(plan("ff.3.1.0", before.bot, slow, format_name=FAST, meetings=8))
            await before.seen_turns(3)
            async with Peer.open(homes[1], "fickle", formats=[OTHER]) as after:
                told = result(await homes[0].ended("ff.3.1.0", 60))
                assert told["forfeits"] == [{"entrant": 0, "reason": "ABSENT"}]
                assert after.turns == []
