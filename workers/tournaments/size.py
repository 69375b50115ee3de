"""Sizes of a tournament by name: how sure its result will be, whatever the number of seats."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from ladder.errors import InvalidFieldError
from workers.tournaments.spec import MOST_MEETINGS, Kind, TournamentSpec
from workers.tournaments.summary import PlanSummary

__all__ = ["Size", "meetings_of"]


class Size(StrEnum):
    """How much is played: error bars of quick are twice those of default, and those of default twice those of fine."""

    QUICK = "quick"
    DEFAULT = "default"
    FINE = "fine"


GAMES: Final = {Size.QUICK: 20, Size.DEFAULT: 100, Size.FINE: 400}
"""Games of a pairing at two seats: 10, 50 and 200 meetings."""

LEAST: Final = 10
"""At larger tables a bot plays at least as many games as it would against so many opponents at two seats."""


def meetings_of(size: Size, spec: TournamentSpec, single: PlanSummary) -> int:
    """Return the meetings of each pairing or table that make a tournament of this size.

    At two seats, in a gauntlet, and between sides of partners it is the games of a pairing that count. At larger tables
    a bot plays as many games as it would at two seats against the same field.

    Args:
        size: The size.
        spec: What is to be played.
        single: Counts of the same with one meeting of each.

    Raises:
        InvalidFieldError: nobody is there whose number could be reckoned with.
    """
    if not single.meetings:
        message = f"size {size}: nobody is online, so nothing can be counted; name the bots, or give the meetings"
        raise InvalidFieldError("NOBODY", message, field="size", value=size)
    seats = single.games // single.meetings
    if seats == 2 or spec.kind is Kind.GAUNTLET or spec.side > 1:
        return -(-GAMES[size] // seats)
    opponents = single.games // single.meetings_per_bot - 1
    wanted = GAMES[size] * max(opponents, LEAST)
    return min(-(-wanted // (seats * single.meetings_per_bot)), MOST_MEETINGS)
