"""One against the field."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.schedule.gauntlet import Gauntlet


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
