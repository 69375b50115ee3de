"""Rounds of disjoint tables in which all pairs meet about equally often, found by swapping.

Each round takes those who played least (so sit-outs rotate), sits them at random and then swaps entrants between its
tables while the sum of squared meetings of all pairs does not rise. Last, swaps in any round even out what is left.
The rounds are a list, so this is for fields that are small enough to keep one.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final, TypeAlias

from workers.dice import Dice

__all__ = ["Table", "rounds"]

Table: TypeAlias = tuple[int, ...]

SWAPS: Final = 40
"""Swaps tried in a round for each of its seats."""
SPREAD: Final = 2
"""Difference between the pair that meets most and the one that meets least with which the search is content."""
POLISHES: Final = 6
"""Times that all rounds are gone through again for it."""


def rounds(entrants: int, seats: int, count: int) -> tuple[tuple[Table, ...], ...]:
    """Return so many rounds of tables of so many seats; every entrant plays in as many as any other, within one."""
    search = _Search(entrants, seats, Dice(f"lastcard/rounds/1\n{entrants}\n{seats}"))
    for _ in range(count):
        search.add()
    for _ in range(POLISHES):
        if search.spread() <= SPREAD:
            break
        search.polish()
    return tuple(tuple(map(tuple, tables)) for tables in search.rounds)


class _Search:
    """Rounds in the making."""

    def __init__(self, entrants: int, seats: int, dice: Dice) -> None:
        self.rounds: list[list[list[int]]] = []
        self._seats = seats
        self._dice = dice
        self._played = [0] * entrants
        self._met = [[0] * entrants for _ in range(entrants)]

    def add(self) -> None:
        """Add a round of those who played least."""
        waiting = self._dice.shuffled(range(len(self._played)))
        waiting.sort(key=self._played.__getitem__)
        playing = self._dice.shuffled(waiting[: len(waiting) - len(waiting) % self._seats])
        tables = [playing[first : first + self._seats] for first in range(0, len(playing), self._seats)]
        self.rounds.append(tables)
        for table in tables:
            for one in table:
                self._played[one] += 1
            self._note(table, 1)
        self._even_out(tables)

    def polish(self) -> None:
        """Go through all rounds again, now that all of them are known."""
        for tables in self.rounds:
            self._even_out(tables)

    def spread(self) -> int:
        """Return how many more meetings the pair has that meets most than the one that meets least."""
        counts = [row[other] for one, row in enumerate(self._met) for other in range(one)]
        return max(counts) - min(counts)

    def _even_out(self, tables: list[list[int]]) -> None:
        """Swap entrants between the tables of a round while pairs do not meet more unevenly by it."""
        if len(tables) == 1:
            return
        for table in tables:
            self._note(table, -1)
        below, seats = self._dice.below, self._seats
        for _ in range(SWAPS * seats * len(tables)):
            here, there = below(len(tables)), below(len(tables) - 1)
            self._swap(tables[here], below(seats), tables[there + (there >= here)], below(seats))
        for table in tables:
            self._note(table, 1)

    def _swap(self, one: list[int], a: int, other: list[int], b: int) -> None:
        """Swap two entrants of two tables of this round unless that is worse; their own meeting drops out."""
        x, y = one[a], other[b]
        met_x, met_y = self._met[x], self._met[y]
        more = -2 * met_x[y]
        for mate in one:
            more += met_y[mate] - met_x[mate]
        for mate in other:
            more += met_x[mate] - met_y[mate]
        if more <= 0:
            one[a], other[b] = y, x

    def _note(self, table: list[int], times: int) -> None:
        for one, other in combinations(table, 2):
            self._met[one][other] += times
            self._met[other][one] += times
