"""Questions to ask of shuffled decks.

Each is answered by a z: about normal, with mean 0 and deviation 1, if all orders are equally likely.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Decks = NDArray[np.uint8]  # a row is a deck: its cards by position, each from 0 to size - 1 once
Counts = NDArray[np.int64]

LAGS = (1, 2, 3, 7)


class Battery:
    """Takes in decks and says how far they are from even."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.decks = 0
        self.places = np.zeros((size, size), np.int64)  # position, card
        self.neighbours = np.zeros((size, size), np.int64)  # card, the one behind it
        half = size // 2
        self.pairs = {
            pair: np.zeros((size, size), np.int64) for pair in ((0, 1), (0, size - 1), (half, half + 1), (1, size - 2))
        }
        self.sums = dict.fromkeys(self._moments(), 0.0)
        self.squares = dict.fromkeys(self.sums, 0.0)

    def add(self, decks: Decks) -> None:
        """Look at some decks; those behind each other are compared."""
        self.decks += len(decks)
        wide = decks.astype(np.int64)
        self.places += _joint(np.broadcast_to(np.arange(self.size), wide.shape), wide, self.size)
        self.neighbours += _joint(wide[:, :-1], wide[:, 1:], self.size)
        for first, second in self.pairs:
            self.pairs[first, second] += _joint(wide[:, first], wide[:, second], self.size)
        for name, values in self._values(wide):
            self.sums[name] += float(values.sum())
            self.squares[name] += float((values.astype(np.float64) ** 2).sum())

    def z(self) -> dict[str, float]:
        """How far from even, by question."""
        n, decks = self.size, self.decks
        freedom = (n - 1) ** 2
        found = {
            "position x card": _z(_chi(self.places, decks / n) * (n - 1) / n, freedom),
            "card x card behind": _z(_chi(self.neighbours, decks / n, diagonal=False), freedom),
        }
        for (first, second), counts in self.pairs.items():
            chi = _chi(counts, decks / (n * (n - 1)), diagonal=False)
            found[f"cards at {first} and {second}"] = _z(chi, n * (n - 1) - 1)
        for name, (mean, variance) in self._moments().items():
            spread = variance or max(self.squares[name] / decks - (self.sums[name] / decks) ** 2, 1e-12)
            found[name] = (self.sums[name] / decks - mean) / math.sqrt(spread / decks)
        return found

    def reached(self) -> bool:
        """Whether every card was in every position."""
        return bool((self.places > 0).all())

    def _moments(self) -> dict[str, tuple[float, float]]:
        """Mean and variance of the numbers that a deck has; variance 0: as it is measured."""
        n = self.size
        harmonic = sum(1 / k for k in range(1, n + 1))
        spread = (n * n - 1) / 12
        return {
            "falls": ((n - 1) / 2, (n + 1) / 12),
            "long runs": (_long_runs(n), 0),
            "inversions": (n * (n - 1) / 4, n * (n - 1) * (2 * n + 5) / 72),
            "cards in their own place": (1.0, 1.0),
            "cycles": (harmonic, harmonic - sum(1 / k**2 for k in range(1, n + 1))),
            "odd": (0.5, 0.25),
            **{f"correlation at {lag}": (-(n - lag) * spread / (n - 1), 0) for lag in LAGS},
            "correlation with the next deck": (0.0, 0),
            "places shared with the next deck": (1.0, 1.0),
        }

    def _values(self, decks: Counts) -> Iterator[tuple[str, NDArray[np.float64] | Counts]]:
        n = self.size
        rising = decks[:, 1:] > decks[:, :-1]
        yield "falls", (~rising).sum(axis=1)
        yield "long runs", (rising[:, :-2] & rising[:, 1:-1] & rising[:, 2:]).sum(axis=1)
        yield "inversions", _inversions(decks.astype(np.uint8))
        yield "cards in their own place", (decks == np.arange(n)).sum(axis=1)
        cycles = _cycles(decks)
        yield "cycles", cycles
        yield "odd", (n - cycles) % 2
        centred = decks - (n - 1) / 2
        for lag in LAGS:
            yield f"correlation at {lag}", (centred[:, :-lag] * centred[:, lag:]).sum(axis=1)
        yield "correlation with the next deck", (centred * np.roll(centred, 1, axis=0)).sum(axis=1)
        yield "places shared with the next deck", (decks == np.roll(decks, 1, axis=0)).sum(axis=1)


def worst(found: dict[str, float]) -> tuple[str, float]:
    """The question with the answer farthest from even."""
    name = max(found, key=lambda one: abs(found[one]))
    return name, found[name]


def faces(decks: NDArray[np.uint8], deck: bytes) -> float:
    """The z of position x face, for decks in which faces have several copies."""
    size = len(deck)
    kinds = sorted(set(deck))
    chi = 0.0
    for kind in kinds:
        expected = len(decks) * deck.count(kind) / size
        chi += float((((decks == kind).sum(axis=0) - expected) ** 2 / expected).sum())
    return _z(chi * (size - 1) / size, (size - 1) * (len(kinds) - 1))


def uniform(values: list[int], below: int) -> float:
    """The z of how evenly numbers below a limit come."""
    counts = np.bincount(np.array(values), minlength=below)
    return _z(float(((counts - len(values) / below) ** 2).sum() / (len(values) / below)), below - 1)


def apart(decks: Decks, others: Decks) -> dict[str, float]:
    """The z of what two shuffles of one round have to do with each other: nothing."""
    n = decks.shape[1]
    middle = (n - 1) / 2
    products = ((decks - middle) * (others - middle)).sum(axis=1)
    shared = (decks == others).sum(axis=1)
    spread = max(float(products.var()), 1e-12)
    return {
        "correlation": float(products.mean()) / math.sqrt(spread / len(decks)),
        "places shared": (float(shared.mean()) - 1) / math.sqrt(1 / len(decks)),
    }


def _joint(rows: Counts, columns: Counts, size: int) -> Counts:
    return np.bincount((rows * size + columns).ravel(), minlength=size * size).reshape(size, size)


def _chi(counts: Counts, expected: float, *, diagonal: bool = True) -> float:
    squares = (counts - expected) ** 2 / expected
    return float(squares.sum() - (0 if diagonal else np.trace(squares)))


def _z(chi: float, freedom: int) -> float:
    return (chi - freedom) / math.sqrt(2 * freedom)


def _long_runs(n: int) -> float:
    """The mean number of places at which four cards rise in a row."""
    return (n - 3) / 24


def _inversions(decks: Decks) -> Counts:
    """The pairs of each deck that stand in falling order."""
    found = np.zeros(len(decks), np.int64)
    for distance in range(1, decks.shape[1]):
        found += (decks[:, distance:] < decks[:, :-distance]).sum(axis=1)
    return found


def _cycles(decks: Counts) -> Counts:
    """The number of cycles of each deck, read as a permutation: cards that are the least of their cycle."""
    rows = np.arange(len(decks))[:, None]
    size = decks.shape[1]
    least = np.broadcast_to(np.arange(size), decks.shape).copy()
    jump = decks.copy()
    for _ in range(math.ceil(math.log2(size)) + 1):
        least = np.minimum(least, least[rows, jump])
        jump = jump[rows, jump]
    found: Counts = (least == np.arange(size)).sum(axis=1)
    return found
