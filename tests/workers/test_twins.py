"""The same tournament again has the same results, to the last card, whoever is killed on the way."""

from __future__ import annotations

import json

import pytest

from tests.soak.twins import Trouble, played

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(600)]


def test_the_same_tournament_has_the_same_results_also_after_kills_and_pauses() -> None:
    """One seed of the deals, no nonces, bots that decide by seed and turn: undisturbed, and again under fire."""
    first = played(4, 32)
    again = played(4, 32, Trouble(seed=3, every_s=1.0, kills=4, pauses=3))
    assert len(first.results) == 12
    assert again.results == first.results, again
    assert again.killed
    assert again.paused, again
    assert again.paused[0] < len(first.results)
    assert (first.killed, first.paused) == ([], [])
    assert all(not any(json.loads(result)["faults"]) for result in first.results.values())
