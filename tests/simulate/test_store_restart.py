"""A store that was away for longer than a beat lasts: all beats are gone at once, and nobody takes from anybody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

import pytest

from ladder.store.rows import MatchState
from referee.hosting.beat import Beat
from tests.simulate.manners import STEADY
from tests.simulate.run import judged
from tests.simulate.scenario import Fault, Kind, empty
from tests.simulate.world import World

pytestmark = pytest.mark.slow

AWAY_S = 6.0
"""Twice as long as a beat lasts."""


def _played(seed: int) -> World:
    """Return four matches at two referees, in the middle of which the store dies, and one finds it again later."""
    restart = Fault(writes=60, seconds=0.0, kind=Kind.RESTART, target=0, size=AWAY_S, steps=0)
    matches = tuple((pair, 4) for pair in ((0, 1), (2, 3), (0, 2), (1, 3)))
    apart = Fault(writes=0, seconds=0.1, kind=Kind.PARTITION, target=seed, size=AWAY_S, steps=0)
    made = replace(
        empty(), seed=seed, slots=2, bots=(STEADY,) * 4, matches=matches, absent_s=30.0, faults=(restart, apart)
    )  # fmt: skip
    return judged(World(made))


@contextmanager
def _takes_at_once() -> Iterator[None]:
    """The mistake: whose beat is missing counts as gone at once, also where all are."""
    reconnected = Beat.reconnected

    def forgetting(self: Beat) -> None:
        reconnected(self)
        self.orphans_from = 0.0

    with patch.object(Beat, "reconnected", forgetting):
        yield


def _claims(world: World) -> list[tuple[str, str]]:
    assert world.weather.done == [Kind.RESTART, Kind.PARTITION]
    return [(write.match, write.writer) for write in world.server.journal if write.script == "claim"]


@pytest.mark.parametrize("seed", [1, 2])
def test_nobody_claims_what_another_referee_goes_on_with(seed: int) -> None:
    """Each renews its own beat first, and leaves the others a beat's time, and some more by chance, to renew theirs."""
    with _takes_at_once():
        assert len(_claims(_played(seed))) > 4, "look for another seed"
    world = _played(seed)
    assert not world.problems
    claims = _claims(world)
    assert len({writer for _, writer in claims}) == 2, "one referee plays everything: look for another seed"
    assert sorted(match for match, _ in claims) == sorted(plan.id for plan in world.plans)
    assert {world.ledger.matches.get(plan.id).state for plan in world.plans} == {MatchState.CLOSED}
