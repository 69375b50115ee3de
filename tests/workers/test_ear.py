"""A closed match is heard of at once, and rung for once, however many workers listen."""

from __future__ import annotations

import threading

import pytest
import redis

from tests.patience import PATIENCE_S
from tests.workers.house import House, spec
from workers.due import Job
from workers.ear import HEARD, HEARD_S, Ear, Listener


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


def test_workers_that_see_other_matches_first_share_them(house: House, closed: list[str]) -> None:
    """One of them has seen fewer so far: nothing is rung for twice, nothing by nobody."""
    early, late = Ear(house.store, house.bell), Ear(house.store, house.bell)
    first, *others = house.store.matches.due(house.now_ms)
    house.store.matches.put_off(first, house.now_ms + 1)
    late.listen(house.now_ms)
    early.listen(house.now_ms + 1)
    assert [job.args for job in house.bell.jobs] == [(tuple(others),), ((first,),)]
    assert len(closed) == 1 + len(others)


def test_it_is_not_known_for_long_who_rang(house: House, closed: list[str]) -> None:
    """There is a slot for each match: they go as fast as matches come."""
    Ear(house.store, house.bell).listen(house.now_ms)
    slots = [house.store.keys.tick(HEARD, match) for match in closed]
    assert all(0 < house.store.link.size("TTL", slot) <= HEARD_S for slot in slots)


def test_nothing_closed_nothing_rung(house: House) -> None:
    """An idle house is listened to in silence."""
    assert Ear(house.store, house.bell).listen(house.now_ms) == ()


def test_a_lost_ring_is_made_up_for_by_the_first_look_afterwards(house: House, closed: list[str]) -> None:
    """Whoever heard of a match may die before anybody rates it."""
    Ear(house.store, house.bell).listen(house.now_ms)
    house.bell.jobs.clear()
    _forget(house, closed)
    house.look()
    assert house.store.tournaments.get("spring").done == len(closed)


def test_a_look_leaves_alone_what_was_just_rung_for(house: House, closed: list[str]) -> None:
    """Two tasks for one match would fold its log twice, side by side."""
    Ear(house.store, house.bell).listen(house.now_ms)
    (heard,) = house.bell.jobs
    _forget(house, closed[:1])
    looked = house.lookout.look(house.now_ms + 1_000)
    assert [job for job in looked if job.task == "rate"] == [Job("rate", (tuple(closed[:1]),))]
    assert sorted(heard.args[0]) == sorted(closed)


def _forget(house: House, matches: list[str]) -> None:
    """Let so much time pass that nobody knows any more who rang for these."""
    with redis.Redis.from_url(house.store.link.url) as ledger:
        ledger.delete(*(house.store.keys.tick(HEARD, match) for match in matches))


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
