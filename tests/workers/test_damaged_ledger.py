"""What cannot be read in the ledger costs its own tournament a while, and nobody else anything."""

from __future__ import annotations

import json
from contextlib import suppress

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from ladder.door.refusals import refusal_of
from ladder.errors import Kind, UnknownNameError, WrongStateError
from ladder.store.errors import DamagedError, FencedError
from ladder.store.rows import Claimed, MatchState
from tests.workers.house import House, spec
from tests.workers.ledger_damage import AS_MUCH, BAD, OF_A_MATCH, OF_A_TOURNAMENT, OF_OTHERS, Damage, damage, replaced
from tests.workers.small_referee import FORMAT
from workers.tournaments.life import State, Verb
from workers.tournaments.notes import Notes

pytestmark = pytest.mark.slow


@pytest.fixture
def two(house: House) -> House:
    """Two tournaments, one match of each bot with each other: all are played, none is rated."""
    house.enter("alpha", "beta", "gamma", "delta")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.create(spec("autumn", "alpha", "delta", "gamma", meetings=1))
    house.look()
    assert len(house.referee.play(house.now_ms)) == 6
    return house


def go_on(house: House, looks: int = 6) -> None:
    """Let workers look a few times, with a minute between two of them, and let the reconciler look, too."""
    for _ in range(looks):
        house.look(61_000)
        house.reconciler.reconcile(house.now_ms)
        house.answer()


def named(told: list[EventDict], kind: str) -> list[object]:
    """Return what was said to be damaged."""
    return [line["damaged"] for line in told if line["event"] == "entry_unreadable" and line["kind"] == kind]


@pytest.mark.parametrize("break_it", OF_A_MATCH)
def test_a_match_that_cannot_be_read_holds_up_its_own_tournament_alone(two: House, break_it: Damage) -> None:
    """All other matches are rated, also those of its tournament, which waits for it; it is named once."""
    break_it(two.store)
    with capture_logs() as told:
        go_on(two)
    assert (two.state("autumn"), two.state("spring")) == (State.FINISHED, State.FINISHING)
    assert two.store.tournaments.get("spring").done == 2
    assert named(told, "match") == [BAD]
    assert two.store.matches.unread.names == {BAD}


@pytest.mark.parametrize("break_it", OF_A_MATCH)
def test_a_match_that_cannot_be_read_is_ended_by_an_operator(two: House, break_it: Damage) -> None:
    """Void, audited and off all lists: its tournament finishes without it, and a second time changes nothing."""
    break_it(two.store)
    go_on(two, 1)
    row = two.desk.void(BAD, "no use", "olga")
    assert (row.id, row.state, row.reason, row.tournament) == (BAD, MatchState.VOID, "no use", "spring")
    go_on(two, 3)
    assert two.state("spring") is State.FINISHED
    kept = two.store.tournaments.get("spring")
    assert (kept.done, kept.lost, kept.parked) == (2, 1, 0)
    states = two.store.matches.states()
    assert (states[MatchState.RATED], states[MatchState.VOID], sum(states.values())) == (5, 1, 6)
    assert two.store.matches.open_ids() == set()
    assert two.store.matches.waiting_for_worker() == {}
    assert two.store.matches.unread.names == set()
    assert two.desk.void(BAD, "again", "olga").state is MatchState.VOID
    assert two.store.matches.unread.names == set()
    assert [(deed.who, deed.verb, deed.reason) for deed in two.store.audit.tail(target=BAD)] == [
        ("olga", "void", "no use")
    ]


@pytest.mark.parametrize("break_it", OF_A_MATCH)
def test_a_match_that_was_ended_unread_is_played_again(house: House, break_it: Damage) -> None:
    """As the schedule has it, whatever is left of its row: by the same bots, rated, on other deals."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.look()
    planned = house.store.matches.get(BAD)
    house.referee.play(house.now_ms)
    break_it(house.store)
    row = house.desk.void(BAD, "no use", "olga")
    assert house.desk.replay_of(row) == f"{BAD}.r2"
    again = house.desk.requeue(BAD, "once more", "olga")
    assert (again.id, again.state, again.leg, again.table, again.part) == (f"{BAD}.r2", MatchState.READY, 1, 1, 0)
    assert (again.entrants, again.meetings, again.rated) == (planned.entrants, planned.meetings, planned.rated)
    assert (again.format, again.ruleset, again.nonces) == (planned.format, planned.ruleset, planned.nonces)
    assert house.desk.requeue(BAD, "once more", "olga").id == again.id
    assert house.play("spring") is State.FINISHED
    kept = house.store.tournaments.get("spring")
    assert (kept.done, kept.lost, kept.again) == (3, 1, 1)


def test_a_match_that_was_ended_unread_and_is_on_no_schedule_is_not_played_again(two: House) -> None:
    """One of a ladder, or of a tournament whose row has no such match, or cannot be read itself."""
    Damage((("DEL", f"m:{BAD}"), ("HSET", f"m:{BAD}", "state", "closed"), ("ZREM", "index:t:spring", BAD)))(two.store)
    two.desk.void(BAD, "no use", "olga")
    with pytest.raises(WrongStateError, match="belongs to no tournament"):
        two.desk.requeue(BAD, "", "olga")
    other = "autumn.1.1.0"
    damage("HSET", f"m:{other}", "meetings", "x")(two.store)
    row = two.desk.void(other, "no use", "olga")
    damage("HSET", "t:autumn", "matches", "x")(two.store)
    assert two.desk.replay_of(row) == ""
    with pytest.raises(DamagedError, match="tournament autumn"):
        two.desk.requeue(other, "", "olga")


@pytest.mark.parametrize("break_it", OF_A_MATCH)
def test_who_asks_for_a_match_that_cannot_be_read_is_told_what_helps(two: House, break_it: Damage) -> None:
    """No internal error: a refusal with its id; and its tournament can be paused and cancelled."""
    break_it(two.store)
    with pytest.raises(DamagedError, match=f"lastcard tournament void {BAD}") as raised:
        two.desk.requeue(BAD, "", "olga")
    refusal = refusal_of(raised.value)
    assert refusal is not None
    assert (refusal.kind, refusal.reason, refusal.value) == (Kind.STATE, "DAMAGED_MATCH", BAD)
    assert two.desk.turn("spring", Verb.CANCEL, "no use", "olga").state is State.CANCELLED


def test_a_match_that_is_still_to_be_played_and_cannot_be_read_does_not_stop_a_pause(house: House) -> None:
    """The others are held back, and go on."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.look()
    damage("HSET", f"m:{BAD}", "meetings", "x")(house.store)
    assert house.desk.turn("spring", Verb.PAUSE, "", "olga").state is State.PAUSED
    assert sorted(house.store.matches.waiting()) == [BAD]
    assert house.desk.turn("spring", Verb.RESUME, "", "olga").state is State.RUNNING
    assert len(house.store.matches.waiting()) == 3


def test_a_host_can_write_nothing_more_to_a_match_that_was_dropped(house: House) -> None:
    """It is fenced, and owns it no longer."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=1))
    house.look()
    matches, me = house.store.matches, house.referee.me
    claimed = matches.claim(BAD, me, house.now_ms, seed=bytes(32))
    assert isinstance(claimed, Claimed)
    damage("HSET", f"m:{BAD}", "meetings", "x")(house.store)
    house.desk.void(BAD, "no use", "olga")
    calls = matches.calls(BAD, me=me, tournament="spring")
    with pytest.raises(FencedError):
        matches.append(calls, claimed.head, b"x")
    with pytest.raises(FencedError):
        matches.close(calls, claimed.head, b"x", now_ms=1, result="{}")
    go_on(house, 2)
    assert house.state("spring") is State.FINISHED


def test_a_rated_match_that_cannot_be_read_leaves_its_ladder_when_it_is_ended(two: House) -> None:
    """The ladder is computed anew without it."""
    go_on(two, 2)
    damage("HSET", f"m:{BAD}", "meetings", "x")(two.store)
    assert two.store.ratings.counted(FORMAT) == 6
    two.desk.void(BAD, "no use", "olga")
    go_on(two, 2)
    assert two.store.ratings.counted(FORMAT) == 5
    assert two.store.ratings.rebuild(FORMAT).equal
    kept = two.store.tournaments.get("spring")
    assert (kept.done, kept.lost) == (2, 1)


def test_a_match_that_is_mended_is_rated(two: House) -> None:
    """Without a restart of anybody."""
    damage("HSET", f"m:{BAD}", "meetings", "x")(two.store)
    go_on(two)
    damage("HSET", f"m:{BAD}", "meetings", "1")(two.store)
    go_on(two, 3)
    assert two.state("spring") is State.FINISHED
    assert two.store.tournaments.get("spring").done == 3
    assert two.store.matches.unread.names == set()


@pytest.mark.sample(4)
@pytest.mark.parametrize("break_it", OF_A_TOURNAMENT)
def test_a_tournament_that_cannot_be_read_costs_no_other(two: House, break_it: Damage) -> None:
    """It is passed over and named once; who asks for it is told; lists and new ones go without it."""
    break_it(two.store)
    with capture_logs() as told:
        for _ in range(12):
            with suppress(ExceptionGroup):  # a match of it cannot be counted in it: said, and put off
                go_on(two, 1)
    assert two.state("autumn") is State.FINISHED
    assert named(told, "tournament") == ["spring"]
    with pytest.raises(DamagedError) as raised:
        two.desk.turn("spring", Verb.PAUSE, "", "olga")
    refusal = refusal_of(raised.value)
    assert refusal is not None
    assert (refusal.kind, refusal.reason, refusal.value) == (Kind.STATE, "DAMAGED_TOURNAMENT", "spring")
    assert [status.spec.name for status in two.desk.list(10).statuses] == ["autumn"]
    created = two.create(spec("winter", "alpha", "beta", meetings=1))
    assert created.spec.name == "winter"


@pytest.mark.sample(4)
@pytest.mark.parametrize("break_it", [*OF_A_TOURNAMENT, *AS_MUCH])
def test_a_tournament_that_cannot_be_read_is_ended_by_an_operator(house: House, break_it: Damage) -> None:
    """What it played counts, what it did not is void, and it can be read again; a second time changes nothing."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.look()
    (first, *_) = house.referee.play(house.now_ms, most=1)
    house.look()
    (second, *_) = house.referee.play(house.now_ms, most=1)
    break_it(house.store)
    status = house.desk.turn("spring", Verb.CANCEL, "no use", "olga")
    assert (status.state, status.reason, status.ended_ms) == (State.CANCELLED, "no use", house.now_ms)
    house.look()
    states = {row.id: row.state for row in house.store.matches.page(tournament="spring").rows}
    assert sorted(states.values()) == [MatchState.RATED, MatchState.RATED, MatchState.VOID]
    assert states[first] is states[second] is MatchState.RATED
    kept = house.store.tournaments.get("spring")
    assert (kept.done, kept.lost, kept.parked, kept.planned, kept.matches) == (2, 1, 0, 3, 3)
    assert len(kept.commitment) == 64
    assert house.store.tournaments.alive() == []
    assert house.store.ratings.rebuild(FORMAT).equal
    assert len(house.desk.get("spring").table.standings) == 3
    assert [status.spec.name for status in house.desk.list(10).statuses] == ["spring"]
    assert house.desk.turn("spring", Verb.CANCEL, "again", "olga").reason == "no use"
    deeds = [(deed.who, deed.verb, deed.reason) for deed in house.store.audit.tail(target="spring")]
    assert deeds == [("olga", "cancel", "no use"), ("tester", "create", "")]


def test_a_tournament_that_is_ended_unread_still_counts_linked_owners_as_one(house: House) -> None:
    """What it noted of them at its begin is made up as it was."""
    house.enter("alpha", "beta", "gamma")
    house.store.registry.link(["owner of alpha", "owner of gamma"])
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.look()
    before = Notes.parse(house.store.tournaments.get("spring").schedule).kin
    damage("HSET", "t:spring", "schedule", '{"ne')(house.store)
    house.desk.turn("spring", Verb.CANCEL, "no use", "olga")
    assert Notes.parse(house.store.tournaments.get("spring").schedule).kin == before
    assert before["alpha@1"] == before["gamma@1"] != before["beta@1"]


def test_a_tournament_without_matches_that_cannot_be_read_is_ended_too(house: House) -> None:
    """Nobody knows its format any more, and that is what is said of it."""
    house.register(["alpha", "beta"])
    house.create(spec("spring", "alpha", "beta"))
    replaced("t:spring")(house.store)
    assert house.desk.turn("spring", Verb.CANCEL, "no use", "olga").state is State.CANCELLED
    status = house.desk.get("spring")
    assert (status.spec.format, status.ruleset, status.matches_done) == ("unknown", "", 0)


def test_who_asks_for_a_tournament_that_cannot_be_read_is_told_what_helps(two: House) -> None:
    """To end it; there has to be one."""
    damage("HSET", "t:spring", "matches", "x")(two.store)
    with pytest.raises(DamagedError, match="lastcard tournament cancel spring"):
        two.desk.get("spring")
    with pytest.raises(UnknownNameError):
        two.desk.turn("summer", Verb.CANCEL, "", "olga")


def test_a_page_of_tournaments_goes_on_behind_one_that_cannot_be_read(two: House) -> None:
    """Its place is passed over, wherever a page ends."""
    damage("HSET", "t:autumn", "matches", "x")(two.store)
    first, token = two.store.tournaments.page(1)
    second, end = two.store.tournaments.page(1, token)
    assert ([row.name for row in (*first, *second)], end) == (["spring"], "")


def test_a_page_of_matches_goes_on_behind_one_that_cannot_be_read(two: House) -> None:
    """Also where one page holds no other."""
    everything = [row.id for row in two.store.matches.page(limit=10).rows]
    damage("HSET", f"m:{everything[1]}", "meetings", "x")(two.store)
    token, found = "", list[str]()
    for _ in range(10):
        page = two.store.matches.page(limit=1, token=token)
        found += [row.id for row in page.rows]
        token = page.next
        if not token:
            break
    assert found == [match for match in everything if match != everything[1]]


@pytest.mark.sample(4)
@pytest.mark.parametrize("break_it", OF_OTHERS)
def test_what_cannot_be_read_elsewhere_stops_nobody(two: House, break_it: Damage) -> None:
    """Both tournaments are played to their ends."""
    break_it(two.store)
    go_on(two)
    assert (two.state("autumn"), two.state("spring")) == (State.FINISHED, State.FINISHED)


@pytest.mark.parametrize("break_it", OF_OTHERS)
def test_a_tournament_begins_whatever_stands_elsewhere(house: House, break_it: Damage) -> None:
    """Its matches are planned."""
    house.enter("alpha", "beta")
    break_it(house.store)
    house.create(spec("autumn", "alpha", "beta", meetings=1))
    house.look()
    assert house.state("autumn") is State.RUNNING
    assert sorted(house.store.matches.waiting()) == ["autumn.1.1.0"]


def test_a_fit_that_cannot_be_read_is_computed_again(two: House) -> None:
    """And served."""
    go_on(two)
    assert two.store.fits.get(FORMAT) is not None
    Damage(tuple(("HSET", f"l:{FORMAT}:fit", field, "x") for field in ("text", "seq", "at_ms")))(two.store)
    assert two.store.fits.get(FORMAT) is None
    go_on(two, 1)
    fit = two.store.fits.get(FORMAT)
    assert fit is not None
    assert json.loads(fit.text())["rows"]


def test_an_orphan_is_found_beside_a_match_that_cannot_be_read(house: House) -> None:
    """It is put back into the queue."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.look()
    damage("HSET", f"m:{BAD}", "meetings", "x")(house.store)
    damage("ZREM", "ready", BAD, "spring.2.1.0")(house.store)
    assert house.reconciler.reconcile(house.now_ms + 60_000).orphans == 1
    assert "spring.2.1.0" in house.store.matches.waiting()


def test_a_bad_entry_does_not_end_the_audit(two: House) -> None:
    """The others are listed."""
    two.desk.turn("spring", Verb.CANCEL, "no use", "olga")
    before = two.store.audit.tail()
    damage("XADD", "audit", "*", "who", b"\xff", "verb", "void", "target", "x", "reason", "", "at_ms", 1)(two.store)
    damage("XADD", "audit", "*", "who", "x")(two.store)
    with capture_logs() as told:
        assert two.store.audit.tail() == two.store.audit.tail() == before
    assert len(named(told, "audit")) == 2


def test_an_unreadable_token_of_a_bot_row_costs_no_other_bot(two: House) -> None:
    """Bots are listed without it, and it itself is an error that says which."""
    damage("HSET", "bot:gamma", "n", "x")(two.store)
    assert [row.name for row in two.store.registry.page().rows] == ["alpha", "beta", "delta"]
    with pytest.raises(DamagedError, match="bot gamma cannot be read"):
        two.store.registry.get("gamma")
