"""Groups of tables that share deals: with `field` deals those of a leg do, but no owner meets a deal twice. Pure.

The tables of a leg are parted into groups in which no owner stands twice; each group has deals of its own. A table at
which an owner sits twice shares its deals with nobody. House bots remember nothing and may meet a deal again.

A leg has `LEAST_TABLES` at least, and a group may have fewer: what is taken out of its results is reckoned by its own
number of tables, and is nothing for a table alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

__all__ = ["HOUSE", "LEAST_TABLES", "groups"]

HOUSE: Final = 0
"""Kin of the operator's own bots: they may meet each other in rated games."""
LEAST_TABLES: Final = 8
"""Of a leg: with fewer tables shared deals make ratings hardly any surer."""


def groups(tables: Sequence[Sequence[str]], kin: Mapping[str, int]) -> tuple[str, ...]:
    """Return the name of each table's group: `g0`, `g1`, …, or `t<table>` for one that shares with nobody.

    Args:
        tables: Entrants by table of a leg.
        kin: Entrants to the number of their owner.
    """
    owners_of: list[set[int]] = []
    found = []
    for number, entrants in enumerate(tables, 1):
        owners = [kin[bot] for bot in entrants if kin[bot] != HOUSE]
        if len(set(owners)) < len(owners):
            found.append(f"t{number}")
            continue
        group = next((n for n, taken in enumerate(owners_of) if taken.isdisjoint(owners)), len(owners_of))
        if group == len(owners_of):
            owners_of.append(set())
        owners_of[group] |= set(owners)
        found.append(f"g{group}")
    return tuple(found)
