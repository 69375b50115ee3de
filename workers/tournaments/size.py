"""Sizes of a tournament by name: how sure its result will be, whatever the number of seats."""

from __future__ import annotations

from typing import Final

from workers.schedule.pairing import Pairing
from workers.tournaments.spec import MOST_MEETINGS, Kind, Size, TournamentSpec

__all__ = ["meetings_of"]

GAMES: Final = {Size.QUICK: 20, Size.DEFAULT: 100, Size.FINE: 400}
"""Games of a pairing at two seats: 10, 50 and 200 meetings. What runs is reckoned from them, so that they stay."""

LEAST: Final = 10
"""At larger tables a bot plays at least as many games as it would against so many opponents at two seats."""


def meetings_of(size: Size, spec: TournamentSpec, pairing: Pairing, seats: int) -> int:
    """Return the meetings of each pairing or table that make a tournament of this size.

    At two seats, in a gauntlet, and between sides of partners it is the games of a pairing that count. At larger tables
    a bot plays as many games as it would at two seats against the same field.

    Args:
        size: The size.
        spec: What is to be played.
        pairing: Of those who play it.
        seats: Bots at a table.
    """
    if seats == 2 or spec.kind is Kind.GAUNTLET or spec.side > 1:
        return -(-GAMES[size] // seats)
    tables = pairing.least_tables()
    opponents = pairing.legs * pairing.tables * seats // tables - 1
    wanted = GAMES[size] * max(opponents, LEAST)
    return min(-(-wanted // (seats * tables)), MOST_MEETINGS)
