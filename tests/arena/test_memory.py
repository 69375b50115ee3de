"""Deals that come again are worth remembering, deals that do not are not: why open play deals every game anew."""

from __future__ import annotations

import json
from math import sqrt
from statistics import fmean, stdev

import pytest

from referee.bots.careful import Careful
from referee.local import arena
from tests.arena.rememberer import Rememberer

pytestmark = pytest.mark.slow

MEETINGS = 1_500
SEED = 20
NEVER_BY_CHANCE = 2.6  # standard errors: one time in a hundred


def gain(deals: str) -> tuple[float, float, int]:
    """Return the mean score of a game above one half, its standard error by meetings, and the rounds recognised."""
    bot = Rememberer(1)
    played = arena.play(
        "uno-classic-2", [("memory", bot), ("careful", Careful(2))], meetings=MEETINGS, seed=SEED, deals=deals
    )
    scores = [
        fmean(_score(*game["ranks"]) for game in meeting["games"]) - 0.5
        for match in played.matches
        for meeting in json.loads(match.result)["meetings"]
    ]
    assert len(scores) == MEETINGS
    return fmean(scores), stdev(scores) / sqrt(len(scores)), bot.recognised


def _score(mine: int, other: int) -> float:
    return 0.5 if mine == other else float(mine < other)


@pytest.mark.thorough
def test_memory_gains_where_a_deal_comes_again() -> None:
    """With one deal for the games of a meeting, the bot knows many of the second ones, and wins more."""
    mean, error, recognised = gain("mirrored")
    assert recognised > MEETINGS / 4
    assert mean > NEVER_BY_CHANCE * error, (mean, error)


@pytest.mark.thorough
def test_memory_gains_nothing_on_fresh_deals() -> None:
    """With a deal for every game it recognises next to nothing, and what it gains is not to be told from nothing."""
    mean, error, recognised = gain("fresh")
    assert recognised < MEETINGS / 50
    assert abs(mean) < NEVER_BY_CHANCE * error, (mean, error)
