"""Circular orders of a table: who acts after whom, turn by turn, so that nobody always follows the same bot."""

from __future__ import annotations

from functools import cache

__all__ = ["orders", "turned"]

Order = tuple[int, ...]


@cache
def orders(seats: int) -> tuple[Order, ...]:
    """Return circular orders of `0 … seats-1` in which everybody acts just before each other one about equally often.

    Two and three seats have one and two orders, four have six. An odd number has the seats - 1 directed cycles of
    Walecki, where every ordered pair is adjacent exactly once. A larger even number has the seats rows of the zigzag
    square of Williams: every ordered pair once, and opposite places once more.
    """
    if seats == 4:
        ahead: tuple[Order, ...] = ((0, 1, 2, 3), (0, 2, 3, 1), (0, 3, 1, 2))
        return ahead + tuple(tuple(reversed(order)) for order in ahead)
    if seats % 2:
        ahead = tuple(_walecki(seats, turn) for turn in range(seats // 2))
        return ahead + tuple(tuple(reversed(order)) for order in ahead)
    zigzag = _zigzag(seats)
    rows = seats if seats > 2 else 1
    return tuple(tuple((place + row) % seats for place in zigzag) for row in range(rows))


def turned(table: Order, turn: int) -> Order:
    """Return who sits where in a table's `turn`-th part: another circular order, and another one leads."""
    seats = len(table)
    order = orders(seats)[turn % len(orders(seats))]
    first = turn % seats
    return tuple(table[order[(place + first) % seats]] for place in range(seats))


def _zigzag(places: int) -> Order:
    """Return 0, 1, n-1, 2, n-2, …: all differences of neighbours are different."""
    return tuple((place + 1) // 2 if place % 2 else (places - place // 2) % places for place in range(places))


def _walecki(seats: int, turn: int) -> Order:
    """Return one of the cycles into which all pairs of an odd number fall apart: a hub and a turned zigzag."""
    rim = seats - 1
    return (rim, *((place + turn) % rim for place in _zigzag(rim)))
