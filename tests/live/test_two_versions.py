"""Two versions of a bot are connected at once: each plays its own matches, and they may meet."""

from __future__ import annotations

from pathlib import Path

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard import Bot, MatchResult
from lastcard.turn import Turn
from tests.live.house import house, plan, result
from tests.patience import until

OLD_ONE, NEW_ONE, BOTH = "v.1.1.0", "v.1.2.0", "v.1.3.0"


class Noting(Bot):
    """Plays the first option, and notes as whom it is known, where it was asked, and which matches it saw end."""

    def __init__(self, version: str) -> None:
        self.version = version
        self.known: list[str] = []
        self.asked: set[str] = set()
        self.seen: list[str] = []

    def on_connect(self, name: str) -> None:
        """Note the name."""
        self.known.append(name)

    def choose(self, turn: Turn) -> int:
        """Return the first option."""
        self.asked.add(turn.match.id)
        return 0

    def on_match_end(self, result: MatchResult) -> None:
        """Note the match."""
        self.seen.append(result.match.id)


async def test_two_versions_are_connected_at_once_and_each_plays_its_own(store: Store, tmp_path: Path) -> None:
    """Neither takes the other's place, nor its matches; in the one in which they meet each sits for itself."""
    old, new, other = Noting("1"), Noting("2"), Noting("1")
    async with house(store, tmp_path) as home:
        first = await home.join("ann", old, "old")
        second = await home.join("ann", new, "new")
        ben = await home.join("ben", other)
        assert (first, second) == ("ann@1", "ann@2")
        await until(lambda: {first, second} <= set(store.presence.online()))
        await home.plan(plan(OLD_ONE, first, ben), plan(NEW_ONE, ben, second), plan(BOTH, second, first))
        rows = [await home.ended(match) for match in (OLD_ONE, NEW_ONE, BOTH)]
        await until(lambda: (len(old.seen), len(new.seen), len(other.seen)) == (2, 2, 2))
    assert [row.state for row in rows] == [MatchState.CLOSED] * 3
    assert [(result(row)["forfeits"], result(row)["faults"]) for row in rows] == [([], [0, 0])] * 3
    assert (old.asked, set(old.seen)) == ({OLD_ONE, BOTH}, {OLD_ONE, BOTH})
    assert (new.asked, set(new.seen)) == ({NEW_ONE, BOTH}, {NEW_ONE, BOTH})
    assert (old.known, new.known) == ([first], [second])


async def test_a_version_that_goes_leaves_the_other_where_it_is(store: Store, tmp_path: Path) -> None:
    """What the one that stays has to play it plays; a match of the other waits."""
    old, new, other = Noting("1"), Noting("2"), Noting("1")
    async with house(store, tmp_path) as home:
        first, second = await home.join("ann", old, "old"), await home.join("ann", new, "new")
        ben = await home.join("ben", other)
        await home.leave("new")
        await until(lambda: second not in store.presence.online())
        await home.plan(plan(NEW_ONE, ben, second), plan(OLD_ONE, first, ben))
        assert (await home.ended(OLD_ONE)).state is MatchState.CLOSED
        assert store.matches.get(NEW_ONE).games_done == 0
        assert (old.known, old.asked, new.asked) == ([first], {OLD_ONE}, set())
