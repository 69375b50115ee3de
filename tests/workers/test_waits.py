"""Whom a tournament waits for, at each moment of its life, and for how long."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from ladder.readings.fixtures import Fixtures
from ladder.readings.tournament_tables import TournamentTables
from ladder.readings.voids import Voids
from ladder.readings.waits import Waits
from ladder.store.rows import MatchState
from tests.workers.house import House, spec
from tests.workers.small_referee import playing
from workers.tournaments.life import State
from workers.tournaments.progress import summed_up
from workers.tournaments.spec import Kind
from workers.tournaments.tournament_status import status_shape
from workers.tournaments.tournament_text import show_tournament

pytestmark = pytest.mark.slow


def waits(house: House, name: str = "spring") -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return who is waited for, and their other versions: the same for commands and for pages."""
    status, store = house.desk.get(name), house.store
    waiting, tables = Waits(store.registry, store.presence), TournamentTables(store.matches, store.ratings)
    voids = Voids(store.matches)
    page = Fixtures(store.tournaments, tables, waiting, voids, lambda: house.now_ms * 1_000_000).get(name)
    assert (page.awaited.bots, page.awaited.others) == (status.missing, status.other_versions)
    assert page.awaited.not_offering == status.not_offering
    return status.missing, status.other_versions


def test_a_draft_waits_for_bots_that_never_connected(house: House) -> None:
    """They are named before there are versions of them, and no longer once they are left out."""
    house.enter("alpha", "beta")
    house.store.registry.register("ghost", "nobody", now_ms=house.now_ms)
    house.create(spec("spring", "alpha", "beta", "ghost"))
    house.look()
    assert house.state("spring") is State.DRAFT
    assert waits(house) == (("ghost",), ())
    text = io.StringIO()
    show_tournament(house.desk.get("spring"), text)
    assert "waiting for ghost: never connected\n" in text.getvalue()
    assert "left out" not in text.getvalue()
    house.look(120_000)
    assert (house.state("spring"), waits(house)) == (State.RUNNING, ((), ()))
    show_tournament(house.desk.get("spring"), text)
    assert "ghost was left out at the start: never connected, or retired\n" in text.getvalue()


def test_nobody_is_waited_for_after_the_grace(house: House) -> None:
    """Its matches are decided without it, and that is what is said."""
    versions = house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.referee.seat(playing(versions[:2]))
    house.look()
    assert waits(house)[0] == ("gamma@1",)
    house.look(120_000)
    assert waits(house)[0] == ()
    assert house.state("spring") is State.RUNNING


def test_nobody_is_waited_for_when_all_is_played(house: House) -> None:
    """Bots may go home while the last results are rated."""
    versions = house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    house.referee.seat(playing(versions[:1]))
    house.look()
    assert waits(house)[0] == ("beta@1",)
    house.store.tournaments.move("spring", {State.RUNNING}, State.FINISHING, now_ms=house.now_ms)
    assert waits(house) == ((), ())


def test_a_bot_without_a_match_left_may_go(house: House) -> None:
    """Others play on; it is not waited for."""
    versions = house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    last = next(row for row in house.store.matches.page(tournament="spring").rows if versions[2] not in row.entrants)
    house.store.matches.unready(last.id)
    assert len(house.referee.play(house.now_ms)) == 2
    house.referee.seat(playing(versions[:1]))
    house.look()
    assert waits(house)[0] == ("beta@1",)
    assert house.store.matches.get(last.id).state is MatchState.PLANNED


def test_another_version_is_named(house: House) -> None:
    """It is connected and does not play: entrants keep the version with which the tournament began."""
    versions = house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta"))
    house.look()
    newer = house.store.registry.version("beta", "2", now_ms=house.now_ms)
    house.referee.seat(playing([versions[0], newer]))
    house.look()
    assert waits(house) == (("beta@1",), ("beta@2",))
    text = io.StringIO()
    show_tournament(house.desk.get("spring"), text)
    assert "waiting for beta: beta@2 is connected, another version than entered\n" in text.getvalue()


def test_a_bot_that_does_not_offer_the_format_is_told_from_one_that_is_away(house: House) -> None:
    """Whoever looks knows what to do: have it connect, or have it offer the format."""
    versions = house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    house.look()
    house.referee.seat(playing(versions[:1]) | playing(versions[1:2], formats=["dos-2"]))
    house.look()
    assert waits(house) == (("beta@1", "gamma@1"), ())
    status = house.desk.get("spring")
    assert status.not_offering == ("beta@1",)
    assert status_shape(status)["not_offering"] == ["beta@1"]
    text = io.StringIO()
    show_tournament(status, text)
    why = "beta is connected and does not offer this format"
    assert f"waiting for beta and gamma: gamma is not connected; {why}\n" in text.getvalue()
    assert f"waiting for beta and gamma ({why})" in summed_up(status)


def test_a_retired_bot_is_not_waited_for(house: House) -> None:
    """It may not connect; the others begin without it at once."""
    house.enter("alpha", "beta")
    house.store.registry.register("ghost", "nobody", now_ms=house.now_ms)
    house.register(["gamma"])
    house.create(spec("spring", "alpha", "beta", "ghost", "gamma"))
    house.store.registry.retire("gamma", now_ms=house.now_ms)
    house.look()
    assert waits(house)[0] == ("ghost",)
    house.store.registry.retire("ghost", now_ms=house.now_ms)
    house.look()
    assert house.state("spring") is State.RUNNING
    assert set(house.desk.get("spring").entrants) == {"alpha@1", "beta@1"}


def test_a_gauntlet_of_a_retired_bot_is_cancelled_by_its_name(house: House) -> None:
    """All others are there, and have nobody to meet."""
    house.enter("alpha", "beta", "hero")
    house.create(replace(spec("spring", "hero", "alpha", "beta"), kind=Kind.GAUNTLET))
    house.store.registry.retire("hero", now_ms=house.now_ms)
    house.look()
    assert house.state("spring") is State.SCHEDULED
    house.look(120_000)
    ended = house.desk.get("spring")
    assert (ended.state, ended.reason) == (State.CANCELLED, "hero, whom all others were to meet, never came")
