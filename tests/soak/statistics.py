"""Ratings and tests of strength by simulation on real rounds, with fixed seeds: what docs/ratings.md promises.

`./dev soak statistics` prints a line a promise and exits 1 if one is broken; `--write` keeps the figures in
tests/data/statistics.json, which the page is compared with. `--quick` is what the tests run.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ladder.bradley_terry import Outcomes, fit
from ladder.corrections import correction_for
from ladder.luck import Correction
from ladder.scoreline import score_of
from ladder.sprt import Bounds, Decision, Trial, constrained
from lastcard.bot import Bot
from referee import formats
from tests import shared_field
from tests.luck_field import Dealt, fitted_weights, near, outcomes, residual_factor, rounds, variance_factor

FORMAT: Final = "uno-classic-2"
FIGURES: Final = Path(__file__).parents[1] / "data" / "statistics.json"
WEIGHTS: Final = FIGURES.with_name("house_weights.json")
"""With a term of house games; the shipped ones have none."""
FIELD_SEED: Final = 50
OTHER_FIELD: Final = 70
DEAL_SEED: Final = 2
OTHER_DEALS: Final = 3
BOTS: Final = 8
SEATED: Final = 16
"""Bots at the eight tables that share their deals."""
HOUSE: Final = 16
"""House games on the cards of a round."""
BOUNDS: Final = Bounds(0, 20)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Size:
    """How much is played and drawn."""

    meetings: int = 6_000
    house_meetings: int = 900
    repeats: int = 400
    """Tournaments drawn from what was played."""
    sample: int = 600
    """Meetings of each."""
    apart: int = 150
    """Meetings of each of those that share none with another."""
    tests: int = 400
    """Sequential tests."""


QUICK: Final = Size(meetings=1_500, house_meetings=210, repeats=200, sample=300, apart=60, tests=200)


LIMITS: Final[Mapping[str, tuple[float, float]]] = {
    "factor_free": (-math.inf, 0.80),
    "factor_all": (-math.inf, 0.65),
    "residual_all": (-math.inf, 0.65),
    "coverage_corrected": (0.93, 0.97),
    "bias_corrected": (-math.inf, 2.5),  # one number of seven degrees of freedom: by chance 0.24 to 2.3 in 95 of 100
    "bias_spread": (0.7, 1.3),  # the mean of many such
    "coverage_mirrored": (0.93, 0.97),
    "factor_mirrored": (-math.inf, 0.80),
    "coverage_field": (0.93, 0.97),
    "factor_field": (-math.inf, 0.80),
    "false_accepts_mirrored": (-math.inf, 0.07),
    "false_accepts_fresh": (-math.inf, 0.07),
    "false_rejects_mirrored": (-math.inf, 0.07),
    "false_rejects_fresh": (-math.inf, 0.07),
    "mirrored_rounds": (-math.inf, 0.5),
}
"""The least and the most that each figure may be."""


@dataclass(frozen=True, slots=True)
class Promise:
    """A figure, which has to be within `LIMITS`."""

    id: str
    what: str
    value: float

    @property
    def least(self) -> float:
        """What it is at least."""
        return LIMITS[self.id][0]

    @property
    def most(self) -> float:
        """What it is at most."""
        return LIMITS[self.id][1]

    @property
    def kept(self) -> bool:
        """Whether it is within its limits."""
        return self.least <= self.value <= self.most

    @property
    def limits(self) -> str:
        """Its limits in words."""
        if math.isinf(self.least):
            return f"at most {self.most:g}"
        return f"{self.least:g} to {self.most:g}"


def main(argv: list[str]) -> int:
    """Look at all of it; returns 1 if a promise is broken."""
    parser = argparse.ArgumentParser("./dev soak statistics", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="less of everything")
    parser.add_argument("--write", action="store_true", help="keep the figures")
    options = parser.parse_args(argv)
    began = time.monotonic()
    if options.write:
        WEIGHTS.write_text(refitted(Size()).text(), "utf-8")
    found = promises(QUICK if options.quick else Size())
    for one in found:
        print(f"{'ok    ' if one.kept else 'BROKEN'} {one.id:24} {one.value:8.3f}  {one.limits:14} {one.what}")
    print(f"{time.monotonic() - began:.0f} s", file=sys.stderr)
    if options.write:
        figures = {one.id: round(one.value, 3) for one in found}
        FIGURES.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")
    return 0 if all(one.kept for one in found) else 1


def promises(size: Size) -> list[Promise]:
    """Return all figures."""
    with_house = [residual(size)] if size.house_meetings < Size().house_meetings else house(size)
    return [*corrected(size), *mirrored(size), *shared(size), *with_house, *sequential(size)]


def corrected(size: Size) -> list[Promise]:
    """Return what taking luck out does to ratings of fresh deals, by the weights that are shipped."""
    played = list(rounds(FORMAT, near(FIELD_SEED, BOTS), size.meetings, DEAL_SEED))
    taken = _shipped()
    columns = outcomes(played, None, taken), outcomes(played, None, None)
    coverage, bias = resampled(*columns, size)
    factor = variance_factor(FORMAT, played, taken)
    return [
        Promise("factor_free", "variance with luck out over that with it", factor),
        Promise("coverage_corrected", "95 % intervals that hold, luck taken out", coverage),
        Promise("bias_corrected", "corrected against raw over all games: chi^2 a degree of freedom", bias),
        Promise("bias_spread", "the same in tournaments apart", apart(*columns, size)),
    ]  # fmt: skip


def mirrored(size: Size) -> list[Promise]:
    """Return whether intervals hold where one deal serves a whole meeting."""
    played = list(rounds(FORMAT, near(FIELD_SEED, BOTS), size.meetings, OTHER_DEALS, deals="mirrored"))
    raw = outcomes(played, None, None)
    coverage, _ = resampled(raw, raw, size)
    clustered, alone = (fit(raw, clustered=way).covariance for way in (True, False))
    factor = float(np.diagonal(clustered).mean() / np.diagonal(alone).mean())
    return [
        Promise("coverage_mirrored", "95 % intervals that hold, mirrored deals", coverage),
        Promise("factor_mirrored", "variance of mirrored over that of independent games", factor),
    ]


def shared(size: Size) -> list[Promise]:
    """Return what it does to ratings to take out what a deal did at all of its tables, and whether intervals hold."""
    tables = SEATED // 2
    bots = near(FIELD_SEED, SEATED)
    played = list(shared_field.waves(FORMAT, bots, size.meetings // tables, DEAL_SEED))
    coverage, factor = shared_field.resampled(sorted(bots), played, size.repeats, size.sample // tables)
    return [
        Promise("coverage_field", "95 % intervals that hold, deals of eight tables", coverage),
        Promise("factor_field", "variance with regard to deals of eight tables over that without", factor),
    ]


def house(size: Size) -> list[Promise]:
    """Return what house games on the same cards add, by weights fitted on another field: those that were kept."""
    factor = variance_factor(FORMAT, housed(size), kept_weights())
    return [Promise("factor_all", f"the same with {HOUSE} house games", factor)]


def residual(size: Size) -> Promise:
    """Return what the same weights leave of what nobody expected of a game, which a few hundred rounds can tell."""
    left = residual_factor(FORMAT, housed(size), kept_weights())
    return Promise("residual_all", f"left of it with luck and {HOUSE} house games out", left)


def housed(size: Size) -> list[Dealt]:
    """Play rounds of bots of nearly one strength, and house games on the same cards."""
    return list(rounds(FORMAT, near(FIELD_SEED), size.house_meetings, DEAL_SEED, house=HOUSE))


def kept_weights() -> Correction:
    """Return weights that regard house games, as the last full run fitted them."""
    return Correction.of(WEIGHTS.read_text("utf-8"))


def refitted(size: Size) -> Correction:
    """Return them fitted anew, on a field and on deals of their own."""
    played = list(rounds(FORMAT, near(OTHER_FIELD), size.house_meetings, OTHER_DEALS, house=HOUSE))
    return fitted_weights(FORMAT, played)


def resampled(one: Outcomes, raw: Outcomes, size: Size) -> tuple[float, float]:
    """Draw tournaments from the meetings that were played, whose ratings are the truth then.

    Returns:
        The share of intervals that contain the truth, and how far the ratings of `one` are from those of `raw` over
        all meetings, as chi^2 a degree of freedom.

    """
    truth, plain = (elo_of(columns) for columns in (one, raw))
    meetings = len(one.columns()[0])
    chance = np.random.default_rng(3)
    inside, differences = list[bool](), list[Floats]()
    for _ in range(size.repeats):
        chosen = chance.integers(0, meetings, size.sample)
        fitted, other = (fit(_drawn(columns, chosen), clustered=True) for columns in (one, raw))
        elo = np.array([fitted.elo[bot] for bot in fitted.bots])
        inside += [abs(elo[n] - truth[n]) <= fitted.ci95(bot) for n, bot in enumerate(fitted.bots)]
        differences.append(elo - np.array([other.elo[bot] for bot in other.bots]))
    spread = np.cov(np.array(differences).T) * size.sample / meetings
    return float(np.mean(inside)), _chi2(truth - plain, spread)


def apart(one: Outcomes, raw: Outcomes, size: Size) -> float:
    """Return how far ratings of `one` are from those of `raw` in tournaments that share no meeting.

    The mean chi^2 a degree of freedom against what tournaments drawn from all meetings show: above 1 they differ by
    more than chance, be it by a bias; below it by less, so that what one says of its errors is wrong.
    """

    def distance(chosen: NDArray[np.int64]) -> Floats:
        return elo_of(_drawn(one, chosen)) - elo_of(_drawn(raw, chosen))

    meetings, chance = len(one.columns()[0]), np.random.default_rng(5)
    spread = np.cov(np.array([distance(chance.integers(0, meetings, size.apart)) for _ in range(size.repeats)]).T)
    starts = range(0, meetings - size.apart + 1, size.apart)
    return float(np.mean([_chi2(distance(np.arange(first, first + size.apart)), spread) for first in starts]))


def _chi2(distance: Floats, covariance: Floats) -> float:
    """Return chi^2 a degree of freedom; ratings have one less than bots."""
    if not distance.any():
        return 0.0
    return float(distance @ np.linalg.pinv(covariance, rcond=1e-6) @ distance) / (len(distance) - 1)


def sequential(size: Size) -> list[Promise]:
    """Return how often sequential tests err, and how many rounds mirrored deals save them between equal versions."""
    cells = {deals: _cells(deals, size.meetings) for deals in ("mirrored", "fresh")}
    accepted: dict[tuple[str, int], float] = {}
    games: dict[tuple[str, int], float] = {}
    for seed, case in enumerate((("mirrored", 0), ("fresh", 0), ("mirrored", 20), ("fresh", 20)), 1):
        accepted[case], games[case] = _tests(cells[case[0]], case[1], size.tests, seed)
    share = games["mirrored", 0] / games["fresh", 0]
    found = [
        Promise(f"false_accepts_{deals}", f"tests of equal versions that say H1, {deals}", accepted[deals, 0])
        for deals in cells
    ]
    found += [
        Promise(f"false_rejects_{deals}", f"tests of 20 Elo that say H0, {deals}", 1 - accepted[deals, 20])
        for deals in cells
    ]
    return [*found, Promise("mirrored_rounds", "rounds for equal versions, mirrored over fresh", share)]


def _cells(deals: str, meetings: int) -> list[float]:
    """Return the shares of the five scores of a meeting between two versions of one bot that hardly differ."""
    counts = [0] * 5
    versions = dict(list(near(FIELD_SEED, 40).items())[:2])
    for one in by_meeting(deals, versions, meetings):
        counts[one] += 1
    return [count / meetings for count in counts]


def by_meeting(deals: str, bots: Mapping[str, Bot], meetings: int) -> list[int]:
    """Return the halves that the first bot scored in each meeting: 0 to 4."""
    scores: dict[int, int] = {}
    for one in rounds(FORMAT, bots, meetings, OTHER_DEALS, deals=deals):
        mine = one.entrants.index(min(bots))
        ranks = one.ranks
        halves = 1 + (ranks[mine] < ranks[1 - mine]) - (ranks[mine] > ranks[1 - mine])
        scores[one.meeting] = scores.get(one.meeting, 0) + halves
    return list(scores.values())


def _tests(shares: Sequence[float], elo: float, runs: int, seed: int) -> tuple[float, float]:
    """Return how often H1 was accepted where the truth is `elo`, and the mean rounds of a test."""
    chance = np.random.default_rng(seed)
    truth = constrained([share * 1000 for share in shares], score_of(elo))
    truth = [share / math.fsum(truth) for share in truth]
    accepted = games = 0
    for _ in range(runs):
        trial = Trial(BOUNDS)
        while trial.decision is Decision.OPEN and trial.units < 50_000:
            trial = trial.after(chance.multinomial(10, truth).tolist())
        accepted += trial.decision is Decision.H1
        games += 2 * trial.units
    return accepted / runs, games / runs


def elo_of(found: Outcomes) -> Floats:
    """Return the ratings by all meetings."""
    fitted = fit(found)
    return np.array([fitted.elo[bot] for bot in fitted.bots])


def _drawn(found: Outcomes, chosen: NDArray[np.int64]) -> Outcomes:
    """Return these meetings, each as one of its own; with two seats a meeting is one row."""
    _, one, other, score, games = found.columns()
    numbers = np.arange(len(chosen))
    return Outcomes.from_arrays(found.bots, numbers, one[chosen], other[chosen], score[chosen], games[chosen])


def _shipped() -> Correction:
    found = correction_for(formats.get(FORMAT).rules.hash)
    assert found is not None
    return found
