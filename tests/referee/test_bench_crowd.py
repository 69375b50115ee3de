"""`./dev bench referee --only resume`: the row is there, from real processes."""

from __future__ import annotations

import pytest

from bench import crowd
from bench.__main__ import only_crowd


@pytest.mark.slow
def test_matches_of_a_killed_referee_play_on() -> None:
    """Every match that it hosted logs an act at the other referee; the row has a floor and a goal."""
    (row,) = crowd.run(["resume"])
    assert (row.id, row.floor, row.goal) == ("resume", 1.0, 3.3)
    assert row.detail["matches"] >= 1
    assert 0 < row.detail["median_s"] <= row.detail["longest_s"]


def test_rows_of_the_crowd_need_no_other_row() -> None:
    """Asked for alone, they are measured alone."""
    assert only_crowd(["resume", "idle_bot"])
    assert not only_crowd(["resume", "referee_1"])
    assert not only_crowd(None)
