"""Bots that are not there when a match goes on, or begins, at another referee."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest

from ladder.store.rows import MatchState
from referee.hosting.taking import Taker
from referee.logbook import LeaveReason
from referee.match import MatchPlay
from tests.simulate.manners import STEADY
from tests.simulate.run import judged
from tests.simulate.scenario import Fault, Kind, Scenario, empty
from tests.simulate.world import World

pytestmark = pytest.mark.slow

LONG_S = 60.0
STEPS = 8
"""So many steps after a claim its first entry is in the log."""


def _scenario(*faults: Fault) -> Scenario:
    """Return four meetings of two bots, the second of which is the target of what happens to bots."""
    return replace(
        empty(), seed=11, slots=1, bots=(STEADY, STEADY), matches=(((0, 1), 4),), absent_s=6.5, faults=faults
    )  # fmt: skip


def _result(world: World) -> dict[str, Any]:
    """Return the result of the one match."""
    [plan] = world.plans
    row = world.ledger.matches.get(plan.id)
    assert not world.problems
    assert row.state is MatchState.CLOSED
    told = json.loads(row.result)
    assert isinstance(told, dict)
    return told


def _stays_away_when_released() -> World:
    """Have a bot leave for good when its referee hands the match back in the middle."""
    drain = Fault(writes=150, seconds=0.0, kind=Kind.DRAIN, target=0, size=0.0, steps=0)
    away = Fault(writes=0, seconds=0.0, kind=Kind.BOT_AWAY, target=1, size=LONG_S, steps=0)
    return judged(World(_scenario(drain, away)))


def test_who_stays_away_from_the_rest_of_a_match_forfeits_it() -> None:
    """It is not as if it had never come: what was played counts, and so does the rest."""
    with patch.object(MatchPlay, "absence", lambda _self, _entrant: LeaveReason.NEVER_CAME):
        assert _result(_stays_away_when_released())["walkover"]
    told = _result(_stays_away_when_released())
    endings = [game["ending"] for meeting in told["meetings"] for game in meeting["games"]]
    assert told["forfeits"] == [{"entrant": 1, "reason": "ABSENT"}]
    assert not told["walkover"]
    assert set(endings) == {"OUT", "FORFEIT"}


def _never_there_and_killed(steps: int) -> World:
    """Have a bot stay away from the beginning, and kill the referee so many steps after it has claimed the match."""
    away = Fault(writes=0, seconds=0.0, kind=Kind.BOT_AWAY, target=1, size=LONG_S, steps=0)
    kill = Fault(writes=1, seconds=0.0, kind=Kind.KILL, target=0, size=0.0, steps=steps)
    return judged(World(_scenario(away, kill)))


def _reasons(steps: int) -> set[str]:
    return {gone["reason"] for gone in _result(_never_there_and_killed(steps))["forfeits"]}


@contextmanager
def _begins_with_whoever_is_there() -> Iterator[None]:
    """The old mistake: where its host is gone before it began, a match is begun without looking who is there."""
    with patch.object(Taker, "_unattended", lambda _self, _hosted, _sight: False):
        yield


def test_who_was_never_there_is_not_absent_because_a_referee_died() -> None:
    """Wherever the referee is killed that has claimed the match to be played without it."""
    with _begins_with_whoever_is_there():
        assert _reasons(STEPS // 2) == {"ABSENT"}, "the referee is killed too late"
    for steps in range(STEPS):
        assert _reasons(steps) == {"NEVER_CAME"}, steps
