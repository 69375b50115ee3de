"""Shuffles at length: what the test suite asks of 20,000 decks, asked of 200,000 under a seed of today.

    ./dev soak shuffle [--decks N] [--seed S]

Prints every answer as a z, normal with mean 0 and deviation 1 for even shuffles; exits with 1 if one is beyond 5, which
an even shuffle does once in 50,000 runs, or if a shuffle that is wrong on purpose is not found out.
"""

import argparse
import secrets
import sys
from typing import Final

import numpy as np

from tests.rules.shuffle.battery import Battery, faces, worst
from tests.rules.shuffle.planted import PLANTED
from tests.rules.shuffle.shuffled import decks
from tests.rules.shuffle.test_shuffle import DECKS_OF_GAMES

FAR: Final = 5.0


def main(argv: list[str]) -> int:
    """Shuffle and ask; returns 1 if something is not as it should be."""
    parser = argparse.ArgumentParser("./dev soak shuffle", description=__doc__)
    parser.add_argument("--decks", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=None, help="of the decks (default: any, printed)")
    options = parser.parse_args(argv)
    seed = secrets.randbelow(2**32) if options.seed is None else options.seed
    print(f"seed {seed}, {options.decks} decks", file=sys.stderr)
    found = _asked(seed, options.decks)
    for name, z in found.items():
        print(f"{z:+7.2f}  {name}{'  FAR FROM EVEN' if abs(z) > FAR else ''}")
    missed = [name for name in PLANTED if not _found_out(name, seed)]
    print("\n".join(f"not found out: {name}" for name in missed) or f"all {len(PLANTED)} planted faults were found out")
    return 1 if missed or any(abs(z) > FAR for z in found.values()) else 0


def _asked(seed: int, count: int) -> dict[str, float]:
    battery = Battery(108)
    for part in decks(seed, count, 108):
        battery.add(part)
        print(f"{battery.decks} of {count} decks", file=sys.stderr)
    found = battery.z() | {"cards that missed a position": 0.0 if battery.reached() else 99.0}
    for name, deck in DECKS_OF_GAMES.items():
        parts = np.concatenate(list(decks(seed + 1, count // 5, deck)))
        found[f"position x face, {name}"] = faces(parts, deck)
    return found


def _found_out(name: str, seed: int) -> bool:
    battery = Battery(108)
    battery.add(PLANTED[name](20_000, 108, np.random.default_rng(seed)))
    return abs(worst(battery.z())[1]) > 2 * FAR
