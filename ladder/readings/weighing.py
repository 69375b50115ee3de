"""What is to be taken out of the scores of matches: by the weights that held when each was rated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ladder.corrections import correction_for, earlier
from ladder.timeline import Timeline

if TYPE_CHECKING:
    from ladder.store.gifts import Gifts
    from ladder.store.house_games import HouseGames
    from ladder.store.store import Store
    from ladder.store.weights import Weights


@dataclass(frozen=True, slots=True)
class Seated:
    """A match whose luck is asked for."""

    seq: int
    """Its number in the log of its ladder; 0: no ladder counts it."""
    teams: Sequence[object] | None
    """By entrant; None: everybody alone."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """What is to be taken out of the scores of a match."""

    lc_version: str
    """Of the weights by which that is so."""
    games: list[list[float] | None]
    """By game and entrant; None for a game that was never dealt."""


class Weighing:
    """Weighs what workers computed."""

    def __init__(self, gifts: Gifts, house: HouseGames, weights: Weights) -> None:
        self._gifts = gifts
        self._house = house
        self._weights = weights

    @classmethod
    def of(cls, store: Store) -> Weighing:
        """Return the weighing of a store."""
        return cls(store.gifts, store.house, store.weights)

    def timeline(self, ladder_format: str, ruleset: str) -> Timeline | None:
        """Return the weights of a ladder; None: luck stays in the results of these rules."""
        shipped = correction_for(ruleset)
        if shipped is None:
            return None
        return Timeline(shipped, self._weights.of(ladder_format), earlier(ruleset))

    def weighed(self, timeline: Timeline, matches: Mapping[str, Seated]) -> dict[str, Weighed]:
        """Return by match what is to be taken out, of those matches of which it is known."""
        scores = self._house.find([match for match, seated in matches.items() if timeline.at(seated.seq).house])
        found: dict[str, Weighed] = {}
        for match, gifts in self._gifts.find(matches.keys()).items():
            correction, teams = timeline.of(matches[match].seq, gifts.terms), matches[match].teams
            luck = correction.of_match(gifts.terms, gifts.games, teams, scores.get(match))
            if luck is not None:
                found[match] = Weighed(correction.version, luck)
        return found
