"""Tournaments at tables of more than two seats, from their creation to their end."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from ladder.readings.summaries import Summaries
from ladder.web.details import by_seat, entrants
from tests.workers.house import House, spec
from tests.workers.small_referee import playing
from workers.engine import teams_of, terms
from workers.tournaments.draw import schedule_of
from workers.tournaments.life import State
from workers.tournaments.notes import Notes
from workers.tournaments.spec import Kind, TournamentSpec

pytestmark = pytest.mark.slow

FIVE = ("alpha", "beta", "gamma", "delta", "omega")


def table_of(format_name: str, *bots: str, meetings: int = 1) -> TournamentSpec:
    return replace(spec("spring", *bots, meetings=meetings), format=format_name)


@pytest.mark.parametrize(
    ("format_name", "matches", "each"),
    [
        pytest.param("uno-classic-4", 5, 4, id="four seats"),
        pytest.param("spin-4", 5, 4, id="spin at four"),
        pytest.param("dos-3", 10, 6, id="dos at three"),
        pytest.param("uno-pairs-4", 5, 4, id="partners by the draw"),
    ],
)
def test_from_creation_to_the_end(house: House, format_name: str, matches: int, each: int) -> None:
    """All tables are played and rated; everybody sits in every seat equally often; the ladder equals its rebuild."""
    house.enter(*FIVE, formats=[format_name])
    house.create(table_of(format_name, *FIVE))
    assert house.play("spring") is State.FINISHED
    record = house.desk.get("spring")
    assert (record.matches_done, record.matches_lost) == (matches, 0)
    assert record.games_done == record.plan.summary.games
    assert {row.bot: row.meetings for row in record.table.standings} == {f"{bot}@1": each for bot in FIVE}
    seats: Counter[tuple[str, int]] = Counter()
    for row in house.store.matches.page(tournament="spring").rows:
        games = [game for meeting in json.loads(row.result)["meetings"] for game in meeting["games"]]
        seats.update((row.entrants[entrant], seat) for game in games for seat, entrant in enumerate(game["seats"]))
    assert set(seats.values()) == {each}
    assert house.store.ratings.seq(format_name) == matches
    assert house.store.ratings.rebuild(format_name).equal
    assert house.store.ratings.sum_check(format_name).equal


@pytest.mark.parametrize(
    "even", [pytest.param(True, id="begun now"), pytest.param(False, id="begun by the first release")]
)
def test_a_tournament_ends_in_the_order_in_which_it_began(house: House, *, even: bool) -> None:
    """Its notes say which; those of the first release, which knew no other one, say nothing."""
    bots, format_terms = (*FIVE, "zeta"), terms("uno-classic-4")
    house.enter(*bots, formats=[format_terms.name])
    described = table_of(format_terms.name, *bots)
    house.create(described)
    if not even:
        versions = tuple(f"{bot}@1" for bot in bots)
        notes = Notes(kin={version: number for number, version in enumerate(versions, 1)}).text()
        house.store.tournaments.move(
            "spring", {State.DRAFT}, State.RUNNING, now_ms=house.now_ms, reason=None,
            entrants=versions, matches=15, schedule=notes.replace('"even":false,', ""),
        )  # fmt: skip
    assert house.play("spring") is State.FINISHED
    entrants = house.store.tournaments.get("spring").entrants
    played = {row.id: row.entrants for row in house.store.matches.page(tournament="spring", limit=100).rows}
    orders = {
        order: {
            str(one.id): one.entrants for one in schedule_of(described, format_terms, entrants, even=order, spread=True)
        }
        for order in (True, False)
    }
    assert orders[True] != orders[False]
    assert played == orders[even]


def test_sides_of_two(house: House) -> None:
    """Partners share their places, are no opponents of each other, and gain and lose together."""
    bots = ("alpha", "beta", "gamma", "delta", "omega", "zeta")
    house.enter(*bots, formats=["uno-pairs-4"])
    house.create(table_of("uno-pairs-4", "alpha+beta", "gamma+delta", "omega+zeta", meetings=2))
    assert house.play("spring") is State.FINISHED
    record = house.desk.get("spring")
    assert (record.matches_done, record.games_done) == (3, 24)
    assert record.entrants[::2] != record.entrants
    pairs = {frozenset({pair.a, pair.b}) for pair in record.table.pairs}
    assert frozenset({"alpha@1", "beta@1"}) not in pairs
    assert len(pairs) == 12
    elo = house.store.ratings.elo("uno-pairs-4", [f"{bot}@1" for bot in bots])
    assert elo["alpha@1"] == elo["beta@1"]
    assert elo["gamma@1"] == elo["delta@1"]
    for row in house.store.matches.page(tournament="spring").rows:
        games = [game for meeting in json.loads(row.result)["meetings"] for game in meeting["games"]]
        assert all(game["ranks"][:2] == game["ranks"][2:] for game in games)


def test_what_a_side_did_is_told_of_its_bots(house: House) -> None:
    """A game that partners won is a game won for each of them, and they are not among those that they were ahead of."""
    bots = ("alpha", "beta", "gamma", "delta")
    house.enter(*bots, formats=["uno-pairs-4"])
    house.create(table_of("uno-pairs-4", "alpha+beta", "gamma+delta", meetings=2))
    assert house.play("spring") is State.FINISHED
    summaries = Summaries(house.store.matches, teams_of)
    (row,) = house.store.matches.page(tournament="spring").rows
    places = [game["ranks"] for meeting in json.loads(row.result)["meetings"] for game in meeting["games"]]
    wins = tuple(sum(game[entrant] == 1 and max(game) > 1 for game in places) for entrant in range(4))
    assert sum(wins) == 2 * len(places) == 16
    assert summaries.of(row).wins == wins
    assert tuple(line.wins for line in entrants(row, summaries.wins(row))) == wins
    seats = by_seat([row], "alpha", summaries.teams)
    assert sum(line.games for line in seats) == 8
    assert sum(line.score * line.games for line in seats) == wins[row.entrants.index("alpha@1")]


def test_of_a_format_that_nobody_knows_any_more_no_wins_are_told(house: House) -> None:
    """Its matches are still listed: who played with whom is not guessed."""
    house.enter("alpha", "beta")
    house.create(table_of("uno-classic-2", "alpha", "beta", meetings=1))
    house.play("spring")
    (row,) = house.store.matches.page(tournament="spring").rows
    gone = replace(row, format="uno-mine-2")
    summaries = Summaries(house.store.matches, teams_of)
    assert (summaries.of(gone).wins, summaries.of(gone).games_done) == ((), 2)
    assert [line.wins for line in entrants(gone, summaries.wins(gone))] == [None, None]
    assert [line.points is None for line in entrants(gone, summaries.wins(gone))] == [False, False]
    assert by_seat([gone], "alpha", summaries.teams) == ()


def test_a_side_that_is_not_whole_does_not_begin(house: House) -> None:
    """Where one of two partners never connected, the other does not play alone."""
    house.enter("alpha", "beta", "gamma", "delta", "omega", formats=["uno-pairs-4"])
    house.store.registry.register("ghost", "nobody", now_ms=house.now_ms)
    house.create(table_of("uno-pairs-4", "alpha+beta", "gamma+delta", "omega+ghost"))
    house.look(121_000)
    assert set(house.store.tournaments.get("spring").entrants) == {"alpha@1", "beta@1", "gamma@1", "delta@1"}
    assert house.play("spring") is State.FINISHED


def test_mates_of_one_owner_are_rated(house: House) -> None:
    """Two bots of one owner on one side play rated games; on two sides they do not."""
    house.register(["alpha", "beta"], owner="sam")
    house.register(["gamma", "delta"])
    versions = [f"{bot}@1" for bot in ("alpha", "beta", "gamma", "delta")]
    house.referee.seat(playing(versions, formats=["uno-pairs-4"]))
    house.create(table_of("uno-pairs-4", "alpha+beta", "gamma+delta"))
    house.create(replace(table_of("uno-pairs-4", "alpha+gamma", "beta+delta"), name="autumn"))
    assert house.play("spring") is State.FINISHED
    assert house.play("autumn") is State.FINISHED
    rated = {name: house.store.matches.get(f"{name}.1.1.0").rated for name in ("spring", "autumn")}
    assert rated == {"spring": True, "autumn": False}


def test_three_at_a_table_of_four_wait_for_the_fourth(house: House) -> None:
    """Too few bots for one table: waited for, then cancelled with the number that is needed."""
    house.enter("alpha", "beta", "gamma", formats=["uno-classic-4"])
    house.create(table_of("uno-classic-4"))
    house.look(121_000)
    assert house.state("spring") is State.CANCELLED
    assert house.store.tournaments.get("spring").reason == "3 bots were there, 4 are needed"


def test_who_never_comes_is_played_without(house: House) -> None:
    """At a larger table the others play on after the grace, and what was not whole is not rated."""
    versions = house.enter(*FIVE, formats=["uno-classic-4"])
    house.create(table_of("uno-classic-4", *FIVE))
    house.referee.seat(playing(versions[:4], formats=["uno-classic-4"]))
    house.look()
    house.referee.play(house.now_ms)
    house.look(121_000)
    assert house.play("spring") is State.FINISHED
    standings = {row.bot: row for row in house.desk.get("spring").table.standings}
    assert standings["omega@1"].wins == 0
    assert standings["omega@1"].losses > 0
    assert house.store.ratings.seq("uno-classic-4") == 1


def test_a_gauntlet_at_four_seats(house: House) -> None:
    """The first bot sits at every table."""
    house.enter(*FIVE, formats=["uno-classic-4"])
    house.create(replace(table_of("uno-classic-4", *FIVE), kind=Kind.GAUNTLET))
    assert house.play("spring") is State.FINISHED
    rows = house.store.matches.page(tournament="spring").rows
    assert len(rows) == 4
    assert all("alpha@1" in row.entrants for row in rows)
