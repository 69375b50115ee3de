"""A referee that is long in answering holds up the matches whose bots it has, and no others."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from lastcard.address import Address
from referee.bots import make
from referee.hosting.hosted import Hosted, Phase, Stay
from referee.match import MatchPlay
from tests.live.house import house, plan
from tests.patience import until
from tests.referee.playing import SEED, spec


class SlowHome:
    """Never answers."""

    def __init__(self) -> None:
        self.asked: list[Stay] = []

    def keep(self, stay: Stay, rounds: int) -> None:
        """Say nothing."""

    async def reserve(self, stay: Stay, rounds: int, *, must: bool = False) -> int:
        """Be asked, and think about it."""
        self.asked.append(stay)
        await asyncio.Event().wait()
        return 0


@pytest.mark.parametrize("kept", [0, 2], ids=["to keep what is played", "for more"])
async def test_what_a_slow_referee_is_asked_for_holds_up_no_claim(store: Store, tmp_path: Path, kept: int) -> None:
    """Both matches of the bots that are here are played while it has still not answered, one after the other."""
    slow = SlowHome()
    far = Hosted(MatchPlay(spec(meetings=8), SEED), "1-0-x", 1, 0)
    far.phase, far.parallel, far.kept = Phase.PLAYING, 2, kept
    far.homes = dict.fromkeys(far.play.spec.entrants, slow)
    async with house(store, tmp_path, trunk=Address("127.0.0.1", 0)) as home:
        a, b = [await home.join(name, make("first", 1)) for name in ("ann", "ben")]
        matches = home.referee.host.matches
        matches[far.id] = far
        try:
            await until(lambda: slow.asked)
            for match in ("t.1.1.0", "t.1.2.0"):
                await home.plan(plan(match, a, b))
                assert (await home.ended(match)).state is MatchState.CLOSED
        finally:
            del matches[far.id]
        assert {stay.bot for stay in slow.asked} == set(far.play.spec.entrants)
        assert len(slow.asked) == 2
