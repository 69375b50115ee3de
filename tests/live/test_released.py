"""What is taken up and turns out to be without its bots goes back to the queue once, and is left alone there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.bots import make
from tests.live.house import house, plan
from tests.patience import until

MATCH = "t.1.1.0"
LOOKS = 5


async def test_it_is_claimed_again_when_its_last_bot_is_there(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its release is no strike, and nobody claims and releases it meanwhile; its first host had died."""
    async with house(store, tmp_path) as home:
        ann = await home.join("ann", make("greedy", 1))
        await home.token("ben")
        await home.plan(replace(plan(MATCH, ann, store.registry.version("ben", "1")), ready=False))
        store.matches.set_ready(MATCH, 1 << 60)
        store.matches.beat("ref-gone", {}, fresh=True)
        store.matches.claim(MATCH, "ref-gone", 1, seed=bytes(32))
        store.matches.leave("ref-gone")
        home.referee.claimer._beat.orphans_from = 0.0
        await until(lambda: store.matches.get(MATCH).releases)
        released, looks = store.matches.head(MATCH), list[int]()

        def counted() -> None:
            looks.append(1)
            grow()

        grow = home.referee.claimer._grow
        monkeypatch.setattr(home.referee.claimer, "_grow", counted)
        await until(lambda: len(looks) > LOOKS)
        row = store.matches.get(MATCH)
        assert store.matches.head(MATCH) == released
        assert (row.state, row.owner, row.strikes, row.releases) == (MatchState.READY, "", 1, 1)
        await home.join("ben", make("careful", 2))
        row = await home.ended(MATCH)
        assert (row.state, row.strikes) == (MatchState.CLOSED, 1)
