"""How many decisions a bot has open at once, and how long it waits before it dials again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.pace import Backoff, Pace


def noted(pace: Pace, took_s: float, count: int) -> Pace:
    for _ in range(count):
        pace.note(took_s, 4.0)
    return pace


@pytest.mark.parametrize(
    ("took_s", "count", "most", "expected"),
    [
        pytest.param(2.0, 64, 64, 4, id="twice too slow: half as many"),
        pytest.param(8.0, 64, 64, 1, id="much too slow: one"),
        pytest.param(0.9, 512, 64, None, id="just fast enough: as it is"),
        pytest.param(0.3, 512, 64, None, id="three times faster is not worth a new Hello"),
        pytest.param(0.2, 512, 64, 40, id="five times faster: five times as many"),
        pytest.param(0.001, 512, 64, 64, id="instant: as many as there are rounds"),
        pytest.param(0.001, 512, 1000, 256, id="instant: never more than the protocol allows"),
        pytest.param(0.001, 511, 64, None, id="raised only after many answers"),
        pytest.param(2.0, 63, 64, None, id="lowered only after some answers"),
    ],
)
def test_the_limit_meets_a_quarter_of_the_clock(took_s: float, count: int, most: int, expected: int | None) -> None:
    """By proportion, from the 95th percentile of a 4 s clock."""
    assert noted(Pace(), took_s, count).better(most) == expected


def test_a_limit_that_the_author_chose_stays() -> None:
    """However slow the bot is."""
    assert noted(Pace(3), 9.0, 600).better(64) is None
    assert Pace(3).open == 3


def test_after_a_change_it_looks_anew() -> None:
    """Old answers do not count against the new limit."""
    pace = noted(Pace(), 2.0, 64)
    pace.change(4)
    assert (pace.open, pace.better(64)) == (4, None)


def test_one_at_a_time_is_the_least() -> None:
    """A bot that is too slow even so is not lowered further."""
    pace = Pace()
    pace.change(1)
    assert noted(pace, 9.0, 64).better(64) is None


@given(st.lists(st.floats(0, 0.999999), min_size=1, max_size=30))
def test_waits_are_jittered_over_their_whole_range_and_bounded(chances: list[float]) -> None:
    """Between nothing and a ceiling that doubles from 0.5 to 30 s."""
    backoff = Backoff()
    for number, chance in enumerate(chances):
        assert backoff.next(chance) == min(30.0, 0.5 * 2**number) * chance
    backoff.reset()
    assert backoff.next(1.0) == 0.5
