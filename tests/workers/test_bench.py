"""`./dev bench tournament`: its rows are there by their names, with floors where design asks for them."""

from __future__ import annotations

import pytest

from bench import mathematics
from bench.tournament import _games, _plans
from workers.tournaments.spec import TournamentSpec


@pytest.mark.slow
def test_rows_of_mathematics() -> None:
    """A rating update, a fit and a plan, each once."""
    rows = {row.id: row for row in mathematics.run(1, None)}
    assert {name: row.floor for name, row in rows.items()} == {"rating_2": 0.25, "bt_fit": 1.0, "plan_1000": None}
    assert all(row.ratio > 0 for row in rows.values())
    assert rows["plan_1000"].detail["matches"] == 1_998_000


def test_what_is_fed_directly_is_the_same_tournament() -> None:
    """Every match of the schedule, with all its games."""
    plans = _plans(TournamentSpec("bench", "uno-classic-2", tuple(f"bench-{n:03d}" for n in range(8)), meetings=20))
    assert sum(plan.meetings * len(plan.entrants) for plan in plans) == _games(20)
    assert len({plan.id for plan in plans}) == len(plans) == 56
