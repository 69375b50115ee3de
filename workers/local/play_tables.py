"""What `lastcard play` shows to people."""

from __future__ import annotations

import traceback
from typing import Final

from ladder.plackett_luce import OrderFit
from ladder.standings import BY_OPPONENT, Z95, Standing, by_opponent
from ladder.tables import PairResult, Table
from ladder.terminal.screen import say, show_table
from lastcard.console import counted
from referee.local.arena import ArenaResult, Mistakes

__all__ = ["complaint", "show"]

STANDINGS: Final = ("rank", "bot", "elo", "±95 %", "meetings", "W/T/L", "mean points", "faults")
PAIRS: Final = ("a", "b", "score of a", "elo a - b", "±95 %", "games")


def show(result: ArenaResult, fitted: Table, orders: OrderFit | None = None, *, whole: bool = True) -> None:
    """Print the standings, every pair, and what finishing orders say where there are some; `whole`: all was played."""
    played = result.format
    each = f", {counted(result.meetings, 'meeting')} a table" if whole else ""
    say(
        f"{played.name}, {played.deals} deals, ruleset {played.rules.hash}, seed {result.seed}: "
        f"{counted(result.rounds, 'round')}{each}"
    )
    show_table(STANDINGS, map(_standing, fitted.standings))
    if by_opponent(fitted.standings):
        say(f"W/T/L: {BY_OPPONENT}")
    show_table(PAIRS, map(_pair, fitted.pairs))
    if orders is not None:
        found = sorted(zip(result.bots, orders.elo, orders.errors, strict=True), key=lambda row: -row[1])
        rows = ", ".join(f"{bot} {1500 + elo:.0f} ±{Z95 * error:.0f}" for bot, elo, error in found)
        say(f"by the whole orders of {counted(orders.games, 'game')} without a tie (Plackett-Luce): {rows}")


def _standing(row: Standing) -> tuple[object, ...]:
    games = f"{row.wins}/{row.ties}/{row.losses}"
    interval = "-" if row.ci95 is None else f"{row.ci95:.0f}"
    return row.rank, row.bot, f"{row.elo:.0f}", interval, row.meetings, games, f"{row.mean_points:.1f}", row.faults


def _pair(pair: PairResult) -> tuple[object, ...]:
    return pair.a, pair.b, f"{pair.score:.1%}", f"{pair.elo:+.0f}", f"{pair.ci95:.0f}", pair.games


def complaint(bot: str, mistakes: Mistakes) -> str:
    """Return a sentence about what a bot did wrong, with the place of the first time."""
    frames = traceback.extract_tb(mistakes.first.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    times = "once" if mistakes.count == 1 else f"{mistakes.count} times"
    what = f"{type(mistakes.first).__name__}: {mistakes.first}"
    return f"lastcard: {bot} did not choose {times}, and the first option was taken; first time: {what}{place}"
