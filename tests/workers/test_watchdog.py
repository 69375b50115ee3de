"""A worker that hears nothing any more ends itself; one that hears, or that stops, does not."""

from __future__ import annotations

import threading

import pytest

from tests.patience import PATIENCE_S
from workers.watchdog import Watchdog

pytestmark = pytest.mark.slow


class Clock:
    """Seconds that pass with every canary."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


def watched(send: object = None, *, hears: bool, canaries: int = 10) -> tuple[int, bool]:
    """Run a watchdog over a consumer that hears, or is deaf; returns the canaries sent and whether it gave up."""
    clock, sent, gave_up = Clock(), 0, threading.Event()

    def canary() -> None:
        nonlocal sent
        sent += 1
        clock.now_s += 30
        if hears:
            dog.hear()
        if sent == canaries:
            dog.stop()
        if send is OSError:
            raise OSError("the broker is away")

    dog = Watchdog(canary, gave_up.set, clock, every_s=0.001, patience_s=120)
    dog.start()
    dog.join(PATIENCE_S)
    assert not dog.is_alive()
    return sent, gave_up.is_set()


def test_a_deaf_consumer_is_given_up() -> None:
    """After two minutes of silence in spite of canaries the process ends."""
    assert watched(hears=False) == (5, True)


def test_a_consumer_that_hears_goes_on() -> None:
    """Every message counts as a sign of life."""
    assert watched(hears=True) == (10, False)


def test_a_broker_that_is_away_does_not_end_the_watch() -> None:
    """A canary that cannot be sent is no reason to die at once; the silence is."""
    assert watched(OSError, hears=False) == (5, True)
