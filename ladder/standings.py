"""Tables of standings. Pure."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, TypeAlias

from ladder.elo import MICRO
from ladder.results import MatchResult

Z95: Final = 1.959963984540054
SAME: Final = 1e-9
"""Ratings, and scores, that differ by no more are equal: the rest is how a computer adds."""
SETTLED_MEETINGS: Final = 30
SETTLED_SE: Final = 40.0
"""Elo. With fewer meetings or a larger standard error a rating is provisional."""
SPREAD_TWO: Final = 347.0
SPREAD_MORE: Final = 250.0
"""Standard error of a bot before any fit: this over the root of its rounds, at two seats and at more."""


Counts: TypeAlias = tuple[int, int, int, int, int, int, int]
"""Meetings, games won, tied and lost against each opponent, points, rounds, faults."""


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted for one bot version on one ladder or in one tournament."""

    bot: str
    micro: int
    """Live Elo in micro-points."""
    meetings: int = 0
    wins: int = 0
    """Games won against each opponent; `ties` and `losses` likewise."""
    ties: int = 0
    losses: int = 0
    points: int = 0
    rounds: int = 0
    faults: int = 0
    walkovers: int = 0
    """Of its meetings, those to which somebody never came; on a ladder there are none."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A bot in a fit of all games."""

    elo: float
    """On the scale of the live rating: the mean of the pool is 1500, on a ladder that of its settled bots."""
    ci95: float
    """Half width of the 95 % interval."""
    luck: float | None = None
    """Mean luck a game that was taken out; None: nothing was."""
    raw: float | None = None
    """Rating by the same games with their luck left in; None: it is the same."""
    provisional: bool = False
    """Whether a better fit is to come: luck is still to be taken out."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A row of a table."""

    rank: int
    """From 1; ties share."""
    bot: str
    elo: float
    """Of the fit once there is one, else live."""
    ci95: float | None
    meetings: int
    wins: int
    ties: int
    losses: int
    mean_points: float
    """A round."""
    faults: int
    raw_elo: float
    """With luck left in: of the same games in a tournament, else live."""
    luck: float | None
    provisional: bool
    walkovers: int = 0
    """Of its meetings, those to which somebody never came: their games are in wins and losses, and were not dealt."""


BY_OPPONENT: Final = "games won, tied and lost are counted against each opponent, so they are more than the games"
"""Below a table where `by_opponent` says so."""


class Order(StrEnum):
    """What decides the rank: the rating (tournaments), or what it is at least, two standard errors down (ladders)."""

    ELO = "elo"
    LOWER = "lower"


def standings(
    tallies: Sequence[Tally],
    fits: Mapping[str, Fitted] | None = None,
    *,
    order: Order = Order.ELO,
    seats: int = 2,
) -> tuple[Standing, ...]:
    """Rows, best first; equals share a rank and stand in alphabetical order.

    Args:
        tallies: What was counted.
        fits: What the last fit says, by bot; a bot it does not name is shown with its live rating.
        order: What decides.
        seats: Of the format.
    """
    fits = fits or {}
    keys = {tally.bot: _key(tally, fits.get(tally.bot), order, seats) for tally in tallies}
    return tuple(_row(rank, tally, fits.get(tally.bot)) for rank, tally in _ranked(tallies, keys, 1))


def by_score(tallies: Sequence[Tally], first: int = 1) -> tuple[Standing, ...]:
    """Rows of bots that no fit can know, best score first, from rank `first` on; equals share a rank.

    Their rating is the live one, which these games did not move.
    """
    scores = {tally.bot: _score(tally) for tally in tallies}
    return tuple(_row(rank, tally, None) for rank, tally in _ranked(tallies, scores, first))


def _ranked(tallies: Sequence[Tally], keys: Mapping[str, float], first: int) -> list[tuple[int, Tally]]:
    """Return ranks and bots, best key first; equals share a rank and stand in alphabetical order."""
    ranked: list[tuple[int, Tally]] = []
    rank, top = first, math.inf
    for place, tally in enumerate(sorted(tallies, key=lambda tally: -keys[tally.bot]), first):
        key = keys[tally.bot]
        if key != top and top - key > SAME:
            rank, top = place, key
        ranked.append((rank, tally))
    return sorted(ranked, key=lambda row: (row[0], row[1].bot))


def _score(tally: Tally) -> float:
    games = tally.wins + tally.ties + tally.losses
    return (tally.wins + tally.ties / 2) / games if games else 0.0


def counts(result: MatchResult) -> tuple[Counts, ...]:
    """What a match counts for each of its entrants."""
    return tuple(
        (len(result.ranks), *_games(result, entrant), result.points[entrant], result.rounds[entrant], faults)
        for entrant, faults in enumerate(result.faults)
    )


def tally(
    results: Iterable[MatchResult],
    micro: Mapping[str, int],
    counted: Callable[[MatchResult], Sequence[Counts]] = counts,
) -> tuple[Tally, ...]:
    """What some matches alone amount to, by bot in alphabetical order: the table of a tournament.

    Args:
        results: The matches.
        micro: Live rating of every bot in micro-points.
        counted: What a match counts, where that is known already.
    """
    sums: dict[str, list[int]] = {}
    for result in results:
        undealt = len(result.ranks) if result.absent else 0
        for bot, row in zip(result.entrants, counted(result), strict=True):
            total = sums.setdefault(bot, [0] * (len(row) + 1))
            for column, count in enumerate((*row, undealt)):
                total[column] += count
    return tuple(Tally(bot, micro[bot], *sums[bot]) for bot in sorted(sums))


def by_opponent(rows: Iterable[Standing]) -> bool:
    """Whether games are counted more than once, since a table had more opponents than one; a meeting of two has two."""
    return any(row.wins + row.ties + row.losses > 2 * row.meetings for row in rows)


def standard_error(tally: Tally, fitted: Fitted | None, seats: int = 2) -> float:
    """Of the rating that is shown, in Elo; infinite for a bot that never played."""
    if fitted is not None:
        return fitted.ci95 / Z95
    spread = SPREAD_TWO if seats == 2 else SPREAD_MORE
    return spread / math.sqrt(tally.rounds) if tally.rounds else math.inf


def _key(tally: Tally, fitted: Fitted | None, order: Order, seats: int) -> float:
    shown = tally.micro / MICRO if fitted is None else fitted.elo
    return shown if order is Order.ELO else shown - 2 * standard_error(tally, fitted, seats)


def _row(rank: int, tally: Tally, fitted: Fitted | None) -> Standing:
    live = tally.micro / MICRO
    enough = fitted is not None and tally.meetings >= SETTLED_MEETINGS and fitted.ci95 / Z95 <= SETTLED_SE
    settled = enough and not (fitted and fitted.provisional)
    return Standing(
        rank=rank,
        bot=tally.bot,
        elo=live if fitted is None else fitted.elo,
        ci95=None if fitted is None else fitted.ci95,
        meetings=tally.meetings,
        wins=tally.wins,
        ties=tally.ties,
        losses=tally.losses,
        mean_points=tally.points / tally.rounds if tally.rounds else 0.0,
        faults=tally.faults,
        raw_elo=live if fitted is None or fitted.raw is None else fitted.raw,
        luck=None if fitted is None else fitted.luck,
        provisional=not settled,
        walkovers=tally.walkovers,
    )


def _games(result: MatchResult, entrant: int) -> tuple[int, int, int]:
    """Games won, tied and lost against each opponent."""
    counts = [0, 0, 0]
    for games in result.ranks:
        for ranks in games:
            for other, rank in enumerate(ranks):
                if result.teams[other] != result.teams[entrant]:
                    counts[1 + (ranks[entrant] > rank) - (ranks[entrant] < rank)] += 1
    return counts[0], counts[1], counts[2]
