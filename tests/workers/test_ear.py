"""A closed match is heard of at once, and rung for once, however many workers listen."""

from __future__ import annotations

import threading

import pytest

from tests.patience import PATIENCE_S
from tests.workers.house import House, spec
from workers.due import Job
from workers.ear import Ear, Listener


@pytest.fixture
def closed(house: House) -> list[str]:
    """Play three matches that nobody has applied; returns their ids."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    house.look()
    house.bell.jobs.clear()
    return house.referee.play(house.now_ms)


def test_a_closed_match_is_rung_for_once(house: House, closed: list[str]) -> None:
    """Two workers listen again and again: one of them rings, once."""
    ears = [Ear(house.store, house.bell) for _ in range(2)]
    for _ in range(3):
        for ear in ears:
            ear.listen(house.now_ms)
    (job,) = house.bell.jobs
    assert job == Job("rate", (tuple(house.store.matches.due(house.now_ms)),))
    assert sorted(job.args[0]) == sorted(closed)
    house.answer()
    assert house.store.tournaments.get("spring").done == 3


def test_nothing_closed_nothing_rung(house: House) -> None:
    """An idle house is listened to in silence."""
    assert Ear(house.store, house.bell).listen(house.now_ms) == ()


def test_a_lost_ring_is_made_up_for_by_the_next_look(house: House, closed: list[str]) -> None:
    """Whoever heard of a match may die before anybody rates it."""
    Ear(house.store, house.bell).listen(house.now_ms)
    house.bell.jobs.clear()
    house.look()
    assert house.store.tournaments.get("spring").done == len(closed)


def test_a_ledger_that_is_away_is_asked_again() -> None:
    """The listener outlives whatever goes wrong, and ends when it is told to."""
    asked, heard = [], threading.Event()

    def listen(_now_ms: int) -> None:
        asked.append(1)
        if len(asked) < 3:
            raise ConnectionError("away")
        heard.set()

    listener = Listener(listen, every_s=0.001)
    listener.start()
    assert heard.wait(PATIENCE_S)
    listener.stop()
    listener.join(PATIENCE_S)
    assert not listener.is_alive()
