"""Fits the weights of `referee/bots/search/outlook.py` to rounds between quick players, and prints them.

Of each fit it says how far the forecast is from what happened, in other rounds: the mean square, which is 0.25 for one
who knows nothing.
"""

import argparse
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee import formats
from referee.bots.search.outlook import LOOKS, MORE
from referee.bots.search.player import player_of
from referee.rules.chance import StreamSource, play_seed
from referee.rules.games import GAMES
from referee.rules.options import Rules

FORMATS: Final = (
    "uno-classic-2", "uno-classic-4", "uno-house-2", "uno-house-4", "uno-official-2", "uno-official-4",
    "spin-2", "spin-4", "duo", "dos-2", "dos-4",
)  # fmt: skip
EVERY: Final = 3  # turn of a round that is taken
STEPS: Final = 12  # of Newton's method
PRIOR: Final = 1.0

Array = NDArray[np.float64]


def main(argv: list[str]) -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser("./dev soak outlook", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="FORMAT", choices=FORMATS, default=FORMATS)
    parser.add_argument("--rounds", type=int, default=5_000)
    options = parser.parse_args(argv)
    for name in options.only:
        rules = formats.get(name).rules
        weights = fitted(*pairs(rules, options.rounds, 1))
        error = mean_square(weights, *pairs(rules, options.rounds // 3, 2))
        row = ", ".join(f"{weight:.2f}" for weight in weights)
        print(f"    {(rules.preset, min(rules.seats, MORE))}: ({row}),  # {error:.3f}", flush=True)
    return 0


def pairs(rules: Rules, rounds: int, seed: int) -> tuple[Array, Array]:
    """Return differences of features between two seats, and whether the first of them ended before the second."""
    rows, ahead = [], []
    for difference, better in _looks(rules, rounds, seed):
        rows.append(difference)
        ahead.append(better)
    return np.array(rows), np.array(ahead)


def _looks(rules: Rules, rounds: int, seed: int) -> Iterator[tuple[Array, float]]:
    """Play rounds, and compare every two seats at some of the turns with how they ended."""
    kind, player, features = GAMES[rules.game], player_of(rules), LOOKS[rules.preset].features
    source = StreamSource(play_seed(seed), 0, 0)
    seats = range(rules.seats)
    for number in range(rounds):
        round_ = kind(rules, source.round(number), rules.seats - 1)
        seen = []
        while round_.result is None:
            seat = round_.seat if round_.seat >= 0 else next(iter(round_.asked))
            if seat == round_.seat and round_.kind is kind.TURN_KIND and round_.turns % EVERY == number % EVERY:
                seen.append([np.array(features(round_, of), dtype=float) for of in seats])
            round_.apply(seat, *player(round_, seat, round_.options(seat)))
        places = round_.result.places
        for found in seen:
            for one in seats:
                for other in seats[one + 1 :]:
                    better = (places[one] < places[other]) + 0.5 * (places[one] == places[other])
                    yield found[one] - found[other], better


def fitted(rows: Array, ahead: Array) -> Array:
    """Return the weights of a logistic regression without a constant: nobody is ahead by itself."""
    weights = np.zeros(rows.shape[1])
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (ahead - expected) - PRIOR * weights
        bend = (rows * (expected * (1 - expected))[:, None]).T @ rows + PRIOR * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights


def mean_square(weights: Array, rows: Array, ahead: Array) -> float:
    """Return how far the forecast is from what happened."""
    return float(((1 / (1 + np.exp(-rows @ weights)) - ahead) ** 2).mean())
