"""Matches summed up, each once: the table of a tournament of thousands is made of these sums whenever it is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, TypeAlias

from ladder.bradley_terry import Outcomes
from ladder.elo import halves
from ladder.results import MatchResult
from ladder.shared_deals import SharedGames
from ladder.standings import Counts, counts

_NOTHING: Final = (None, None)

GameLuck: TypeAlias = Sequence[Sequence[float] | None]
"""By game of a match: what is to be taken off each entrant's score; None for a game of which it is not known."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A match as it was played."""

    counts: tuple[Counts, ...]
    """By entrant."""
    games: int
    pairs: tuple[tuple[int, int, int], ...]
    """Two opponents, the one with the smaller name first, and twice what that one scored against the other."""
    seats: tuple[float, ...]
    """Score by seat: the part of the opponents that whoever sat there was ahead of, summed over the games."""
    outcomes: Outcomes
    shared: SharedGames | None
    """None where nobody else had its deals."""


@dataclass(frozen=True, slots=True)
class CorrectedSheet:
    """A match with its luck taken out, as far as it is known."""

    games: int
    """Whose luck is known."""
    luck: tuple[float, ...]
    """Taken off each entrant's score, summed over these games."""
    outcomes: Outcomes
    shared: SharedGames | None


class Sheets:
    """The sums of matches: one is summed up when it is first asked for, and when its luck first is."""

    def __init__(self) -> None:
        self._played: dict[str, tuple[MatchResult, Sheet]] = {}
        self._corrected: dict[str, tuple[MatchResult, GameLuck, CorrectedSheet]] = {}

    def of(self, result: MatchResult) -> Sheet:
        """Return the sums of a match."""
        summed, sheet = self._played.get(result.match, _NOTHING)
        if sheet is None or summed is not result:
            sheet = _sheet(result)
            self._played[result.match] = (result, sheet)
        return sheet

    def corrected(self, result: MatchResult, luck: GameLuck) -> CorrectedSheet:
        """Return the sums of a match less its luck; without any they are those of the match as it was played."""
        if not luck:
            played = self.of(result)
            return CorrectedSheet(0, (), played.outcomes, played.shared)
        summed, taken, sheet = self._corrected.get(result.match, (*_NOTHING, None))
        if sheet is None or summed is not result or taken is not luck:
            sheet = _corrected(result, luck)
            self._corrected[result.match] = (result, luck, sheet)
        return sheet

    def forget(self, matches: Iterable[str]) -> None:
        """Forget matches that do not count any more."""
        for match in matches:
            self._played.pop(match, None)
            self._corrected.pop(match, None)


def _sheet(result: MatchResult) -> Sheet:
    games = [game for meeting in result.ranks for game in meeting]
    return Sheet(
        counts=counts(result),
        games=len(games),
        pairs=tuple((one, other, halves(games, one, other)) for one, other in _rivals(result)),
        seats=_seats(result),
        outcomes=_outcomes(result, ()),
        shared=_shared(result, ()),
    )


def _corrected(result: MatchResult, luck: GameLuck) -> CorrectedSheet:
    there = [game for game in luck if game is not None]
    sums = tuple(sum(game[entrant] for game in there) for entrant in range(len(result.entrants)))
    return CorrectedSheet(len(there), sums, _outcomes(result, luck), _shared(result, luck))


def _outcomes(result: MatchResult, luck: GameLuck) -> Outcomes:
    outcomes, first = Outcomes(result.entrants), 0
    for games in result.ranks:
        taken = _taken(luck[first : first + len(games)], len(result.entrants))
        outcomes.add(result.entrants, games, result.teams, taken)
        first += len(games)
    return outcomes


def _shared(result: MatchResult, luck: GameLuck) -> SharedGames | None:
    if not result.deals:
        return None
    outcomes = Outcomes(result.entrants)
    for number, game in enumerate(game for games in result.ranks for game in games):
        outcomes.add(result.entrants, [game], result.teams, _taken(luck[number : number + 1], len(result.entrants)))
    return SharedGames(outcomes, result.deals)


def _taken(games: GameLuck, seats: int) -> list[float] | None:
    """Return the luck of each entrant over the games of a meeting; None where none of it is known."""
    there = [game for game in games if game is not None]
    return [sum(game[entrant] for game in there) for entrant in range(seats)] if there else None


def _rivals(result: MatchResult) -> Iterator[tuple[int, int]]:
    """Yield entrants who played against each other, the one with the smaller name first."""
    ordered = sorted(range(len(result.entrants)), key=lambda entrant: result.entrants[entrant])
    return ((one, other) for one, other in combinations(ordered, 2) if result.teams[one] != result.teams[other])


def _seats(result: MatchResult) -> tuple[float, ...]:
    seats = range(len(result.entrants))
    rivals = [[other for other in seats if result.teams[other] != result.teams[entrant]] for entrant in seats]
    sums = [0.0] * len(seats)
    for meeting in result.ranks:
        for number, ranks in enumerate(meeting):
            for entrant in seats:
                mine = ranks[entrant]
                ahead = sum((mine < ranks[other]) + (mine <= ranks[other]) for other in rivals[entrant])
                sums[(entrant - number) % len(seats)] += ahead / (2 * len(rivals[entrant]))
    return tuple(sums)
