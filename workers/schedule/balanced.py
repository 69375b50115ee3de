"""Tables of more than two seats, in which everybody plays as often and meets everybody else about as often.

A small field plays all combinations, which is exactly balanced. A larger one sits on a circle and turns: its cycle has
one leg fewer than entrants where the tables take everybody, and one leg for each entrant where some sit out. After any
leg nobody has played more than once more often than anybody else, but for some fields of one or two tables: where no
turn of the circle has that and meets evenly, too, the meetings decide (`BENCHES`).
Nothing here depends on the public schedule seed; that decides which entrant has which number.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

from workers.schedule.bench import BENCHES, turns
from workers.schedule.differences import FIXED, Leg, first_leg, folded
from workers.schedule.evenly import evenly
from workers.schedule.neighbours import arranged
from workers.schedule.pairing import Pairing

__all__ = ["FEW", "Combinations", "Turning", "balanced"]

FEW: Final = 200
"""So many tables, at most, are all played."""


def balanced(
    entrants: int, seats: int, teams: tuple[int, ...] | None = None, *, even: bool = True
) -> Combinations | Turning:
    """Return one cycle of tables of more than two seats.

    Args:
        entrants: At least as many as seats.
        seats: Of a table.
        teams: Team by place in the circular order; then partners change as evenly as neighbours.
        even: False: in the order of the first release, in which small fields played less evenly within a cycle; what
            began by it ends by it.
    """
    if comb(entrants, seats) <= FEW:
        return Combinations(entrants, seats, teams, even)
    return Turning(entrants, seats, teams, even)


@dataclass(frozen=True, slots=True)
class Combinations:
    """Every table that there can be, one after the other."""

    entrants: int
    seats: int
    teams: tuple[int, ...] | None = None
    even: bool = True

    @property
    def legs(self) -> int:
        """Legs of a cycle: one for each combination."""
        return comb(self.entrants, self.seats)

    @property
    def tables(self) -> int:
        """One."""
        return 1

    def least_tables(self) -> int:
        """Return the tables that everybody plays at in a cycle."""
        return comb(self.entrants - 1, self.seats - 1)

    def at(self, leg: int, table: int) -> tuple[int, ...]:
        """Return the entrants of a table in their circular order."""
        _check(self, leg, table)
        return _combined(self.entrants, self.seats, self.teams, self.even)[leg]


@dataclass(frozen=True, slots=True)
class Turning:
    """Tables on a circle: each leg is the one before it, one step further."""

    entrants: int
    seats: int
    teams: tuple[int, ...] | None = None
    even: bool = True

    @property
    def legs(self) -> int:
        """Legs of a cycle, after which everybody has played equally often."""
        return _places(self.entrants, self.seats)

    @property
    def tables(self) -> int:
        """Tables of a leg."""
        return self.entrants // self.seats

    def least_tables(self) -> int:
        """Return the tables that everybody plays at in a cycle."""
        return self.legs * self.tables * self.seats // self.entrants

    def at(self, leg: int, table: int) -> tuple[int, ...]:
        """Return the entrants of a table in their circular order."""
        _check(self, leg, table)
        circle = _circle(self.entrants, self.seats, self.teams, self.even)
        places, step = self.legs, circle.steps[leg]
        return tuple(place if place == places else (place + step) % places for place in circle.tables[table])


def _check(pairing: Pairing, leg: int, table: int) -> None:
    if not (0 <= leg < pairing.legs and 0 <= table < pairing.tables):
        found = f"{pairing.legs} legs of {pairing.tables}"
        raise IndexError(f"table {table} of leg {leg}: this cycle has {found}")


def _places(entrants: int, seats: int) -> int:
    """Return the places on the circle; where nobody sits out, the last entrant stays outside and never moves."""
    return entrants - 1 if entrants % seats == 0 else entrants


@dataclass(frozen=True, slots=True)
class _Circle:
    """The first leg in circular orders, and how far it is turned for each leg."""

    tables: tuple[tuple[int, ...], ...]
    steps: tuple[int, ...]


@cache
def _circle(entrants: int, seats: int, teams: tuple[int, ...] | None, even: bool) -> _Circle:  # noqa: FBT001
    places, tables = _places(entrants, seats), entrants // seats
    outside = places < entrants
    sizes = [seats] * (tables - outside) + [seats - 1] * outside
    bench = BENCHES.get((entrants, seats), ()) if even else ()
    leg = first_leg(places, sizes, bench)
    seated = [*map(list, leg.tables)]
    if outside:
        seated[-1].append(places)
    fold = folded(places)

    def before(one: int, other: int) -> int | None:
        return None if places in {one, other} else (other - one) % places

    def beside(one: int, other: int) -> int | None:
        return None if places in {one, other} else fold[one - other]

    steps = turns(places, bench) if bench else _steps(leg, places)
    return _Circle(arranged(seated, before, beside, teams), tuple(steps))


def _steps(leg: Leg, places: int) -> Iterator[int]:
    """Yield how far the leg is turned each time; where the bench is not spread, next sit out those who did so least."""
    if len(leg.bench) < 2 or len(leg.tables) >= FIXED:
        yield from range(places)
        return
    rested, left = [0] * places, set(range(places))
    while left:
        step = min(left, key=lambda step: (sum(rested[(place + step) % places] for place in leg.bench), step))
        left.remove(step)
        yield step
        for place in leg.bench:
            rested[(place + step) % places] += 1


@cache
def _combined(entrants: int, seats: int, teams: tuple[int, ...] | None, even: bool) -> tuple[tuple[int, ...], ...]:  # noqa: FBT001
    def beside(one: int, other: int) -> tuple[int, int]:
        return min(one, other), max(one, other)

    tables = evenly(entrants, seats) if even else tuple(_in_turn(entrants, seats))
    return arranged(tables, lambda one, other: (one, other), beside, teams)


def _in_turn(entrants: int, seats: int) -> Iterator[tuple[int, ...]]:
    """Yield all combinations as the first release did: next those who have played least, then who did not just play."""
    played, last = [0] * entrants, [-1] * entrants
    left = list(combinations(range(entrants), seats))
    for number in range(len(left)):
        table = min(left, key=lambda table: (sum(played[one] for one in table), sum(last[one] for one in table)))
        left.remove(table)
        yield table
        for one in table:
            played[one], last[one] = played[one] + 1, number
