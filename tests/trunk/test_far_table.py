"""A match between bots that dialled different referees."""

from pathlib import Path

import pytest

from ladder.store import Store
from tests.live.house import plan
from tests.live.test_matches import Greedy
from tests.trunk.pair import as_undisturbed, pair


@pytest.mark.slow
async def test_bots_of_two_referees_meet(store: Store, tmp_path: Path) -> None:
    """A bot at one referee plays one at another, and the games go as if they had dialled the same."""
    async with pair(store, tmp_path) as two:
        ann = await two.join("ann", Greedy(), 0)
        ben = await two.join("ben", Greedy(), 1)
        store.matches.plan([plan("t.1.1.0", ann, ben, meetings=8)], 1)
        as_undisturbed(store, await two.ended("t.1.1.0"))
