"""A referee says since when bots can come in without a break: after its line to the store broke, from then on."""

from pathlib import Path

from ladder.store import Store
from referee.bots import make
from tests.live.house import house
from tests.patience import until


async def test_a_broken_line_to_the_store_is_a_new_opening(store: Store, tmp_path: Path) -> None:
    """Who waits for bots or tables counts from there: nobody could play meanwhile."""

    def opened() -> list[object]:
        return [said["open_ms"] for said in store.matches.referees().values()]

    async with house(store, tmp_path) as home:
        await home.join("ann", make("first", 1))
        await until(opened)
        (before,) = opened()
        assert isinstance(before, int)
        store.link._execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        await until(lambda: opened() not in ([], [before]))
        (after,) = opened()
        assert isinstance(after, int)
        assert after > before
