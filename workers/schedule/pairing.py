"""Who meets whom: pairings by index, so that a thousand bots need no list.

An entrant is a number from 0. A *leg* is one pass in which an entrant has at most one table; a *cycle* is all legs.
A pairing answers three questions (how many legs, how many tables a leg, who sits at a table), and the schedule needs
nothing else: `balanced` has tables of more than two seats, `gauntlet` one entrant against the others.
"""

from dataclasses import dataclass
from typing import Protocol

__all__ = ["Pairing", "RoundRobin", "legs", "pair_at", "pairs", "tables"]


class Pairing(Protocol):
    """One cycle of tables."""

    @property
    def legs(self) -> int:
        """Legs of a cycle."""
        ...

    @property
    def tables(self) -> int:
        """Tables of a leg."""
        ...

    @property
    def seats(self) -> int:
        """Entrants of a table."""
        ...

    def least_tables(self) -> int:
        """Return the number of tables of a cycle that every entrant has at least."""
        ...

    def at(self, leg: int, table: int) -> tuple[int, ...]:
        """Return the entrants of a table, the one that leads first; `leg` and `table` from 0."""
        ...


def legs(n: int) -> int:
    """Return the legs in which `n` entrants all meet once: n - 1, or n where somebody always sits out."""
    return n - 1 + n % 2


def tables(n: int) -> int:
    """Return the tables of one leg of `n` entrants."""
    return n // 2


def pairs(n: int) -> int:
    """Return the number of unordered pairs of `n` entrants."""
    return n * (n - 1) // 2


def pair_at(n: int, k: int) -> tuple[int, int]:
    """Return the k-th pair of the circle (Berger) method, the one that leads first; `k` from 0, leg by leg.

    The last entrant of an even field is fixed and the others turn round it; in an odd field that place is the one
    that sits out. Everybody leads in half of its tables: exactly in odd fields, give or take one half in even ones.

    Raises:
        IndexError: there is no such pair.
    """
    if not 0 <= k < pairs(n):
        raise IndexError(f"pair {k} of {n} entrants: allowed 0 to {pairs(n) - 1}")
    return _berger(n, *divmod(k, tables(n)))


def _berger(n: int, leg: int, table: int) -> tuple[int, int]:
    ring = legs(n)
    step = table + n % 2
    if step == 0:
        return (leg, n - 1) if leg % 2 == 0 else (n - 1, leg)
    return (leg + step) % ring, (leg - step) % ring


@dataclass(frozen=True, slots=True)
class RoundRobin:
    """Everybody meets everybody once a cycle, two at a table."""

    entrants: int

    @property
    def legs(self) -> int:
        """Legs of a cycle."""
        return legs(self.entrants)

    @property
    def tables(self) -> int:
        """Tables of a leg."""
        return tables(self.entrants)

    @property
    def seats(self) -> int:
        """Two."""
        return 2

    def least_tables(self) -> int:
        """Return how often an entrant plays in a cycle."""
        return self.entrants - 1

    def at(self, leg: int, table: int) -> tuple[int, ...]:
        """Return the pair of a table, the one that leads first."""
        return pair_at(self.entrants, leg * self.tables + table)
