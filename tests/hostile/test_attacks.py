"""Strangers on the play port: each costs only itself, and is told what was wrong."""

import pytest

from tests.hostile.attacks import QUICK, SLOW
from tests.hostile.floods import many_versions, never_reading, useless_flood
from tests.hostile.made_up import answers_to_nothing
from tests.hostile.malformed import noise_for_a_hello, too_large
from tests.hostile.stranger import Attack
from tests.hostile.target import Target
from tests.hostile.transport import header_bomb
from tests.patience import until

pytestmark = [pytest.mark.asyncio(loop_scope="module"), pytest.mark.slow]
MOST_GROWTH_MIB = 50
MOST_PEAK_MIB = 150
"""While strangers are there: what gRPC reads ahead for them is bounded, too, and given back when they have gone."""
FEW = {noise_for_a_hello, too_large, answers_to_nothing, useless_flood, header_bomb, never_reading, many_versions}
"""One of each kind: the others are among the thorough tests."""
MOST_FILES = 5
"""Threads of gRPC have some of their own, and come and go."""


@pytest.mark.sample(16)
@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(one, id=one.__name__.replace("_", " "), marks=[] if one in FEW else [pytest.mark.thorough])
        for one in sorted((*QUICK, *SLOW), key=lambda one: one not in FEW)
    ],
)
async def test_an_attack_costs_only_who_makes_it(target: Target, attack: Attack) -> None:
    """Beside it an honest pair finishes a match without a fault; afterwards everything is as it was before."""
    memory, files = target.rss_mib, target.descriptors
    target.forget_peak()
    async with target.honest() as names:
        beside = target.begin(*names, meetings=4)
        await attack(target)
        assert await target.faults(beside) == [0, 0]
        assert await target.faults(target.begin(*names, meetings=1)) == [0, 0]
    assert target.peak_mib - memory < MOST_PEAK_MIB
    await target.settles()
    await until(lambda: target.descriptors <= files + MOST_FILES)
    await until(lambda: target.rss_mib - memory < MOST_GROWTH_MIB)  # it gives back what is free every ten seconds
    assert target.betrayed() == []
