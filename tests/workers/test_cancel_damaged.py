"""A tournament whose row is damaged while its matches are played: it is cancelled, and every match comes to an end."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.store.match_calls import Ending
from ladder.store.rows import Claimed, MatchState
from referee.logbook import stamp
from tests.workers.house import House, spec
from tests.workers.ledger_damage import AS_MUCH, OF_A_TOURNAMENT, Damage, damage
from tests.workers.small_referee import FORMAT
from workers.engine import terms
from workers.schedule.schedule import MatchId
from workers.tournaments.draw import schedule_of
from workers.tournaments.life import State, Verb
from workers.tournaments.notes import Notes
from workers.tournaments.spec import TournamentSpec

COUNTS = pytest.param(damage("HSET", "t:spring", "games_done", "x", "parked", "y"), id="other counts are no numbers")
MATCH = "spring.1.1.0"


def _obey(house: House, claimed: Claimed) -> None:
    """Carry out the order that a match be void, as its host does."""
    matches = house.store.matches
    stop = matches.get(MATCH).stop
    assert stop is not None
    calls = matches.calls(MATCH, me=house.referee.me, tournament="spring")
    matches.close(
        calls, claimed.head, stamp(house.now_ms), now_ms=house.now_ms, ending=Ending.VOID, reason=stop.reason
    )  # fmt: skip


@pytest.mark.sample(14)
@pytest.mark.parametrize("break_it", [*OF_A_TOURNAMENT, *AS_MUCH, COUNTS])
@pytest.mark.parametrize("ends", ["before", "after", "as ordered"])
def test_a_match_that_is_played_meanwhile_comes_to_its_end(house: House, break_it: Damage, ends: str) -> None:
    """Closed by its host before the tournament is cancelled, after that, or void as it is told."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=1))
    house.look()
    begun = house.referee.begin(MATCH, house.now_ms)
    assert begun is not None
    break_it(house.store)
    if ends == "before":
        house.referee.end(begun, house.now_ms, times=2)
    house.desk.turn("spring", Verb.CANCEL, "no use", "olga")
    if ends == "after":
        house.referee.end(begun, house.now_ms, times=2)
    elif ends == "as ordered":
        _obey(house, begun)
    for _ in range(4):
        house.look(61_000)
        house.reconciler.reconcile(house.now_ms)
        house.answer()
    states = [row.state for row in house.store.matches.page(tournament="spring").rows]
    played = ends == "before"
    assert sorted(states) == sorted([MatchState.RATED if played else MatchState.VOID, *[MatchState.VOID] * 2])
    row = house.store.tournaments.get("spring")
    assert (State(row.state), row.done, row.lost, row.parked) == (State.CANCELLED, played, 3 - played, 0)
    assert row.games_done == 2 * played
    assert (house.store.matches.open_ids(), house.store.tournaments.open_ids("spring")) == (set(), set())
    assert house.store.matches.waiting_for_worker() == {}
    assert (house.store.ratings.seq(FORMAT) if played else 0) == played
    assert row.deal_seed is not None


@pytest.mark.parametrize("harm", [(b'"gaps":[', b'"gaps":7,"x":['), (b'"next":', b'"next":\xff')])
def test_the_order_of_its_tables_is_read_where_its_notes_say_it(house: House, harm: tuple[bytes, bytes]) -> None:
    """Its matches are where the schedule has them, as before something else of the notes was damaged."""
    names = [f"bot-{number}" for number in range(9)]
    house.enter(*names, formats=("uno-classic-4",))
    house.create(replace(spec("spring", *names, meetings=40), format="uno-classic-4"))
    house.look()
    key = house.store.keys.tournament("spring")
    whole = house.store.link.field(key, "schedule")
    assert whole is not None
    house.store.link.read("HSET", key, "schedule", whole.encode().replace(*harm))
    house.desk.turn("spring", Verb.CANCEL, "no use", "olga")
    row = house.store.tournaments.get("spring")
    made = {match.id: match.entrants for match in house.store.matches.page(tournament="spring", limit=500).rows}

    def drawn(notes: Notes) -> dict[str, tuple[str, ...]]:
        described = TournamentSpec.parse(row.spec)
        terms_of_it = terms(described.format)
        schedule = schedule_of(described, terms_of_it, row.entrants, even=notes.even, spread=notes.spread)
        return {match: schedule.fixture(MatchId.parse(match)).entrants for match in made}

    assert drawn(Notes.parse(row.schedule)) == made
    assert drawn(Notes()) != made, "or this test would see nothing"
