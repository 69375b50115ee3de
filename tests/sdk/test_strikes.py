"""Strikes: laws on a clock that tests move."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.strikes import MOST_PEERS, Strikes


class Clock:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_last_of_too_many_tries_puts_a_peer_out_for_a_while() -> None:
    """Out after ten within a minute, in again after the penalty."""
    clock = Clock()
    strikes = Strikes(limit=10, window_s=60, penalty_s=60, clock=clock)
    for _ in range(9):
        strikes.add("a")
    assert not strikes.out("a")
    strikes.add("a")
    assert strikes.out("a")
    assert not strikes.out("b")
    assert strikes.left_s("a") == 60
    clock.now += 59
    assert strikes.left_s("a") == 1
    clock.now += 1
    assert not strikes.out("a")
    assert strikes.left_s("a") == 0


def test_who_is_put_out_begins_anew_afterwards() -> None:
    """What put it out is not counted again; the try that puts it out is told from the others."""
    clock = Clock()
    strikes = Strikes(limit=3, window_s=600, penalty_s=60, clock=clock)
    assert [strikes.add("a") for _ in range(3)] == [False, False, True]
    clock.now += 60
    assert [strikes.add("a") for _ in range(3)] == [False, False, True]


@settings(deadline=None)
@given(st.lists(st.floats(min_value=6.7, max_value=100), min_size=1, max_size=50))
def test_who_tries_slowly_is_never_put_out(pauses: list[float]) -> None:
    """Fewer than ten tries a minute never have a consequence."""
    clock = Clock()
    strikes = Strikes(limit=10, window_s=60, penalty_s=60, clock=clock)
    for pause in pauses:
        strikes.add("a")
        assert not strikes.out("a")
        clock.now += pause


def test_memory_for_peers_is_bounded() -> None:
    """A flood of addresses costs a fixed amount of memory."""
    strikes = Strikes(limit=1, clock=Clock())
    for number in range(MOST_PEERS + 100):
        strikes.add(str(number))
    assert len(strikes._until) == MOST_PEERS
