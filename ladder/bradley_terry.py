"""Bradley-Terry ratings from all pairs at once, with intervals that respect the meetings.

The games of one meeting are not independent, so the covariance is the sandwich with one cluster a meeting
(Liang and Zeger 1986): V = H^-1 (sum of g g') H^-1 with g the score of a meeting and H the information.
Ratings are in Elo with the mean of the pool at zero. A weak normal prior keeps a bot that won everything finite.
"""

import math
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ladder.elo import halves
from ladder.scoreline import ELO, score_of, superiority
from ladder.standings import SAME, Z95, Fitted

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RIDGE: Final = 0.05
"""Precision of the prior: standard deviation 777 Elo, which shrinks a bot of 1,000 rounds by 0.02 %."""
ENOUGH_MEETINGS: Final = 10
"""A bot; with fewer the sandwich knows too little and the covariance is that of independent games."""
_STEPS: Final = 100
_STILL: Final = 1e-10


class Outcomes:
    """Scores of bots against each other, by meeting."""

    def __init__(self, bots: Sequence[str]) -> None:
        self.bots = tuple(bots)
        self._number = {bot: number for number, bot in enumerate(self.bots)}
        self._rows: list[tuple[int, int, int, float, float]] = []
        self._bulk: tuple[Ints, Ints, Ints, Floats, Floats] | None = None
        self.meetings = 0
        self._overlaps = 0.0

    @property
    def overlap(self) -> float:
        """How much more the scores of a game vary together than alone: 1 at two seats, 5/3 at four, 2 for two pairs.

        A finishing order of t sides of s decides all pairs at once: s (t + 1) / 3.
        """
        return self._overlaps / self.meetings if self.meetings else 1.0

    @classmethod
    def from_arrays(
        cls, bots: Sequence[str], meeting: Ints, one: Ints, other: Ints, score: Floats, games: Floats
    ) -> "Outcomes":
        """Scores in columns: in this meeting bot `one` scored so much in so many games against bot `other`.

        Scores may be any real number: a correction for luck may leave 0 to `games`.
        """
        outcomes = cls(bots)
        outcomes._bulk = (meeting, one, other, score, games)
        return outcomes

    @classmethod
    def joined(cls, bots: Sequence[str], parts: Sequence["Outcomes"]) -> "Outcomes":
        """The meetings of several, one after the other; each was added to its part, and all its bots are in `bots`."""
        outcomes = cls(bots)
        columns = [part.columns() for part in parts]
        if not columns:
            return outcomes
        meeting, one, other, score, games = (np.concatenate(column) for column in zip(*columns, strict=True))
        rows = [len(column[0]) for column in columns]
        numbers = np.array([outcomes._number[bot] for part in parts for bot in part.bots], dtype=np.int64)
        first = np.repeat(_starts(len(part.bots) for part in parts), rows)
        meeting = meeting + np.repeat(_starts(part.meetings for part in parts), rows)
        outcomes._bulk = (meeting, numbers[one + first], numbers[other + first], score, games)
        outcomes.meetings = sum(part.meetings for part in parts)
        outcomes._overlaps = sum(part.overlap * part.meetings for part in parts)
        return outcomes

    def add(
        self,
        entrants: Sequence[str],
        games: Sequence[Sequence[int]],
        teams: Sequence[object] | None = None,
        luck: Sequence[float] | None = None,
    ) -> None:
        """Adds a meeting: places by game and entrant, 1 the best; ties share; mates do not count.

        `luck` is what is to be taken off each entrant's mean score against its opponents, summed over the games; its
        sum is zero. A pair gets the difference, times the share of the table that are opponents: then the sum over the
        opponents of an entrant is lower by just their number times its luck.
        """
        numbers = [self._number[bot] for bot in entrants]
        sides = len(numbers if teams is None else set(teams))
        share = 1.0 - 1.0 / sides
        self._overlaps += len(numbers) / sides * (sides + 1) / 3
        for i in range(len(numbers)):
            for j in range(i + 1, len(numbers)):
                if teams is None or teams[i] != teams[j]:
                    score = halves(games, i, j) / 2
                    if luck is not None:
                        score -= share * (luck[i] - luck[j])
                    self._rows.append((self.meetings, numbers[i], numbers[j], score, float(len(games))))
        self.meetings += 1

    def columns(self) -> tuple[Ints, Ints, Ints, Floats, Floats]:
        """Meeting, one, other, score, games."""
        if self._rows or self._bulk is None:
            table = np.array(self._rows, dtype=np.float64).reshape(-1, 5)
            whole = table[:, :3].astype(np.int64)
            fresh = (whole[:, 0], whole[:, 1], whole[:, 2], table[:, 3].copy(), table[:, 4].copy())
            if self._bulk is not None:
                meeting, one, other, score, games = (
                    np.concatenate(pair) for pair in zip(self._bulk, fresh, strict=True)
                )
                fresh = (meeting, one, other, score, games)
            self._bulk, self._rows = fresh, []
        return self._bulk


@dataclass(frozen=True, slots=True)
class Fit:
    """Ratings of a pool, in Elo around its mean."""

    bots: tuple[str, ...]
    elo: dict[str, float]
    covariance: Floats
    """Elo squared, in the order of `bots`."""
    clustered: bool
    """Whether it is the sandwich; False: too few meetings for it."""
    components: tuple[tuple[str, ...], ...]
    """Groups that met each other; between two groups nothing is known."""
    unbounded: tuple[str, ...]
    """Bots that won or lost everything: only the prior keeps their ratings finite."""

    def ci95(self, bot: str) -> float:
        """Half width of the 95 % interval of a bot against the mean of the pool."""
        number = self.bots.index(bot)
        return Z95 * math.sqrt(max(0.0, float(self.covariance[number, number])))

    def difference(self, one: str, other: str) -> tuple[float, float]:
        """Elo of `one` minus that of `other`, and the half width of its 95 % interval."""
        return self.differences([(one, other)])[0]

    def differences(self, pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float]]:
        """`difference` of many pairs."""
        number = {bot: number for number, bot in enumerate(self.bots)}
        one, other = (np.array([number[pair[place]] for pair in pairs], dtype=np.int64) for place in (0, 1))
        variances = np.diagonal(self.covariance)
        variance = variances[one] + variances[other] - 2 * self.covariance[one, other]
        half = Z95 * np.sqrt(np.maximum(0.0, variance))
        return [(self.elo[a] - self.elo[b], float(width)) for (a, b), width in zip(pairs, half, strict=True)]

    def certain(self) -> dict[str, tuple[int, int]]:
        """How many bots are better, and how many worse, than each, with 95 % certainty, whether or not they met.

        Of bots whose groups never met nothing is certain: what lies between their ratings is the prior alone, of which
        the sandwich knows nothing.
        """
        elo, variances = np.array([self.elo[bot] for bot in self.bots]), np.diagonal(self.covariance)
        group = {bot: number for number, group in enumerate(self.components) for bot in group}
        groups = np.array([group[bot] for bot in self.bots], dtype=np.int64)
        half = Z95 * np.sqrt(np.maximum(0.0, variances[:, None] + variances[None, :] - 2 * self.covariance))
        ahead = elo[:, None] - elo[None, :] > np.maximum(half, SAME)
        ahead &= groups[:, None] == groups[None, :]
        better, worse = ahead.sum(axis=0).tolist(), ahead.sum(axis=1).tolist()
        return dict(zip(self.bots, zip(better, worse, strict=True), strict=True))

    def los(self, one: str, other: str) -> float:
        """Likelihood that `one` is the stronger."""
        elo, half = self.difference(one, other)
        return superiority(elo, half / Z95)

    def expected(self, one: str, other: str) -> float:
        """Expected score of `one` in a game against `other`."""
        return score_of(self.elo[one] - self.elo[other])

    def around(self, centre: Collection[str]) -> "Fit":
        """The same ratings with the mean of these bots at zero, intervals against it; differences stay as they are.

        Raises:
            ValueError: none of them is in the fit.
        """
        weights = np.array([float(bot in centre) for bot in self.bots])
        if not weights.any():
            raise ValueError("the centre names no bot of the fit: name at least one")
        weights /= weights.sum()
        shift = float(weights @ np.array([self.elo[bot] for bot in self.bots]))
        moved = np.eye(len(self.bots)) - weights[None, :]
        elo = {bot: value - shift for bot, value in self.elo.items()}
        return replace(self, elo=elo, covariance=moved @ self.covariance @ moved.T)

    def table(self, mean: float = 1500.0) -> dict[str, Fitted]:
        """The fit as a table of standings wants it."""
        half = Z95 * np.sqrt(np.maximum(0.0, np.diagonal(self.covariance)))
        return {bot: Fitted(mean + self.elo[bot], float(half[number])) for number, bot in enumerate(self.bots)}


def fit(outcomes: Outcomes, *, ridge: float = RIDGE, clustered: bool | None = None) -> Fit:
    """The maximum of the posterior, found by Newton's method, and its covariance.

    Args:
        outcomes: Who scored what against whom.
        ridge: Precision of the normal prior around the mean of the pool.
        clustered: Sandwich (True) or independent games (False); None: sandwich if there are enough meetings.
    """
    bots = outcomes.bots
    meeting, one, other, score, games = outcomes.columns()
    scores, met = _matrices(len(bots), one, other, score, games)
    theta = _maximum(scores, met, ridge)
    inverse = np.linalg.inv(information(theta, met, ridge))
    if clustered is None:
        clustered = int(np.count_nonzero(np.bincount(meeting))) * 2 >= ENOUGH_MEETINGS * max(1, len(bots))
    if clustered:
        surprise = score - games * logistic(theta[one] - theta[other])
        covariance = inverse @ meat(len(bots), meeting, one, other, surprise) @ inverse
    else:
        covariance = (inverse - 1.0 / (len(bots) * (1.0 + ridge))) * outcomes.overlap
    return Fit(
        bots=bots,
        elo={bot: float(ELO * value) for bot, value in zip(bots, theta, strict=True)},
        covariance=covariance * ELO**2,
        clustered=clustered,
        components=tuple(tuple(bots[number] for number in group) for group in _components(met)),
        unbounded=tuple(bots[number] for number in _unbounded(scores, met)),
    )


def _starts(sizes: Iterable[int]) -> Ints:
    """Where each of several runs of these sizes begins, one after the other."""
    ends = np.cumsum(np.fromiter(sizes, dtype=np.int64))
    return np.concatenate([np.zeros(1, dtype=np.int64), ends[:-1]])


def logistic(value: Floats) -> Floats:
    """Return the expected score at these differences of strength."""
    return np.asarray(0.5 * (1.0 + np.tanh(0.5 * value)), dtype=np.float64)


def _matrices(bots: int, one: Ints, other: Ints, score: Floats, games: Floats) -> tuple[Floats, Floats]:
    """Score of row against column, and games between them."""
    scores = _sum(bots, one, other, score) + _sum(bots, other, one, games - score)
    met = _sum(bots, one, other, games)
    return scores, met + met.T


def _sum(bots: int, row: Ints, column: Ints, weights: Floats) -> Floats:
    cells = np.bincount(row * bots + column, weights=weights, minlength=bots * bots)
    return np.asarray(cells, dtype=np.float64).reshape(bots, bots)


def information(theta: Floats, met: Floats, ridge: float) -> Floats:
    """Negative Hessian, with the gauge 11'/B that holds the mean at zero."""
    win = logistic(theta[:, None] - theta[None, :])
    weights = met * win * (1.0 - win)
    return np.diag(weights.sum(axis=1) + ridge) - weights + 1.0 / len(theta)


def _gradient(theta: Floats, scores: Floats, met: Floats, ridge: float) -> Floats:
    win = logistic(theta[:, None] - theta[None, :])
    return np.asarray((scores - met * win).sum(axis=1) - ridge * theta, dtype=np.float64)


def _maximum(scores: Floats, met: Floats, ridge: float) -> Floats:
    theta = np.zeros(len(met))
    height = _posterior(theta, scores, met, ridge)
    for _ in range(_STEPS):
        step = np.linalg.solve(information(theta, met, ridge), _gradient(theta, scores, met, ridge))
        length, tried = 1.0, _posterior(theta + step, scores, met, ridge)
        while tried < height - 1e-9 * abs(height) and length > _STILL:
            length /= 2
            tried = _posterior(theta + length * step, scores, met, ridge)
        theta, height = theta + length * step, tried
        theta -= theta.mean()
        if np.abs(step).max(initial=0.0) < _STILL:
            break
    return theta


def _posterior(theta: Floats, scores: Floats, met: Floats, ridge: float) -> float:
    """Logarithm, up to a constant; every pair appears twice, as score and as its complement."""
    gap = theta[:, None] - theta[None, :]
    likelihood = (scores * gap - met * np.logaddexp(0.0, gap)).sum() / 2
    return float(likelihood - 0.5 * ridge * (theta @ theta))


def meat(bots: int, meeting: Ints, one: Ints, other: Ints, surprise: Floats) -> Floats:
    """Sum over the meetings of g g', times m / (m - 1)."""
    cluster, cluster_number = np.unique(meeting, return_inverse=True)
    place = np.concatenate([cluster_number * bots + one, cluster_number * bots + other])
    seat, seat_number = np.unique(place, return_inverse=True)
    score = np.bincount(seat_number, weights=np.concatenate([surprise, -surprise]), minlength=len(seat))
    total = np.zeros(bots * bots)
    for rows, columns in _same_meeting(seat // bots):
        cells = seat[rows] % bots * bots + seat[columns] % bots
        total += np.bincount(cells, weights=score[rows] * score[columns], minlength=bots * bots)
    correction = len(cluster) / max(1, len(cluster) - 1)
    return total.reshape(bots, bots) * correction


def _same_meeting(meeting: Ints) -> Iterator[tuple[Ints, Ints]]:
    """Every ordered pair of rows of one meeting; `meeting` is sorted, so mates are a fixed distance apart."""
    rows = np.arange(len(meeting))
    yield rows, rows
    distance = 1
    while True:
        near = np.flatnonzero(meeting[distance:] == meeting[:-distance])
        if not len(near):
            return
        yield near, near + distance
        yield near + distance, near
        distance += 1


def _components(met: Floats) -> list[list[int]]:
    left = set(range(len(met)))
    groups = []
    while left:
        group, border = set[int](), {min(left)}
        while border:
            group |= border
            near = np.flatnonzero((met[sorted(border)] > 0).any(axis=0))
            border = set(near.tolist()) - group
        groups.append(sorted(group))
        left -= group
    return groups


def _unbounded(scores: Floats, met: Floats) -> list[int]:
    won, played = scores.sum(axis=1), met.sum(axis=1)
    return [number for number in range(len(met)) if played[number] > 0 and not 0 < won[number] < played[number]]
