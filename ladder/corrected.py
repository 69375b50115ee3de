"""Fits of results with their luck taken out, and when they are good enough to be published. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np

from ladder.bradley_terry import Fit, Outcomes, fit
from ladder.results import MatchResult
from ladder.shared_deals import adjusted
from ladder.sheets import GameLuck, Sheets
from ladder.standings import SETTLED_MEETINGS, SETTLED_SE, Z95, Fitted

ENOUGH: Final = 0.95
"""Share of the games whose luck must be known before it is taken out; the others then count as they were played."""

Luck: TypeAlias = Mapping[str, GameLuck]
"""By match."""

MARGIN: Final = 0.5
"""Games: a bot that scored less, or that lost less, has a rating that the prior holds and not its games."""


def known(results: Iterable[MatchResult], luck: Luck, sheets: Sheets | None = None) -> float:
    """Return the share of the games whose luck is known, among those that were dealt."""
    sheets = sheets or Sheets()
    games = there = 0
    for result in results:
        if any(result.rounds):
            games += sheets.of(result).games
            there += sheets.corrected(result, luck.get(result.match, ())).games
    return there / games if games else 0.0


def fitted(
    entrants: Sequence[str], results: Sequence[MatchResult], luck: Luck | None = None, sheets: Sheets | None = None
) -> Fit:
    """Return the fit of all games by meeting, with their luck taken out where it is known.

    Where all matches had deals that other tables had, what a deal did everywhere is taken out, too.
    """
    sheets, luck = sheets or Sheets(), luck or {}
    corrected = [sheets.corrected(result, luck.get(result.match, ())) for result in results]
    found = fit(outcomes(entrants, results, luck, sheets))
    shared = [sheet.shared for sheet in corrected if sheet.shared is not None]
    return adjusted(found, shared) if shared and len(shared) == len(corrected) else found


def usable(entrants: Sequence[str], results: Sequence[MatchResult], luck: Luck, sheets: Sheets | None = None) -> Luck:
    """Return the luck of those matches in which it leaves everybody a score that some strength explains.

    Of few games more luck may be taken than was scored, or so little that more is left than all of them. Then nothing
    holds the rating but the prior, thousands of Elo away; so the luck of all matches of such a bot stays in until it
    has played more.
    """
    sheets = sheets or Sheets()
    kept = dict(luck)
    while True:
        extreme = _extreme(outcomes(entrants, results, kept, sheets))
        left = {result.match for result in results if result.match in kept and extreme.intersection(result.entrants)}
        if not left:
            return kept
        kept = {match: games for match, games in kept.items() if match not in left}


def _extreme(found: Outcomes) -> set[str]:
    """Return the bots that scored, or lost, less than the margin."""
    _, one, other, score, games = found.columns()
    bots = len(found.bots)
    won = np.bincount(one, score, bots) + np.bincount(other, games - score, bots)
    played = np.bincount(one, games, bots) + np.bincount(other, games, bots)
    beyond = (played > 0) & (np.minimum(won, played - won) < MARGIN)
    return {found.bots[number] for number in np.flatnonzero(beyond)}


def outcomes(entrants: Sequence[str], results: Iterable[MatchResult], luck: Luck, sheets: Sheets) -> Outcomes:
    """Return all meetings one after the other, with their luck taken out where it is known."""
    parts = (sheets.corrected(result, luck.get(result.match, ())).outcomes for result in results)
    return Outcomes.joined(entrants, [*parts])


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
    entrants: Sequence[str],
    results: Sequence[MatchResult],
    luck: Luck,
    sheets: Sheets | None = None,
    *,
    ladder: bool = False,
) -> tuple[Fit, dict[str, Fitted]]:
    """Return the corrected fit, and its rows beside the raw one and the luck that was taken out.

    A bot whose luck is known and cannot be taken out yet (`usable`) is provisional.
    `ladder`: around the mean of the settled bots, and not of all.
    """
    sheets = sheets or Sheets()
    taken = usable(entrants, results, luck, sheets)
    corrected, uncorrected = (fitted(entrants, results, one, sheets) for one in (taken, None))
    if ladder:
        centre = settled(corrected, results)
        corrected, uncorrected = corrected.around(centre), uncorrected.around(centre)
    raw = uncorrected.table()
    means = mean_luck(results, taken, sheets)
    waiting = mean_luck(results, luck, sheets).keys() - means.keys() if len(taken) < len(luck) else frozenset()
    found = {
        bot: Fitted(row.elo, row.ci95, luck=means.get(bot, 0.0), raw=raw[bot].elo, provisional=bot in waiting)
        for bot, row in corrected.table().items()
    }
    return corrected, found


def mean_luck(results: Iterable[MatchResult], luck: Luck, sheets: Sheets | None = None) -> dict[str, float]:
    """Return what was taken off each bot's score in a game, on average over the games of which it is known."""
    sheets = sheets or Sheets()
    sums: dict[str, float] = {}
    games: Counter[str] = Counter()
    for result in results:
        sheet = sheets.corrected(result, luck.get(result.match, ()))
        if sheet.games:
            for bot, taken in zip(result.entrants, sheet.luck, strict=True):
                sums[bot] = sums.get(bot, 0.0) + taken
                games[bot] += sheet.games
    return {bot: total / games[bot] for bot, total in sums.items()}
