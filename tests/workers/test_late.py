"""Who comes late, and who comes back late: which tournaments it is in, and what it plays there."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ladder.readings.summaries import outcome_of
from ladder.store.rows import MatchRow, MatchState
from ladder.tables import Walkover
from tests.workers.house import START_MS, House, spec
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments.life import State

pytestmark = pytest.mark.slow

HOUR_MS = 3_600_000
FIRST, SECOND = (
    f"hourly-{datetime.fromtimestamp((START_MS + hours * HOUR_MS) / 1000, UTC):%Y%m%dt%H%M}" for hours in (1, 2)
)


def rows(house: House, tournament: str) -> list[MatchRow]:
    """Return all matches of a tournament."""
    return list(house.store.matches.every(tournament))


def seats_of(house: House, tournament: str) -> set[str]:
    """Return who sits in any match of a tournament."""
    return {bot for row in rows(house, tournament) for bot in row.entrants}


def come_late(house: House, there: list[str]) -> list[str]:
    """Register one bot more while others play, and connect it beside them; returns all versions."""
    everybody = [*there, *house.register(["latecomer"])]
    house.referee.seat(playing(everybody))
    return everybody


def test_who_registers_after_the_begin_is_not_in_it(house: House) -> None:
    """Those of the start are in a tournament of all, to its end, though there is room for one more."""
    there = house.enter("alpha", "beta", "gamma")
    house.create(spec("open-house", meetings=40))
    house.look()
    house.referee.play(house.now_ms, most=1)
    come_late(house, there)
    assert house.play("open-house") is State.FINISHED
    row = house.store.tournaments.get("open-house")
    assert (sorted(row.entrants), row.done, row.matches) == (there, 9, 9)
    assert seats_of(house, "open-house") == set(there)
    assert "latecomer@1" not in {line.bot for line in house.desk.get("open-house").table.standings}
    assert house.store.ratings.elo(FORMAT, ["latecomer@1"]) == {}


def test_who_was_registered_and_connects_after_the_begin_is_not_in_it(house: House) -> None:
    """To be known is not enough: being there is what counts, at the moment of the begin."""
    there = house.enter("alpha", "beta")
    sleeper = house.register(["sleeper"])
    house.create(spec("open-house"))
    house.look()
    house.referee.seat(playing([*there, *sleeper]))
    assert house.play("open-house") is State.FINISHED
    assert seats_of(house, "open-house") == set(there)


def test_who_comes_late_is_in_the_next_run_of_a_cron_line(house: House) -> None:
    """It comes while the first run is played and takes no part in it; in the second it meets everybody."""
    there = house.enter("alpha", "beta", "gamma")
    house.create(replace(spec("hourly"), cron="0 * * * *"))
    house.look()
    house.look(HOUR_MS)
    house.look()
    assert house.state(FIRST) is State.RUNNING
    house.referee.play(house.now_ms, most=1)
    everybody = come_late(house, there)
    assert house.play(FIRST) is State.FINISHED
    assert (seats_of(house, FIRST), house.store.tournaments.get(FIRST).done) == (set(there), 3)
    house.look(HOUR_MS)
    assert house.play(SECOND) is State.FINISHED
    assert sorted(house.store.tournaments.get(SECOND).entrants) == sorted(everybody)
    met = Counter(bot for row in rows(house, SECOND) for bot in row.entrants)
    assert met == dict.fromkeys(everybody, 3)
    assert house.store.ratings.seq(FORMAT) == 3 + 6


@pytest.fixture
def abandoned(house: House) -> House:
    """Three bots and nine matches, of which gamma lost two by walkover: it has been away for longer than its grace."""
    versions = house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=40))
    house.look()
    house.referee.seat(playing(versions[:2]))
    house.look()
    house.look(121_000)
    for match in [row.id for row in rows(house, "spring") if "gamma@1" in row.entrants][:2]:
        assert house.referee.play(house.now_ms, 500, {match}) == [match]
    house.look()
    return house


def test_who_comes_back_after_its_grace_plays_what_is_left(abandoned: House) -> None:
    """Its other matches are played and rated; what was decided without it stays so, and moves no ladder."""
    house = abandoned
    lost = {row.id: row.result for row in rows(house, "spring") if outcome_of(row) == "walkover"}
    games = sum(row.meetings * 2 for row in rows(house, "spring") if row.id in lost)
    assert len(lost) == 2
    assert house.desk.get("spring").table.walkovers == (Walkover("gamma@1", games),)
    house.referee.seat(playing(["alpha@1", "beta@1", "gamma@1"]))
    assert house.play("spring") is State.FINISHED
    found = rows(house, "spring")
    assert {row.id: row.result for row in found if outcome_of(row) == "walkover"} == lost
    assert {row.state for row in found} == {MatchState.RATED}
    played = [row for row in found if row.id not in lost]
    assert {outcome_of(row) for row in played} == {"rated"}
    assert sum("gamma@1" in row.entrants for row in played) == 4
    table = house.desk.get("spring").table
    assert table.walkovers == (Walkover("gamma@1", games),)
    standings = {row.bot: row for row in table.standings}
    assert {bot: row.meetings for bot, row in standings.items()} == dict.fromkeys(("alpha@1", "beta@1", "gamma@1"), 80)
    assert standings["gamma@1"].ci95 is not None
    assert house.desk.get("spring").missing == ()
    assert house.store.ratings.seq(FORMAT) == len(played) == 7
    assert house.store.ratings.rebuild(FORMAT).equal


def test_who_goes_away_again_is_waited_for_anew(abandoned: House) -> None:
    """Having been back gives it its whole grace: nothing more is decided without it before that is over."""
    house = abandoned
    house.referee.seat(playing(["alpha@1", "beta@1", "gamma@1"]))
    house.look()
    house.referee.seat(playing(["alpha@1", "beta@1"]))
    house.look()
    house.look(100_000)
    house.referee.play(house.now_ms, 500)
    house.look()
    assert [outcome_of(row) for row in rows(house, "spring")].count("walkover") == 2
    assert house.desk.get("spring").missing == ("gamma@1",)
    house.look(20_000)
    assert house.play("spring") is State.FINISHED
    assert [outcome_of(row) for row in rows(house, "spring")].count("walkover") == 6
