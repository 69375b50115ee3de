"""Circular orders of tables that are chosen together, so that nobody always acts just before the same other one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import combinations
from typing import Final, TypeAlias

__all__ = ["Relation", "arranged"]

Relation: TypeAlias = Callable[[int, int], Hashable | None]
"""What two entrants have in common with other pairs that are to be as frequent; None: it does not matter."""

PASSES: Final = 4
"""Times that all tables are gone through, at most."""


def arranged(
    tables: Sequence[Sequence[int]], before: Relation, beside: Relation, teams: Sequence[int] | None = None
) -> tuple[tuple[int, ...], ...]:
    """Return the tables in circular orders in which all `before` are about equally frequent, and partners, too.

    Args:
        tables: Who sits together.
        before: Class of one who acts just before another.
        beside: Class of two partners.
        teams: Team by place; None: everybody alone.
    """
    search = _Search([list(table) for table in tables], before, beside, teams)
    for _ in range(PASSES):
        better = [search.improve(table) for table in search.tables]
        if not any(better):
            break
    return tuple(map(tuple, search.tables))


class _Search:
    """Orders in the making: two entrants of a table change places wherever that is better."""

    def __init__(
        self, tables: list[list[int]], before: Relation, beside: Relation, teams: Sequence[int] | None
    ) -> None:
        self.tables = tables
        self._before = before
        self._beside = beside
        self._teams = teams
        self._count: Counter[Hashable] = Counter()
        for table in tables:
            self._note(table, 1)

    def improve(self, table: list[int]) -> bool:
        """Change places within one table as long as that helps; return whether it did."""
        self._note(table, -1)
        cost, better = self._cost(table), False
        for a, b in combinations(range(len(table)), 2):
            table[a], table[b] = table[b], table[a]
            if (found := self._cost(table)) < cost:
                cost, better = found, True
            else:
                table[a], table[b] = table[b], table[a]
        self._note(table, 1)
        return better

    def _cost(self, table: list[int]) -> int:
        """Return by how much a table raises the sum of squares."""
        here = Counter(self._relations(table))
        return sum((2 * self._count[relation] + times) * times for relation, times in here.items())

    def _note(self, table: list[int], times: int) -> None:
        for relation in self._relations(table):
            self._count[relation] += times

    def _relations(self, table: list[int]) -> list[Hashable]:
        found = [("before", self._before(one, table[place - 1])) for place, one in enumerate(table)]
        if self._teams is not None:
            pairs = combinations(range(len(table)), 2)
            mates = [(table[a], table[b]) for a, b in pairs if self._teams[a] == self._teams[b]]
            found += [("beside", self._beside(one, other)) for one, other in mates]
        return [relation for relation in found if relation[1] is not None]
