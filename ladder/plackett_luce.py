"""Plackett-Luce ratings from finishing orders: the yardstick for tables of more than two seats. Pure.

The first of an order is drawn with probability proportional to its strength, the second from those left, and so on.
Published ratings use all pairs instead (`bradley_terry`): it has ties, scores and teams, and orders the bots as well;
this is the full likelihood of an order, to compare it with.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ladder.bradley_terry import RIDGE
from ladder.results import MatchResult
from ladder.scoreline import ELO

Floats = NDArray[np.float64]

_STEPS: Final = 100
_STILL: Final = 1e-12


@dataclass(frozen=True, slots=True)
class OrderFit:
    """Ratings in Elo around their mean, and the standard error of each."""

    elo: tuple[float, ...]
    errors: tuple[float, ...]
    games: int
    """Orders that they are made of."""


def finishing_orders(bots: Sequence[str], results: Sequence[MatchResult]) -> list[list[int]] | None:
    """Return the orders in which bots, by their numbers, came in, best first.

    A game with a tie has none and is left out. None where no game has one: tables of two, and partners.
    """
    number, found = {bot: number for number, bot in enumerate(bots)}, list[list[int]]()
    for result in results:
        seats = range(len(result.entrants))
        if len(seats) < 3 or len(set(result.teams)) < len(seats):
            return None
        for ranks in (game for meeting in result.ranks for game in meeting):
            if len(set(ranks)) == len(seats):
                found.append([number[result.entrants[seat]] for seat in sorted(seats, key=ranks.__getitem__)])
    return found or None


def yardstick(bots: Sequence[str], results: Sequence[MatchResult]) -> OrderFit | None:
    """Return the ratings by the likelihood of whole orders, with the prior of the published ones; None: as above."""
    orders = finishing_orders(bots, results)
    return None if orders is None else fit_orders(len(bots), orders, ridge=RIDGE)


def fit_orders(players: int, orders: Sequence[Sequence[int]], *, ridge: float = 0.0) -> OrderFit:
    """The most likely strengths.

    Args:
        players: how many there are; they are numbered from 0.
        orders: best first; any selection of players in each.
        ridge: precision of a normal prior; without one everybody must have been beaten and have beaten somebody.
    """
    chosen, present = _stages(players, orders)
    theta = np.zeros(players)
    information = _information(theta, present, ridge)
    for _ in range(_STEPS):
        gradient = np.bincount(chosen, minlength=players) - _chances(theta, present).sum(axis=0) - ridge * theta
        step = np.linalg.solve(information, gradient)
        theta = theta + step
        theta -= theta.mean()
        information = _information(theta, present, ridge)
        if np.abs(step).max(initial=0.0) < _STILL:
            break
    covariance = np.linalg.inv(information) - 1.0 / (players * (1.0 + ridge))
    return OrderFit(
        tuple(float(ELO * value) for value in theta),
        tuple(ELO * math.sqrt(max(0.0, float(variance))) for variance in np.diagonal(covariance)),
        len(orders),
    )


def _stages(players: int, orders: Sequence[Sequence[int]]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Every draw of every order: who was drawn, and who was there to be drawn."""
    chosen: list[int] = []
    there: list[list[bool]] = []
    for order in orders:
        for place, player in enumerate(order[:-1]):
            left = set(order[place:])
            chosen.append(player)
            there.append([one in left for one in range(players)])
    return np.array(chosen, dtype=np.int64), np.array(there, dtype=np.bool_).reshape(-1, players)


def _chances(theta: Floats, present: NDArray[np.bool_]) -> Floats:
    """By draw: everybody's chance."""
    weights = np.where(present, np.exp(theta - theta.max()), 0.0)
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float64)


def _information(theta: Floats, present: NDArray[np.bool_], ridge: float) -> Floats:
    """Negative Hessian, with the gauge 11'/n that holds the mean at zero."""
    chances = _chances(theta, present)
    players = len(theta)
    return np.diag(chances.sum(axis=0) + ridge) - chances.T @ chances + 1.0 / players
