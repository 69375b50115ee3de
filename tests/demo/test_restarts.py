from __future__ import annotations

import pytest

from workers.restarts import Restarts


def test_waits_double_up_to_half_a_minute() -> None:
    """1, 2, 4, 8, 16, 30, 30 seconds."""
    restarts, waits = Restarts(), []
    for _ in range(7):
        restarts = restarts.after(None)
        waits.append(restarts.delay_s)
    assert waits == [1, 2, 4, 8, 16, 30, 30]


@pytest.mark.parametrize(
    ("ready_s", "crashes"),
    [
        pytest.param(None, 4, id="never ready"),
        pytest.param(59.9, 4, id="ready for less than a minute"),
        pytest.param(60.0, 1, id="ready for a minute"),
    ],
)
def test_a_minute_of_work_clears_the_record(ready_s: float | None, crashes: int) -> None:
    """A process that has proved itself starts counting anew."""
    assert Restarts(3).after(ready_s).crashes == crashes


def test_five_crashes_in_a_row_are_hopeless() -> None:
    """Another start would only repeat what happened."""
    assert [Restarts(n).hopeless for n in (0, 4, 5)] == [False, False, True]
