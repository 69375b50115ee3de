"""A referee on a store that is nearly full takes nothing new on, and goes on when there is room again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from ladder.store.strain import MIB, Strain
from referee import formats
from referee.bots import make
from referee.fold import fold
from referee.hosting import claim
from referee.match_spec import MatchSpec
from tests.live.house import FORMAT, House, house, plan, progressed, result
from tests.patience import until
from tests.trunk.pair import Thoughtful

EASY = Strain(memory=100 * MIB, memory_limit=1024 * MIB, unarchived=MIB, disk_free=50_000 * MIB, disk=100_000 * MIB)
FULL = replace(EASY, disk_free=10 * MIB)
HALTING = replace(EASY, memory=900 * MIB)


@asynccontextmanager
async def easy(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[tuple[House, list[str], list[Strain]]]:
    """Yield a house that looks often at how full its store is, two bots of it, and what it then sees: to be changed."""
    for name in ("STRAIN_S", "HALT_S"):
        monkeypatch.setattr(claim, name, 0.05)
    found = [EASY]
    async with house(store, folder) as home:
        bots = [await home.join(name, Thoughtful(0.01)) for name in ("ann", "ben")]
        home.referee.claimer.strain = lambda: found[0]
        yield home, bots, found


async def test_a_strained_referee_claims_nothing_new(store: Store, tmp_path: Path) -> None:
    """What waits goes on waiting, the beat says why, and it is played when the strain is over."""
    async with house(store, tmp_path) as home:
        a, b = [await home.join(name, make("first", 1)) for name in ("ann", "ben")]
        claimer, full, looks, scans = home.running.claimer, [FULL], list[int](), list[int]()
        scan = claimer.growth.grow

        def strained() -> Strain:
            looks.append(1)
            return full[0]

        def counted() -> None:
            scans.append(1)
            scan()

        claimer.strain = strained
        claimer.growth.grow = counted  # type: ignore[method-assign]
        await until(lambda: looks)
        await home.plan(plan("t.1.1.0", a, b))
        seen = len(scans)
        await until(lambda: len(scans) > seen + 3)
        assert store.matches.get("t.1.1.0").state is MatchState.READY
        assert claimer.strained == FULL.reasons() != ()
        full[0] = EASY
        row = await home.ended("t.1.1.0")
        assert row.state is MatchState.CLOSED
        assert len(looks) >= 2


async def test_above_85_percent_games_stand_still_and_only_ends_are_written(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers are taken, nobody is asked more; when there is room again all goes on, and nobody has a fault."""
    async with easy(store, tmp_path, monkeypatch) as (home, (a, b), found):
        referee, log = home.referee, home.referee.log
        await home.plan(*(plan(match, a, b, meetings=4) for match in ("t.1.1.0", "t.1.2.0")))
        for match in ("t.1.1.0", "t.1.2.0"):
            await progressed(store, match, 3)
        found[0] = HALTING
        await until(lambda: referee.host.halted and not log._inflight)
        written = len(store.matches.log("t.1.1.0"))
        await until(lambda: log._held and not any(one.open or one.outbox for one in referee.roster.sessions))
        assert len(referee.host.matches) == 2, "they were to be played longer than that"
        store.matches.void("t.1.2.0", "enough", "olga", 5)
        assert (await home.ended("t.1.2.0")).state is MatchState.VOID
        assert len(store.matches.log("t.1.1.0")) == written
        (beat,) = store.matches.referees().values()
        assert (beat["halted"], beat["strained"]) == (True, list(HALTING.reasons()))
        found[0] = EASY
        row = await home.ended("t.1.1.0")
        assert (row.state, result(row)["faults"]) == (MatchState.CLOSED, [0, 0])
        assert not referee.host.halted


async def test_a_referee_that_stands_still_hands_its_matches_on_and_takes_none(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A drain keeps back nothing of what was answered; what another referee left behind waits."""
    async with easy(store, tmp_path, monkeypatch) as (home, (a, b), found):
        referee, log = home.referee, home.referee.log
        await home.plan(plan("t.1.1.0", a, b, meetings=16))
        await progressed(store, "t.1.1.0", 3)
        found[0] = HALTING
        await until(lambda: log._held and not log._inflight)
        await home.plan(replace(plan("t.1.3.0", a, b), not_before_ms=1 << 60))
        store.matches.beat("ref-gone", {}, fresh=True)
        store.matches.claim("t.1.3.0", "ref-gone", 1, seed=bytes(32))
        store.matches.leave("ref-gone")
        monkeypatch.setattr(claim, "ORPHAN_SCAN_S", 0.0)
        referee.claimer._beat.orphans_from = 0.0
        looks = list[int]()
        referee.claimer.strain = lambda: looks.append(1) or found[0]  # type: ignore[func-returns-value]
        await until(lambda: len(looks) > 5)
        assert store.matches.get("t.1.3.0").owner == "ref-gone"
    row = store.matches.get("t.1.1.0")
    assert (row.state, row.owner) == (MatchState.READY, "")
    spec = MatchSpec("t.1.1.0", formats.get(FORMAT), (a, b), 16)
    seed = store.matches.seed("t.1.1.0")
    assert seed is not None
    assert fold(spec, seed, [data for _, _, data in store.matches.log("t.1.1.0")]).games_done < spec.games
