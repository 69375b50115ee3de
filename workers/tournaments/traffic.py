"""How many messages a game takes, and how many games a referee plays: what a plan reckons with until it is measured.

The numbers are those of house bots (careful, greedy, random) in this program's own arena, rounded.
"""

from __future__ import annotations

from typing import Final

__all__ = ["decisions", "games_per_second", "rounds_a_game"]

OF_A_REFEREE: Final = 5_600
"""Decisions that one referee is reckoned to serve in a second."""

ROUND: Final[dict[str, tuple[float, float]]] = {
    "uno": (17.0, 5.8),  # 28 at two seats, 38 at four, 50 at six, 75 at ten
    "spin": (17.0, 7.0),  # 31 at two seats, 44 at four, 74 at eight
    "dos": (6.0, 1.6),  # 9 at two seats, 12 at four
    "duo": (24.0, 7.0),  # 38 at two seats
}
"""Decisions of a round by game: for the table, and for each seat."""

POINTS: Final[dict[str, float]] = {"uno": 11.5, "spin": 11.5, "dos": 5.0, "duo": 13.5}
"""Points of a round by game that bring the target nearer, for each seat: two seats need 21 rounds of uno for 500."""


def decisions(game: str, seats: int, target: int, rounds: int = 1) -> float:
    """Return about how many decisions a game takes: each is one message to a bot and one back, at most."""
    table, seat = ROUND[game]
    return (table + seat * seats) * rounds_a_game(game, seats, target, rounds)


def rounds_a_game(game: str, seats: int, target: int, rounds: int = 1) -> float:
    """Return about how many rounds a game has; exact where it has no target."""
    return max(target / (POINTS[game] * seats), 1.0) if target else rounds


def games_per_second(decisions_a_game: float, referees: int) -> float:
    """Return the games that so many referees are reckoned to play in a second."""
    return OF_A_REFEREE / decisions_a_game * referees
