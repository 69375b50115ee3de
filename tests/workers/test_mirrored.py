"""Tournaments on mirrored deals: who may share cards, and that both seatings of a meeting do."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from ladder.errors import InvalidFieldError
from ladder.store.rows import MatchState
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT, playing
from workers.records.closed_match import GameId, closed_match, record_lines
from workers.tournaments.life import State
from workers.tournaments.spec import Deals, TournamentSpec

MIRRORED = f"{FORMAT}-mirrored"


def mirror(*bots: str, meetings: int = 3) -> TournamentSpec:
    """Return a small tournament on mirrored deals, for whose owners nobody vouches."""
    return replace(spec("mirror", *bots, meetings=meetings), deals=Deals.MIRRORED)


def test_bots_of_one_owner_play_a_mirrored_tournament_to_its_end(house: House) -> None:
    """Both seatings of a meeting have the same cards, no two meetings have; it has a table and moves no ladder."""
    house.referee.seat(playing(house.register(["one", "two", "three"], owner="sam"), formats=[MIRRORED]))
    house.referee.by_secret = True
    created = house.desk.create(mirror("one", "two", "three"), bytes(range(32)), "sam").status
    assert (created.spec.format, created.spec.deals, created.spec.trusted) == (MIRRORED, Deals.MIRRORED, False)
    assert house.play("mirror") is State.FINISHED
    found = list(house.store.matches.every("mirror"))
    assert [(row.deals, row.state, row.rated) for row in found] == [("mirrored", MatchState.RATED, False)] * 3
    decks = []
    for row in found:
        closed = closed_match(house.store, row.id)
        assert closed.doubt() is None
        games = {(m, g): closed.records(GameId(row.id, m, g))[0] for m in range(3) for g in range(2)}
        for meeting in range(3):
            first, second = games[meeting, 0], games[meeting, 1]
            assert first["rounds"][0]["deck"] == second["rounds"][0]["deck"]
            assert first["fairness"] == second["fairness"]
            assert first["bots"] == second["bots"][::-1]
            decks.append(json.dumps(first["rounds"][0]["deck"]))
        assert len(record_lines(house.store, row.id).splitlines()) == 6
    assert len(set(decks)) == 9
    assert {line.bot: line.meetings for line in house.desk.get("mirror").table.standings} == {
        "one@1": 6,
        "two@1": 6,
        "three@1": 6,
    }
    assert house.store.ratings.seq(MIRRORED) == house.store.ratings.seq(FORMAT) == 0


@pytest.mark.parametrize(
    ("owners", "accepted"),
    [
        pytest.param(("sam", "sam"), True, id="one owner"),
        pytest.param(("sam", "pat"), False, id="two owners"),
        pytest.param(("sam", ""), False, id="one owner and the house"),
        pytest.param(("", ""), True, id="the house"),
    ],
)
def test_who_may_share_cards_without_being_vouched_for(house: House, owners: tuple[str, str], accepted: bool) -> None:
    """Bots of one owner, or of the house, and no others: whoever is two people on paper would know both hands."""
    for name, owner in zip(("one", "two"), owners, strict=True):
        house.register([name], owner=owner, house=not owner)
    if accepted:
        assert house.create(mirror("one", "two")).spec.format == MIRRORED
        return
    with pytest.raises(InvalidFieldError, match="bots of one owner") as refused:
        house.create(mirror("one", "two"))
    assert refused.value.reason == "UNTRUSTED"
    assert house.create(replace(mirror("one", "two"), trusted=True)).spec.format == MIRRORED
