"""A table whose deals others wait for too long is declared void and played again, whoever dies in between."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ladder.errors import InvalidFieldError
from ladder.store.rows import ClaimRefused, MatchRow, MatchState, Refusal
from tests.workers.house import FIELD, NAMES, House, of_group, play, spec
from tests.workers.slow_table import Slow
from tests.workers.small_referee import playing
from workers.overtime import REASON, limit_ms
from workers.tournaments.life import PLANNER, State, Verb
from workers.tournaments.notes import Notes
from workers.tournaments.spec import Deals

pytestmark = pytest.mark.slow


@pytest.fixture
def slow(house: House) -> Slow:
    """Let one table of a group go on while all others wait."""
    return Slow(house)


def test_what_takes_too_long_is_void_and_played_again(house: House, slow: Slow) -> None:
    """The others count once it has ended, and its bots play their games on deals of their own."""
    house.look(29_000)
    assert (slow.noted(), slow.row.stop) == ((), None)
    house.look(2_000)
    assert (slow.noted(), slow.row.stop) == ((slow.last,), None)
    house.look()
    stop = slow.row.stop
    assert stop is not None
    assert (stop.reason, stop.who) == (REASON, PLANNER)
    assert {row.state for row in of_group(house) if row.id != slow.last} == {MatchState.CLOSED}
    slow.obey()
    house.look()
    again = house.store.matches.get(f"{slow.last}.r2")
    assert (again.state, again.group, again.entrants) == (MatchState.READY, again.id, slow.row.entrants)
    assert slow.noted() == ()
    assert {row.state for row in of_group(house)} == {MatchState.RATED}
    assert slow.audit() == [(PLANNER, "void", slow.last), (PLANNER, "replay", again.id)]
    assert house.play("spring") is State.FINISHED
    row = house.store.tournaments.get("spring")
    assert (row.done, row.lost, row.again) == (row.matches, 1, 1)


def test_a_tournament_does_not_end_before_it_is_played_again(house: House, slow: Slow) -> None:
    """All else is over, and the planner saw the table end only then."""
    house.look(31_000)
    for _ in range(40):
        house.look()
        house.referee.play(house.now_ms)
    assert slow.row.stop is not None
    assert house.state("spring") is State.RUNNING
    slow.obey()
    house.lookout.look(house.now_ms)
    assert house.play("spring") is State.FINISHED
    assert house.store.matches.get(f"{slow.last}.r2").state is MatchState.RATED


def test_a_planner_that_dies_after_its_order_forgets_nothing(house: House, slow: Slow) -> None:
    """The table was noted before anything was done to it: whoever looks next goes on."""
    house.look(31_000)
    house.look()
    slow.obey()
    before = house.store.tournaments.get("spring").schedule
    house.look()
    house.store.tournaments.move("spring", {"running"}, "running", now_ms=house.now_ms, reason=None, schedule=before)
    assert slow.noted() == (slow.last,)
    house.look()
    assert slow.noted() == ()
    assert [verb for _, verb, _ in slow.audit()] == ["void", "replay"]


def test_a_table_that_ends_at_the_last_moment_counts(house: House, slow: Slow) -> None:
    """It was noted, and was played before anybody could stop it."""
    house.look(31_000)
    assert slow.noted() == (slow.last,)
    slow.release()
    play(house, [slow.last])
    house.look()
    house.look()
    assert slow.noted() == ()
    assert {row.state for row in of_group(house)} == {MatchState.RATED}
    assert slow.audit() == []


def test_an_order_that_came_too_late_is_carried_out_by_a_worker(house: House, slow: Slow) -> None:
    """The host had played it: a worker makes it void, and it is played again all the same."""
    house.look(31_000)
    house.look()
    calls = house.store.matches.calls(slow.last, me=house.referee.me, tournament="spring")
    house.store.matches.close(calls, slow.head, b"end", now_ms=house.now_ms, result="{}", games_done=2)
    house.look()
    house.look()
    assert slow.row.state is MatchState.VOID
    assert house.store.matches.get(f"{slow.last}.r2").state is MatchState.READY
    play(house, [f"{slow.last}.r2"])
    house.look()
    assert house.store.matches.get(f"{slow.last}.r2").state is MatchState.RATED


def test_what_an_operator_declared_void_is_the_operators(house: House, slow: Slow) -> None:
    """The planner plays again what it stopped itself, and nothing else."""
    house.look(31_000)
    assert slow.noted() == (slow.last,)
    house.desk.void(slow.last, "a bug of its bot", "tester")
    slow.obey()
    house.look()
    house.look()
    assert slow.noted() == ()
    assert house.play("spring") is State.FINISHED
    assert house.store.tournaments.get("spring").again == 0


def test_a_pause_stops_nobody_and_forgets_nothing(house: House, slow: Slow) -> None:
    """Running matches finish in a pause; what was too slow is seen to when the tournament goes on."""
    house.look(31_000)
    house.desk.turn("spring", Verb.PAUSE, "lunch", "tester")
    house.look(90_000)
    assert slow.row.stop is None
    house.desk.turn("spring", Verb.RESUME, "", "tester")
    assert slow.row.stop is not None


def test_who_takes_it_on_anew_has_all_the_time(house: House, slow: Slow) -> None:
    """What a crash cost is not counted."""
    house.look(20_000)
    slow.release()
    slow.claim()
    house.look(20_000)
    assert slow.noted() == ()
    house.look(20_000)
    assert slow.noted() == (slow.last,)


def test_ten_minutes_are_nobodys_slowness(house: House) -> None:
    """What the clock gives a seat for a round may always be used, unless the organiser says otherwise."""
    slow = Slow(house, None)
    house.look(599_000)
    assert slow.noted() == ()
    house.look(3_000)
    assert slow.noted() == (slow.last,)


def test_an_order_that_meets_a_handover_is_carried_out_at_once(house: House, slow: Slow) -> None:
    """No host is left to do so, and the match must wait neither for another one nor for its bots."""
    house.desk.void(slow.last, "a bug of its bot", "tester")
    slow.release()
    assert (slow.row.state, slow.row.reason, slow.row.stop) == (MatchState.VOID, "a bug of its bot", None)
    assert slow.last not in house.store.matches.waiting()
    house.desk.turn("spring", Verb.CANCEL, "rain", "tester")
    house.look()
    assert {row.state for row in of_group(house)} == {MatchState.RATED}


def test_an_order_is_stronger_than_strikes(house: House, slow: Slow) -> None:
    """Its hosts die one after the other; an operator wanted it void, not parked."""
    house.desk.void(slow.last, "a bug of its bot", "tester")
    house.store.link.read("HSET", house.store.keys.match(slow.last), "strikes", 9)
    house.store.matches.leave(house.referee.me)
    house.store.matches.beat("ref-next", {}, fresh=True)
    refused = house.store.matches.claim(slow.last, "ref-next", house.now_ms, seed=bytes(32))
    assert refused == ClaimRefused(Refusal.GONE)
    assert (slow.row.state, slow.row.reason) == (MatchState.VOID, "a bug of its bot")


def test_the_first_order_stands(house: House, slow: Slow) -> None:
    """An operator was a moment faster than the planner: it is his match, and not played again."""
    house.desk.void(slow.last, "a bug of its bot", "tester")
    house.store.matches.void(slow.last, REASON, PLANNER, house.now_ms)
    stop = slow.row.stop
    assert stop is not None
    assert (stop.who, stop.reason) == ("tester", "a bug of its bot")


def test_who_has_it_anew_is_not_stopped_for_what_went_before(house: House, slow: Slow) -> None:
    """It was noted, handed over in a pause, and is judged again before anything is done."""
    house.look(31_000)
    assert slow.noted() == (slow.last,)
    house.desk.turn("spring", Verb.PAUSE, "lunch", "tester")
    slow.release()
    slow.claim()
    house.desk.turn("spring", Verb.RESUME, "", "tester")
    assert (slow.noted(), slow.row.stop) == ((), None)


def test_a_slower_planner_overwrites_no_notes(house: House, slow: Slow) -> None:
    """It read before a table was noted, and writes afterwards: what stands there by now holds."""
    before = house.store.tournaments.get("spring").schedule
    house.look(31_000)
    assert slow.noted() == (slow.last,)
    assert not house.store.tournaments.note("spring", "running", before, f"{before} ")
    assert slow.noted() == (slow.last,)
    now = house.store.tournaments.get("spring").schedule
    assert not house.store.tournaments.note("spring", "paused", now, before)
    assert house.store.tournaments.note("spring", "running", now, before)


def test_two_planners_at_once_are_one_in_the_audit(house: House, slow: Slow) -> None:
    """Both see that nothing was ordered yet, and both see that nothing is played again yet."""
    house.look(31_000)
    notes = house.store.tournaments.get("spring").schedule
    for step in (house.look, house.look, slow.obey, house.look, house.look):
        step()
        now = house.store.tournaments.get("spring").schedule
        assert house.store.tournaments.note("spring", "running", now, notes)
    assert [verb for _, verb, _ in slow.audit()] == ["void", "replay"]


def test_a_bot_that_is_missed_is_missed_since_then(house: House, slow: Slow) -> None:
    """While its table is declared void and played again: its grace does not begin anew."""
    absent = slow.row.entrants[0]
    there = [bot for bot in house.store.tournaments.get("spring").entrants if bot != absent]
    for _ in range(20):
        house.look()
        house.referee.play(house.now_ms)
    house.referee.seat(playing(there, formats=(FIELD,)))
    house.look()
    since = Notes.parse(house.store.tournaments.get("spring").schedule).missing[absent]
    house.look(40_000)
    house.look()
    slow.obey()
    house.look()
    assert house.store.matches.get(f"{slow.last}.r2").state is not MatchState.VOID
    assert Notes.parse(house.store.tournaments.get("spring").schedule).missing == {absent: since}


def test_a_tournament_with_a_match_to_play_does_not_finish(house: House, slow: Slow) -> None:
    """One was put back, or is played again, after the planner had looked whether all is over."""
    assert not house.store.tournaments.move("spring", {"running"}, "finished", now_ms=house.now_ms)
    assert house.state("spring") is State.RUNNING


# how long is too long


def table(state: MatchState, took_ms: int, result: str = '{"forfeits":[]}') -> MatchRow:
    """Return a row of which only that counts."""
    fields = {
        "id": "spring.1.1.0",
        "format": FIELD,
        "ruleset": "0" * 16,
        "rules_version": "1",
        "entrants": json.dumps(["a@1", "b@1"]),
        "meetings": "1",
        "deals": "field",
        "nonces": "0",
        "rated": "1",
        "tournament": "spring",
        "leg": "1",
        "table": "1",
        "part": "0",
        "group": "spring.1.0.g0",
        "state": state,
        "number": "1",
        "owner": "",
        "created_ms": "1",
        "begun_ms": "1000",
        "claimed_ms": str(max(1000, 999 + took_ms)),
        "ended_ms": str(1000 + took_ms),
        "result": result,
    }
    return MatchRow.of(fields)


PLAYING = table(MatchState.RUNNING, -1000, "")
WALKOVER = table(MatchState.CLOSED, 1, '{"forfeits":[{"entrant":0,"reason":"NEVER_CAME"}]}')


@pytest.mark.parametrize(
    ("tables", "members", "limit"),
    [
        pytest.param([table(MatchState.CLOSED, took) for took in (3, 9, 4)], 4, 8, id="twice the median"),
        pytest.param([table(MatchState.CLOSED, took) for took in (3, 4)], 4, 7, id="half of them"),
        pytest.param([table(MatchState.CLOSED, took) for took in (3, 4)], 5, None, id="less than half"),
        pytest.param([table(MatchState.CLOSED, 3), PLAYING, PLAYING], 4, None, id="those that are played do not count"),
        pytest.param([table(MatchState.CLOSED, 50), WALKOVER], 4, 100, id="a walkover took no time"),
        pytest.param([table(MatchState.VOID, 50, ""), WALKOVER], 4, None, id="none was played"),
        pytest.param([table(MatchState.CLOSED, 1), PLAYING], 2, 5, id="so long may every table take"),
        pytest.param([table(MatchState.CLOSED, 10)], 1, None, id="alone"),
        pytest.param([replace(table(MatchState.CLOSED, 90), claimed_ms=1_089)], 2, 180, id="handed over at its end"),
    ],
)
def test_the_limit(tables: list[MatchRow], members: int, limit: float | None) -> None:
    """Twice the median of the tables that were played by all their bots, once half of the group are over."""
    assert limit_ms(tables, members, 5) == limit


# who may give one


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        pytest.param({"deadline_s": 0}, "OUT_OF_RANGE", id="no time at all"),
        pytest.param({"deadline_s": 604_801}, "OUT_OF_RANGE", id="more than a week"),
        pytest.param({"deals": None}, "DEADLINE", id="fresh deals"),
        pytest.param({"deals": Deals.MIRRORED}, "DEADLINE", id="deals of one match"),
    ],
)
def test_a_deadline_that_says_nothing_is_refused(house: House, changed: dict[str, object], reason: str) -> None:
    """It is for tables that others wait for, and between a second and a week."""
    house.register(NAMES)
    described = replace(spec("spring", *NAMES), deals=Deals.FIELD, trusted=True, deadline_s=30)
    with pytest.raises(InvalidFieldError) as refused:
        house.create(replace(described, **changed))  # type: ignore[arg-type]  # a table of any fields
    assert (refused.value.reason, refused.value.field) == (reason, "deadline_seconds")
