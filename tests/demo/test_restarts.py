from __future__ import annotations

import pytest

from workers.house.restarts import Restarts


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
        pytest.param(4.9, 4, id="ready for a moment"),
        pytest.param(5.0, 3, id="ready for a while"),
        pytest.param(12.0, 2, id="ready for longer"),
        pytest.param(3_600.0, 1, id="ready for an hour"),
    ],
)
def test_a_time_of_work_takes_crashes_back(ready_s: float | None, crashes: int) -> None:
    """One for every five seconds, and this one always counts."""
    assert Restarts(3).after(ready_s).crashes == crashes


def test_what_is_killed_again_and_again_and_works_in_between_is_never_given_up() -> None:
    """Ten kills in a minute, say, of a store: it waits no longer before the last start than before the first."""
    restarts = Restarts()
    for _ in range(10):
        restarts = restarts.after(5.0)
        assert not restarts.hopeless
        assert restarts.delay_s == 1.0


def test_five_crashes_without_work_in_between_are_hopeless() -> None:
    """Another start would only repeat what happened."""
    assert [Restarts(n).hopeless for n in (0, 4, 5)] == [False, False, True]


def test_who_finds_no_store_waits_longer_each_time_and_is_never_given_up() -> None:
    """It is no crash, and none of those from before is forgotten for it; found once, the waits begin anew."""
    restarts, waits = Restarts(2), []
    for _ in range(7):
        restarts = restarts.without_store(ready=False)
        waits.append(restarts.delay_s)
    assert (waits, restarts.crashes, restarts.hopeless) == ([2, 2, 4, 8, 16, 30, 30], 2, False)
    assert restarts.without_store(ready=True).delay_s == 2.0
    assert restarts.after(None).crashes == 3
