"""Fits of results with their luck taken out, and when they are good enough to be published. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

from ladder.bradley_terry import Fit, Outcomes, fit
from ladder.results import MatchResult
from ladder.standings import SETTLED_MEETINGS, SETTLED_SE, Z95, Fitted

ENOUGH: Final = 0.95
"""Share of the games whose luck must be known before it is taken out; the others then count as they were played."""

Luck: TypeAlias = Mapping[str, Sequence[Sequence[float] | None]]
"""By match and game: what is to be taken off each entrant's score; None for a game of which it is not known."""


def known(results: Iterable[MatchResult], luck: Luck) -> float:
    """Return the share of the games whose luck is known, among those that were dealt."""
    games = there = 0
    for result in results:
        if not any(result.rounds):
            continue
        games += sum(map(len, result.ranks))
        there += sum(game is not None for game in luck.get(result.match, ()))
    return there / games if games else 0.0


def fitted(entrants: Sequence[str], results: Iterable[MatchResult], luck: Luck | None = None) -> Fit:
    """Return the fit of all games by meeting, with their luck taken out where it is known."""
    outcomes = Outcomes(entrants)
    for result in results:
        of_match = (luck or {}).get(result.match, ())
        first = 0
        for games in result.ranks:
            taken = _sums(of_match[first : first + len(games)], len(result.entrants))
            outcomes.add(result.entrants, games, result.teams, taken)
            first += len(games)
    return fit(outcomes)


def settled(found: Fit, results: Iterable[MatchResult]) -> frozenset[str]:
    """Return the bots of a fit whose ratings are settled by it; all of them where none is.

    Their mean is the centre of a ladder: who has just come moves nobody.
    """
    meetings: Counter[str] = Counter()
    for result in results:
        meetings.update(dict.fromkeys(result.entrants, len(result.ranks)))
    known = (bot for bot in found.bots if meetings[bot] >= SETTLED_MEETINGS)
    sure = frozenset(bot for bot in known if found.ci95(bot) / Z95 <= SETTLED_SE)
    return sure or frozenset(found.bots)


def rows(
    entrants: Sequence[str], results: Sequence[MatchResult], luck: Luck, *, ladder: bool = False
) -> tuple[Fit, dict[str, Fitted]]:
    """Return the corrected fit, and its rows beside the raw one and the luck that was taken out.

    `ladder`: around the mean of the settled bots, and not of all.
    """
    corrected, uncorrected = fitted(entrants, results, luck), fitted(entrants, results)
    if ladder:
        centre = settled(corrected, results)
        corrected, uncorrected = corrected.around(centre), uncorrected.around(centre)
    raw = uncorrected.table()
    means = mean_luck(results, luck)
    found = {
        bot: Fitted(row.elo, row.ci95, luck=means.get(bot, 0.0), raw=raw[bot].elo)
        for bot, row in corrected.table().items()
    }
    return corrected, found


def mean_luck(results: Iterable[MatchResult], luck: Luck) -> dict[str, float]:
    """Return what was taken off each bot's score in a game, on average over the games of which it is known."""
    sums: dict[str, list[float]] = {}
    for result in results:
        for game in luck.get(result.match, ()):
            for bot, taken in zip(result.entrants, game or (), strict=False):
                row = sums.setdefault(bot, [0.0, 0.0])
                row[0] += taken
                row[1] += 1
    return {bot: total / games for bot, (total, games) in sums.items()}


def _sums(games: Sequence[Sequence[float] | None], seats: int) -> list[float] | None:
    """Return the luck of each entrant over the games of a meeting; None where none of it is known."""
    there = [game for game in games if game is not None]
    return [sum(game[entrant] for game in there) for entrant in range(seats)] if there else None
