"""Shuffles that are wrong in ways in which people get them wrong; each must be found out."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Decks = NDArray[np.uint8]
Rng = np.random.Generator


def _sorted(decks: int, size: int) -> Decks:
    return np.tile(np.arange(size, dtype=np.uint8), (decks, 1))


def _swap(found: Decks, at: int | NDArray[np.int64], other: NDArray[np.int64]) -> None:
    """Swap two positions in every deck."""
    rows = np.arange(len(found))
    kept = found[rows, at].copy()
    found[rows, at] = found[rows, other]
    found[rows, other] = kept


def right(decks: int, size: int, rng: Rng) -> Decks:
    """The shuffle as it should be, to see that it is not accused."""
    found = _sorted(decks, size)
    for i in range(size - 1, 0, -1):
        _swap(found, i, rng.integers(0, i + 1, decks))
    return found


def swap_with_any(decks: int, size: int, rng: Rng) -> Decks:
    """Every position is swapped with any position, also those that are done."""
    found = _sorted(decks, size)
    for i in range(size):
        _swap(found, i, rng.integers(0, size, decks))
    return found


def random_swaps(decks: int, size: int, rng: Rng) -> Decks:
    """As many swaps of two random positions as there are cards: too few."""
    found = _sorted(decks, size)
    for _ in range(size):
        _swap(found, rng.integers(0, size, decks), rng.integers(0, size, decks))
    return found


def never_itself(decks: int, size: int, rng: Rng) -> Decks:
    """The index is off by one: below(i), so that no card may stay where it is."""
    found = _sorted(decks, size)
    for i in range(size - 1, 0, -1):
        _swap(found, i, rng.integers(0, i, decks))
    return found


def stops_early(decks: int, size: int, rng: Rng) -> Decks:
    """The loop is off by one: the last swap, of the first two positions, is missing."""
    found = _sorted(decks, size)
    for i in range(size - 1, 1, -1):
        _swap(found, i, rng.integers(0, i + 1, decks))
    return found


def never_the_last(decks: int, size: int, rng: Rng) -> Decks:
    """The loop begins one too low: the last card stays."""
    found = _sorted(decks, size)
    for i in range(size - 2, 0, -1):
        _swap(found, i, rng.integers(0, i + 1, decks))
    return found


def byte_modulo(decks: int, size: int, rng: Rng) -> Decks:
    """A byte modulo m, and no byte passed over: low positions come more often."""
    found = _sorted(decks, size)
    for i in range(size - 1, 0, -1):
        _swap(found, i, rng.integers(0, 256, decks) % (i + 1))
    return found


def byte_scaled(decks: int, size: int, rng: Rng) -> Decks:
    """A byte times m, divided by 256: some positions come more often than others."""
    found = _sorted(decks, size)
    for i in range(size - 1, 0, -1):
        _swap(found, i, rng.integers(0, 256, decks) * (i + 1) // 256)
    return found


def one_number_for_two(decks: int, size: int, rng: Rng) -> Decks:
    """Every number from 0 to 1 is scaled for two swaps."""
    found = _sorted(decks, size)
    numbers = rng.random(decks)
    for i in range(size - 1, 0, -1):
        if i % 2 == (size - 1) % 2:
            numbers = rng.random(decks)
        _swap(found, i, (numbers * (i + 1)).astype(np.int64))
    return found


def sort_by_byte(decks: int, size: int, rng: Rng) -> Decks:
    """Cards sorted by a random byte each: what is equal keeps its order."""
    return np.argsort(rng.integers(0, 256, (decks, size)), axis=1, kind="stable").astype(np.uint8)


def riffled(decks: int, size: int, rng: Rng) -> Decks:
    """Five riffles, as by hand: seven are not enough either."""
    found = _sorted(decks, size)
    for _ in range(5):
        halves = np.argsort(rng.integers(0, 2, (decks, size)), axis=1, kind="stable")
        merged = np.empty_like(found)
        np.put_along_axis(merged, halves, found, axis=1)
        found = merged
    return found


def cut(decks: int, size: int, rng: Rng) -> Decks:
    """The right shuffle, once for every eight decks; the others are cut."""
    found = np.repeat(right(-(-decks // 8), size, rng), 8, axis=0)[:decks]
    places = (np.arange(size) + rng.integers(0, size, (decks, 1))) % size
    return np.take_along_axis(found, places, axis=1)


def same_for_two(decks: int, size: int, rng: Rng) -> Decks:
    """The counter does not move: a deck comes twice."""
    return np.repeat(right(-(-decks // 2), size, rng), 2, axis=0)[:decks]


def reseeded(decks: int, size: int, rng: Rng) -> Decks:
    """Seeded from the clock, which shows seconds: what is dealt within one has the same cards."""
    within = 50
    whole = right(-(-decks // within), size, rng)
    return np.repeat(whole, within, axis=0)[:decks]


PLANTED: dict[str, Callable[[int, int, Rng], Decks]] = {
    made.__name__: made
    for made in (
        swap_with_any,
        random_swaps,
        never_itself,
        stops_early,
        never_the_last,
        byte_modulo,
        byte_scaled,
        one_number_for_two,
        sort_by_byte,
        riffled,
        cut,
        same_for_two,
        reseeded,
    )
}
