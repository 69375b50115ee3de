"""After an outage nobody pays for it: deadlines of tables, bots and versions count from when referees are back."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.store.rows import MatchRow, MatchState
from tests.workers.house import House, spec
from tests.workers.slow_table import Slow
from tests.workers.small_referee import playing
from workers.openings import open_since, openings
from workers.reconcile import PATIENCE_MS
from workers.tournaments.life import State, Verb

pytestmark = pytest.mark.slow

OUTAGE_MS = 20 * 60_000
"""Longer than every deadline here."""


def outage(house: House) -> None:
    """Let time pass in which the store is away; then the referee is back, with all that it played and nobody else."""
    house.now_ms += OUTAGE_MS
    house.referee.said = {**house.referee.said, "open_ms": house.now_ms}


@pytest.mark.parametrize(
    ("beats", "since"),
    [
        pytest.param({}, 1_000, id="nobody lives: nobody can come in yet"),
        pytest.param({"r0": {"open_ms": 300}, "r1": {"open_ms": 700}}, 300, id="the one that is there longest"),
        pytest.param({"r0": {}}, 0, id="one that does not say: as long as you like"),
        pytest.param({"r0": {"open_ms": "x"}}, 0, id="one that says no time"),
        pytest.param({"r0": {"open_ms": 5_000}}, 1_000, id="one whose clock is ahead"),
    ],
)
def test_since_when_bots_can_come_in(beats: dict[str, dict[str, object]], since: int) -> None:
    """By what living referees say, and never later than now."""
    assert open_since(beats, 1_000) == since
    assert min(openings(beats, 1_000).values(), default=1_000) == since


def test_a_table_is_not_late_by_an_outage(house: House) -> None:
    """It has its whole deadline from when its referee is back; then it is as late as any other."""
    slow = Slow(house)
    outage(house)
    for _ in range(3):
        house.look()
        assert (slow.noted(), slow.row.stop) == ((), None)
    house.look(29_000)
    assert slow.noted() == (slow.last,)
    house.look()
    assert slow.row.stop is not None


def test_a_table_that_was_late_before_an_outage_is_not_stopped_after_it(house: House) -> None:
    """It was noted, and nothing was ordered yet."""
    slow = Slow(house)
    house.look(31_000)
    assert slow.noted() == (slow.last,)
    outage(house)
    house.look()
    assert (slow.noted(), slow.row.stop) == ((), None)


def test_a_table_whose_referee_is_not_there_is_not_late(house: House) -> None:
    """Others are up first after an outage; whoever goes on with it begins anew."""
    slow = Slow(house)
    house.store.matches.leave(house.referee.me)
    house.store.matches.beat("ref-other", {"capacity": 64}, fresh=True)
    house.store.link.read("PERSIST", house.store.keys.beat("ref-other"))
    house.now_ms += OUTAGE_MS
    house.lookout.look(house.now_ms)
    house.answer()
    assert (slow.noted(), slow.row.stop) == ((), None)


def test_a_missing_bot_has_its_whole_grace_after_an_outage(house: House) -> None:
    """It could not come back meanwhile; before and after, it is waited for as any other."""
    versions = house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    house.referee.seat(playing(versions[:2]))
    house.look()
    outage(house)
    house.look()
    assert house.desk.get("spring").missing == ("gamma@1",)
    assert all("gamma@1" not in row.entrants for row in ready(house))
    house.look(118_000)
    assert house.desk.get("spring").missing == ("gamma@1",)
    house.look(2_000)
    assert house.desk.get("spring").missing == ()
    assert any("gamma@1" in row.entrants for row in ready(house))


def test_an_outage_in_a_pause_takes_nothing_from_a_grace(house: House) -> None:
    """Neither what passed of it before is counted, nor the pause."""
    versions = house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.referee.seat(playing(versions[:2]))
    house.look(2_000)
    house.desk.turn("spring", Verb.PAUSE, "", "tester")
    outage(house)
    house.look()
    house.desk.turn("spring", Verb.RESUME, "", "tester")
    house.look(119_000)
    assert house.desk.get("spring").missing == ("gamma@1",)


@pytest.mark.parametrize("start", ["at once", "in the outage"])
def test_a_tournament_waits_for_its_bots_after_an_outage_over_its_start(house: House, start: str) -> None:
    """Nobody could come while it was to begin: it is cancelled once its grace has passed since, and not before."""
    begin_ms = house.now_ms + 60_000 if start == "in the outage" else None
    house.store.presence.drop(house.referee.me, set(house.store.presence.online()))
    house.create(replace(spec("spring"), start_ms=begin_ms))
    house.look()
    outage(house)
    house.look()
    house.look(118_000)
    assert house.state("spring") is State.SCHEDULED
    house.look(2_000)
    assert house.state("spring") is State.CANCELLED


def test_no_tournament_is_cancelled_while_no_referee_is_there(house: House) -> None:
    """Nobody can come in; with the first one the grace begins."""
    versions = house.enter("alpha", "beta")
    house.create(replace(spec("spring"), start_ms=house.now_ms + 60_000))
    house.store.matches.leave(house.referee.me)
    house.store.presence.drop(house.referee.me, set(versions))
    for _ in range(3):
        house.now_ms += OUTAGE_MS
        assert house.planner.advance("spring", house.now_ms) is State.SCHEDULED
    house.referee.said = {"open_ms": house.now_ms}
    house.look()
    house.referee.seat(playing(versions))
    house.look(60_000)
    assert house.state("spring") is State.RUNNING


def test_a_version_has_ten_minutes_after_an_outage_in_the_middle_of_an_upgrade(house: House) -> None:
    """While nobody was there nobody could support it."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    house.referee.said = {"rules": [2], "logs": [1]}
    house.referee.beat(fresh=True)
    assert reconcile(house, 16_000) == 0
    outage(house)
    house.referee.beat(fresh=True)
    assert reconcile(house, 0) == 0
    assert reconcile(house, PATIENCE_MS - 16_000) == 0
    assert reconcile(house, 16_000) == 1


def reconcile(house: House, later_ms: int) -> int:
    """Let time pass and reconcile; returns how many matches were void since nobody supports them."""
    house.now_ms += later_ms
    return house.reconciler.reconcile(house.now_ms).unsupported


def ready(house: House) -> list[MatchRow]:
    """Return the matches of the tournament that wait for a referee."""
    rows = house.store.matches.page(tournament="spring").rows
    return [row for row in rows if row.state is MatchState.READY]
