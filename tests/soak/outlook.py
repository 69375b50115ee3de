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
from referee.bots.search.family import Family
from referee.bots.search.outlook import Weights, features
from referee.rules.chance import StreamSource, play_seed
from referee.rules.games import GAMES
from referee.rules.options import Rules
from referee.rules.uno.facts import UnoFacts
from referee.rules.uno.state import UnoState
from referee.rules.vocabulary import DecisionKind

FORMATS: Final = (
    "uno-classic-2", "uno-classic-4", "uno-house-2", "uno-house-4", "uno-official-2", "uno-official-4",
    "spin-2", "spin-4", "duo",
)  # fmt: skip
EVERY: Final = 3  # turn of a round that is taken
STEPS: Final = 12  # of Newton's method
PRIOR: Final = 1.0

Array = NDArray[np.float64]


def main(argv: list[str]) -> int:
    """Fit and print."""
    parser = argparse.ArgumentParser("./dev soak outlook", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="FORMAT", choices=FORMATS, default=FORMATS)
    parser.add_argument("--rounds", type=int, default=6_000)
    options = parser.parse_args(argv)
    for name in options.only:
        rules = formats.get(name).rules
        differences, ahead = _pairs(rules, options.rounds, 1)
        weights = _fit(differences, ahead)
        others, happened = _pairs(rules, options.rounds // 3, 2)
        error = float(((1 / (1 + np.exp(-others @ weights)) - happened) ** 2).mean())
        key = (rules.preset, min(rules.seats, 3))
        row = ", ".join(f"{weight:.2f}" for weight in weights)
        print(f"    {key}: Weights({row}),  # {error:.3f}", flush=True)
    return 0


def _pairs(rules: Rules, rounds: int, seed: int) -> tuple[Array, Array]:
    """Return differences of features between two seats, and whether the first of them ended before the second."""
    rows, ahead = [], []
    for difference, result in _look(rules, rounds, seed):
        rows.append(difference)
        ahead.append(result)
    return np.array(rows), np.array(ahead)


def _look(rules: Rules, rounds: int, seed: int) -> Iterator[tuple[Array, float]]:
    kind = GAMES[rules.game]
    facts = kind.facts_of(rules)
    assert isinstance(facts, UnoFacts)
    player = Family(rules, facts)
    source = StreamSource(play_seed(seed), 0, 0)
    for number in range(rounds):
        round_ = kind(rules, source.round(number), rules.seats - 1)
        assert isinstance(round_, UnoState)
        seen = []
        while round_.result is None:
            seat = round_.seat if round_.seat >= 0 else next(iter(round_.asked))
            if round_.seat >= 0 and round_.kind is DecisionKind.TURN and round_.turns % EVERY == number % EVERY:
                seen.append(np.array([features(round_, of) for of in range(rules.seats)], dtype=float))
            round_.apply(seat, *player(round_, seat, round_.options(seat)))
        places = round_.result.places
        for found in seen:
            for one in range(rules.seats):
                for other in range(one + 1, rules.seats):
                    better = (places[one] < places[other]) + 0.5 * (places[one] == places[other])
                    yield found[one] - found[other], better


def _fit(rows: Array, ahead: Array) -> Array:
    """Return the weights of a logistic regression without a constant: nobody is ahead by itself."""
    weights = np.zeros(len(Weights._fields))
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (ahead - expected) - PRIOR * weights
        bend = (rows * (expected * (1 - expected))[:, None]).T @ rows + PRIOR * np.eye(len(weights))
        weights += np.linalg.solve(bend, slope)
    return weights
