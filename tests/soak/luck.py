"""Luck at length: fits the weights that are shipped, and checks that luck has mean zero whatever the bots do.

`./dev soak luck` writes `ladder/luck/<rules>-<seats>.json` anew for every format whose games are one round; with
`--check` nothing is written and the files that are there are judged. Everything follows from fixed seeds.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Final

from ladder.bradley_terry import fit
from ladder.corrections import FOLDER
from ladder.luck import Correction
from referee import formats
from referee.luck import correctable
from tests.luck_field import (
    Dealt,
    fitted_weights,
    mixed,
    near,
    outcomes,
    rounds,
    surprises,
    taken_away,
    teams_of,
    variance_factor,
)
from tests.rules.luck.driving import drawn, luck_by_style

MIXED_SEED: Final = 1
NEAR_SEED: Final = 50
OTHER_SEED: Final = 7
STYLE_SEED: Final = 11
LEAST_SLOPE: Final = 0.8
"""Of the surprise on the luck: below it too much is taken away."""


def main(argv: list[str]) -> int:
    """Fit and check; returns 1 if something is not as it should be."""
    names = [name for name in formats.names() if correctable(formats.get(name).rules)]
    parser = argparse.ArgumentParser("./dev soak luck", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="FORMAT", choices=names, default=names)
    parser.add_argument("--rounds", type=int, default=20_000, help="of the field that the weights are fitted on")
    parser.add_argument("--zero", type=int, default=200_000, help="for the mean of luck; 0 leaves it out")
    parser.add_argument("--check", action="store_true", help="judge the shipped weights, and write nothing")
    parser.add_argument("--house", type=int, default=0, help="see what so many house games would add; writes nothing")
    options = parser.parse_args(argv)
    wrong = []
    for name in options.only:
        if options.house:
            _look(name, options.rounds, options.house)
            continue
        taken = _shipped(name) if options.check else _fitted(name, options.rounds)
        judged = _judged(name, taken, options.rounds // 2)
        if not options.check:
            left = round(fmean(factor for factor, _ in judged.values()), 3)
            path_of(name).write_text(replace(taken, variance=left).text(), "utf-8")
        wrong += _wrong(name, judged)
        if options.zero:
            wrong += _zero(name, options.zero)
    print("\n".join(wrong) or "luck is as it should be", file=sys.stderr)
    return 1 if wrong else 0


def path_of(name: str) -> Path:
    """Return where the weights of a format are."""
    return Path(str(FOLDER)) / f"{correction_name(name)}.json"


def correction_name(name: str) -> str:
    """Return rules and seats: the name of the format, with the seats also where it leaves them out."""
    seats = str(formats.get(name).seats)
    return name if name.endswith(f"-{seats}") else f"{name}-{seats}"


def _shipped(name: str) -> Correction:
    return Correction.of(path_of(name).read_text("utf-8"))


def _fitted(name: str, count: int) -> Correction:
    seats = formats.get(name).seats
    played = list(rounds(name, mixed(MIXED_SEED, max(10, seats)), -(-count // seats), MIXED_SEED))
    found = fitted_weights(name, played)
    found = Correction(correction_name(name), found.ruleset, found.beta, found.rounds)
    path_of(name).write_text(found.text(), "utf-8")
    return found


def _judged(name: str, taken: Correction, count: int) -> dict[str, tuple[float, float]]:
    """Return factor and slope of these weights, by field, on fields that they were not fitted on."""
    seats, judged = formats.get(name).seats, {}
    for field, bots in (("near", near(NEAR_SEED, max(10, seats))), ("mixed", mixed(OTHER_SEED, max(10, seats)))):
        played = list(rounds(name, bots, -(-count // seats), NEAR_SEED))
        judged[field] = variance_factor(name, played, taken), _slope(name, played, taken)
    shown = (f"{field} factor {factor:.3f} slope {slope:.2f}" for field, (factor, slope) in judged.items())
    print("  ".join((f"{name:16}", *shown)), flush=True)
    return judged


def _wrong(name: str, judged: dict[str, tuple[float, float]]) -> list[str]:
    """Return what is wrong with these weights."""
    wrong = []
    for field, (factor, slope) in judged.items():
        if slope < LEAST_SLOPE:
            wrong.append(f"{name}: in a {field} field the slope is {slope:.2f}: too much is taken away")
        if factor >= 1:
            wrong.append(f"{name}: in a {field} field the variance is not lower: {factor:.3f}")
    return wrong


def _look(name: str, count: int, house: int) -> None:
    """Print what house games on the same cards add to the free terms, each with weights fitted on a like field."""
    seats = formats.get(name).seats
    for field, make in (("near", near), ("mixed", mixed)):
        one, other = (
            list(rounds(name, make(seed, max(10, seats)), -(-count // seats), seed, house))
            for seed in (NEAR_SEED, OTHER_SEED)
        )
        factors = [
            variance_factor(name, judged, fitted_weights(name, fitted))
            for fitted, judged in ((_free(one), _free(other)), (one, other))
        ]
        print(f"{name:16}  {field}: free {factors[0]:.3f}, with {house} house games {factors[1]:.3f}", flush=True)


def _free(played: list[Dealt]) -> list[Dealt]:
    """Return the rounds without the term of the house."""
    return [replace(one, given=tuple(row[:-1] for row in one.given)) for one in played]


def _slope(name: str, played: list[Dealt], taken: Correction) -> float:
    """Return how much of the luck that is taken away was there: 1 if all of it."""
    teams = teams_of(formats.get(name))
    gifts, errors = surprises(played, fit(outcomes(played, teams, None)), teams)
    luck = taken_away(gifts, taken)
    return float(luck @ errors / (luck @ luck))


def _zero(name: str, count: int) -> list[str]:
    """Return the terms whose mean is not zero: over all styles, or for a style in a seat."""
    pooled, single = drawn(luck_by_style(formats.get(name), count, STYLE_SEED))
    shown = "  ".join(f"{term} {pooled[term]:.1f}/{single[term]:.1f}" for term in pooled)
    print(f"{'':16}|z| over all / worst style and seat, {count} rounds: {shown}", flush=True)
    wrong = [f"{name}: the mean of {term} is not zero, z = {z:.1f}" for term, z in pooled.items() if z > 4]
    return wrong + [f"{name}: {term} of a style in a seat, z = {z:.1f}" for term, z in single.items() if z > 5]
