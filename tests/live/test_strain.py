"""A referee on a store that is nearly full takes nothing new on, and goes on when there is room again."""

from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.bots import make
from tests.live.house import house, plan
from tests.patience import until


async def test_a_strained_referee_claims_nothing_new(store: Store, tmp_path: Path) -> None:
    """What waits goes on waiting, the beat says why, and it is played when the strain is over."""
    async with house(store, tmp_path) as home:
        a, b = [await home.join(name, make("first", 1)) for name in ("ann", "ben")]
        claimer, full, looks, scans = home.running.claimer, ["the disk is full"], list[int](), list[int]()
        scan = claimer._grow

        def strained() -> tuple[str, ...]:
            looks.append(1)
            return tuple(full)

        def counted() -> None:
            scans.append(1)
            scan()

        claimer.strain = strained
        claimer._grow = counted  # type: ignore[method-assign]
        await until(lambda: looks)
        await home.plan(plan("t.1.1.0", a, b))
        seen = len(scans)
        await until(lambda: len(scans) > seen + 3)
        assert store.matches.get("t.1.1.0").state is MatchState.READY
        assert claimer.strained == ("the disk is full",)
        full.clear()
        row = await home.ended("t.1.1.0")
        assert row.state is MatchState.CLOSED
        assert len(looks) >= 2
