"""What a description stands for: who is paired with whom, in which order, on which side."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations

from workers.schedule.balanced import Combinations, Turning
from workers.schedule.pairing import RoundRobin
from workers.tournaments.draw import drawn
from workers.tournaments.spec import Deals, Kind, TournamentSpec
from workers.tournaments.terms import Terms

PAIRS = Terms("uno-pairs-4", "0123456789abcdef", 1, 4, Deals.FRESH, (0, 1, 0, 1))
FOUR = Terms("uno-classic-4", "0123456789abcdef", 1, 4, Deals.FRESH)


def spec(*bots: str, terms: Terms = PAIRS, meetings: int = 40) -> TournamentSpec:
    return TournamentSpec("spring", terms.name, bots=bots, meetings=meetings)


def entrants(description: TournamentSpec) -> tuple[str, ...]:
    return tuple(f"{name}@1" for name in description.names)


def test_a_side_of_two_stays_together() -> None:
    """Partners sit opposite each other in every match, and each pair of sides meets."""
    description = spec("ann+bob", "cat+dan", "eve+fox")
    schedule = drawn(description, PAIRS, entrants(description))
    assert isinstance(schedule.pairing, RoundRobin)
    met: Counter[frozenset[frozenset[str]]] = Counter()
    for fixture in schedule:
        met[frozenset((frozenset(fixture.entrants[::2]), frozenset(fixture.entrants[1::2])))] += fixture.meetings
    sides = [frozenset({"ann@1", "bob@1"}), frozenset({"cat@1", "dan@1"}), frozenset({"eve@1", "fox@1"})]
    assert met == {frozenset(pair): 40 for pair in combinations(sides, 2)}


def test_partners_change_places() -> None:
    """Over the parts of a pairing each bot follows both of the other side."""
    description = spec("ann+bob", "cat+dan", meetings=160)
    follows: Counter[tuple[str, str]] = Counter()
    for fixture in drawn(description, PAIRS, entrants(description)):
        follows.update((fixture.entrants[place - 1], fixture.entrants[place]) for place in range(4))
    assert len(follows) == 8
    assert max(follows.values()) - min(follows.values()) <= 2


def test_single_bots_find_partners_by_the_draw() -> None:
    """Without sides every bot plays for itself, with changing partners."""
    description = spec("ann", "bob", "cat", "dan", "eve")
    schedule = drawn(description, PAIRS, entrants(description))
    assert isinstance(schedule.pairing, Combinations)
    partners = {frozenset(fixture.entrants[side::2]) for fixture in schedule for side in (0, 1)}
    assert partners == set(map(frozenset, combinations(entrants(description), 2)))


def test_the_seed_shuffles_sides_as_a_whole() -> None:
    """Sides are drawn, never torn apart."""
    description = spec("ann+bob", "cat+dan", "eve+fox", "gus+hal")
    drawn_sides = {
        drawn(replace(description, schedule_seed=seed), PAIRS, entrants(description)).entrants for seed in range(9)
    }
    assert len(drawn_sides) > 1
    assert {frozenset(found[place : place + 2]) for found in drawn_sides for place in range(0, 8, 2)} == {
        frozenset(f"{name}@1" for name in side) for side in description.sides
    }


def test_a_side_runs_the_gauntlet() -> None:
    """The side named first meets all others, whatever the seed."""
    description = replace(spec("ann+bob", "cat+dan", "eve+fox"), kind=Kind.GAUNTLET, schedule_seed=3)
    schedule = drawn(description, PAIRS, entrants(description))
    assert all({"ann@1", "bob@1"} < set(fixture.entrants) for fixture in schedule)
    assert schedule.seats == 4


def test_the_first_named_bot_runs_the_gauntlet() -> None:
    """Whatever the seed and the number of seats, the first bot meets all others."""
    description = replace(spec("hero", "ann", "bob", "cat", "dan", terms=FOUR), kind=Kind.GAUNTLET, schedule_seed=7)
    schedule = drawn(description, FOUR, entrants(description))
    assert all("hero@1" in fixture.entrants for fixture in schedule)
    assert len({fixture.entrants for fixture in schedule}) == len(schedule)


def test_a_larger_field_turns() -> None:
    """A field whose combinations are too many sits on a circle; ids, seats and meetings add up."""
    description = spec(*(f"bot-{number}" for number in range(14)), terms=FOUR)
    schedule = drawn(description, FOUR, entrants(description))
    assert isinstance(schedule.pairing, Turning)
    fixtures = list(schedule)
    assert len({str(fixture.id) for fixture in fixtures}) == len(fixtures) == len(schedule) == 14 * 3 * 3
    played: Counter[str] = Counter()
    for fixture in fixtures:
        played.update(dict.fromkeys(fixture.entrants, fixture.meetings))
    assert set(played.values()) == {12 * 40}
