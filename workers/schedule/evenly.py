"""All tables of a small field in an order in which nobody ever played more than once more often than anybody else.

That there is one follows from the proof of Baranyai's theorem (1975). Entrants come to the tables one after the other.
Were fractions allowed, the next of `left` entrants could sit down at every table by the free seats there / left: then
it sits at the right number of tables at which the same others sit, and among the first m tables at as many as everybody
else who is to come. The latter sums are those of a chain and the former those of a partition, so this is a flow in a
network, and a network whose bounds are whole numbers has a flow of whole numbers within them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Sequence
from math import comb
from typing import Final, TypeAlias

__all__ = ["evenly"]

Table: TypeAlias = tuple[int, ...]
Node: TypeAlias = tuple[str, object]

SOURCE: Final[Node] = ("source", None)
SINK: Final[Node] = ("sink", None)


def evenly(entrants: int, seats: int) -> tuple[Table, ...]:
    """Return all tables of so many entrants; after any number of them two have played as often, or once more."""
    tables: list[Table] = [()] * comb(entrants, seats)
    for one in range(entrants):
        tables = _with(one, tables, seats, entrants - one)
    return tuple(tables)


def _with(one: int, tables: Sequence[Table], seats: int, left: int) -> list[Table]:
    """Return the tables after an entrant sat down, the first of `left` that are still to come."""
    network, free, even = _Network(), 0, 0
    for number, table in enumerate(tables):
        node = ("table", number)
        if number:
            network.edge(node, ("table", number - 1), -(-free // left) - even)
        free += seats - len(table)
        network.edge(SOURCE, node, free // left - even)
        even = free // left
        network.edge(node, ("others", table), 1)
    for table, times in Counter(tables).items():
        network.edge(("others", table), SINK, times * (seats - len(table)) // left)
    network.fill()
    return [
        (*table, one) if network.used(("table", number), ("others", table)) else table
        for number, table in enumerate(tables)
    ]


class _Network:
    """A flow, filled up one by one (Edmonds and Karp 1972); between two nodes there are edges one way only."""

    def __init__(self) -> None:
        self._room: dict[Node, dict[Node, int]] = {SINK: {}}

    def edge(self, one: Node, other: Node, room: int) -> None:
        """Lay an edge through which so many may go."""
        self._room.setdefault(one, {})[other] = room
        self._room.setdefault(other, {})[one] = 0

    def used(self, one: Node, other: Node) -> bool:
        """Return whether something goes through an edge."""
        return self._room[other][one] > 0

    def fill(self) -> None:
        """Send as many from the source to the sink as the edges hold."""
        while path := self._path():
            for one, other in path:
                self._room[one][other] -= 1
                self._room[other][one] += 1

    def _path(self) -> list[tuple[Node, Node]]:
        """Return the edges of a shortest way on which there is room; none: there is no way."""
        before, waiting = {SOURCE: SOURCE}, deque([SOURCE])
        while waiting and SINK not in before:
            one = waiting.popleft()
            for other, room in self._room[one].items():
                if room and other not in before:
                    before[other] = one
                    waiting.append(other)
        path, node = list[tuple[Node, Node]](), SINK
        while node in before and node != SOURCE:
            path.append((before[node], node))
            node = before[node]
        return path
