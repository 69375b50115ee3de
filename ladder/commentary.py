"""What is said of a match that is being played, the same on pages and in commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lastcard.story import WHY
from lastcard.words import ENDINGS

if TYPE_CHECKING:
    from ladder.store.live import LiveTable

STATES: Final = {
    "waiting": "Nothing is shown yet: its tables come in a moment, unless it waits for its bots or for a referee.",
    "withheld": "Its deals are played more than once. What happens is shown when the last table is over.",
    "busy": "Its referee shows as many matches as it may; this one as soon as there is room.",
}
"""Why nothing of a match is shown, by `Live`."""


def label(table: LiveTable) -> str:
    """Return what a round is called: the number of its game in the match, as elsewhere, and its own."""
    game = f"Game {table.meeting * len(table.entrants) + table.game + 1}"
    return f"{game}, round {table.round + 1}" if table.round or any(table.scores) else game


def names(table: LiveTable, entrants: Sequence[str]) -> list[str]:
    """Return who sits at a table, by seat."""
    return [entrants[entrant] for entrant in table.entrants]


def ending(table: LiveTable, entrants: Sequence[str]) -> str:
    """Return in words how a round that is over has ended."""
    assert table.end is not None
    seats = names(table, entrants)
    winners = [name for name, place in zip(seats, table.end.places, strict=True) if place == 1]
    points = [f"{name} {points:+d}" for name, points in zip(seats, table.end.points, strict=True) if points]
    won = f"{' and '.join(winners) or 'nobody'} won, {WHY[ENDINGS[table.end.ending]]}"
    return f"{won} ({', '.join(points)})" if points else won
