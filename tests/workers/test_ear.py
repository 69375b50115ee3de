"""A closed match is heard of at once, and rung for once, however many workers listen."""

from __future__ import annotations

import threading

import pytest

from tests.patience import PATIENCE_S
from tests.workers.house import House, spec
from workers.due import Job
from workers.ear import HEARD_S, Ear, Listener


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


def test_it_is_not_known_for_long_who_rang(house: House, closed: list[str]) -> None:
    """There is a slot for each match that is heard of first: they go as fast as matches come."""
    keys = house.store.keys
    Ear(house.store, house.bell).listen(house.now_ms)
    (job,) = house.bell.jobs
    slot = keys.tick("heard", job.args[0][0])
    assert closed
    assert 0 < house.store.link.size("TTL", slot) <= HEARD_S


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

    def listen(_now_ms: int) -> tuple[Job, ...]:
        asked.append(1)
        if len(asked) < 3:
            raise ConnectionError("away")
        heard.set()
        return ()

    listener = Listener(listen, every_s=0.001)
    listener.start()
    assert heard.wait(PATIENCE_S)
    listener.stop()
    listener.join(PATIENCE_S)
    assert not listener.is_alive()


def test_who_has_rung_rests_longer() -> None:
    """What is closed meanwhile is rung for in one go."""
    first, second = threading.Event(), threading.Event()

    def listen(_now_ms: int) -> tuple[Job, ...]:
        (second if first.is_set() else first).set()
        return (Job("rate", (("spring.1.0.1",),)),)

    listener = Listener(listen, every_s=0.001, rest_s=PATIENCE_S)
    listener.start()
    assert first.wait(PATIENCE_S)
    assert not second.wait(50 * 0.001)
    listener.stop()
    listener.join(PATIENCE_S)
    assert not listener.is_alive()
