"""What doorbells, tasks and referees leave behind is found within one round, and heads are never touched."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from ladder.store.rows import Claimed, MatchState
from tests.workers.house import House, spec
from tests.workers.small_referee import SmallReferee, playing
from workers.reconcile import Found
from workers.tournaments.life import State, Verb


@pytest.fixture
def running(house: House) -> list[str]:
    """Start a tournament of three matches; returns their ids."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    house.look()
    return sorted(house.store.matches.waiting())


def reconcile(house: House, later_ms: int = 16_000) -> Found:
    house.now_ms += later_ms
    house.referee.beat(fresh=True)
    return house.reconciler.reconcile(house.now_ms)


def test_nothing_wrong_nothing_done(house: House, running: list[str]) -> None:
    """In a healthy house it only rings for tournaments that run."""
    assert not any(asdict(reconcile(house)).values())
    assert [job.task for job in house.bell.jobs] == ["plan"]


def test_a_dead_referees_match_is_opened_again(house: House, running: list[str]) -> None:
    """Its owner's beat is gone: the match is offered again, in the same state and with the same head."""
    dead = SmallReferee(house.store, "ref-dead")
    claimed = house.store.matches.claim(running[0], dead.me, house.now_ms, seed=bytes(32))
    assert isinstance(claimed, Claimed)
    house.store.matches.leave(dead.me)
    assert reconcile(house).orphans == 1
    assert running[0] in house.store.matches.waiting()
    assert house.store.matches.head(running[0]) == claimed.head
    assert house.store.matches.get(running[0]).state is MatchState.RUNNING
    assert house.play("spring") is State.FINISHED


def test_a_living_referees_match_is_left_alone(house: House, running: list[str]) -> None:
    """What is being played is not offered."""
    house.store.matches.claim(running[0], house.referee.me, house.now_ms, seed=bytes(32))
    assert reconcile(house).orphans == 0
    assert running[0] not in house.store.matches.waiting()


def test_a_ready_match_that_fell_out_of_the_queue(house: House, running: list[str]) -> None:
    """It is put back."""
    house.store.link.read("ZREM", house.store.keys.ready, running[0])
    assert reconcile(house).orphans == 1
    assert running[0] in house.store.matches.waiting()


def test_a_result_that_fell_out_of_due(house: House, running: list[str]) -> None:
    """Closed long ago and not in any list: it is rung for."""
    house.referee.play(house.now_ms)
    house.store.link.read("DEL", house.store.keys.due)
    house.bell.jobs.clear()
    assert reconcile(house).unrated == 3
    house.answer()
    assert house.state("spring") is State.FINISHED


def test_a_cancelled_tournament_with_matches_left(house: House, running: list[str]) -> None:
    """The worker died between cancelling and voiding: the matches are found and voided."""
    house.store.tournaments.move("spring", {"running"}, "cancelled", now_ms=house.now_ms)
    assert reconcile(house).stranded == 1
    house.answer()
    assert house.store.matches.open_ids() == set()


def test_traces_of_dead_referees_are_swept(house: House, running: list[str]) -> None:
    """Who was connected to a referee that is gone is forgotten."""
    dead = SmallReferee(house.store, "ref-dead")
    dead.seat(playing(["alpha@1"]))
    house.store.matches.leave(dead.me)
    assert reconcile(house).swept == 1


def test_two_reconcilers_act_once(house: House, running: list[str]) -> None:
    """Any number of beats may ring for it."""
    house.store.link.read("ZREM", house.store.keys.ready, running[0])
    assert reconcile(house).orphans == 1
    house.store.link.read("ZREM", house.store.keys.ready, running[0])
    assert reconcile(house, later_ms=0).orphans == 0


def test_a_paused_tournament_stays_paused(house: House, running: list[str]) -> None:
    """Reconciling opens nothing that an organiser holds back."""
    house.desk.turn("spring", Verb.PAUSE, "", "tester")
    reconcile(house)
    house.answer()
    assert not house.store.matches.waiting()


def test_what_is_no_name_holds_no_look_up(house: House, running: list[str]) -> None:
    """Members of sets that are no text are passed over, and the tournament is played."""
    keys = house.store.keys
    for key in (keys.open, keys.referees, keys.tournament_open("spring")):
        house.store.link._execute("SADD", key, b"\xff")
    for key in (keys.due, keys.tournaments_open, keys.renew_due, keys.luck_due, keys.unarchived):
        house.store.link._execute("ZADD", key, 1, b"\xff")
    assert house.play("spring") is State.FINISHED
    assert not any(asdict(reconcile(house)).values())
