"""A scoreline: what was scored, and what that says about who is stronger. Pure.

Counted scores run in equal steps from 0 (all lost) to 1 (all won): three counts are losses, draws and wins of single
games, five are pairs of games by their sum - LL, LD, split, WD, WW. Elo is logistic and per game in both cases, so the
same strength reads the same whichever way it is counted; only the spread differs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ladder.standings import Z95

ELO: Final = 400.0 / math.log(10.0)
"""Elo a unit of log-odds."""
LEAST_SAID: Final = 0.001
MOST_SAID: Final = 0.999
"""Likelihoods beyond these are told as that: rounded they would look certain."""


def score_of(elo: float) -> float:
    """Expected score of a side that is this much stronger."""
    return 0.5 * (1.0 + math.tanh(elo / ELO / 2.0))


def elo_of(score: float) -> float:
    """The difference in strength that makes this score the expected one; infinite at 0 and 1."""
    if not 0.0 < score < 1.0:
        return math.copysign(math.inf, score - 0.5)
    return ELO * math.log(score / (1.0 - score))


def percent(chance: float | None) -> str:
    """Return a likelihood in words: "-" where nobody knows it, and never certain, since none is."""
    if chance is None:
        return "-"
    return ">99.9%" if chance > MOST_SAID else "<0.1%" if chance < LEAST_SAID else f"{chance:.1%}"


def superiority(difference: float, deviation: float) -> float:
    """Likelihood that a difference is above zero, by the normal approximation; a half where it has no deviation."""
    return 0.5 * (1.0 + math.erf(difference / deviation / math.sqrt(2.0))) if deviation else 0.5


@dataclass(frozen=True, slots=True)
class Scoreline:
    """Scores of games, or of pairs of games, as far as strength follows from them."""

    units: int
    """Games, or pairs of games."""
    score: float
    """Their mean, 0 to 1; a half where there is none."""
    variance: float
    """Of one unit."""

    @classmethod
    def counted(cls, counts: Sequence[int]) -> "Scoreline":
        """From counts by score, from the worst to the best."""
        units, steps = sum(counts), len(counts) - 1
        if not units:
            return cls(0, 0.5, 0.0)
        mean = sum(k * n for k, n in enumerate(counts)) / (steps * units)
        return cls(units, mean, sum(n * (k / steps - mean) ** 2 for k, n in enumerate(counts)) / units)

    @property
    def elo(self) -> float | None:
        """The difference in strength; None where all or nothing was won, or nothing played."""
        return elo_of(self.score) if self.units and 0.0 < self.score < 1.0 else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of `elo`; an end is infinite where the score cannot be told from all or nothing."""
        if self.elo is None:
            return None
        half = Z95 * self.deviation
        return elo_of(self.score - half), elo_of(self.score + half)

    @property
    def ci95(self) -> float | None:
        """Half the length of that interval; None where it has no end."""
        ends = self.interval
        return None if ends is None or not all(map(math.isfinite, ends)) else (ends[1] - ends[0]) / 2

    @property
    def deviation(self) -> float:
        """Standard error of the mean score."""
        return math.sqrt(self.variance / self.units) if self.units else 0.0

    @property
    def los(self) -> float | None:
        """Likelihood of superiority by the normal approximation; None where there is no spread to go by."""
        return superiority(self.score - 0.5, self.deviation) if self.deviation else None
