"""Small fields that turn round a circle: which of them can be even in games at any time, and in meetings, too."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.workers.test_balanced import UNEVEN, cycle, meetings, random_tables, variation
from workers.schedule.balanced import balanced
from workers.schedule.bench import BENCHES, turns

pytestmark = pytest.mark.slow

Tables = tuple[tuple[int, ...], ...]


@pytest.mark.parametrize(("entrants", "seats"), sorted(BENCHES))
def test_with_such_a_bench_both_are_even(entrants: int, seats: int) -> None:
    """Nobody sat out twice more than anybody else, and meetings are as even as those of any field have to be."""
    bench, sat_out = BENCHES[entrants, seats], [0] * entrants
    for step in turns(entrants, bench):
        for place in bench:
            sat_out[(place + step) % entrants] += 1
        assert max(sat_out) - min(sat_out) <= 1
    pairing = balanced(entrants, seats)
    assert {one for table in range(pairing.tables) for one in pairing.at(0, table)}.isdisjoint(bench)
    assert even(meetings(entrants, cycle(pairing)), third(entrants, seats))


@pytest.mark.parametrize(("entrants", "seats"), sorted(UNEVEN))
def test_of_these_fields_no_bench_has_both(entrants: int, seats: int) -> None:
    """Every bench, every order of its turns and every way to part the others were looked at: then meetings decide."""
    limit, orders = third(entrants, seats), 0
    for bench in benches(entrants, entrants % seats):
        try:
            turns(entrants, bench)
        except LookupError:
            continue
        orders += 1
        others = [place for place in range(entrants) if place not in bench]
        assert not any(even(differences(entrants, tables), limit) for tables in parted(others, seats))
    assert orders
    assert even(meetings(entrants, cycle(balanced(entrants, seats))), limit)


def test_without_an_order_that_is_said() -> None:
    """Two next to each other, and one two further on: before all have sat out, one of them does again."""
    with pytest.raises(LookupError, match="somebody sits out twice more"):
        turns(13, (0, 1, 3))


def even(met: list[int], limit: float) -> bool:
    """Return whether meetings are within two of each other and a third as uneven as random ones, or within one."""
    apart = max(met) - min(met)
    return apart <= 1 or (apart <= 2 and variation(met) <= limit)


def third(entrants: int, seats: int) -> float:
    """Return a third of the variation of random tables."""
    return variation(meetings(entrants, random_tables(entrants, seats, entrants))) / 3


def benches(places: int, size: int) -> Iterator[tuple[int, ...]]:
    """Yield all benches, those once that are the same but for a turn of the circle or a multiple of its steps."""
    units, seen = [unit for unit in range(1, places) if math.gcd(unit, places) == 1], set[tuple[int, ...]]()
    for rest in combinations(range(1, places), size - 1):
        bench = (0, *rest)
        if bench not in seen:
            seen |= {
                tuple(sorted(unit * (place - first) % places for place in bench)) for unit in units for first in bench
            }
            yield bench


def parted(others: list[int], seats: int) -> Iterator[Tables]:
    """Yield all ways to part those who play into one or two tables."""
    if len(others) == seats:
        yield (tuple(others),)
        return
    first, *rest = others
    for mates in combinations(rest, seats - 1):
        yield (first, *mates), tuple(place for place in rest if place not in mates)


def differences(places: int, tables: Tables) -> list[int]:
    """Return how often each pair meets when these tables turn once round the circle."""
    count = [0] * places
    for table in tables:
        for one, other in combinations(table, 2):
            count[(one - other) % places] += 1
            count[(other - one) % places] += 1
    return [count[(one - other) % places] for one, other in combinations(range(places), 2)]
