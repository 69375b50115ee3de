"""What is settled goes into the archive by itself, and everything that reads it goes on reading."""

from __future__ import annotations

from pathlib import Path

import pytest

from ladder.errors import WrongStateError
from ladder.store import Store
from ladder.store.archive import Archive
from ladder.store.errors import ArchiveError
from ladder.store.match_calls import Ending
from ladder.store.rows import Claimed, MatchState
from tests.workers.house import House, spec
from tests.workers.lasting_keys import leaks
from tests.workers.small_referee import FORMAT
from workers import archive as module
from workers.archive import Archived, Archiver
from workers.due import Job
from workers.records.closed_match import GameId, closed_match
from workers.settings import WorkerSettings
from workers.startup import reach_archive

pytestmark = pytest.mark.slow

MINUTE_MS = 60_000
AFTER_MS = 10 * MINUTE_MS


@pytest.fixture
def store(archiving_store: Store) -> Store:
    """Everything here happens in one that archives."""
    return archiving_store


@pytest.fixture
def archiver(house: House) -> Archiver:
    """Look for what may go, once a minute."""
    return Archiver(house.store, house.bell, MINUTE_MS, AFTER_MS)


@pytest.fixture
def played(house: House) -> House:
    """A tournament of three matches that is over since a little more than ten minutes."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.play("spring")
    for match, _ in house.store.gifts.waiting():
        house.store.gifts.give_up(match, "spring")
    house.bell.jobs.clear()
    house.now_ms += AFTER_MS
    return house


def states(house: House) -> set[MatchState]:
    return {row.state for row in house.store.matches.page(tournament="spring").rows}


def test_archived_in_one_round_and_trimmed_in_the_next(played: House, archiver: Archiver) -> None:
    """Written first, dropped later; games can be verified and exported as before, tables and ratings stay."""
    before = played.desk.get("spring").table
    records = closed_match(played.store, "spring.1.1.0").records(GameId("spring.1.1.0"))
    assert archiver.look(played.now_ms) == Archived(written=3)
    assert states(played) == {MatchState.ARCHIVED}
    assert archiver.look(played.now_ms + MINUTE_MS) == Archived(trimmed=3)
    assert states(played) == {MatchState.TRIMMED}
    assert played.store.matches.log_here("spring.1.1.0") == []
    found = closed_match(played.store, "spring.1.1.0")
    assert found.doubt() is None
    assert found.records(GameId("spring.1.1.0")) == records
    assert played.desk.get("spring").table == before
    assert played.store.ratings.rebuild(FORMAT).equal
    counters = {str(counter): count for counter, count in played.store.counters.read().items()}
    assert (counters["archived_matches_total{}"], counters["trimmed_matches_total{}"]) == (3, 3)


def test_what_has_just_ended_stays(played: House, archiver: Archiver) -> None:
    """A match stays in the ledger for some minutes, for everybody who wants to look."""
    assert archiver.look(played.now_ms - AFTER_MS + MINUTE_MS) == Archived()
    assert states(played) == {MatchState.RATED}


def test_a_period_is_looked_at_once(played: House, archiver: Archiver) -> None:
    """Any number of beats is correct."""
    assert [archiver.look(played.now_ms).written for _ in range(3)] == [3, 0, 0]


def test_more_is_rung_for(played: House, archiver: Archiver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a round was full, the next one follows at once; where nothing could be done, it does not."""
    monkeypatch.setattr(module, "ROUND", 3)
    monkeypatch.setattr(module, "OBJECT", 2)
    assert archiver.look(played.now_ms) == Archived(written=3)
    assert played.bell.jobs == [Job("archive", ("more",))]
    played.bell.jobs.clear()
    assert archiver.run(played.now_ms) == Archived(trimmed=3)
    assert archiver.run(played.now_ms) == Archived()
    assert played.bell.jobs == [Job("archive", ("more",))]
    assert len(list((Path(Archive.of({"LASTCARD_ARCHIVE": _folder(played)}).url)).rglob("*.gz"))) == 2


def _folder(house: House) -> str:
    archive = house.store.shelf._archive
    assert archive is not None
    return archive.url


def test_a_damaged_object_is_an_alarm_and_nothing_is_dropped(played: House, archiver: Archiver) -> None:
    """The other matches go their way; this one stays in the ledger until somebody has looked."""
    archiver.run(played.now_ms)
    for file in Path(_folder(played)).rglob("*.gz"):
        file.write_bytes(b"not what it was")
    assert archiver.run(played.now_ms) == Archived()
    assert states(played) == {MatchState.ARCHIVED}
    assert played.store.matches.log_here("spring.1.1.0")
    counters = {str(counter): count for counter, count in played.store.counters.read().items()}
    assert counters['alarms_total{kind="archive"}'] == 3
    assert not played.store.shelf.waiting(played.now_ms - archiver.after_ms, 9), "whatever comes after it has its turn"
    later = played.now_ms + module.AGAIN_MS
    assert len(played.store.shelf.waiting(later - archiver.after_ms, 9)) == 3, "and it is looked at again"


@pytest.mark.parametrize("head", ["garbage", "1-9-0123456789abcdef"])
@pytest.mark.parametrize("void", [False, True])
def test_a_match_whose_head_is_not_that_of_its_log_is_an_alarm_and_stays(
    played: House, archiver: Archiver, head: str, void: bool
) -> None:
    """Also one that is void: what has no right head there could be anything. The others go their way."""
    store, match = played.store, "spring.1.1.0"
    if void:
        played.desk.void(match, "a wrong deal", "olga")
        played.look()
    right, log, state = store.matches.head(match), store.matches.log_here(match), store.matches.get(match).state
    store.link.read("SET", store.keys.head(match), head)
    later_ms = played.now_ms + AFTER_MS
    assert [archiver.run(later_ms) for _ in range(3)] == [Archived(written=2), Archived(trimmed=2), Archived()]
    row = store.matches.get(match)
    assert (row.state, row.archive, store.matches.log_here(match)) == (state, "", log)
    counters = {str(counter): count for counter, count in store.counters.read().items()}
    assert counters['alarms_total{kind="archive"}'] == 1
    again_ms = later_ms + module.AGAIN_MS
    store.link.read("SET", store.keys.head(match), right)
    assert [archiver.run(again_ms) for _ in range(2)] == [Archived(written=1), Archived(trimmed=1)]
    assert (store.matches.log_here(match), store.matches.log(match)) == ([], log)


def test_a_crash_between_the_steps_is_harmless(
    played: House, archiver: Archiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes after a worker that died between writing and marking ends where it would have ended."""
    with monkeypatch.context() as patched:
        patched.setattr(type(played.store.shelf), "_archived", lambda *_: (_ for _ in ()).throw(MemoryError))
        with pytest.raises(MemoryError):
            archiver.run(played.now_ms)
    assert states(played) == {MatchState.RATED}
    assert archiver.run(played.now_ms) == Archived(written=3)
    assert archiver.run(played.now_ms) == Archived(trimmed=3)
    assert closed_match(played.store, "spring.1.1.0").doubt() is None
    assert len(list(Path(_folder(played)).rglob("*.gz"))) == 1


def test_a_void_after_it_was_archived_is_still_a_void(played: House, archiver: Archiver) -> None:
    """The ladder is computed anew, and the game can still be looked at by its operator."""
    archiver.run(played.now_ms)
    archiver.run(played.now_ms)
    played.desk.void("spring.1.1.0", "a wrong deal", "olga")
    played.answer()
    assert played.store.ratings.rebuild(FORMAT).equal
    assert played.desk.get("spring").matches_done == 2
    assert played.store.matches.log("spring.1.1.0")


def test_a_match_that_is_void_while_it_runs_goes_the_same_way(
    house: House, archiver: Archiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long after its end, and through the same death of a worker; what was dealt in it is told to nobody."""
    store, match = house.store, "spring.1.1.0"
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    claimed = store.matches.claim(match, house.referee.me, house.now_ms, seed=bytes(32))
    assert isinstance(claimed, Claimed)
    house.desk.void(match, "a wrong deal", "olga")
    calls = store.matches.calls(match, me=house.referee.me, tournament="spring")
    end = {"now_ms": house.now_ms, "ending": Ending.VOID, "reason": "a wrong deal"}
    store.matches.close(calls, claimed.head, b"end", **end)  # type: ignore[arg-type]
    assert house.play("spring").over
    for other, _ in store.gifts.waiting():
        store.gifts.give_up(other, "spring")
    log = store.matches.log_here(match)
    assert len(log) == 2
    house.now_ms += AFTER_MS
    with monkeypatch.context() as patched:
        patched.setattr(type(store.shelf), "_archived", lambda *_: (_ for _ in ()).throw(MemoryError))
        with pytest.raises(MemoryError):
            archiver.run(house.now_ms)
    assert archiver.run(house.now_ms) == Archived(written=3)
    assert archiver.run(house.now_ms) == Archived(trimmed=3)
    assert states(house) == {MatchState.TRIMMED, MatchState.VOID}
    assert (store.matches.log_here(match), store.matches.log(match)) == ([], log)
    with pytest.raises(WrongStateError, match="shows neither"):
        closed_match(store, match)
    house.desk.void(match, "again", "olga")
    house.look()
    assert archiver.run(house.now_ms) == Archived()
    assert not [leak for leak in leaks(store) if "spring" in leak]


def test_void_matches_of_an_earlier_release_go_the_same_way(played: House, archiver: Archiver) -> None:
    """It left them where they were, on no list."""
    played.desk.void("spring.1.1.0", "a wrong deal", "olga")
    played.store.link.read("DEL", played.store.keys.due)
    assert archiver.run(played.now_ms) == Archived(written=2)
    played.look()
    later_ms = played.now_ms + AFTER_MS
    assert archiver.run(later_ms) == Archived(written=1, trimmed=2)
    assert archiver.run(later_ms) == Archived(trimmed=1)
    assert played.store.matches.get("spring.1.1.0").state is MatchState.VOID
    assert not [leak for leak in leaks(played.store) if "spring" in leak]


def test_a_worker_whose_archive_cannot_be_written_does_not_begin() -> None:
    """It says so when it starts, not an hour later."""
    with pytest.raises(ArchiveError, match="LASTCARD_ARCHIVE"):
        reach_archive(WorkerSettings("redis://127.0.0.1/0", "redis://127.0.0.1/1", archive="/proc/nowhere"))
