"""Details of results: who sat where in a game, and what a bot did by seat and by fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product, repeat
from typing import Any

from ladder.readings.match_luck import MatchLuck
from ladder.readings.summaries import result_of
from ladder.results import faults, faults_by_kind
from ladder.store.rows import MatchRow
from lastcard.names import bot_of


@dataclass(frozen=True, slots=True)
class EntrantLine:
    """What one entrant did in a match; None before the end, and where it is not known."""

    bot: str
    wins: int | None
    points: int | None
    faults: int | None
    kinds: str


@dataclass(frozen=True, slots=True)
class GameLine:
    """One game of a match, seats in playing order."""

    label: str
    """Its number in the match from 1, as `lastcard game show` has it."""
    seats: tuple[str, ...]
    winners: tuple[str, ...]
    places: tuple[int, ...]
    points: tuple[int, ...]
    rounds: int
    ending: str
    luck: tuple[float, ...] = ()
    """What is taken off the scores; empty where it is not known."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """What a bot did in one seat of a format."""

    format: str
    seat: int
    games: int
    score: float
    """Part of the opponents that it was ahead of, ties one half; partners are none."""
    mean_points: float


def entrants(row: MatchRow, wins: Sequence[int]) -> tuple[EntrantLine, ...]:
    """Return what every entrant of a match did; `wins`: games won by entrant, none where that is not known."""
    result = result_of(row)
    if not result:
        return tuple(EntrantLine(bot, None, None, None, "") for bot in row.entrants)
    games = [game for meeting in result["meetings"] for game in meeting["games"]]
    won, counted = wins or (None,) * len(row.entrants), faults(result)
    return tuple(
        EntrantLine(
            bot,
            won[index],
            sum(game["points"][index] for game in games),
            counted[index],
            _kinds(_kinds_of(result, index)),
        )
        for index, bot in enumerate(row.entrants)
    )


def games(row: MatchRow, luck: MatchLuck | None = None) -> tuple[GameLine, ...]:
    """Return every game of a finished match, with its luck if that is known."""
    every = (game for meeting in result_of(row).get("meetings", ()) for game in meeting["games"])
    played = ((str(number), game) for number, game in enumerate(every, 1))
    taken = repeat(None) if luck is None else chain(luck.games, repeat(None))
    return tuple(_game(row, label, game, of_game) for (label, game), of_game in zip(played, taken, strict=False))


def by_seat(
    rows: Iterable[MatchRow], name: str, teams_of: Callable[[MatchRow], Sequence[int] | None]
) -> tuple[SeatLine, ...]:
    """Return what a bot did by format and seat in these matches, but for those whose teams are not known."""
    sums: dict[tuple[str, int], list[float]] = {}
    for row in rows:
        teams = teams_of(row)
        games = [game for meeting in result_of(row).get("meetings", ()) for game in meeting["games"]] if teams else []
        mine = [index for index, entrant in enumerate(row.entrants) if bot_of(entrant) == name]
        for game, entrant in product(games, mine):
            line = sums.setdefault((row.format, game["seats"].index(entrant)), [0, 0.0, 0.0])
            line[0] += 1
            line[1] += _ahead(game["ranks"], entrant, teams or ())
            line[2] += game["points"][entrant] / max(game["rounds"], 1)
    return tuple(
        SeatLine(name_of_format, seat, int(count), score / count, points / count)
        for (name_of_format, seat), (count, score, points) in sorted(sums.items())
    )


def fault_kinds(rows: Iterable[MatchRow], name: str) -> dict[str, int]:
    """Return the faults of a bot in these matches by kind, most first."""
    found: Counter[str] = Counter()
    for row in rows:
        for index, entrant in enumerate(row.entrants):
            if bot_of(entrant) == name:
                found.update(_kinds_of(result_of(row), index))
    return {kind: count for kind, count in found.most_common() if count}


def _game(row: MatchRow, label: str, game: Mapping[str, Any], luck: Sequence[float] | None) -> GameLine:
    seats, ranks = game["seats"], game["ranks"]
    return GameLine(
        label=label,
        seats=tuple(row.entrants[entrant] for entrant in seats),
        winners=tuple(row.entrants[entrant] for entrant in seats if ranks[entrant] == 1),
        places=tuple(ranks[entrant] for entrant in seats),
        points=tuple(game["points"][entrant] for entrant in seats),
        rounds=game["rounds"],
        ending=game["ending"],
        luck=() if luck is None else tuple(luck[entrant] for entrant in seats),
    )


def _ahead(ranks: Sequence[int], entrant: int, teams: Sequence[int]) -> float:
    others = [rank for rank, team in zip(ranks, teams, strict=True) if team != teams[entrant]]
    return sum((ranks[entrant] < rank) + (ranks[entrant] == rank) / 2 for rank in others) / len(others)


def _kinds_of(result: Mapping[str, Any], index: int) -> dict[str, int]:
    kinds = faults_by_kind(result)
    return kinds[index] if index < len(kinds) else {}


def _kinds(found: Mapping[str, int]) -> str:
    return ", ".join(f"{count} {kind}" for kind, count in found.items() if count)
