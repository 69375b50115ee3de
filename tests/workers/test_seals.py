"""Sealed matches stand in nobody's way, and however the last table of their group ends, all of them come through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from ladder.readings.summaries import Summaries, result_of
from ladder.store.match_calls import Ending
from ladder.store.rows import Claimed, MatchState
from ladder.web.details import entrants, games
from tests.store.scenes import parked
from tests.workers.house import FIELD, NAMES, House, field, of_group, play, spec
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.life import State, Verb

pytestmark = pytest.mark.slow

OTHERS = ("ann", "cat", "dan", "eve")


@pytest.fixture
def last(house: House) -> str:
    """Play all tables of a group but one, and look at what was played; returns that one."""
    house.enter(*NAMES, formats=(FIELD,))
    house.create(field())
    house.look()
    tables = sorted(row.id for row in of_group(house))
    assert len(tables) == 8
    play(house, tables[1:])
    house.look()
    house.store.matches.set_ready(tables[0], house.now_ms)
    return tables[0]


def closed_by(ending: Ending) -> Callable[[House, str], object]:
    """Return how the host of a running match ends it."""

    def end(house: House, match: str) -> None:
        claimed = house.store.matches.claim(match, house.referee.me, house.now_ms, seed=bytes(32))
        assert isinstance(claimed, Claimed)
        calls = house.store.matches.calls(match, me=house.referee.me, tournament="spring")
        house.store.matches.close(calls, claimed.head, b"end", now_ms=house.now_ms, ending=ending, reason="so")

    return end


def by_strikes(house: House, match: str) -> None:
    """Let three hosts die of a match in a row; the next claim parks it."""
    for number in range(4):
        me = f"dies-{number}"
        house.store.matches.beat(me, {}, fresh=True)
        house.store.matches.claim(match, me, house.now_ms, seed=bytes(32))
        house.store.matches.leave(me)


def annulled(house: House, match: str) -> None:
    """Play it, and declare it void before anybody applies it."""
    play(house, [match])
    house.store.matches.annul(match, "wrong", house.now_ms)


def spoiled(house: House, match: str) -> None:
    """Play it; it cannot be applied."""
    play(house, [match])
    house.store.matches.spoil(match, "unproven", house.now_ms)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "end",
    [
        pytest.param(lambda house, match: play(house, [match]), id="played"),
        pytest.param(lambda house, match: house.desk.void(match, "wrong", "tester"), id="void while it waits"),
        pytest.param(closed_by(Ending.VOID), id="void while it runs"),
        pytest.param(closed_by(Ending.PARKED), id="parked by its host"),
        pytest.param(lambda house, match: parked(house.store, match, "a bug", house.now_ms), id="parked by another"),
        pytest.param(by_strikes, id="parked for its strikes"),
        pytest.param(annulled, id="void once it was played"),
        pytest.param(spoiled, id="parked as it cannot be applied"),
        pytest.param(lambda house, _: house.desk.turn("spring", Verb.CANCEL, "rain", "tester"), id="cancelled"),
    ],
)
def test_the_end_of_the_last_table_wakes_all(house: House, last: str, end: Callable[[House, str], object]) -> None:
    """Nobody looks at them before, and at the next look they count, whatever became of that table."""
    assert house.store.matches.due(house.now_ms + 9_999) == []
    assert {row.state for row in of_group(house) if row.id != last} == {MatchState.CLOSED}
    end(house, last)
    house.look()
    assert {row.state for row in of_group(house)} == {MatchState.RATED}
    assert not any(row.sealed for row in house.store.matches.rows([last]))
    assert house.store.matches.due(house.now_ms + 9_999) == []


def test_the_last_table_wakes_the_others_once(house: House, last: str) -> None:
    """One ring for each of them, by whoever takes the last one."""
    play(house, [last])
    house.bell.jobs.clear()
    house.rater.rate([last], house.now_ms)
    rung = [match for job in house.bell.jobs if job.task == "rate" for match in job.args[0]]
    assert sorted([*rung, last]) == sorted(row.id for row in of_group(house))
    house.answer()
    assert house.store.matches.due(house.now_ms) == []


def test_a_worker_that_dies_with_the_last_table_loses_none(house: House, last: str) -> None:
    """It rang for nobody; they are due, and the next look finds them."""
    play(house, [last])
    house.rater.rate([last], house.now_ms)
    house.bell.jobs.clear()
    house.look()
    assert {row.state for row in of_group(house)} == {MatchState.RATED}


def test_who_saw_the_last_table_play_does_not_seal_after_its_end(house: House, last: str) -> None:
    """Between a worker's look at the group and its seal the last table ends: the match stays due."""
    match = next(row.id for row in of_group(house) if row.id != last)
    assert house.store.seals.open([match], "spring") == [match]
    assert house.store.seals.hold(match, last, "spring")
    house.store.seals.open([match], "spring")
    play(house, [last])
    assert not house.store.seals.hold(match, last, "spring")
    assert match in house.store.matches.due(house.now_ms)


def test_a_table_that_was_never_made_seals_until_its_tournament_is_over(house: House, last: str) -> None:
    """It may come; a tournament that is over makes no more, and then all that is closed is due at once."""
    assert house.store.seals.hold(last, "spring.1.9.0", "spring")
    house.store.tournaments.move("spring", {"running"}, "cancelled", now_ms=house.now_ms)
    assert not house.store.seals.hold(last, "spring.1.9.0", "spring")
    closed = {row.id for row in of_group(house) if row.state is MatchState.CLOSED}
    assert set(house.store.matches.due(house.now_ms)) == closed != set()


def test_a_lost_end_is_found_by_the_reconciler(house: House, last: str) -> None:
    """A referee of an older version made it void and rang for nobody."""
    house.desk.void(last, "wrong", "tester")
    house.store.link.read("DEL", house.store.keys.due)
    house.look()
    assert {row.state for row in of_group(house)} == {MatchState.CLOSED}
    house.now_ms += 16_000
    house.referee.beat(fresh=True)
    assert house.reconciler.reconcile(house.now_ms).unrated == 0
    house.answer()
    assert {row.state for row in of_group(house)} == {MatchState.RATED}


@pytest.fixture
def lost(house: House, last: str) -> list[str]:
    """Make all void that was played of a group, while the rest of it cannot be made; returns those matches.

    Nobody stands there as closed: they are in no list of open matches.
    """
    played = [row.id for row in of_group(house) if row.state is MatchState.CLOSED]
    for match in played:
        house.desk.void(match, "wrong", "tester")
    house.look()
    assert house.store.matches.due(house.now_ms + 9_999) == []
    assert all(row.sealed for row in house.store.matches.rows(played))
    return played


def opened(house: House, matches: list[str]) -> bool:
    """Return whether all of these are shown by now, and none is waited for any more."""
    rows = house.store.matches.rows(matches)
    waits = house.store.seals.lost(["spring"])
    return not any(row.sealed for row in rows) and not set(waits) & set(matches)


@pytest.mark.parametrize("state", ["finished", "cancelled"])
def test_a_tournament_that_is_over_opens_what_was_lost(house: House, lost: list[str], last: str, state: str) -> None:
    """All that was made of a group was played and void, and the rest never comes: what was played is shown."""
    keys = house.store.keys
    house.store.link.read("DEL", keys.match(last))  # as one that was never made
    house.store.link.read("DEL", keys.tournament_open("spring"))  # one that has matches to play does not finish
    house.store.tournaments.move("spring", {"running"}, state, now_ms=house.now_ms)
    house.look()
    assert opened(house, lost)
    assert house.store.matches.due(house.now_ms + 9_999) == []
    assert set(lost) <= set(house.store.shelf.waiting(house.now_ms, 99)), "they go into the archive"


def test_a_lost_ring_of_lost_matches_is_found_by_the_reconciler(house: House, lost: list[str], last: str) -> None:
    """The last table ended, too, and nobody heard of it."""
    house.desk.void(last, "wrong", "tester")
    house.store.link.read("DEL", house.store.keys.due)
    house.look()
    assert not opened(house, lost)
    house.now_ms += 16_000
    house.referee.beat(fresh=True)
    assert house.reconciler.reconcile(house.now_ms).unrated == 0
    house.answer()
    assert opened(house, [*lost, last])


def test_a_parked_match_that_is_put_back_waits_as_the_closed_ones_do(house: House, last: str) -> None:
    """It was played, and only a worker could not go on with it."""
    match = next(row.id for row in of_group(house) if row.state is MatchState.CLOSED)
    house.store.matches.spoil(match, "unproven", house.now_ms)
    house.look()
    assert house.store.seals.lost(["spring"]) == [match]
    house.store.matches.requeue(match, house.now_ms)
    house.look()
    assert house.store.seals.lost(["spring"]) == []
    play(house, [last])
    house.look()
    assert {row.state for row in of_group(house)} == {MatchState.RATED}


def test_the_reconciler_looks_at_one_match_of_a_group(house: House, last: str) -> None:
    """What is sealed is no fault, and one row says as much of a group as all."""
    house.now_ms += 16_000
    house.bell.jobs.clear()
    assert house.reconciler.reconcile(house.now_ms).unrated == 0
    (job,) = [job for job in house.bell.jobs if job.task == "rate"]
    assert len(job.args[0]) == 1


def test_sealed_matches_of_an_older_version_come_through(house: House, last: str) -> None:
    """It left them in `due`: they leave it at the first look, and come back with the last table."""
    for row in of_group(house):
        if row.state is MatchState.CLOSED:
            house.store.link.read("ZADD", house.store.keys.due, row.ended_ms, f"rate:{row.id}")
    house.look()
    assert house.store.matches.due(house.now_ms) == []
    play(house, [last])
    house.look()
    assert {row.state for row in of_group(house)} == {MatchState.RATED}


def test_sealed_matches_hold_up_no_other_tournament(house: House, last: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look takes the oldest that are due; sealed ones, older than all, are not among them."""
    monkeypatch.setattr("workers.lookout.BATCH", 2)
    monkeypatch.setattr("workers.lookout.MOST_BATCHES", 2)
    house.store.matches.unready(last)
    house.desk.turn("spring", Verb.PAUSE, "", "tester")
    versions = house.register(OTHERS)
    house.referee.seat(playing([*(f"{name}@1" for name in NAMES), *versions], formats=(FIELD, FORMAT)))
    house.create(replace(spec("cup", *OTHERS), meetings=1))
    assert house.play("cup") is State.FINISHED
    assert house.store.matches.get(last).state is MatchState.PLANNED


# what a void match of an open group shows


def test_a_void_table_shows_nothing_before_the_last_one_is_over(house: House, last: str) -> None:
    """It was played, and with its result the others would know what the deals hold."""
    match = next(row.id for row in of_group(house) if row.id != last)
    house.desk.void(match, "wrong", "tester")
    house.look()
    (row,) = house.store.matches.rows([match])
    assert (row.state, row.sealed, row.result != "") == (MatchState.VOID, True, True)
    assert (result_of(row), games(row)) == ({}, ())
    summary = Summaries(house.store.matches, lambda _format: (0, 1)).of(row)
    assert (summary.wins, summary.faults, summary.commitment) == ((), (), "")
    assert {line.points for line in entrants(row, ())} == {None}
    play(house, [last])
    house.look()
    (row,) = house.store.matches.rows([match])
    assert (row.state, row.sealed) == (MatchState.VOID, False)
    assert (result_of(row), games(row)) == ({}, ())  # it counts for nobody, and nothing of it is shown then, either
    summary = Summaries(house.store.matches, lambda _format: (0, 1)).of(row)
    assert (summary.games_done, summary.wins) == (0, ())  # none of its games count


def test_which_tables_share_a_deal_is_not_said_while_they_play(house: House, last: str) -> None:
    """Each commits by its own name, and none of it is shown before all are over: then that of each."""
    summaries = Summaries(house.store.matches)
    claimed = house.store.matches.claim(last, house.referee.me, house.now_ms, seed=bytes(32))
    assert isinstance(claimed, Claimed)
    assert claimed.row.commitment
    assert {summaries.of(row).commitment for row in of_group(house)} == {""}
    house.store.matches.void(last, "wrong", "tester", house.now_ms)
    calls = house.store.matches.calls(last, me=house.referee.me, tournament="spring")
    house.store.matches.close(calls, claimed.head, b"end", now_ms=house.now_ms, ending=Ending.VOID, reason="so")
    house.look()
    shown = [summaries.of(row).commitment for row in of_group(house)]
    assert shown == [row.commitment for row in of_group(house)]
    assert len(set(shown)) == len(shown) > 1
    assert {len(one) for one in shown} == {64}


def test_a_match_that_counted_is_not_sealed_again_when_it_is_void(house: House, last: str) -> None:
    """Its group was over before it counted: everybody has seen it."""
    play(house, [last])
    house.look()
    house.desk.void(last, "wrong", "tester")
    (row,) = house.store.matches.rows([last])
    assert (row.state, row.sealed) == (MatchState.VOID, False)


def test_deals_of_its_own_seal_nothing(house: House, last: str) -> None:
    """A match that is played again shares with nobody."""
    house.desk.void(last, "wrong", "tester")
    again = house.desk.requeue(last, "", "tester")
    house.look()
    house.referee.play(house.now_ms, 500)
    (row,) = house.store.matches.rows([again.id])
    assert (row.state, row.sealed) == (MatchState.CLOSED, False)
    assert Summaries(house.store.matches).of(row).commitment == row.commitment != ""
