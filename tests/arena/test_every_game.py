"""All house bots at one table after the other, in every format that is offered: nobody ever does anything illegal."""

from __future__ import annotations

import json

import pytest

from referee import formats
from referee.bots import BOTS, make
from referee.local import arena

pytestmark = pytest.mark.slow

MOST_SEATS = 4
SETTINGS = {"search": "search:4"}  # it shall not think long here


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.nightly if formats.get(name).rules.number("target_score") else ())
        for name in formats.names()
        if formats.get(name).seats <= MOST_SEATS
    ],
)
def test_all_house_bots_play_it_without_a_fault(name: str) -> None:
    """Every set of as many as there are seats."""
    bots = [(bot, make(SETTINGS.get(bot, bot), 1)) for bot in BOTS]
    result = arena.play(name, bots, meetings=1, seed=6)
    assert not result.mistakes
    for match in result.matches:
        closed = json.loads(match.result)
        assert not any(closed["faults"])
        assert not closed["forfeits"]
