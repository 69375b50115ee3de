"""How far a tournament is, in words: the same on pages and in commands. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence

from ladder.tables import Walkover

__all__ = ["CANCELLED", "extent", "missing", "waiting", "was_missing"]

CANCELLED = "cancelled"
NAMED = 3
"""Bots that a line has room for."""


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


def was_missing(absent: Walkover) -> str:
    """Say of a bot that it was waited for in vain, wherever it was, and what that means."""
    games = "1 game" if absent.games == 1 else f"{absent.games} games"
    return f"{absent.bot.partition('@')[0]} was missing: {games} by walkover, no ladder moved"


def missing(notes: str) -> tuple[str, ...]:
    """Return the entrants that the planner waits for, those missing longest first.

    Args:
        notes: what the planner keeps of a running tournament, in JSON; "" before it has begun.
    """
    since: dict[str, int] = json.loads(notes).get("missing", {}) if notes else {}
    return tuple(sorted(since, key=lambda bot: since[bot]))


def waiting(bots: Sequence[str]) -> str:
    """Say which entrants a tournament waits for."""
    names = [bot.partition("@")[0] for bot in bots[:NAMED]]
    more = [f"{len(bots) - NAMED} more"] if len(bots) > NAMED else []
    *first, last = names + more
    return f"waiting for {', '.join(first)} and {last}" if first else f"waiting for {last}"
