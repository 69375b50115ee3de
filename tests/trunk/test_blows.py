"""Two referees share a match, and one of them is killed, told to stop or (thorough) frozen."""

from pathlib import Path

import pytest

from ladder.store import Store
from tests.live.blows import BLOWS, Blow
from tests.live.house import plan
from tests.trunk.pair import Thoughtful, as_undisturbed, pair

pytestmark = pytest.mark.slow


@pytest.mark.slow
@pytest.mark.parametrize("victim", ["host", pytest.param("home", marks=pytest.mark.nightly)])
@pytest.mark.parametrize(("blow", "code"), BLOWS)
async def test_a_match_goes_on_when_one_of_its_referees_is_gone(
    store: Store, tmp_path: Path, blow: Blow, code: int, victim: str
) -> None:
    """Nobody is charged a fault, and every game ends as it does when nothing happens."""
    async with pair(store, tmp_path) as two:
        ann = await two.join("ann", Thoughtful(), 0)
        ben = await two.join("ben", Thoughtful(), 1)
        store.matches.plan([plan("b.1.1.0", ann, ben, meetings=4)], 1)
        await two.progressed("b.1.1.0", 12)
        host = two.host("b.1.1.0")
        assert await blow(store, two.at[host if victim == "host" else 1 - host]) == code
        row = await two.ended("b.1.1.0")
        as_undisturbed(store, row)
