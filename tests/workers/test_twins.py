"""The same tournament again has the same results, to the last card, whoever is killed on the way."""

from __future__ import annotations

import json

import pytest

from tests.soak.twins import played

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]


def test_the_same_tournament_has_the_same_results_also_after_kills() -> None:
    """One seed of the deals, no nonces, bots that decide by seed and turn: undisturbed, again, and under fire."""
    first, _ = played(4, 16)
    again, nobody = played(4, 16)
    under_fire, killed = played(4, 16, kill_seed=3, every_s=1.0, kills=4)
    assert len(first) == 6
    assert again == first
    assert under_fire == first, killed
    assert killed
    assert not nobody
    assert all(not any(json.loads(result)["faults"]) for result in first.values())
