"""What became of a match of a tournament, for whoever asks a ladder and has no store."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.readings.summaries import Summary
from workers.tournaments.tournament_status import TournamentStatus

__all__ = ["GameResult", "PlayedMatch", "ResultsPage"]


@dataclass(frozen=True, slots=True)
class GameResult:
    """What became of a game; everything by entrant of its match."""

    places: tuple[int, ...]
    """1 the best, ties share."""
    points: tuple[int, ...]
    rounds: int
    luck: tuple[float, ...] = ()
    """What is taken off its score; empty where that is not known."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """What became of a match."""

    match: Summary
    meetings: tuple[tuple[GameResult, ...], ...] = ()
    """By meeting and game; empty without a result, and while others play its deals."""
    lc_version: str = ""
    """What its luck was computed with; empty: it is not known, or stays in the scores."""
    luck_to_come: bool = False
    """It is not known yet, and will be."""


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """Matches in the order of the schedule, and where their tournament stands."""

    results: tuple[PlayedMatch, ...]
    status: TournamentStatus
    """Without its table."""
