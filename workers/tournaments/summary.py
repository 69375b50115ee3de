"""What a tournament will be: counts, time, and how sure its result is going to be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from ladder.errors import InvalidFieldError
from workers.schedule.schedule import Schedule
from workers.tournaments.spec import Deals, TournamentSpec

__all__ = ["MOST_MATCHES", "NOTHING", "PlanSummary", "expected_ci95", "summarise"]

MOST_MATCHES: Final = 10_000_000
"""Matches of one tournament, at most."""

MEASURED: Final = {2: 681.0, 4: 490.0}
"""95 % half width of a rating after one game, in Elo, by sides, with fresh deals (ratings by finishing order)."""

SLOPE: Final = 4 * 1.96 * 400 / math.log(10)
"""Half width after one game for each unit of a score's standard deviation, between even bots."""

MIRRORED: Final = math.sqrt(0.6)
"""What one deal for all seatings of a meeting leaves of it, between near-even bots (correlation -0.4)."""


@dataclass(frozen=True, slots=True)
class PlanSummary:
    """Counts of a schedule."""

    matches: int
    meetings: int
    games: int
    meetings_per_bot: int
    """Of the bot that has fewest."""
    seconds: float
    """At the given pace, or as was forecast."""
    expected_ci95: float | None
    """Half width of a bot's interval, in Elo; None where nobody measured it."""
    per_pairing: int = 0
    """Meetings of each pairing or table."""
    least_s: float = 0.0
    most_s: float = 0.0
    """Seconds that it takes at least and at most, where it was forecast."""
    measured: int = 0
    """Games of its format from which that is known; 0: it is what is usual."""


NOTHING: Final = PlanSummary(0, 0, 0, 0, 0.0, None)
"""Of a tournament that nobody could play now."""


def summarise(spec: TournamentSpec, schedule: Schedule, games_per_second: float) -> PlanSummary:
    """Return the counts of a tournament's schedule.

    Raises:
        InvalidFieldError: it is too large.
    """
    matches = len(schedule)
    if matches > MOST_MATCHES:
        message = f"{matches} matches: allowed {MOST_MATCHES}; take fewer bots, meetings or cycles"
        raise InvalidFieldError("TOO_LARGE", message, field="meetings", value=schedule.meetings)
    pairing = schedule.pairing
    meetings = spec.cycles * pairing.legs * pairing.tables * schedule.meetings
    per_bot, games = spec.cycles * pairing.least_tables() * schedule.meetings, meetings * schedule.seats
    return PlanSummary(
        matches=matches,
        meetings=meetings,
        games=games,
        meetings_per_bot=per_bot,
        seconds=games / games_per_second if games_per_second > 0 else math.inf,
        expected_ci95=expected_ci95(_sides(schedule), per_bot * schedule.seats, spec.deals),
        per_pairing=schedule.meetings,
    )


def _sides(schedule: Schedule) -> int:
    """Return how many play against each other: partners win and lose together, so two pairs are like two seats."""
    return len(set(schedule.teams)) or schedule.seats


def expected_ci95(sides: int, games: int, deals: Deals | None) -> float | None:
    """Return the half width to expect of a bot's 95 % interval after so many games; None after none.

    Args:
        sides: bots of a game, or pairs of partners.
        games: of the bot.
        deals: what shares cards.
    """
    if games == 0:
        return None
    return _spread(sides) * (MIRRORED if deals is Deals.MIRRORED else 1.0) / math.sqrt(games)


def _spread(seats: int) -> float:
    """Return the half width after one game: as measured, else from the variance of a place in a random order."""
    return MEASURED.get(seats, SLOPE * math.sqrt((seats + 1) / (12 * (seats - 1))))
