"""How many decisions a bot has open at once, and how long it waits before it dials again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.pace import IN_TASKS, Backoff, Pace


def noted(pace: Pace, took_s: float, count: int) -> Pace:
    """Note answers that waited for no other."""
    for _ in range(count):
        pace.note(took_s, 4.0, took_s)
    return pace


def queued(pace: Pace, think_s: float, count: int) -> Pace:
    """Note answers of one thread that began with all of their questions open."""
    for number in range(1, count + 1):
        pace.note(number * think_s, 5.0, think_s)
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
    assert noted(Pace(first=IN_TASKS), took_s, count).better(most) == expected


@pytest.mark.parametrize(
    ("think_s", "count", "expected"),
    [
        pytest.param(1.0, 4, None, id="the third and fourth waited longer than half of a clock of 5 s"),
        pytest.param(1.0, 5, 1, id="so did the fifth: it is clear now"),
        pytest.param(0.2, 15, 6, id="a fifth of a second: five wait for no more than a quarter of the clock"),
        pytest.param(0.02, 64, None, id="64 at once are no trouble for who is quick"),
    ],
)
def test_answers_that_wait_long_for_each_other_lower_it_at_once(
    think_s: float, count: int, expected: int | None
) -> None:
    """Whoever waits behind them has no time for 64 answers; what thinking takes says how many may wait."""
    pace = Pace()
    pace.change(64)
    assert queued(pace, think_s, count).better(64) == expected


def test_a_long_thought_is_no_queue() -> None:
    """Fewer open questions would not make it shorter."""
    pace = Pace()
    pace.change(64)
    assert noted(pace, 4.0, 8).better(64) is None


def test_who_waits_once_changes_nothing() -> None:
    """A pause of the process hits all that is open then; what comes between shows that it is over."""
    pace = Pace()
    pace.change(64)
    for took_s in (3.0, 3.0, 0.1, 3.0, 3.0, 0.1):
        pace.note(took_s, 5.0, 0.1)
    assert pace.better(64) is None


def test_a_limit_that_the_author_chose_stays() -> None:
    """However slow the bot is."""
    assert noted(Pace(3), 9.0, 600).better(64) is None
    assert Pace(3).open == 3


def test_after_a_change_it_looks_anew() -> None:
    """Old answers do not count against the new limit."""
    pace = queued(noted(Pace(first=IN_TASKS), 2.0, 64), 1.0, 5)
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
