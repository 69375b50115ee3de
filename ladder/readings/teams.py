"""Who plays with whom, as whoever knows the formats says."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ladder.errors import UnknownNameError
from ladder.store.rows import MatchRow

TeamsOf: TypeAlias = Callable[[str], tuple[int, ...] | None]
"""Teams by entrant of a format; None: everybody alone. Raises UnknownNameError where nobody here knows the format."""


def alone(_format: str) -> None:
    """Everybody alone."""


def teams_in(row: MatchRow, teams_of: TeamsOf) -> tuple[int, ...] | None:
    """Return the team of each entrant of a match; None where nobody here knows its format any more, as it was."""
    try:
        teams = teams_of(row.format)
    except UnknownNameError:
        return None
    if teams is None:
        return tuple(range(len(row.entrants)))
    return teams if len(teams) == len(row.entrants) else None
