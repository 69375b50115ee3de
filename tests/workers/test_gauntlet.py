"""One against the field."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.store.rows import MatchRow
from tests.workers.house import House, spec
from workers.schedule.gauntlet import Gauntlet
from workers.tournaments.life import State
from workers.tournaments.notes import Notes
from workers.tournaments.spec import Kind


@given(st.integers(2, 40))
def test_a_gauntlet_is_one_against_each(n: int) -> None:
    """The first entrant meets each of the others once and leads every other time."""
    pairing = Gauntlet(n)
    met = [pairing.at(leg, 0) for leg in range(pairing.legs)]
    assert [max(pair) for pair in met] == list(range(1, n))
    assert [pair.index(0) for pair in met] == [leg % 2 for leg in range(n - 1)]


@settings(deadline=None)
@given(st.integers(3, 6).flatmap(lambda seats: st.tuples(st.integers(seats, 30), st.just(seats))))
def test_larger_tables_take_turns(size: tuple[int, int]) -> None:
    """At larger tables the others meet the first one equally often, too."""
    entrants, seats = size
    pairing = Gauntlet(entrants, seats)
    tables = [pairing.at(leg, 0) for leg in range(pairing.legs)]
    assert all(len(set(table)) == seats and 0 in table for table in tables)
    played = Counter(one for table in tables for one in table if one)
    assert set(played) == set(range(1, entrants))
    assert set(played.values()) == {pairing.least_tables()}


@pytest.mark.parametrize(("entrants", "seats"), [(8, 4), (14, 4), (21, 5), (40, 6)])
def test_the_others_meet_evenly(entrants: int, seats: int) -> None:
    """No two of the others always come together."""
    pairing = Gauntlet(entrants, seats)
    tables = [pairing.at(leg, 0) for leg in range(pairing.legs)]
    met = Counter(frozenset(pair) for table in tables for pair in combinations(sorted(table)[1:], 2))
    counts = [met[frozenset(pair)] for pair in combinations(range(1, entrants), 2)]
    assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize(
    ("leg", "table"), [pytest.param(3, 0, id="no such leg"), pytest.param(0, 1, id="no such table")]
)
def test_a_gauntlet_refuses_what_it_has_not(leg: int, table: int) -> None:
    """A leg or table outside the gauntlet is an error."""
    with pytest.raises(IndexError, match="has 3 legs"):
        Gauntlet(4).at(leg, table)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spread", "created"),
    [
        pytest.param(True, ["1.1.0", "2.1.0", "1.1.1", "2.1.1"], id="begun now"),
        pytest.param(False, ["1.1.0", "1.1.1", "2.1.0", "2.1.1"], id="begun by an earlier release"),
    ],
)
def test_every_opponent_is_met_before_one_is_met_again(house: House, created: list[str], *, spread: bool) -> None:
    """A tournament ends in the order in which it began: its notes say which, those of before say nothing."""
    bots = ("alpha", "beta", "gamma")
    house.enter(*bots)
    house.create(replace(spec("spring", *bots, meetings=20), kind=Kind.GAUNTLET))
    if not spread:
        versions = tuple(f"{bot}@1" for bot in bots)
        notes = Notes(kin={version: number for number, version in enumerate(versions, 1)}, even=True).text()
        house.store.tournaments.move(
            "spring", {State.DRAFT}, State.RUNNING, now_ms=house.now_ms, reason=None,
            entrants=versions, matches=4, schedule=notes.replace(',"spread":false', ""),
        )  # fmt: skip
    assert house.play("spring") is State.FINISHED
    rows: tuple[MatchRow, ...] = tuple(house.store.matches.page(tournament="spring", limit=100).rows)
    assert [row.id for row in sorted(rows, key=lambda row: row.number)] == [f"spring.{place}" for place in created]
