"""How far a tournament is, in words: the same on pages and in commands. Pure."""

from __future__ import annotations

from ladder.tables import Walkover

__all__ = ["CANCELLED", "extent", "never_came"]

CANCELLED = "cancelled"


def extent(state: str, done: int, lost: int, total: int, *, joint: str = " of ") -> str:
    """Return how many matches are played, void, and to come.

    Args:
        state: of the tournament.
        done: matches that count.
        lost: matches that were declared void, or parked.
        total: matches of the whole schedule; 0 before it begins.
        joint: between those that are played and all.
    """
    if state == CANCELLED:
        return f"{done} played, {lost} void, {max(total - done - lost, 0)} never begun" if total else "never begun"
    if not total:
        return "not begun yet"
    words = f"{done}{joint}{total} {'match' if total == 1 else 'matches'}"
    return f"{words}, {lost} void or parked" if lost else words


def never_came(absent: Walkover) -> str:
    """Say of a bot that it was waited for in vain, and what that means."""
    games = "1 game" if absent.games == 1 else f"{absent.games} games"
    return f"{absent.bot.partition('@')[0]} never came: {games} by walkover, no ladder moved"
