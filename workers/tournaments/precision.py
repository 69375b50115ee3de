"""How sure a tournament's ratings are going to be: the half width of the interval of a bot, before anything is played.

Between even bots, for a bot of n games that meets very many others, it is c / sqrt(n). A field of few is surer, since
ratings are around its own mean; shared deals and luck that is taken out leave less of the variance (docs/ratings.md).
"""

from __future__ import annotations

import math
from typing import Final, assert_never

from workers.schedule.schedule import Schedule
from workers.tournaments.spec import Deals, Kind, TournamentSpec

__all__ = ["expected_ci95", "half_width"]

MEASURED: Final = {2: 681.0, 4: 490.0}
"""95 % half width of a rating after one game, in Elo, by sides, with fresh deals (ratings by finishing order)."""

SLOPE: Final = 4 * 1.96 * 400 / math.log(10)
"""Half width after one game for each unit of a score's standard deviation, between even bots."""

MIRRORED: Final = 0.6
"""Of the variance, left by one deal for all seatings of a meeting, between near-even bots (correlation -0.4).

With it most of the luck is gone: what taking luck out leaves of the rest is not reckoned with."""

ALIKE: Final = {False: {2: 0.44, 4: 0.28}, True: {2: 0.38, 4: 0.26}}
"""Correlation between two tables of one deal, by whether luck is taken out besides, and by sides."""


def half_width(schedule: Schedule, spec: TournamentSpec, luck_left: float = 1.0) -> float | None:
    """Return the half width to expect of the 95 % interval of the bot that has fewest games, in Elo; None: it has none.

    Args:
        schedule: Who meets whom.
        spec: What is played.
        luck_left: Share of the variance that is left once luck is taken out; 1: it stays in.
    """
    games = schedule.cycles * schedule.pairing.least_tables() * schedule.meetings * schedule.seats
    sides = len(set(schedule.teams)) or schedule.seats
    plain = expected_ci95(sides, games, spec.deals)
    if plain is None:
        return None
    return plain * _against_mean(schedule, spec) * math.sqrt(_left(schedule, spec, sides, luck_left))


def expected_ci95(sides: int, games: int, deals: Deals | None) -> float | None:
    """Return the half width of a bot's 95 % interval after so many games in a large field; None after none.

    Args:
        sides: bots of a game, or pairs of partners.
        games: of the bot.
        deals: what shares cards.
    """
    if games == 0:
        return None
    return _spread(sides) * math.sqrt(MIRRORED if deals is Deals.MIRRORED else 1.0) / math.sqrt(games)


def _spread(seats: int) -> float:
    """Return the half width after one game: as measured, else from the variance of a place in a random order."""
    return MEASURED.get(seats, SLOPE * math.sqrt((seats + 1) / (12 * (seats - 1))))


def _against_mean(schedule: Schedule, spec: TournamentSpec) -> float:
    """Return how much shorter an interval is since the field whose mean it is against is small.

    All against all among n: a score of s more than half is 4 s (n - 1) / n more than the mean. One against n - 1
    others that do not meet: each of those is known against the one, and all of them together say where that one stands.
    """
    n = len(schedule.entrants) // schedule.side
    if spec.kind is Kind.GAUNTLET and schedule.pairing.seats == 2:
        return math.sqrt(n * n - n - 1) / n
    return (n - 1) / n


def _left(schedule: Schedule, spec: TournamentSpec, sides: int, luck_left: float) -> float:
    """Return the share of the variance that is left by what takes chance out, beside mirrored deals."""
    match spec.deals:
        case Deals.MIRRORED:
            return 1.0
        case Deals.FRESH | None:
            return luck_left
        case Deals.FIELD:
            alike = ALIKE[luck_left < 1]
            rho = alike.get(sides, alike[max(alike)] if sides > 2 else 0.0)
            return luck_left * _shared(rho, schedule.pairing.tables)
        case _:
            assert_never(spec.deals)


def _shared(rho: float, tables: int) -> float:
    """Return the share of the variance that is left where what a deal did at all tables is taken out."""
    return 1 / ((1 - 1 / tables) / (1 - rho) + (1 / tables) / (1 + (tables - 1) * rho))
