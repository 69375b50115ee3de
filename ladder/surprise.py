"""What nobody expected of bots, pair by pair and beside certain others, and how it hangs on luck. Pure.

Each kind looks at many bots or pairs at once, so its limit rises with their number (Bonferroni): among honest bots all
findings of one kind together are as rare as four deviations of chance.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from ladder.anomaly import Anomaly, Calibration, Kind
from ladder.bradley_terry import Fit, Floats, Ints, Outcomes, logistic
from ladder.results import MatchResult
from ladder.scoreline import ELO
from ladder.sheets import GameLuck, Sheets

LIMIT: Final = 4.0
"""Deviations of chance, for a single bot or pair."""
LEAST: Final = 30
"""Meetings, or deals, below which the normal approximation says nothing."""


def limit(tests: int) -> float:
    """Return the deviations beyond which one of so many tests counts as `LIMIT` does for a single one."""
    normal = NormalDist()
    return -normal.inv_cdf(normal.cdf(-LIMIT) / max(1, tests))


def beyond(found: Sequence[Anomaly]) -> list[Anomaly]:
    """Return those of the tests of one kind that are findings, the surest first."""
    most = limit(len(found))
    return sorted((one for one in found if one.z > most), key=lambda one: (-one.z, one.who))


def z_of(total: float, *variances: float) -> float:
    """Return a sum in deviations of chance, by the larger of its variances."""
    spread = math.sqrt(max(variances))
    return total / spread if spread else 0.0


def strengths(fitted: Fit) -> Floats:
    """Return the ratings of a fit in log-odds, in the order of its bots."""
    return np.array([fitted.elo[bot] for bot in fitted.bots]) / ELO


def duels(fitted: Fit, results: Sequence[MatchResult], sheets: Sheets) -> list[Anomaly]:
    """Return how much more one of each two scored than expected: a test a pair, of whoever scored more."""
    rows = _Surprises.of(fitted, results, sheets)
    pair = rows.one * len(fitted.bots) + rows.other
    found = []
    for name, which in _groups(pair):
        if len(which) >= LEAST:
            total, games = float(rows.surprise[which].sum()), float(rows.games[which].sum())
            one, other = divmod(name, len(fitted.bots))
            who = (fitted.bots[one], fitted.bots[other]) if total >= 0 else (fitted.bots[other], fitted.bots[one])
            z = z_of(abs(total), float((rows.surprise[which] ** 2).sum()), float(rows.chance[which].sum()))
            found.append(Anomaly(Kind.DUEL, who, abs(total) / games, z, len(which)))
    return found


def helpers(fitted: Fit, results: Sequence[MatchResult], sheets: Sheets) -> list[Anomaly]:
    """Return how much more bots scored against third ones beside a certain one: a test for each two, either way."""
    number = {bot: index for index, bot in enumerate(fitted.bots)}
    theta, sums = strengths(fitted), dict[tuple[str, str], list[float]]()
    for result in results:
        if len(set(result.teams)) < 3:
            continue
        sheet = sheets.of(result)
        met, meetings = sheet.games, len(result.ranks)
        more = _surprise_of_match(result, sheet.pairs, met, [number[bot] for bot in result.entrants], theta)
        for bot, row in enumerate(more):
            for helper in range(len(row)):
                if result.teams[bot] != result.teams[helper]:
                    third = sum(row) - row[helper]
                    entry = sums.setdefault((result.entrants[bot], result.entrants[helper]), [0.0, 0.0, 0, 0])
                    entry[0] += third
                    entry[1] += third * third
                    entry[2] += met
                    entry[3] += meetings
    return [
        Anomaly(Kind.HELP, who, total / games, z_of(total, squares), int(meetings))
        for who, (total, squares, games, meetings) in sorted(sums.items())
        if meetings >= LEAST
    ]


def calibration(
    fitted: Fit, results: Sequence[MatchResult], luck: Mapping[str, GameLuck], sheets: Sheets
) -> Calibration | None:
    """Return the slope of what nobody expected on luck, a cluster a match; None where no luck is known.

    Args:
        fitted: The fit of the results as they were played.
        results: The matches.
        luck: Of each of them by game and entrant, as it is taken out.
        sheets: Sums of matches.
    """
    number = {bot: index for index, bot in enumerate(fitted.bots)}
    theta, both, squares, games = strengths(fitted), list[float](), list[float](), 0
    for result in results:
        taken = luck.get(result.match, ())
        there = [game for game in taken if game is not None]
        if not there or len(there) < sheets.of(result).games:
            continue
        places = [number[bot] for bot in result.entrants]
        expected = _expected(theta[places], result.teams)
        flat = np.array([game for meeting in result.ranks for game in meeting])
        surprise, chance = seat_scores(flat, result.teams) - expected, np.array(there)
        both.append(float((surprise * chance).sum()))
        squares.append(float((chance * chance).sum()))
        games += len(there)
    total = sum(squares)
    if not total:
        return None
    slope = sum(both) / total
    spread = math.sqrt(sum((mine - slope * own) ** 2 for mine, own in zip(both, squares, strict=True)))
    return Calibration(slope, spread / total, games)


def seat_scores(ranks: Ints, teams: Sequence[int]) -> Floats:
    """Return the scores of games, by entrant: the part of the opponents that it was ahead of, ties one half."""
    ahead = np.sign(ranks[:, None, :] - ranks[:, :, None]) * 0.5 + 0.5
    rivals = _rivals(teams)
    return np.asarray((ahead * rivals).sum(axis=2) / rivals.sum(axis=1), dtype=np.float64)


def _expected(theta: Floats, teams: Sequence[int]) -> Floats:
    """Return the scores that strengths let expect, by entrant."""
    rivals = _rivals(teams)
    return np.asarray((logistic(theta[:, None] - theta[None, :]) * rivals).sum(axis=1) / rivals.sum(axis=1))


def expected_scores(fitted: Fit, result: MatchResult) -> Floats:
    """Return the score a game that a fit lets expect, by entrant of a match."""
    number = {bot: index for index, bot in enumerate(fitted.bots)}
    return _expected(strengths(fitted)[[number[bot] for bot in result.entrants]], result.teams)


def _rivals(teams: Sequence[int]) -> Floats:
    side = np.array(teams)
    return np.asarray(side[:, None] != side[None, :], dtype=np.float64)


def _surprise_of_match(
    result: MatchResult, pairs: Sequence[tuple[int, int, int]], games: int, places: Sequence[int], theta: Floats
) -> list[list[float]]:
    """Return what each entrant scored against each other beyond expectation, over the whole match."""
    more = [[0.0] * len(result.entrants) for _ in result.entrants]
    for one, other, halves in pairs:
        gap = float(theta[places[one]] - theta[places[other]])
        beyond_it = halves / 2 - games * 0.5 * (1.0 + math.tanh(0.5 * gap))
        more[one][other], more[other][one] = beyond_it, -beyond_it
    return more


@dataclass(frozen=True, slots=True)
class _Surprises:
    """What two bots scored against each other beyond expectation, by meeting; `one` stands first in the fit."""

    one: Ints
    other: Ints
    surprise: Floats
    games: Floats
    chance: Floats
    """Variance among independent games."""

    @classmethod
    def of(cls, fitted: Fit, results: Sequence[MatchResult], sheets: Sheets) -> _Surprises:
        outcomes = Outcomes.joined(fitted.bots, [sheets.of(result).outcomes for result in results])
        _, one, other, score, games = outcomes.columns()
        theta = strengths(fitted)
        win = logistic(theta[one] - theta[other])
        turned = one > other
        surprise = np.where(turned, games * win - score, score - games * win)
        low, high = np.minimum(one, other), np.maximum(one, other)
        return cls(low, high, surprise, games, games * win * (1.0 - win))


def _groups(name: Ints) -> Iterator[tuple[int, Ints]]:
    """Yield each name with the places where it stands."""
    order = np.argsort(name, kind="stable")
    names, starts = np.unique(name[order], return_index=True)
    for one, places in zip(names.tolist(), np.split(order, starts[1:]), strict=True):
        yield int(one), places
