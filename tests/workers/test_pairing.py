"""Everybody meets everybody, as often as everybody else, and leads as often."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.schedule.pairing import RoundRobin, legs, pair_at, pairs, tables

FIELDS = st.integers(2, 40)


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        pytest.param(2, [[(0, 1)]], id="two play one table"),
        pytest.param(3, [[(1, 2)], [(2, 0)], [(0, 1)]], id="of three one sits out"),
        pytest.param(4, [[(0, 3), (1, 2)], [(3, 1), (2, 0)], [(2, 3), (0, 1)]], id="four: the classic Berger table"),
    ],
)
def test_tables_of_small_fields(n: int, expected: list[list[tuple[int, int]]]) -> None:
    """The circle method gives the tables of the handbooks."""
    found = [[pair_at(n, leg * tables(n) + table) for table in range(tables(n))] for leg in range(legs(n))]
    assert found == expected


@given(FIELDS)
def test_every_pair_meets_once_a_cycle(n: int) -> None:
    """All unordered pairs, each once."""
    met = Counter(tuple(sorted(pair_at(n, k))) for k in range(pairs(n)))
    assert met == Counter(combinations(range(n), 2))


@given(FIELDS)
def test_nobody_sits_twice_in_a_leg(n: int) -> None:
    """A leg is one pass with at most one table for everybody, and in even fields with exactly one."""
    pairing = RoundRobin(n)
    for leg in range(pairing.legs):
        seated = [entrant for table in range(pairing.tables) for entrant in pairing.at(leg, table)]
        assert len(seated) == len(set(seated)) == n - n % 2


@given(FIELDS)
def test_everybody_leads_half_of_its_tables(n: int) -> None:
    """Leading is balanced: exactly in odd fields, within one table in even ones."""
    leads = Counter(pair_at(n, k)[0] for k in range(pairs(n)))
    assert {abs(2 * leads[entrant] - (n - 1)) for entrant in range(n)} == ({0} if n % 2 else {1})


@pytest.mark.parametrize(
    ("n", "k"), [pytest.param(4, 6, id="behind the last"), pytest.param(4, -1, id="before the first")]
)
def test_a_pair_that_is_not_there_is_refused(n: int, k: int) -> None:
    """An index outside the cycle is an error, never another pair."""
    with pytest.raises(IndexError, match="allowed 0 to 5"):
        pair_at(n, k)


def test_pairs_of_a_thousand_need_no_list() -> None:
    """The last of half a million pairs is found by its index."""
    assert pair_at(1000, 499_499) == (498, 499)
