"""The clock of a seat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.clock import ClockRule, SeatClock

RULE = ClockRule(decision_ms=5_000, bank_ms=20_000, round_ms=600_000)


@pytest.mark.parametrize(
    ("charges", "allowance", "bank"),
    [
        pytest.param([], 25_050, 20_000, id="fresh: decision, first lag credit and bank"),
        pytest.param([100], 25_100, 20_000, id="a quick answer earns lag credit"),
        pytest.param([5_040], 25_060, 20_000, id="a little late is paid by lag credit alone"),
        pytest.param([6_050], 24_050, 19_000, id="later is paid by the bank"),
        pytest.param([100] * 40, 26_000, 20_000, id="lag credit stops at a second"),
        pytest.param([30_000], 5_050, 0, id="the bank never goes below zero"),
        pytest.param([600_000], 0, 0, id="a spent round is over"),
    ],
)
def test_allowance_after_charges(charges: list[int], allowance: int, bank: int) -> None:
    """Decision time is free, lag credit comes first, then the bank."""
    clock = SeatClock(RULE)
    for ms in charges:
        clock.charge(ms)
    assert (clock.allowance_ms(), clock.bank_ms) == (allowance, bank)


@given(st.lists(st.integers(0, 40_000), max_size=50))
def test_the_clock_is_a_fold_of_logged_milliseconds(charges: list[int]) -> None:
    """Two clocks charged alike are alike, and neither bank nor credit leaves its bounds."""
    one, other = SeatClock(RULE), SeatClock(RULE)
    for ms in charges:
        one.charge(ms)
        assert 0 <= one.bank_ms <= RULE.bank_ms
        assert 0 <= one.credit_ms <= 1_000
    for ms in charges:
        other.charge(ms)
    assert (one.bank_ms, one.credit_ms, one.spent_ms) == (other.bank_ms, other.credit_ms, other.spent_ms)
