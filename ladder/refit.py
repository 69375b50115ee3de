"""Weights of luck that a ladder fits on its own earlier rounds, on a schedule that was fixed beforehand. Pure.

After 2,000 and after 20,000 rounds the weights are fitted anew on exactly the matches that made up so many, and they
hold for what is rated later. House games are played for the 2,000 rounds before each of these, and for later ones only
where they paid: fitted on the first half of those rounds, they lower the variance of the second by 0.02 of the raw one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from ladder.bradley_terry import Fit, Outcomes, fit
from ladder.house import HouseScores, UsualScores
from ladder.luck import DIGITS, HOUSE_TERM, Correction, centred, weights
from ladder.results import MatchResult

if TYPE_CHECKING:
    from ladder.bradley_terry import Floats

GAIN: Final = 0.02
"""By so much of the raw variance house games have to lower it."""
ENOUGH: Final = 0.95
"""Share of the rounds whose luck must be known."""


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a ladder with what is known of its luck."""

    result: MatchResult
    terms: tuple[str, ...] = ()
    games: tuple[tuple[tuple[int, ...], ...] | None, ...] = ()
    """By game, entrant and term, in millionths; empty: nothing is known."""
    house: HouseScores | None = None

    @property
    def rounds(self) -> int:
        """Rounds that were played: each game is one."""
        return sum(map(len, self.result.ranks)) if any(self.result.rounds) else 0


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a ladder fits its weights, and whose house games it needs for that."""

    refits: tuple[int, ...] = (2_000, 20_000)
    """Rounds after which the weights are fitted."""
    sample: int = 2_000
    """Rounds before each of these for which the house plays, whether or not it pays."""

    def sampled(self, rounds: int) -> bool:
        """Return whether the house plays the cards of a match before which so many rounds were rated."""
        return any(count - self.sample <= rounds < count for count in self.refits)

    def basis(self, played: Sequence[Played], done: int) -> Sequence[Played] | None:
        """Return the first matches of a ladder, on which weights are fitted next; None: it is too early, or over.

        Args:
            played: All its matches, in the order in which they were rated.
            done: How many times it fitted weights already.
        """
        if done >= len(self.refits):
            return None
        total = 0
        for number, one in enumerate(played, 1):
            total += one.rounds
            if total >= self.refits[done]:
                return played[:number]
        return None


SCHEDULE: Final = Schedule()
"""Of all ladders."""


@dataclass(frozen=True, slots=True)
class Refit:
    """Weights that were fitted on a ladder's own rounds, and what they are worth there."""

    correction: Correction
    factor: float
    """Variance of what nobody expected of a meeting with luck taken out, over that with it, on the second half."""
    gain: float | None = None
    """By how much house games lower that there; None: there were too few of them to ask."""


def refit(
    before: Correction, played: Sequence[Played], usual: UsualScores | None, sample: int = SCHEDULE.sample
) -> Refit | None:
    """Fit the weights of a ladder on these matches of it, in the order in which they were rated.

    Args:
        before: Weights for the same rules; theirs are the terms.
        played: The matches.
        usual: What the house usually scores; None: its games are not regarded.
        sample: Rounds whose house games are to be known before they are judged.

    Returns:
        The weights; None where the luck of too many rounds is not known, or nothing varies.
    """
    free = _free(before)
    raw = _raw([one.result for one in played])
    known = [one for one in played if one.rounds and free.given(one.terms, one.games) is not None]
    if sum(one.rounds for one in known) < ENOUGH * sum(one.rounds for one in played):
        return None
    housed = replace(free, beta={**free.beta, HOUSE_TERM: 0.0}, house=usual) if usual is not None else None
    asked = [one for one in known if housed is not None and housed.given(one.terms, one.games, one.house) is not None]
    found = _worth(_fitted(free, known, raw), _factor(free, known, raw))
    if housed is None or sum(one.rounds for one in asked) < ENOUGH * sample:
        return found
    alone, together = (_factor(one, asked, raw) for one in (free, housed))
    gain = alone - together
    if gain < GAIN:
        return replace(found, gain=gain)
    return _worth(_fitted(housed, asked, raw), together, gain)


def _worth(correction: Correction, factor: float, gain: float | None = None) -> Refit:
    """Return weights with what they are worth; what makes things worse leaves at most what there was."""
    left = min(max(round(factor, 3), 0.001), 1.0)
    return Refit(replace(correction, variance=left), factor, gain)


def _free(correction: Correction) -> Correction:
    """Return weights without the term of the house."""
    return replace(correction, beta={k: v for k, v in correction.beta.items() if k != HOUSE_TERM}, house=None)


def _raw(results: Sequence[MatchResult]) -> Fit:
    outcomes = Outcomes(sorted({bot for result in results for bot in result.entrants}))
    for result in results:
        for games in result.ranks:
            outcomes.add(result.entrants, games, result.teams)
    return fit(outcomes)


def _fitted(correction: Correction, played: Sequence[Played], raw: Fit) -> Correction:
    """Return these terms with the weights that explain best what nobody expected, as they are kept."""
    rows = list(_rows(correction, played, raw))
    found = weights(np.array([row.given for row in rows]), np.array([row.surprise for row in rows]))
    beta = {term: round(float(one), DIGITS) for term, one in zip(correction.beta, found, strict=True)}
    rounds = sum(one.rounds for one in played)
    return replace(correction, beta=beta, rounds=rounds)


def _factor(correction: Correction, played: Sequence[Played], raw: Fit) -> float:
    """Return what weights fitted on the first half of these matches leave of the variance of the second."""
    first, second = _halves(played)
    fitted = _fitted(correction, first, raw)
    rows = list(_rows(fitted, second, raw))
    beta = np.array(list(fitted.beta.values()))
    surprises = np.array([row.surprise for row in rows])
    left = surprises - np.array([row.given for row in rows]) @ beta
    _, places = np.unique([row.cluster for row in rows], return_inverse=True)
    with_luck, without = (_squares(places, column) for column in (surprises, left))
    return without / with_luck if with_luck else 1.0


def _halves(played: Sequence[Played]) -> tuple[Sequence[Played], Sequence[Played]]:
    total, first = sum(one.rounds for one in played), 0
    for number, one in enumerate(played):
        first += one.rounds
        if 2 * first >= total:
            return played[: number + 1], played[number + 1 :] or played[-1:]
    return played, played


def _squares(places: np.ndarray, column: Floats) -> float:
    """Return the sum over entrants and meetings of the square of what came together there."""
    return float((np.bincount(places, weights=column) ** 2).sum())


@dataclass(frozen=True, slots=True)
class _Row:
    """An entrant of a game."""

    cluster: int
    """Of an entrant in a meeting."""
    given: list[float]
    surprise: float


def _rows(correction: Correction, played: Sequence[Played], raw: Fit) -> Iterator[_Row]:
    cluster = 0
    for one in played:
        result, games = one.result, correction.given(one.terms, one.games, one.house)
        assert games is not None, f"the luck of {result.match} is known"
        expected, first, seats = _expected(result, raw), 0, len(result.entrants)
        for meeting in result.ranks:
            for number, ranks in enumerate(meeting, first):
                game = games[number] if number < len(games) else None
                if game is None:
                    continue
                scored = _scores(ranks, result.teams)
                rows = centred(game, result.teams)
                for entrant in range(seats):
                    yield _Row(cluster + entrant, rows[entrant], scored[entrant] - expected[entrant])
            first += len(meeting)
            cluster += seats


def _expected(result: MatchResult, raw: Fit) -> list[float]:
    return [
        sum(raw.expected(result.entrants[e], result.entrants[rival]) for rival in rivals) / len(rivals)
        for e, rivals in enumerate(_rivals(result.teams))
    ]


def _scores(ranks: Sequence[int], teams: Sequence[object]) -> list[float]:
    """Return the share of its opponents that each entrant was ahead of, ties counting half."""
    return [
        sum((ranks[e] < ranks[rival]) + (ranks[e] <= ranks[rival]) for rival in rivals) / (2 * len(rivals))
        for e, rivals in enumerate(_rivals(teams))
    ]


def _rivals(teams: Sequence[object]) -> list[list[int]]:
    return [[e for e, other in enumerate(teams) if other != team] for team in teams]
