"""Bradley-Terry ratings of tables that played the same deals: what a deal does to a seat everywhere is taken out. Pure.

With e = S - E what nobody expected of a seat, the T tables of a deal hang together in that seat, with correlation rho.
So the score equations have R^-1 e for e, a generalised estimating equation (Liang and Zeger 1986):

    e*_t = (e_t - c (e_1 + ... + e_T)) / (1 - rho),    c = rho / (1 + (T - 1) rho)

and the sandwich has one cluster a deal: V = J^-1 (sum of g g') J^-T. With one table e* is e. The mean of e is zero, and
so is that of e* whatever rho is: a wrong one costs precision and makes no rating wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ladder.bradley_terry import RIDGE, Fit, Floats, Ints, Outcomes, logistic
from ladder.scoreline import ELO

MOST_RHO: Final = 0.95
_CELLS: Final = 1 << 22
"""Of a matrix that is made at once."""
_STEPS: Final = 50
_STILL: Final = 1e-10


@dataclass(frozen=True, slots=True)
class SharedGames:
    """The games of a match whose deals other tables had, too."""

    outcomes: Outcomes
    """Each game as a meeting of its own, entrants in their circular order."""
    deals: tuple[str, ...]
    """By game."""


@dataclass(frozen=True, slots=True)
class _Rows:
    """Two opponents of a game each, sorted by deal and seats; `one` sits before `other`."""

    one: Ints
    other: Ints
    score: Floats
    deal: Ints
    place: Ints
    """Numbers deal and seats: the rows of one place are those of the tables of a deal."""
    chairs: tuple[Ints, Ints]
    """Number game and seat, of both."""
    deals: Ints
    """By game."""

    @classmethod
    def of(cls, bots: Sequence[str], shared: Sequence[SharedGames]) -> _Rows:
        """Return the games of all matches."""
        parts = [part.outcomes for part in shared]
        seats = len(parts[0].bots)
        first, second = (np.concatenate(column) for column in zip(*map(_seats, parts), strict=True))
        game, one, other, score, _ = Outcomes.joined(bots, parts).columns()
        deals = np.unique([deal for part in shared for deal in part.deals], return_inverse=True)[1]
        swapped, low, high = first > second, np.minimum(first, second), np.maximum(first, second)
        names = (deals[game] * seats + low) * seats + high
        order = np.argsort(names, kind="stable")
        return cls(
            one=np.where(swapped, other, one)[order],
            other=np.where(swapped, one, other)[order],
            score=np.where(swapped, 1.0 - score, score)[order],
            deal=deals[game][order],
            place=np.unique(names[order], return_inverse=True)[1],
            chairs=((game * seats + low)[order], (game * seats + high)[order]),
            deals=deals,
        )

    def surprise(self, theta: Floats) -> tuple[Floats, Floats]:
        """Return what nobody expected, and its variance among independent games."""
        expected = logistic(theta[self.one] - theta[self.other])
        return self.score - expected, expected * (1.0 - expected)

    def correlation(self, surprise: Floats, seats: int) -> float:
        """Return rho by its moments: products over two tables of a deal, over squares, seat by seat."""
        cells, tables = len(self.deals) * seats, np.bincount(self.deals)
        mine, theirs = (np.bincount(chair, surprise, cells) for chair in self.chairs)
        sums = np.bincount((self.deals[:, None] * seats + np.arange(seats)).ravel(), mine - theirs)
        squares, pairs = float(((mine - theirs) ** 2).sum()), seats * int(tables @ (tables - 1))
        rho = (float(sums @ sums) - squares) / pairs / (squares / cells) if squares and pairs else 0.0
        return min(max(rho, 0.0), MOST_RHO)

    def crossed(self, group: Ints, left: Floats, right: Floats, bots: int) -> Floats:
        """Return the sum over groups of l r', each the sum of its rows' weights: added to `one`, taken off `other`."""
        total = np.zeros((bots, bots))
        most = max(1, _CELLS // bots)
        for first in range(0, int(group[-1]) + 1, most):
            chosen = slice(*np.searchsorted(group, [first, first + most]))
            cells = (group[chosen] - first) * bots
            size = (int(group[chosen][-1]) - first + 1) * bots
            sums = (
                np.bincount(cells + self.one[chosen], weights[chosen], size)
                - np.bincount(cells + self.other[chosen], weights[chosen], size)
                for weights in (left, right)
            )
            l_part, r_part = (part.reshape(-1, bots) for part in sums)
            total += l_part.T @ r_part
        return total


def adjusted(plain: Fit, shared: Sequence[SharedGames], *, ridge: float = RIDGE, rho: float | None = None) -> Fit:
    """Return the fit of these games with what their deals did taken out.

    It is the plain one where that has too few meetings for a sandwich, or the equations no solution near it.

    Args:
        plain: The fit of the same games without regard to deals.
        shared: Of every match of it.
        ridge: Precision of the prior, as in `plain`.
        rho: Correlation between the tables of a deal; None: what the games say.
    """
    if not plain.clustered:
        return plain
    bots, rows = len(plain.bots), _Rows.of(plain.bots, shared)
    theta = np.array([plain.elo[bot] for bot in plain.bots]) / ELO
    rho = rows.correlation(rows.surprise(theta)[0], len(shared[0].outcomes.bots)) if rho is None else rho
    tables = np.bincount(rows.place)[rows.place]
    share = np.asarray(rho / (1.0 + (tables - 1) * rho), dtype=np.float64)
    for _ in range(_STEPS):
        surprise, spread = rows.surprise(theta)
        kept = (surprise - share * np.bincount(rows.place, surprise)[rows.place]) / (1.0 - rho)
        slope = np.bincount(rows.one, kept, bots) - np.bincount(rows.other, kept, bots) - ridge * theta
        met = np.bincount(rows.one * bots + rows.other, spread, bots * bots).reshape(bots, bots)
        own = np.diag((met + met.T).sum(axis=1)) - met - met.T
        bend = (own - rows.crossed(rows.place, share, spread, bots)) / (1.0 - rho) + ridge * np.eye(bots) + 1.0 / bots
        step = np.linalg.solve(bend, slope)
        theta = theta + step / max(1.0, np.abs(step).max())
        theta -= theta.mean()
        if np.abs(step).max() < _STILL:
            break
    else:
        return plain
    inverse, deals = np.linalg.inv(bend), int(rows.deal[-1]) + 1
    covariance = inverse @ rows.crossed(rows.deal, kept, kept, bots) @ inverse.T * deals / max(1, deals - 1)
    elo = {bot: float(ELO * value) for bot, value in zip(plain.bots, theta, strict=True)}
    return replace(plain, elo=elo, covariance=covariance * ELO**2)


def _seats(outcomes: Outcomes) -> tuple[Ints, Ints]:
    """Return the seats of both opponents of every row: game by game the circular order is turned by one."""
    game, one, other, *_ = outcomes.columns()
    return (one - game) % len(outcomes.bots), (other - game) % len(outcomes.bots)
