"""The luck of a match, game by game, as it is taken out of ratings."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.readings.teams import TeamsOf, teams_in
from ladder.readings.weighing import Seated, Weighing
from ladder.store.rows import MatchRow


@dataclass(frozen=True, slots=True)
class MatchLuck:
    """What is taken off the scores of a match."""

    version: str
    """Names the terms and weights that it is computed with."""
    games: tuple[tuple[float, ...] | None, ...]
    """By game and entrant; None for a game that was never dealt."""


class MatchLucks:
    """Reads what workers computed."""

    def __init__(self, weighing: Weighing, teams_of: TeamsOf) -> None:
        self._weighing = weighing
        self._teams_of = teams_of

    def get(self, row: MatchRow) -> MatchLuck | None:
        """Return the luck of a match; None: it is not known yet, or stays in the scores under these rules."""
        timeline = self._weighing.timeline(row.format, row.ruleset)
        teams = teams_in(row, self._teams_of)
        if timeline is None or teams is None:
            return None
        weighed = self._weighing.weighed(timeline, {row.id: Seated(row.seq, teams)}).get(row.id)
        if weighed is None:
            return None
        games = tuple(None if game is None else tuple(game) for game in weighed.games)
        return MatchLuck(weighed.lc_version, games)
