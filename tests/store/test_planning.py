"""Matches are planned once, wait in the queue, and can be looked through."""

import pytest

from ladder.store import Store
from ladder.store.errors import BadInputError, UnknownError
from ladder.store.head import first_head
from ladder.store.rows import MatchState
from tests.store.scenes import plan


def test_planning_twice_is_harmless(store: Store) -> None:
    """The same ids again change nothing, whatever else they say."""
    assert store.matches.plan([plan(), plan("cup.1.2.0")], 5) == 2
    assert store.matches.plan([plan(meetings=9), plan("cup.1.2.0")], 6) == 0
    row = store.matches.get("cup.1.1.0")
    assert (row.meetings, row.created_ms, row.state, row.number) == (2, 5, MatchState.READY, 1)
    assert store.matches.states()[MatchState.READY] == 2
    assert store.matches.open_ids() == {"cup.1.1.0", "cup.1.2.0"}


def test_everything_of_a_plan_is_kept(store: Store) -> None:
    """A row says what was planned."""
    wanted = plan(deals="field", nonces=False, rated=False, leg=3, table=4, part=1, rules_version=7)
    store.matches.plan([wanted], 5)
    row = store.matches.get(wanted.id)
    names = (
        "id",
        "format",
        "ruleset",
        "rules_version",
        "entrants",
        "meetings",
        "deals",
        "nonces",
        "rated",
        "leg",
        "table",
        "part",
    )
    assert [getattr(row, name) for name in names] == [getattr(wanted, name) for name in names]
    assert store.matches.head(wanted.id) == first_head(wanted.id, wanted.format, wanted.ruleset, wanted.entrants)


def test_a_match_can_be_claimed_from_its_time_on(store: Store) -> None:
    """`ready_ids` names what may be claimed now, the longest waiting first."""
    store.matches.plan([plan("cup.1.1.0", not_before_ms=20), plan("cup.1.2.0", not_before_ms=10)], 5)
    assert store.matches.ready_ids(9) == []
    assert store.matches.ready_ids(10) == ["cup.1.2.0"]
    assert store.matches.ready_ids(20) == ["cup.1.2.0", "cup.1.1.0"]
    assert store.matches.ready_ids(20, limit=1) == ["cup.1.2.0"]


def test_a_planned_match_waits_until_it_is_opened(store: Store) -> None:
    """`set_ready` opens it; a second call does not move it; `unready` takes it back."""
    store.matches.plan([plan(ready=False)], 5)
    assert store.matches.get("cup.1.1.0").state is MatchState.PLANNED
    assert store.matches.set_ready("cup.1.1.0", 30)
    assert store.matches.set_ready("cup.1.1.0", 40)
    assert store.matches.waiting() == {"cup.1.1.0": 30}
    assert store.matches.unready("cup.1.1.0")
    assert (store.matches.waiting(), store.matches.get("cup.1.1.0").state) == ({}, MatchState.PLANNED)
    assert not store.matches.set_ready("cup.9.9.0", 30)


def test_a_match_of_a_tournament_that_is_over_is_not_written(store: Store) -> None:
    """A planner that comes late after a cancel does no harm."""
    store.tournaments.create("cup", {}, state="running", now_ms=1)
    assert store.matches.plan([plan(tournament="cup")], 5) == 1
    store.tournaments.move("cup", {"running"}, "cancelled", now_ms=6)
    assert store.matches.plan([plan("cup.1.2.0", tournament="cup")], 7) == 0
    assert store.tournaments.get("cup").planned == 1
    assert store.tournaments.open_ids("cup") == {"cup.1.1.0"}


def test_a_match_of_a_tournament_that_is_paused_waits(store: Store) -> None:
    """A planner, or an organiser, that comes while it is paused begins nothing."""
    store.tournaments.create("cup", {}, state="paused", now_ms=1)
    assert store.matches.plan([plan(tournament="cup")], 5) == 1
    assert (store.matches.get("cup.1.1.0").state, store.matches.waiting()) == (MatchState.PLANNED, {})
    assert store.matches.states()[MatchState.PLANNED] == 1
    assert not store.matches.set_ready("cup.1.1.0", 5, "cup")
    store.tournaments.move("cup", {"paused"}, "running", now_ms=2)
    assert store.matches.set_ready("cup.1.1.0", 5, "cup")
    assert store.matches.waiting() == {"cup.1.1.0": 5}


def test_what_is_played_again_is_counted_apart(store: Store) -> None:
    """It was written, and is no further match of the schedule; the same again counts once."""
    store.tournaments.create("cup", {}, state="running", now_ms=1)
    for _ in range(2):
        store.matches.plan([plan(f"cup.1.1.0{end}", tournament="cup") for end in ("", ".r2", ".r10")], 5)
    row = store.tournaments.get("cup")
    assert (row.planned, row.again, row.created) == (3, 2, 1)


def test_pages_run_from_the_newest_to_the_oldest(store: Store) -> None:
    """Every match once, whatever is planned meanwhile."""
    store.matches.plan([plan(f"cup.1.{table}.0") for table in range(1, 8)], 5)
    first = store.matches.page(limit=3)
    store.matches.plan([plan("cup.2.1.0")], 6)
    second = store.matches.page(limit=3, token=first.next)
    third = store.matches.page(limit=3, token=second.next)
    ids = [row.id for page in (first, second, third) for row in page.rows]
    assert ids == [f"cup.1.{table}.0" for table in (7, 6, 5, 4, 3, 2, 1)]
    assert third.next == ""


def test_every_match_of_a_tournament_is_read_page_by_page(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newest first, each once, and none of another."""
    monkeypatch.setattr("ladder.store.match_reads.PIPELINE", 3)
    ids = [f"cup.1.{table}.0" for table in range(1, 8)]
    store.matches.plan([plan(match, tournament="cup") for match in ids], 5)
    store.matches.plan([plan("sun.1.1.0", tournament="sun")], 6)
    assert [row.id for row in store.matches.every("cup")] == ids[::-1]
    assert list(store.matches.every("none")) == []


def test_pages_can_be_of_a_tournament_a_bot_or_a_state(store: Store) -> None:
    """Filters combine."""
    store.tournaments.create("cup", {}, state="running", now_ms=1)
    store.tournaments.create("jug", {}, state="running", now_ms=1)
    store.matches.plan(
        [
            plan("cup.1.1.0", ("ann@1", "bob@2"), tournament="cup"),
            plan("cup.1.2.0", ("cat@1", "dan@1"), tournament="cup", ready=False),
            plan("jug.1.1.0", ("ann@2", "dan@1"), tournament="jug"),
        ],
        5,
    )
    page = store.matches.page
    assert [row.id for row in page(tournament="cup").rows] == ["cup.1.2.0", "cup.1.1.0"]
    assert [row.id for row in page(bot="ann").rows] == ["jug.1.1.0", "cup.1.1.0"]
    assert [row.id for row in page(bot="dan", tournament="cup").rows] == ["cup.1.2.0"]
    assert [row.id for row in page(state=MatchState.READY).rows] == ["jug.1.1.0", "cup.1.1.0"]
    assert page(bot="an").rows == ()


def test_unknown_matches_and_tokens_are_errors(store: Store) -> None:
    """With the name that was asked for."""
    with pytest.raises(UnknownError) as unknown:
        store.matches.get("cup.9.9.0")
    assert (unknown.value.reason, unknown.value.value) == ("UNKNOWN_MATCH", "cup.9.9.0")
    with pytest.raises(UnknownError):
        store.matches.head("cup.9.9.0")
    for token in ("x", "-1", "9" * 19):
        with pytest.raises(BadInputError) as bad:
            store.matches.page(token=token)
        assert (bad.value.reason, bad.value.value) == ("BAD_PAGE_TOKEN", token)
    assert store.matches.rows(["cup.9.9.0"]) == []
