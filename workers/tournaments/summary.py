"""What a tournament will be: counts, time, and how sure its result is going to be."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from ladder.errors import InvalidFieldError
from workers.schedule.schedule import Schedule
from workers.tournaments.precision import half_width
from workers.tournaments.spec import TournamentSpec

__all__ = ["MOST_MATCHES", "NOTHING", "PlanSummary", "summarise"]

MOST_MATCHES: Final = 10_000_000
"""Matches of one tournament, at most."""


@dataclass(frozen=True, slots=True)
class PlanSummary:
    """Counts of a schedule."""

    matches: int
    meetings: int
    games: int
    meetings_per_bot: int
    """Of the bot that has fewest."""
    seconds: float
    """At the given pace, as was forecast, or as its own games tell: from its begin to its end."""
    expected_ci95: float | None
    """Half width of a bot's interval, in Elo; None where nobody measured it."""
    per_pairing: int = 0
    """Meetings of each pairing or table."""
    least_s: float = 0.0
    most_s: float = 0.0
    """Seconds that it takes at least and at most, where it was forecast."""
    measured: int = 0
    """Games from which that is known, of its format or its own; 0: it is what is usual."""


NOTHING: Final = PlanSummary(0, 0, 0, 0, 0.0, None)
"""Of a tournament that nobody could play now."""


def summarise(spec: TournamentSpec, schedule: Schedule, games_per_second: float, luck_left: float = 1.0) -> PlanSummary:
    """Return the counts of a tournament's schedule.

    Args:
        spec: What is played.
        schedule: Its matches.
        games_per_second: At which it is.
        luck_left: Share of a rating's variance that is left once luck is taken out of it; 1: it stays in.

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
        expected_ci95=half_width(schedule, spec, luck_left),
        per_pairing=schedule.meetings,
    )
