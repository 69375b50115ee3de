"""The matches of a tournament follow from its entrants and the public seed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard.names import attempt_of, nth_attempt
from workers.schedule.gauntlet import Gauntlet
from workers.schedule.pairing import RoundRobin
from workers.schedule.schedule import MATCH_MEETINGS, MatchId, Schedule, order, split


def schedule(entrants: int, meetings: int = 50, cycles: int = 1, seed: int = 0) -> Schedule:
    names = order([f"bot-{number}@1" for number in range(entrants)], seed)
    return Schedule("spring", RoundRobin(entrants), names, meetings, cycles)


@pytest.mark.parametrize(
    ("meetings", "sizes"),
    [
        pytest.param(1, (1,), id="one"),
        pytest.param(16, (16,), id="just one match"),
        pytest.param(17, (9, 8), id="one more than a match"),
        pytest.param(50, (13, 13, 12, 12), id="the default"),
        pytest.param(200, (16,) * 5 + (15,) * 8, id="fine"),
    ],
)
def test_split_table(meetings: int, sizes: tuple[int, ...]) -> None:
    """The meetings of a pairing become the fewest matches, as equal as possible."""
    assert split(meetings) == sizes


@given(st.integers(1, 10_000))
def test_split_law(meetings: int) -> None:
    """Parts sum to the whole, none is over 16, they differ by one at most, and there could not be fewer."""
    sizes = split(meetings)
    assert sum(sizes) == meetings
    assert max(sizes) <= MATCH_MEETINGS
    assert max(sizes) - min(sizes) <= 1
    assert (len(sizes) - 1) * MATCH_MEETINGS < meetings


@given(st.integers(2, 9), st.integers(1, 40), st.integers(1, 3), st.integers(0, 2**64 - 1))
def test_every_pair_plays_its_meetings_in_every_cycle(entrants: int, meetings: int, cycles: int, seed: int) -> None:
    """Whatever the seed: each pair plays all its meetings, ids are unique, and all are counted by `len`."""
    plan = schedule(entrants, meetings, cycles, seed)
    played: Counter[frozenset[str]] = Counter()
    for fixture in plan:
        played[frozenset(fixture.entrants)] += fixture.meetings
    assert played == {frozenset(pair): meetings * cycles for pair in combinations(plan.entrants, 2)}
    assert len({str(fixture.id) for fixture in plan}) == len(plan) == len(list(plan))


@given(st.integers(2, 9))
def test_parts_and_cycles_alternate_who_leads(entrants: int) -> None:
    """Over an even number of parts, both bots of a pair are first equally often."""
    plan = schedule(entrants, meetings=64, cycles=2)
    first = Counter((frozenset(fixture.entrants), fixture.entrants[0]) for fixture in plan)
    assert set(first.values()) == {4}


def test_ids_say_where_a_match_stands() -> None:
    """Legs and tables count from 1, parts from 0; the tables of a leg come side by side."""
    ids = [str(fixture.id) for fixture in schedule(4, 20)]
    assert ids[:5] == ["spring.1.1.0", "spring.1.2.0", "spring.1.1.1", "spring.1.2.1", "spring.2.1.0"]
    assert ids[-1] == "spring.3.2.1"


@given(st.integers(2, 9), st.integers(1, 40), st.integers(1, 3), st.integers(1, 4))
def test_a_match_is_found_by_its_id(entrants: int, meetings: int, cycles: int, attempt: int) -> None:
    """Whichever attempt it is; what the schedule does not have is not found."""
    whole = schedule(entrants, meetings, cycles)
    for fixture in whole:
        assert whole.fixture(replace(fixture.id, attempt=attempt)) == fixture
    last = whole[len(whole) - 1].id
    for part in ("leg", "table", "part"):
        with pytest.raises(LookupError, match="is no match of spring"):
            whole.fixture(replace(last, **{part: getattr(last, part) + 1}))
    with pytest.raises(LookupError, match="is no match of spring"):
        whole.fixture(replace(last, tournament="autumn"))


@given(st.integers(2, 9), st.integers(1, 70), st.integers(1, 3))
def test_a_gauntlet_is_spread_over_its_opponents(entrants: int, meetings: int, cycles: int) -> None:
    """At any time one was met at most once more than another; it is the same matches, and they are found alike."""
    names = tuple(f"bot-{number}@1" for number in range(entrants))
    one_by_one = Schedule("spring", Gauntlet(entrants), names, meetings, cycles)
    spread = replace(one_by_one, spread=True)
    assert sorted(map(str, spread)) == sorted(map(str, one_by_one))
    met: Counter[str] = Counter(dict.fromkeys(names[1:], 0))
    games = 0
    for index, fixture in enumerate(spread):
        assert (spread.index(fixture.id), spread.games_before(index)) == (index, games)
        assert spread.fixture(fixture.id) == fixture
        games += 2 * fixture.meetings
        met.update(set(fixture.entrants) - {names[0]})
        assert max(met.values()) - min(met.values()) <= 1
    assert games == spread.games == one_by_one.games


def test_an_index_outside_is_refused() -> None:
    """There is no match behind the last."""
    plan = schedule(4)
    with pytest.raises(IndexError, match="spring has 24"):
        plan[24]


@given(st.permutations([f"bot-{number}" for number in range(7)]), st.integers(0, 5))
def test_the_seed_alone_decides_the_order(names: list[str], seed: int) -> None:
    """Who was named first does not matter, nor which version plays."""
    expected = [name.split("@")[0] for name in order([f"{name}@1" for name in sorted(names)], seed)]
    assert [name.split("@")[0] for name in order([f"{name}@3" for name in names], seed)] == expected


def test_another_seed_is_another_order() -> None:
    """Seeds shuffle."""
    names = [f"bot-{number}@1" for number in range(8)]
    assert len({order(names, seed) for seed in range(20)}) > 10


@pytest.mark.parametrize(
    "match_id",
    [
        pytest.param(MatchId("a-b", 1, 2, 0), id="first attempt"),
        pytest.param(MatchId("spring", 12, 300, 3, 2), id="a replay"),
    ],
)
def test_ids_survive_print_and_parse(match_id: MatchId) -> None:
    """Parse is the inverse of print."""
    assert MatchId.parse(str(match_id)) == match_id


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("spring", id="a tournament"),
        pytest.param("spring.0.1.0", id="leg 0"),
        pytest.param("spring.1.1.00", id="leading zero"),
        pytest.param("spring.1.1.0.r1", id="a first attempt has no suffix"),
        pytest.param("ladder.uno-classic-2.4711.1", id="a ladder match"),
        pytest.param("Spring.1.1.0", id="capital letters"),
    ],
)
def test_what_is_no_id_is_refused(text: str) -> None:
    """A string that is no match id is an error that shows how one looks."""
    with pytest.raises(ValueError, match=r"spring\.1\.2\.0"):
        MatchId.parse(text)


@given(st.integers(1, 200))
def test_attempts_are_called_alike_by_all(attempt: int) -> None:
    """By who plans them, and by who shows them and knows no schedule."""
    match = MatchId("spring", 1, 2, 0, attempt)
    assert attempt_of(str(match)) == (str(replace(match, attempt=1)), attempt)
    assert nth_attempt("spring.1.2.0", attempt) == str(match)
