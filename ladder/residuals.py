"""How far the score of each pair is from what ratings explain, in deviations of chance. Pure.

The games of a meeting hang together, most of all on one deal, so a pair's chance is what its meetings show and not that
of independent games. The ratings were fitted to the very scores, too, and took a part of every surprise with them. With
e a meeting's surprise of the pair p, w its information, x its bots (+1, -1), H the information of all games and g the
score of a meeting, to first order

    residual of p = sum over all meetings of (e - w x'H^-1 g),    variance = sum of the squares

which is the sandwich of the fit (`bradley_terry`) taken to residuals. Few meetings tell little of their spread, so it
is drawn towards what all pairs show together. And it is never less than any two games of a meeting can have: where the
one wins with the chance p > 1/2, both are lost no less often than never, so their variance is (2p - 1) / p of that of
independent ones at least (p as if each had won one game more: it is known as well as that). Games of which all are won
show none at all, and would be taken for a miracle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ladder.bradley_terry import Fit, Floats, Ints, Outcomes, information, logistic, meat
from ladder.scoreline import ELO

__all__ = ["deviations"]

WEAK: Final = 1e-6
"""A prior that only makes the information of groups that never met invertible."""
BOUND: Final = 1e-4
"""A pair of whose chance so little is left is explained by its own rating whatever it scores, as in a gauntlet."""
ALIKE: Final = 10.0
"""Meetings of a pair that weigh as much as what all pairs show together."""
LEAST: Final = 0.2
"""Part of the variance of independent games that is left on any deals: .3 was seen, of equal bots on mirrored ones."""


def deviations(
    pairs: Sequence[tuple[str, str]], fitted: Fit, played: Outcomes, taken: Outcomes | None = None
) -> list[float]:
    """Return by pair the score of the first beyond what ratings let expect, over its deviation by chance.

    It has mean zero and deviation one where strengths explain everything. 0 where nothing can be told: the pair never
    met, its ratings follow from its own games alone, or one of them won or lost all of its games (`Fit.unbounded`).

    Args:
        pairs: Of bots of the fit.
        fitted: The fit.
        played: Its games as they were scored.
        taken: The same games as they were fitted, with luck taken out; None: as they were scored.
    """
    theta = np.array([fitted.elo[bot] for bot in fitted.bots]) / ELO
    rows = _Rows.of(theta, played, taken)
    if not len(rows.meeting):
        return [0.0] * len(pairs)
    cells, cell = np.unique(
        np.minimum(rows.one, rows.other) * rows.bots + np.maximum(rows.one, rows.other), return_inverse=True
    )
    sums = np.bincount(cell, np.where(rows.one < rows.other, rows.surprise, -rows.surprise))
    variance = _variances(rows, theta, cells, cell, fitted)
    found = np.where(variance > 0.0, sums / np.sqrt(np.where(variance > 0.0, variance, 1.0)), 0.0)
    return _of(pairs, fitted, dict(zip(cells.tolist(), found.tolist(), strict=True)))


@dataclass(frozen=True, slots=True)
class _Rows:
    """What each meeting of each pair showed beyond what ratings let expect; every field by row but `bots`."""

    bots: int
    meeting: Ints
    one: Ints
    other: Ints
    games: Floats
    surprise: Floats
    """Of the score of `one`."""
    fitted: Floats
    """The same of the score that was fitted, with luck taken out."""
    weight: Floats
    """Information."""

    @classmethod
    def of(cls, theta: Floats, played: Outcomes, taken: Outcomes | None) -> _Rows:
        meeting, one, other, score, games = played.columns()
        expected = logistic(theta[one] - theta[other])
        surprise = score - games * expected
        fitted = surprise if taken is None else taken.columns()[3] - games * expected
        weight = games * expected * (1.0 - expected)
        return cls(len(theta), meeting, one, other, games, surprise, fitted, weight)

    def bend(self, theta: Floats) -> Floats:
        """Return the inverse of the information of all games."""
        met = np.zeros((self.bots, self.bots))
        np.add.at(met, (self.one, self.other), self.games)
        return np.asarray(np.linalg.inv(information(theta, met + met.T, WEAK)), dtype=np.float64)


def _variances(rows: _Rows, theta: Floats, cells: Ints, cell: Ints, fitted: Fit) -> Floats:
    """Return by pair the variance of its residual by chance; 0 where nothing can be told.

    Args:
        rows: What was played.
        theta: Strengths by bot.
        cells: By pair, the lower bot times the number of bots, plus the higher one.
        cell: By row, the place of its pair in `cells`.
        fitted: The fit.
    """
    held = [fitted.bots.index(bot) for bot in fitted.unbounded]
    first, second = cells // rows.bots, cells % rows.bots
    inverse = rows.bend(theta)
    spread: Floats = inverse @ meat(rows.bots, rows.meeting, rows.one, rows.other, rows.fitted) @ inverse
    pull = np.bincount(cell, rows.surprise * _pulls(inverse, rows.meeting, rows.one, rows.other, rows.fitted))
    weight = np.bincount(cell, rows.weight)
    meetings = np.bincount(cell)

    few = 1.0 - 1.0 / len(np.unique(rows.meeting))  # for whom `meat` has made up: here that is done below
    shown = np.bincount(cell, rows.surprise**2) - 2.0 * weight * pull
    shown += few * weight**2 * _between(spread, first, second)
    alone = weight * (1.0 - weight * _between(inverse, first, second))
    free = alone > BOUND * weight
    free_scores = _scores(rows.bots, rows.meeting, rows.one, rows.other)
    shown *= free_scores / max(1, free_scores - rows.bots + len(fitted.components))
    alike = float(shown[free].sum() / alone[free].sum()) if free.any() else 0.0
    variance = (meetings * np.maximum(shown, 0.0) + ALIKE * alike * alone) / (meetings + ALIKE)
    expected = np.maximum(logistic(theta[first] - theta[second]), logistic(theta[second] - theta[first]))
    met = np.bincount(cell, rows.games)
    likely = (met * expected + 1.0) / (met + 2.0)
    variance = np.maximum(variance, np.maximum(LEAST, (2.0 * likely - 1.0) / likely) * alone)
    return np.where(free & ~np.isin(first, held) & ~np.isin(second, held), variance, 0.0)


def _pulls(inverse: Floats, meeting: Ints, one: Ints, other: Ints, surprise: Floats) -> Floats:
    """Return by row how far its meeting alone moves the rating of `one` against `other`."""
    bots, number = len(inverse), np.unique(meeting, return_inverse=True)[1]
    places = np.concatenate([number * bots + one, number * bots + other])
    seats, seat = np.unique(places, return_inverse=True)
    scores = np.bincount(seat, np.concatenate([surprise, -surprise]))
    firsts = np.searchsorted(seats // bots, number)
    sizes = np.bincount(seats // bots)[number]
    pulls = np.zeros(len(number))
    for place in range(int(sizes.max())):
        rows = np.flatnonzero(sizes > place)
        at = firsts[rows] + place
        mate = seats[at] % bots
        pulls[rows] += (inverse[one[rows], mate] - inverse[other[rows], mate]) * scores[at]
    return pulls


def _scores(bots: int, meeting: Ints, one: Ints, other: Ints) -> int:
    """Return how many scores of meetings are free: of each one less than bots."""
    places = np.unique(np.concatenate([meeting * bots + one, meeting * bots + other]))
    return len(places) - len(np.unique(meeting))


def _between(matrix: Floats, one: Ints, other: Ints) -> Floats:
    """Return x' M x by pair, with x +1 at the one and -1 at the other."""
    own = np.diagonal(matrix)
    return np.asarray(own[one] + own[other] - matrix[one, other] - matrix[other, one])


def _of(pairs: Sequence[tuple[str, str]], fitted: Fit, found: dict[int, float]) -> list[float]:
    """Return what was found of these pairs, turned round where they are."""
    bots = len(fitted.bots)
    number = {bot: place for place, bot in enumerate(fitted.bots)}
    places = [(number[a], number[b]) for a, b in pairs]
    return [found.get(min(a, b) * bots + max(a, b), 0.0) * (1 if a < b else -1) + 0.0 for a, b in places]
