"""The luck of a match, game by game, as it is taken out of ratings."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.corrections import correction_for
from ladder.readings.teams import TeamsOf, teams_in
from ladder.store.gifts import Gifts
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

    def __init__(self, gifts: Gifts, teams_of: TeamsOf) -> None:
        self._gifts = gifts
        self._teams_of = teams_of

    def get(self, row: MatchRow) -> MatchLuck | None:
        """Return the luck of a match; None: it is not known yet, or stays in the scores under these rules."""
        correction = correction_for(row.ruleset)
        gifts = self._gifts.find([row.id]).get(row.id) if correction else None
        teams = teams_in(row, self._teams_of)
        if correction is None or gifts is None or teams is None:
            return None
        luck = correction.of_match(gifts.terms, gifts.games, teams)
        if luck is None:
            return None
        return MatchLuck(correction.version, tuple(None if game is None else tuple(game) for game in luck))
