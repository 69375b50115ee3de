"""Tables of more than two seats: everybody plays as often, meets everybody as often, follows everybody as often."""

from __future__ import annotations

import math
from collections import Counter
from hashlib import sha256
from itertools import combinations, permutations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.schedule.balanced import FEW, Combinations, Turning, balanced
from workers.schedule.bench import BENCHES
from workers.schedule.dice import Dice
from workers.schedule.pairing import Pairing

pytestmark = pytest.mark.slow

SMALL = [(12, 3), (25, 3), (10, 4), (13, 4), (16, 4), (20, 4), (24, 4), (14, 5), (25, 5), (13, 6), (30, 6)]
OTHERS = [(n, k) for k in (3, 4, 5, 6) for n in range(k, 51) if comb(n, k) > FEW and (n, k) not in SMALL]
SIZES = st.integers(3, 6).flatmap(lambda seats: st.tuples(st.integers(seats, 18), st.just(seats)))


def cycle(pairing: Pairing) -> list[tuple[int, ...]]:
    return [pairing.at(leg, table) for leg in range(pairing.legs) for table in range(pairing.tables)]


def meetings(entrants: int, tables: list[tuple[int, ...]]) -> list[int]:
    """Return how often each pair met."""
    met = Counter(tuple(sorted(pair)) for table in tables for pair in combinations(table, 2))
    return [met[pair] for pair in combinations(range(entrants), 2)]


def variation(counts: list[int]) -> float:
    """Return the standard deviation of counts, as a part of their mean."""
    mean = sum(counts) / len(counts)
    return math.sqrt(sum((count - mean) ** 2 for count in counts) / len(counts)) / mean


def random_tables(entrants: int, seats: int, legs: int) -> list[tuple[int, ...]]:
    dice = Dice(f"random {entrants} {seats}")
    shuffles = [dice.shuffled(range(entrants)) for _ in range(legs)]
    firsts = range(0, entrants - seats + 1, seats)
    return [tuple(shuffle[first : first + seats]) for shuffle in shuffles for first in firsts]


def check_balance(entrants: int, seats: int) -> None:
    """Check what a cycle promises: meetings within two of each other, a third as uneven as random tables."""
    pairing = balanced(entrants, seats)
    assert pairing.legs == (entrants if entrants % seats else entrants - 1)
    found = meetings(entrants, cycle(pairing))
    assert max(found) - min(found) <= 2
    third = variation(meetings(entrants, random_tables(entrants, seats, pairing.legs))) / 3
    # More even than within one cannot be. Nor can ten at five seats: any three would have to meet 1.5 times.
    assert variation(found) <= third or max(found) - min(found) <= 1 or (entrants, seats) == (10, 5)


@pytest.mark.parametrize(("entrants", "seats"), SMALL)
def test_pairs_meet_about_equally_often(entrants: int, seats: int) -> None:
    """After a cycle no pair has met more than twice more often than another; spread is a third of random tables'."""
    check_balance(entrants, seats)


@pytest.mark.sample(13)
@pytest.mark.parametrize(
    ("entrants", "seats"),
    [pytest.param(*size, marks=pytest.mark.nightly if at % 4 else pytest.mark.slow) for at, size in enumerate(OTHERS)],
)
def test_pairs_meet_about_equally_often_in_every_field(entrants: int, seats: int) -> None:
    """The same in fields up to fifty bots and six seats: at night all of them, else every fourth."""
    check_balance(entrants, seats)


@pytest.mark.parametrize(
    ("entrants", "seats", "least", "most"),
    [
        pytest.param(100, 4, 2, 4, id="a hundred"),
        pytest.param(1000, 4, 1, 5, id="a thousand"),
        pytest.param(20, 10, 7, 11, id="ten seats"),
    ],
)
def test_large_fields_need_no_list(entrants: int, seats: int, least: int, most: int) -> None:
    """A large field is balanced, too, and any table of it is found by its index."""
    pairing = balanced(entrants, seats)
    one = [other for table in cycle_of(pairing, 0) for other in table if other != 0]
    found = Counter(one)
    assert least <= min(found[other] for other in range(1, entrants))
    assert max(found.values()) <= most


def cycle_of(pairing: Pairing, entrant: int) -> list[tuple[int, ...]]:
    return [table for table in cycle(pairing) if entrant in table]


@settings(deadline=None, max_examples=40)
@given(SIZES)
def test_everybody_plays_equally_often(size: tuple[int, int]) -> None:
    """In a cycle all play at the same number of tables, at no two of one leg, and never against themselves."""
    entrants, seats = size
    pairing = balanced(entrants, seats)
    played = Counter(one for table in cycle(pairing) for one in table)
    assert set(played.values()) == {pairing.least_tables()}
    assert len(played) == entrants
    for leg in range(pairing.legs):
        seated = [one for table in range(pairing.tables) for one in pairing.at(leg, table)]
        assert len(seated) == len(set(seated)) == pairing.tables * seats


EVERY = [(n, k) for k in (3, 4, 5, 6) for n in range(k, 31)]


@pytest.mark.parametrize("seats", [3, 4, 5, 6])
def test_sit_outs_rotate(seats: int) -> None:
    """After any number of legs nobody has played more than once more than anybody else, but for a few fields."""
    spread = {n: most_apart(balanced(n, seats)) for n, k in EVERY if k == seats}
    assert {(n, seats): apart for n, apart in spread.items() if apart > 1} == {
        size: apart for size, apart in UNEVEN.items() if size[1] == seats
    }


def most_apart(pairing: Combinations | Turning) -> int:
    """Return how far apart those were who had played most and least, after whichever leg that was most."""
    played, most = Counter(dict.fromkeys(range(pairing.entrants), 0)), 0
    for leg in range(pairing.legs):
        played.update(one for table in range(pairing.tables) for one in pairing.at(leg, table))
        most = max(most, max(played.values()) - min(played.values()))
    return most


SMALLEST = [(n, k) for k in range(3, 11) for n in range(k, 14) if comb(n, k) <= FEW]


@pytest.mark.parametrize(("entrants", "seats"), SMALLEST)
def test_small_fields_play_all_combinations(entrants: int, seats: int) -> None:
    """Where there are few tables, each is played once, and nobody ever played twice more than anybody else."""
    pairing = balanced(entrants, seats)
    assert isinstance(pairing, Combinations)
    tables = cycle(pairing)
    assert sorted(tuple(sorted(table)) for table in tables) == [*combinations(range(entrants), seats)]
    assert most_apart(pairing) <= 1


def test_what_began_in_the_order_of_the_first_release_ends_in_it() -> None:
    """The fields that have another one now, with the tables that they had there, to the last one."""
    written = sha256()
    for entrants, seats in [*SMALLEST, *sorted(BENCHES)]:
        written.update(repr(cycle(balanced(entrants, seats, even=False))).encode())
    for entrants in (6, 8, 9):
        written.update(repr(cycle(balanced(entrants, 4, (0, 1, 0, 1), even=False))).encode())
    assert written.hexdigest() == FIRST_RELEASE


@pytest.mark.parametrize(("entrants", "seats"), [(8, 4), (12, 3), (16, 4), (20, 4), (25, 5), (30, 6)])
def test_nobody_always_follows_the_same_one(entrants: int, seats: int) -> None:
    """Over a cycle everybody acts just before each of the others about equally often."""
    tables = cycle(balanced(entrants, seats))
    follows = Counter((table[place - 1], one) for table in tables for place, one in enumerate(table))
    counts = [follows[pair] for pair in permutations(range(entrants), 2)]
    assert max(counts) - min(counts) <= 2


@pytest.mark.parametrize("entrants", [6, 8, 9, 13, 16, 20])
def test_partners_change(entrants: int) -> None:
    """Where opposite seats are partners, everybody is the partner of each other one about equally often."""
    tables = cycle(balanced(entrants, 4, (0, 1, 0, 1)))
    pairs = Counter(frozenset(pair) for table in tables for pair in (table[::2], table[1::2]))
    counts = [pairs[frozenset(pair)] for pair in combinations(range(entrants), 2)]
    assert max(counts) - min(counts) <= 2


def test_it_is_the_same_everywhere() -> None:
    """The tables are part of what a public seed reproduces: another machine or version must find them again."""
    assert [balanced(13, 4).at(0, table) for table in range(3)] == EXPECTED_13
    assert Turning(40, 4).at(7, 3) == EXPECTED_40
    assert balanced(6, 4).at(4, 0) == EXPECTED_6
    assert balanced(6, 4, even=False).at(4, 0) == FIRST_6
    assert [balanced(10, 4).at(3, table) for table in range(2)] == EXPECTED_10


@pytest.mark.parametrize(
    "pairing", [pytest.param(balanced(5, 4), id="all"), pytest.param(balanced(13, 4), id="circle")]
)
def test_a_table_that_is_not_there_is_refused(pairing: Pairing) -> None:
    """An index outside the cycle is an error, never another table."""
    with pytest.raises(IndexError, match="this cycle has"):
        pairing.at(pairing.legs, 0)
    with pytest.raises(IndexError, match="this cycle has"):
        pairing.at(0, -1)


EXPECTED_13 = [(1, 8, 12, 5), (7, 9, 6, 4), (2, 10, 11, 3)]
EXPECTED_40 = (28, 38, 13, 36)
FIRST_6 = (3, 0, 1, 5)
EXPECTED_6 = (2, 0, 3, 4)
EXPECTED_10 = [(8, 4, 5, 0), (3, 9, 2, 1)]
FIRST_RELEASE = "2d39173ff1cf97508b2ae39582b146e70b0dfd86d46e27bac89a5a66f59cb60b"
UNEVEN = {(14, 5): 2, (10, 6): 2, (11, 6): 3, (17, 6): 2}
"""What no turn of a circle makes even both in games and in meetings: `tests/workers/test_benches.py`."""
