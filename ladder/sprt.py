"""Is the new version stronger? A sequential test that stops as soon as it knows. Pure.

H0: the difference is `elo0`, H1: it is `elo1`. After every check the log-likelihood ratio of the two is compared with
Wald's bounds. Nothing is known about how the scores spread, so each hypothesis gets the distribution over the scores
that explains the counts best while its mean is what the hypothesis says (generalised SPRT, Van den Bergh 2017). The
units are games (three scores) or pairs of games on one deal (five): pairs, because the two games of a deal depend on
each other.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from ladder.scoreline import Scoreline, score_of

UNSEEN: Final = 1e-3
"""What a score that never came about counts, so that no hypothesis is impossible."""
WIDEST: Final = 1000.0
_STEPS: Final = 200


class BadBoundsError(ValueError):
    """Bounds that cannot be tested.

    Attributes:
        reason, field, value, allowed: for the caller's error.
    """

    reason = "BAD_BOUNDS"
    field = "bounds"

    def __init__(self, value: object, allowed: str) -> None:
        super().__init__(f"bounds {value} cannot be tested; allowed: {allowed}")
        self.value = value
        self.allowed = (allowed,)


class Decision(StrEnum):
    """What a test has come to."""

    OPEN = "open"
    H0 = "H0"
    """Not stronger by as much as asked."""
    H1 = "H1"
    """Stronger."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """The two hypotheses in Elo a game, and how often each may be accepted wrongly."""

    elo0: float = 0.0
    elo1: float = 20.0
    alpha: float = 0.05
    """Chance to accept H1 though H0 is true."""
    beta: float = 0.05
    """Chance to accept H0 though H1 is true."""

    def __post_init__(self) -> None:
        shown = ",".join(self.typed)
        if not self.elo0 < self.elo1:
            raise BadBoundsError(shown, "two numbers of Elo, the smaller one first, as 0,20")
        if not -WIDEST <= self.elo0 < self.elo1 <= WIDEST:
            raise BadBoundsError(shown, f"numbers of Elo from {-WIDEST:.0f} to {WIDEST:.0f}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise BadBoundsError(f"{self.alpha:g} and {self.beta:g}", "error rates between 0 and 0.5")

    @property
    def typed(self) -> tuple[str, str]:
        """Both in Elo as people type them, to the last digit: read again they are the same."""
        return repr(float(self.elo0)).removesuffix(".0"), repr(float(self.elo1)).removesuffix(".0")

    @property
    def lower(self) -> float:
        """At or below this ratio H0 is accepted."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """At or above this ratio H1 is accepted."""
        return math.log((1.0 - self.beta) / self.alpha)

    def decide(self, llr: float) -> Decision:
        """What this ratio decides."""
        if llr >= self.upper:
            return Decision.H1
        return Decision.H0 if llr <= self.lower else Decision.OPEN


def llr(counts: Sequence[float], elo0: float, elo1: float) -> float:
    """Log-likelihood ratio of H1 to H0 after these counts by score, from the worst to the best.

    Args:
        counts: three (games: L, D, W) or five (pairs: LL, LD, split, WD, WW); any equal steps from 0 to 1 will do.
        elo0: the difference by H0.
        elo1: the difference by H1.
    """
    by_h0, by_h1 = (constrained(counts, score_of(elo)) for elo in (elo0, elo1))
    seen = (count or UNSEEN for count in counts)
    return math.fsum(count * math.log(likely / less) for count, likely, less in zip(seen, by_h1, by_h0, strict=True))


def constrained(counts: Sequence[float], score: float) -> list[float]:
    """The distribution over the scores that explains the counts best among those with this mean score."""
    seen = [count or UNSEEN for count in counts]
    shares = [count / math.fsum(seen) for count in seen]
    tilt, steps = _tilt(shares, score), len(shares) - 1
    return [share / (1.0 + tilt * (k / steps - score)) for k, share in enumerate(shares)]


def _tilt(shares: Sequence[float], score: float) -> float:
    """The Lagrange multiplier t with sum p (a - s) / (1 + t (a - s)) = 0.

    The sum falls from +inf to -inf between the poles -1/(1 - s) and 1/s: Newton's steps, halved where they leave it.
    """
    steps = len(shares) - 1
    gaps = [k / steps - score for k in range(len(shares))]
    low, high, tilt = -1.0 / gaps[-1], -1.0 / gaps[0], 0.0
    for _ in range(_STEPS):
        parts = [gap / (1.0 + tilt * gap) for gap in gaps]
        value = math.fsum(share * part for share, part in zip(shares, parts, strict=True))
        low, high = (tilt, high) if value > 0 else (low, tilt)
        moved = tilt + value / math.fsum(share * part * part for share, part in zip(shares, parts, strict=True))
        if not low < moved < high:
            moved = (low + high) / 2.0
        if moved == tilt or abs(moved - tilt) <= 1e-15 * abs(moved):
            return moved
        tilt = moved
    return tilt


def gaussian_llr(units: int, mean: float, variance: float, elo0: float, elo1: float) -> float:
    """The same ratio where scores are any real numbers, by their mean and variance: luck-corrected scores.

    The normal approximation with the variance estimated, but never less than what the question itself implies: means
    that lie `d` apart are told apart by units that differ by half a point at most, so by 2 d of all units at least, and
    those spread by d / 2; by d / 4 on average of a hypothesis by which none differs and one by which these do. Without
    that, units that are nearly all alike, as those of two equal bots are, would decide anything after the first check,
    or, all alike, nothing ever. 0 while there are fewer than two.
    """
    if units < 2:
        return 0.0
    score0, score1 = score_of(elo0), score_of(elo1)
    apart = score1 - score0
    return units * apart * (2.0 * mean - score0 - score1) / (2.0 * max(variance, apart / 4.0))


@dataclass(frozen=True, slots=True)
class Moments:
    """Scores that may be any real number, as their count, sum and sum of squares."""

    units: int = 0
    total: float = 0.0
    squares: float = 0.0

    @property
    def mean(self) -> float:
        """A half where there is none."""
        return self.total / self.units if self.units else 0.5

    @property
    def variance(self) -> float:
        """Of one score, estimated; 0 while there are fewer than two."""
        if self.units < 2:
            return 0.0
        return max(0.0, self.squares - self.units * self.mean**2) / (self.units - 1)

    @property
    def line(self) -> Scoreline:
        """As a scoreline."""
        return Scoreline(self.units, self.mean, self.variance)

    def after(self, scores: Sequence[float]) -> "Moments":
        """With these scores added, in this order."""
        total, squares = self.total, self.squares
        for score in scores:
            total, squares = total + score, squares + score * score
        return Moments(self.units + len(scores), total, squares)


@dataclass(frozen=True, slots=True)
class Trial:
    """A test under way: what was counted and where the ratio went."""

    bounds: Bounds
    counts: tuple[int, ...] = (0, 0, 0, 0, 0)
    path: tuple[tuple[int, float], ...] = ()
    """Units counted and the ratio, at every check."""
    corrected: Moments | None = None
    """Scores of the units with luck taken out, where the test goes by them; None: it goes by `counts`."""

    @property
    def units(self) -> int:
        """Games or pairs counted."""
        return sum(self.counts)

    @property
    def line(self) -> Scoreline:
        """What the test goes by, as a scoreline."""
        return Scoreline.counted(self.counts) if self.corrected is None else self.corrected.line

    @property
    def llr(self) -> float:
        """The ratio at the last check."""
        return self.path[-1][1] if self.path else 0.0

    @property
    def decision(self) -> Decision:
        """What the last check came to."""
        return self.bounds.decide(self.llr)

    def after(self, counts: Sequence[int], scores: Sequence[float] = ()) -> "Trial":
        """The test after these further units and a check. One that is decided stays as it is.

        Args:
            counts: by score.
            scores: of the same units with luck taken out, where the test goes by them.
        """
        if self.decision is not Decision.OPEN:
            return self
        total = tuple(before + more for before, more in zip(self.counts, counts, strict=True))
        corrected = None if self.corrected is None else self.corrected.after(scores)
        ratio = self._ratio(total, corrected)
        return replace(self, counts=total, path=(*self.path, (sum(total), ratio)), corrected=corrected)

    def _ratio(self, counts: Sequence[int], corrected: Moments | None) -> float:
        elo0, elo1 = self.bounds.elo0, self.bounds.elo1
        if corrected is None:
            return llr(counts, elo0, elo1)
        assert corrected.units == sum(counts), "a score for every unit"
        return gaussian_llr(corrected.units, corrected.mean, corrected.variance, elo0, elo1)
