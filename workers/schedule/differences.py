"""One leg of tables on a circle of entrants whose turns, step by step round the circle, are balanced legs.

Two entrants that are `d` steps apart meet once for every pair of the leg that is `d` apart. So balance is a property
of one leg: all differences have to occur about equally often. It is found by swapping, and since no list of legs is
needed, a thousand entrants cost no more memory than one leg.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from workers.schedule.dice import Dice

__all__ = ["FIXED", "Leg", "first_leg", "folded"]

STEPS: Final = 20_000
STEPS_EACH: Final = 20
"""Swaps tried at most, and further ones for each entrant."""
FIXED: Final = 3
"""From so many tables on, who sits out is fixed before the search."""
THRESHOLD: Final = 6
"""So much worse a swap may be at first; it falls to nothing. Whole numbers, so that all machines agree."""


@dataclass(frozen=True, slots=True)
class Leg:
    """Tables of places on the circle, and the places that sit out."""

    tables: tuple[tuple[int, ...], ...]
    bench: tuple[int, ...] = ()


def folded(places: int) -> list[int]:
    """Return the distance round the circle by difference; negative differences index it from its end."""
    return [min(difference, places - difference) for difference in range(places)]


def first_leg(places: int, sizes: Sequence[int], bench: Sequence[int] = ()) -> Leg:
    """Return tables of these sizes on a circle of so many places; the places that are left sit out.

    With three tables or more the bench is spread evenly over the circle, so that after any number of legs nobody has
    sat out more than once more often than anybody else. A smaller leg needs that freedom for its balance.

    Args:
        places: On the circle.
        sizes: Seats of each table.
        bench: Who sits out, where that is settled.
    """
    left = places - sum(sizes)
    if not bench and len(sizes) >= FIXED:
        bench = [number * places // left for number in range(left)]
    free = [place for place in range(places) if place not in set(bench)]
    search = _Search(places, sizes, free, Dice(f"lastcard/tables/1\n{places}\n{','.join(map(str, sizes))}"))
    tables, rest = search.run()
    return Leg(tables, (*bench, *rest))


class _Search:
    """A leg in the making: threshold accepting (Dueck and Scheuer 1990) on the sum of squared meetings."""

    def __init__(self, places: int, sizes: Sequence[int], free: Sequence[int], dice: Dice) -> None:
        shuffled = iter(dice.shuffled(free))
        self._groups = [[next(shuffled) for _ in range(size)] for size in sizes]
        self._tables = len(sizes)
        if rest := list(shuffled):
            self._groups.append(rest)
        self._dice = dice
        self._fold = folded(places)
        # Entrants that are half the circle apart meet twice a cycle for each time that their difference occurs.
        self._weight = [0] + [1 + (2 * d == places) for d in range(1, places // 2 + 1)]
        self._count = [0] * len(self._weight)
        for table in self._groups[: self._tables]:
            for one, other in combinations(table, 2):
                self._count[self._fold[one - other]] += 1
        self._steps = STEPS + STEPS_EACH * places

    def run(self) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
        """Return the best tables that were found, and who sits out."""
        cost, best = 0, 0
        kept = [list(group) for group in self._groups]
        if len(self._groups) > 1 and not self._even():
            for step in range(self._steps):
                cost += self._try(THRESHOLD * (self._steps - step) // self._steps)
                if cost < best:
                    best, kept = cost, [list(group) for group in self._groups]
                    if self._even():
                        break
        tables = tuple(map(tuple, kept[: self._tables]))
        return tables, tuple(place for group in kept[self._tables :] for place in group)

    def _even(self) -> bool:
        """Return whether pairs could not meet more evenly: equally often, or within one where that cannot be."""
        meetings = [weight * count for weight, count in zip(self._weight[1:], self._count[1:], strict=True)]
        return max(meetings) - min(meetings) <= 1

    def _try(self, worse: int) -> int:
        """Swap two places of two groups, one of them a table, unless that is too much worse; return the difference."""
        below = self._dice.below
        here, there = below(self._tables), below(len(self._groups) - 1)
        there += there >= here
        one, other = self._groups[here], self._groups[there]
        a, b = below(len(one)), below(len(other))
        x, y = one[a], other[b]
        more = self._exchange(one, x, y)
        if there < self._tables:
            more += self._exchange(other, y, x)
        if more <= worse:
            one[a], other[b] = y, x
            return more
        self._exchange(one, y, x, but=x)
        if there < self._tables:
            self._exchange(other, x, y, but=y)
        return 0

    def _exchange(self, table: list[int], old: int, new: int, but: int | None = None) -> int:
        """Count the differences of a table as if `new` sat there for `old`; return how much worse that is."""
        fold, count, weight = self._fold, self._count, self._weight
        seat, more = old if but is None else but, 0
        for mate in table:
            if mate != seat:
                d = fold[old - mate]
                more += weight[d] * (1 - 2 * count[d])
                count[d] -= 1
                d = fold[new - mate]
                more += weight[d] * (1 + 2 * count[d])
                count[d] += 1
        return more
