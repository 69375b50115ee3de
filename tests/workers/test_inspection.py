"""The nightly look through a ladder: when it comes, what it reads, what it leaves in the ledger."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from structlog.testing import capture_logs

from ladder.anomaly import Anomaly, Kind
from ladder.readings.auditing import audit_ladder
from ladder.readings.reports import Report, report_of
from ladder.store import Store
from ladder.store.fits import FitState
from ladder.store.reports import NightReport
from tests.workers.house import FIELD, START_MS, House, field, spec
from tests.workers.small_referee import FORMAT, playing
from workers.due import Job
from workers.engine import course_of
from workers.inspection import DAY_MS, HOUR_MS, Inspector, nightly
from workers.tournaments.life import State
from workers.tournaments.spec import Deals

pytestmark = pytest.mark.slow

MIRRORED = f"{FORMAT}-mirrored"
MIDNIGHT = START_MS // DAY_MS * DAY_MS
THREE = MIDNIGHT + 3 * HOUR_MS
FOUND = Anomaly(Kind.DUEL, ("alpha@1", "beta@1"), 0.2, 6.0, 300)


@pytest.fixture
def mirrored(house: House) -> House:
    """A trusted tournament on mirrored deals, played and rated."""
    house.referee.seat(playing(house.register(["one", "two", "three"]), formats=[MIRRORED]))
    house.referee.by_secret = True
    house.create(replace(spec("mirror", "one", "two", "three"), deals=Deals.MIRRORED, trusted=True))
    assert house.play("mirror") is State.FINISHED
    return house


@pytest.mark.parametrize(
    ("now_ms", "reported_ms", "seq", "due"),
    [
        pytest.param(THREE, 0, 5, True, id="the first night"),
        pytest.param(THREE, THREE - DAY_MS, 5, True, id="of the night before"),
        pytest.param(THREE + HOUR_MS, THREE, 5, False, id="of this night"),
        pytest.param(MIDNIGHT + 12 * HOUR_MS, 0, 5, False, id="by day"),
        pytest.param(THREE, 0, 0, False, id="nothing was played"),
    ],
)
def test_a_ladder_is_looked_through_once_a_night(now_ms: int, reported_ms: int, seq: int, *, due: bool) -> None:
    """If anything was played on it."""
    assert nightly(FitState(FORMAT, 0, seq, None), reported_ms, now_ms) is due


def test_it_is_rung_for_at_night_and_not_again_in_that_night(going: House) -> None:
    """However many looks there are."""
    rung = [job for job in going.lookout.look(MIDNIGHT + 12 * HOUR_MS) if job.task == "inspect"]
    rung += [job for job in going.lookout.look(THREE + 1000) if job.task == "inspect"]
    assert rung == [Job("inspect", (FORMAT,))]
    assert Inspector(going.store, course_of).look(FORMAT, THREE) is not None
    assert "inspect" not in {job.task for job in going.lookout.look(THREE + 2000)}
    assert Job("inspect", (FORMAT,)) in going.lookout.look(THREE + DAY_MS)


def test_two_that_look_at_once_are_one_and_a_second_run_finds_the_same(mirrored: House) -> None:
    """Of mirrored matches the course is looked at, too; among so few games nothing is odd."""
    inspector = Inspector(mirrored.store, course_of)
    report = inspector.look(MIRRORED, THREE)
    assert report is not None
    assert (report.matches, report.followed, report.anomalies) == (3, 3, ())
    assert inspector.look(MIRRORED, THREE + 1) is None
    kept = mirrored.store.reports.get(MIRRORED)
    assert inspector.inspect(MIRRORED, THREE) == report
    assert mirrored.store.reports.get(MIRRORED) == kept
    assert inspector.inspect(MIRRORED, THREE - 1) is None, "a later look is there"
    assert report_of(mirrored.store, MIRRORED) == report
    assert Inspector(mirrored.store, course_of).look("uno-classic-4", THREE) is None


def test_the_course_of_a_match_is_in_its_log(mirrored: House) -> None:
    """By game when it began, its place among those that ended, and its answers; without a log none was dealt."""
    row = next(iter(mirrored.store.matches.every("mirror")))
    entries = [data for _, _, data in mirrored.store.matches.log(row.id)]
    course, deals = course_of(row, entries)
    assert deals == ()
    assert sorted(course.ended) == list(range(6))
    assert all(acts > 3 for acts in course.acts)
    assert course_of(row, [])[0].ended == (-1,) * 6


def test_the_games_of_shared_deals_have_their_names(house: House) -> None:
    """And are followed, too: all matches of a tournament on field deals."""
    house.referee.seat(playing(house.register(field().bots), formats=[FIELD]))
    house.create(field())
    house.play("spring", looks=12)
    report = Inspector(house.store, course_of).inspect(FIELD, THREE)
    assert report is not None
    assert report.matches == report.followed > 8
    assert [one for one in report.anomalies if one.kind is Kind.REUSE] == []
    row = next(row for row in house.store.matches.every("spring") if row.result)
    assert len(set(course_of(row, [])[1])) == 2


def test_two_matches_of_one_seed_are_found(mirrored: House) -> None:
    """And an owner that stands twice at the tables of one deal."""
    store, rows = mirrored.store, list(mirrored.store.matches.every("mirror"))
    store.link.read("HSET", store.keys.match(rows[0].id), "commitment", rows[1].commitment)
    (seed,) = _reused(mirrored)
    assert set(seed.who) == {rows[0].id, rows[1].id}
    for row in rows[1:]:
        store.link.read("HSET", store.keys.match(row.id), "group", "g0", "deals", "field", "commitment", "")
    twice = [one for one in _reused(mirrored) if len(one.who) == 3]
    assert len(twice) == 1, "two tables of three bots have one in common"


def _reused(house: House) -> list[Anomaly]:
    report = Inspector(house.store, course_of).inspect(MIRRORED, THREE)
    assert report is not None
    return [one for one in report.anomalies if one.kind is Kind.REUSE]


def test_a_log_that_cannot_be_read_is_passed_over(mirrored: House) -> None:
    """The others are followed."""
    store, row = mirrored.store, next(iter(mirrored.store.matches.every("mirror")))
    store.link.read("XADD", store.keys.shown_log(row.id), "99-0", "d", b"\x7f")
    report = Inspector(store, course_of).inspect(MIRRORED, THREE)
    assert report is not None
    assert (report.matches, report.followed) == (3, 2)


def put(store: Store, *found: Anomaly) -> None:
    """Leave a report with these findings."""
    text = Report(THREE, 3, 0, found, None).text()
    assert store.reports.put(FORMAT, NightReport(0, store.ratings.seq(FORMAT), THREE, text))


def test_an_audit_says_what_was_found(going: House) -> None:
    """A finding is a negative answer; a report that cannot be read is none, and none is nothing wrong."""
    assert audit_ladder(going.store, FORMAT).ok
    put(going.store, FOUND)
    audit = audit_ladder(going.store, FORMAT)
    assert (audit.ok, audit.anomalies) == (False, (FOUND,))
    assert audit.shape()["report"]["anomalies"][0]["who"] == ["alpha@1", "beta@1"]
    json.dumps(audit.shape())
    going.store.link.read("HSET", going.store.keys.ladder(FORMAT, "report"), "text", '{"matches": 3}')
    assert (audit_ladder(going.store, FORMAT).ok, report_of(going.store, FORMAT)) == (True, None)


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("SET", "x"), id="a text stands in its place"),
        pytest.param(("HSET", "text", "{", "at_ms", "x"), id="its time is no number"),
    ],
)
def test_a_report_that_cannot_be_read_is_made_again_in_the_next_night(going: House, words: tuple[str, ...]) -> None:
    """Meanwhile there is none, and workers see to all the rest."""
    key = going.store.keys.ladder(FORMAT, "report")
    going.store.link.read("DEL", key)
    going.store.link.read(words[0], key, *words[1:])
    assert report_of(going.store, FORMAT) is None
    assert Job("inspect", (FORMAT,)) in going.lookout.look(THREE + 1000)
    made = Inspector(going.store, course_of).look(FORMAT, THREE)
    assert made is not None
    assert report_of(going.store, FORMAT) == made


def test_a_report_of_an_older_generation_is_none(going: House) -> None:
    """It may tell of a match that does not count any more; the next look of a night makes a new one."""
    put(going.store, FOUND)
    assert "inspect" not in {job.task for job in going.lookout.look(THREE + 1000)}
    going.desk.void("spring.1.1.0", "that was no fair game", "olga")
    assert going.renewer.renew(FORMAT) == 1
    assert (report_of(going.store, FORMAT), audit_ladder(going.store, FORMAT).anomalies) == (None, ())
    going.referee.by_secret = True  # else all its deals are one
    going.referee.play(going.now_ms)
    going.look()
    assert Job("inspect", (FORMAT,)) in going.lookout.look(THREE + 2000)
    assert Inspector(going.store, course_of).look(FORMAT, THREE) is not None
    found = report_of(going.store, FORMAT)
    assert found is not None
    assert found.anomalies == ()


def test_findings_that_cannot_be_read_are_named_once(going: House) -> None:
    """However often a page is asked for."""
    put(going.store)
    going.store.link.read("HSET", going.store.keys.ladder(FORMAT, "report"), "text", '{"matches": 3}')
    with capture_logs() as told:
        assert [report_of(going.store, FORMAT) for _ in range(3)] == [None] * 3
    assert [line["kind"] for line in told if line["event"] == "entry_unreadable"] == ["report"]
