"""The short form: all quick attacks one after the other on one referee."""

import pytest

from tests.hostile.attacks import QUICK
from tests.hostile.target import Target

pytestmark = pytest.mark.slow


@pytest.mark.asyncio(loop_scope="module")
async def test_strangers_do_not_disturb_a_match(target: Target) -> None:
    """Whatever comes in on the play port, an honest match has no fault, and neither log nor memory tells of it."""
    memory = target.rss_mib
    async with target.honest() as names:
        match = target.begin(*names, meetings=8)
        for attack in QUICK:
            await attack(target)
        assert await target.faults(match) == [0, 0]
        assert await target.faults(target.begin(*names)) == [0, 0]
    await target.settles()
    assert target.rss_mib - memory < 50
    assert target.betrayed() == []
