"""A pause: no match begins in it, and it takes nothing from the grace of anybody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.store.rows import Claimed, MatchState
from ladder.store.tournaments import TournamentRow
from tests.store.scenes import parked
from tests.workers.house import START_MS, House, spec
from tests.workers.small_referee import playing
from workers.tournaments.contest import BROKEN
from workers.tournaments.life import State, Verb

pytestmark = pytest.mark.slow


def turn(house: House, verb: Verb) -> State:
    """Pause or resume the tournament."""
    return house.desk.turn("spring", verb, "", "tester").state


def row(house: House) -> TournamentRow:
    """Return the tournament as it stands in the ledger."""
    return house.store.tournaments.get("spring")


def test_pause_takes_back_what_waits_and_resume_goes_on(house: House) -> None:
    """Paused: nothing is ready. Resumed: played to the end."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    assert house.desk.turn("spring", Verb.PAUSE, "lunch", "tester").state is State.PAUSED
    assert not house.store.matches.waiting()
    house.look()
    assert not house.store.matches.waiting()
    assert house.desk.turn("spring", Verb.RESUME, "", "tester").state is State.RUNNING
    assert house.play("spring") is State.FINISHED
    assert [deed.verb for deed in house.store.audit.tail(10)] == ["resume", "pause", "create"]


def handed_on(house: House) -> str:
    """Begin a tournament of one match, which its referee gives back in the middle of it; return the match."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    (match,) = house.store.matches.ready_ids(house.now_ms)
    claimed = house.store.matches.claim(match, house.referee.me, house.now_ms, seed=bytes(32))
    assert isinstance(claimed, Claimed)
    calls = house.store.matches.calls(match, me=house.referee.me, tournament="spring")
    house.store.matches.release(calls, claimed.head, not_before_ms=house.now_ms, now_ms=house.now_ms)
    return match


def test_a_match_that_is_handed_on_finishes_in_a_pause(house: House) -> None:
    """Its referee was asked to stop in the middle of it: it was begun before the pause."""
    match = handed_on(house)
    house.desk.turn("spring", Verb.PAUSE, "lunch", "tester")
    house.look()
    assert house.store.matches.ready_ids(house.now_ms) == [match]


def test_a_match_that_is_handed_on_is_not_taken_back_for_want_of_its_bots(house: House) -> None:
    """They have their way to the next referee still before them; it waits for them as any referee does."""
    match = handed_on(house)
    house.referee.seat(playing(house.store.matches.get(match).entrants[:1]))
    house.look()
    assert house.store.matches.ready_ids(house.now_ms) == [match]


def test_what_was_put_back_is_not_handed_on(house: House) -> None:
    """A host had it once; it was parked since, and nothing of it begins in a pause."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    (match,) = house.store.matches.ready_ids(house.now_ms)
    parked(house.store, match, "a bug", house.now_ms)
    house.desk.requeue(match, "mended", "tester")
    assert house.store.matches.ready_ids(house.now_ms) == [match]
    house.desk.turn("spring", Verb.PAUSE, "lunch", "tester")
    assert house.store.matches.ready_ids(house.now_ms) == []


def test_a_later_pause_has_its_own_reason(house: House) -> None:
    """Who pauses what is paused already is told of from then on; the same again is nothing new."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    house.desk.turn("spring", Verb.PAUSE, "lunch", "tester")
    for _ in range(2):
        assert house.desk.turn("spring", Verb.PAUSE, "a broken bot", "olga").state is State.PAUSED
    house.look()
    assert (row(house).state, row(house).reason) == ("paused", "a broken bot")
    deeds = [(deed.who, deed.verb, deed.reason) for deed in house.store.audit.tail(10)]
    assert deeds[:2] == [("olga", "pause", "a broken bot"), ("tester", "pause", "lunch")]
    house.desk.turn("spring", Verb.RESUME, "", "tester")
    assert house.play("spring") is State.FINISHED


def test_a_later_pause_without_a_reason_keeps_the_one_that_stands(house: House) -> None:
    """Nothing is noted then. But a contest does not resume what somebody paused after it."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    house.desk.turn("spring", Verb.PAUSE, "lunch", "tester")
    assert house.desk.turn("spring", Verb.PAUSE, "", "olga").reason == "lunch"
    assert [deed.verb for deed in house.store.audit.tail(10)] == ["pause", "create"]
    house.desk.turn("spring", Verb.PAUSE, f"{BROKEN} 10 meetings", "bot:alpha")
    assert house.desk.turn("spring", Verb.PAUSE, " ", "olga").reason == ""
    deeds = [(deed.who, deed.verb) for deed in house.store.audit.tail(10)]
    assert deeds == [("olga", "pause"), ("bot:alpha", "pause"), ("tester", "pause"), ("tester", "create")]


def test_a_draft_can_be_paused(house: House) -> None:
    """While its bots are waited for; it goes on with what is left of its grace, and never begins in a pause."""
    house.enter("alpha", "beta")
    house.store.registry.register("ghost", "nobody", now_ms=house.now_ms)
    house.create(spec("spring", "alpha", "beta", "ghost"))
    assert house.desk.turn("spring", Verb.PAUSE, "", "tester").state is State.PAUSED
    house.look(1_000)
    assert house.desk.turn("spring", Verb.RESUME, "", "tester").state is State.DRAFT
    assert house.desk.turn("spring", Verb.PAUSE, "", "tester").state is State.PAUSED
    house.look(300_000)
    assert house.state("spring") is State.PAUSED
    assert house.desk.turn("spring", Verb.RESUME, "", "tester").state is State.DRAFT
    house.look(120_000)
    assert house.state("spring") is State.RUNNING
    assert house.play("spring") is State.FINISHED


@pytest.fixture
def versions(house: House) -> list[str]:
    """Two bots of which one went away 100 s ago, of 120 s that it is waited for."""
    versions = house.enter("alpha", "beta")
    house.create(spec("spring", *("alpha", "beta")))
    house.look()
    house.referee.seat(playing(versions[:1]))
    house.look()
    house.look(100_000)
    assert not house.store.matches.waiting()
    return versions


def test_a_pause_does_not_count_as_being_away(house: House, versions: list[str]) -> None:
    """However long it is; what was left of the grace is left after it."""
    turn(house, Verb.PAUSE)
    house.look(1_000_000)
    turn(house, Verb.RESUME)
    house.look(19_000)
    assert not house.store.matches.waiting()
    assert house.desk.get("spring").missing == ("beta@1",)
    house.look(1_000)
    assert house.store.matches.waiting()


def test_who_was_there_during_a_pause_is_waited_for_anew(house: House, versions: list[str]) -> None:
    """It was seen, and left again before the tournament went on."""
    turn(house, Verb.PAUSE)
    house.look(10_000)
    house.referee.seat(playing(versions))
    house.look(10_000)
    house.referee.seat(playing(versions[:1]))
    house.look(10_000)
    turn(house, Verb.RESUME)
    house.look(119_000)
    assert not house.store.matches.waiting()
    house.look(1_000)
    assert house.store.matches.waiting()


def test_our_outage_in_a_pause_makes_nobody_miss_anything(house: House, versions: list[str]) -> None:
    """Without a referee nobody can be there."""
    turn(house, Verb.PAUSE)
    house.store.matches.leave(house.referee.me)
    house.planner.advance("spring", house.now_ms)
    house.look()
    turn(house, Verb.RESUME)
    house.look(119_000)
    assert not house.store.matches.waiting()


def test_a_pause_while_nothing_is_created_counts_too(house: House) -> None:
    """Where a tournament has no match yet that could be taken back, since its bots are away."""
    versions = house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.referee.seat({})
    house.look()
    assert (house.state("spring"), row(house).planned) == (State.RUNNING, 0)
    turn(house, Verb.PAUSE)
    house.referee.seat(playing(versions[:1]))
    house.look(500_000)
    turn(house, Verb.RESUME)
    house.look(119_000)
    assert row(house).planned == 0
    house.look(1_000)
    assert row(house).planned == 1


def test_a_draft_that_was_paused_waits_for_as_long_as_it_would_have(house: House) -> None:
    """For a bot that never connected; a pause before the start costs nothing and gives nothing."""
    house.enter("alpha", "beta")
    house.store.registry.register("ghost", "nobody", now_ms=house.now_ms)
    house.create(replace(spec("spring", "alpha", "beta", "ghost"), start_ms=START_MS + 100_000))
    turn(house, Verb.PAUSE)
    house.look(150_000)
    assert turn(house, Verb.RESUME) is State.DRAFT
    house.look(119_000)
    assert house.state("spring") is State.DRAFT
    house.look(1_000)
    assert house.state("spring") is State.RUNNING


@pytest.fixture
def paused(house: House) -> str:
    """Three bots, of whose three matches one is played, and a pause; return the match that was played."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    (played,) = house.referee.play(house.now_ms, most=1)
    house.look()
    turn(house, Verb.PAUSE)
    return played


def test_a_match_is_played_again_when_the_tournament_goes_on(house: House, paused: str) -> None:
    """And not before: it waits with the others."""
    house.desk.void(paused, "a wrong deal", "tester")
    again = house.desk.requeue(paused, "", "tester")
    assert (again.id, again.state) == (f"{paused}.r2", MatchState.PLANNED)
    assert house.desk.requeue(again.id, "", "tester") == again
    house.look()
    assert house.referee.play(house.now_ms) == []
    turn(house, Verb.RESUME)
    assert house.store.matches.get(again.id).state is MatchState.READY
    assert house.play("spring") is State.FINISHED
    assert (row(house).done, row(house).lost) == (3, 1)


def test_a_parked_match_that_is_put_back_waits_too(house: House, paused: str) -> None:
    """It has no strikes, and counts again as one that is to be played."""
    turn(house, Verb.RESUME)
    match, _ = sorted(house.store.matches.waiting())
    parked(house.store, match, "strikes", house.now_ms)
    turn(house, Verb.PAUSE)
    assert house.desk.requeue(match, "fixed", "tester").state is MatchState.PLANNED
    assert house.desk.requeue(match, "fixed", "tester").state is MatchState.PLANNED
    assert row(house).lost == 0
    assert house.store.matches.states()[MatchState.PARKED] == 0
    house.look()
    assert house.referee.play(house.now_ms) == []
    turn(house, Verb.RESUME)
    assert match in house.store.matches.waiting()


def test_a_cancelled_tournament_that_was_paused_stays_as_it_ended(house: House, paused: str) -> None:
    """The clock that stood still moves nothing any more."""
    house.store.tournaments.move("spring", {"paused"}, "cancelled", now_ms=house.now_ms, reason="rain")
    ended = row(house)
    house.now_ms += 60_000
    house.planner.advance("spring", house.now_ms)
    assert (row(house).ended_ms, row(house).reason) == (ended.ended_ms, "rain")
    assert ended.state == "cancelled"


def test_why_it_was_resumed_stays_while_it_runs(house: House) -> None:
    """The planner's notes say nothing about that; the next verb does."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    house.desk.turn("spring", Verb.PAUSE, "lunch", "tester")
    assert house.desk.turn("spring", Verb.RESUME, "all back", "tester").reason == "all back"
    noted = house.store.tournaments.get("spring").schedule
    house.look(60_000)
    assert house.store.tournaments.get("spring").schedule != noted
    assert house.desk.get("spring").reason == "all back"
    assert house.desk.turn("spring", Verb.PAUSE, "", "tester").reason == ""


def test_why_it_was_resumed_stays_when_it_begins(house: House) -> None:
    """It goes on as a draft, which is scheduled in the same moment; once all is played nobody asks any more."""
    house.enter("alpha", "beta")
    house.create(replace(spec("spring", "alpha", "beta"), start_ms=START_MS + 60_000))
    house.desk.turn("spring", Verb.PAUSE, "lunch", "tester")
    resumed = house.desk.turn("spring", Verb.RESUME, "all back", "tester")
    assert (resumed.state, resumed.reason) == (State.SCHEDULED, "all back")
    house.look(60_000)
    assert (house.state("spring"), house.desk.get("spring").reason) == (State.RUNNING, "all back")
    assert house.play("spring") is State.FINISHED
    assert house.desk.get("spring").reason == ""
