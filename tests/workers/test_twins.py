"""The same tournament again has the same results, to the last card, whoever is killed on the way."""

from __future__ import annotations

import json

import pytest

from tests.soak.twins import FORMATS, Trouble, Twin, played

pytestmark = [pytest.mark.thorough, pytest.mark.timeout(900)]

MEETINGS = {"uno-classic-2": 32, "dos-4": 40}
TROUBLE = Trouble(seed=3, every_s=2.0, kills=5, pauses=2, inside=1)


@pytest.mark.sample(1)
@pytest.mark.parametrize("format_name", FORMATS)
def test_the_same_tournament_has_the_same_results_also_after_kills_and_pauses(format_name: str) -> None:
    """One seed of the deals, no nonces, bots that decide by seed and turn: undisturbed, and again under fire.

    The referee is killed in the middle of a match, and there is a pause between the first match and the last.
    """
    first = played(format_name, 5, MEETINGS[format_name])
    again = played(format_name, 5, MEETINGS[format_name], TROUBLE)
    assert len(first.results) >= 5
    assert again.results == first.results, again
    assert again.spared(TROUBLE) == [], again
    assert "referee" in again.killed
    assert (first.killed, first.paused, first.inside) == ([], [], [])
    assert all(not any(json.loads(result)["faults"]) for result in first.results.values())


@pytest.mark.parametrize(
    ("twin", "lacks"),
    [
        pytest.param(Twin({"a": "", "b": ""}, ["referee"], [1], ["a"]), 0, id="all of it"),
        pytest.param(Twin({"a": "", "b": ""}, [], [1], ["a"]), 1, id="nobody was killed"),
        pytest.param(Twin({"a": "", "b": ""}, ["referee"], [0, 2], ["a"]), 1, id="paused before and after"),
        pytest.param(Twin({"a": "", "b": ""}, ["referee"], [1], []), 1, id="killed between matches"),
    ],
)
def test_a_run_that_was_not_disturbed_counts_as_a_failure(twin: Twin, lacks: int) -> None:
    """It would prove nothing."""
    assert len(twin.spared(TROUBLE)) == lacks
