"""Whether bots knew deals before they played them: the order of games on the same cards, and who shared them. Pure.

Looked at are matches of `mirrored` and `field` deals. What they need beside results is when their games began, when
they ended and how long they were, which the log of a match says.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ladder.anomaly import Anomaly, Kind
from ladder.bradley_terry import Fit, Floats
from ladder.results import MatchResult
from ladder.surprise import LEAST, expected_scores, seat_scores, z_of


@dataclass(frozen=True, slots=True)
class Course:
    """How the games of a match went, by game."""

    began_ms: tuple[int, ...]
    ended: tuple[int, ...]
    """Place in the order in which they ended, from 0; -1: never dealt."""
    acts: tuple[int, ...]
    """Answers."""


@dataclass(frozen=True, slots=True)
class Observed:
    """A match with what is known of its course, and of who is behind its bots."""

    result: MatchResult
    course: Course
    owners: tuple[str, ...] = ()
    """By entrant; empty: the house, or nobody knows."""

    @property
    def scores(self) -> Floats:
        """Score a game, by game and entrant."""
        return seat_scores(np.array([game for games in self.result.ranks for game in games]), self.result.teams)


def memories(matches: Sequence[Observed]) -> list[Anomaly]:
    """Return how much more each bot scored in the last game of a mirrored meeting than in the first.

    What a seat is worth is taken out, and what the length of a game explains: of two games at once the longer one ends
    last, and not everybody is good at long ones.
    """
    worth = _worth_of_seats(matches)
    rows: dict[str, list[tuple[float, float]]] = {}
    for match in matches:
        for bot, gained, longer in _last_and_first(match, worth):
            rows.setdefault(bot, []).append((gained, longer))
    return [
        Anomaly(Kind.ORDER, (bot,), *_gain(np.array(found)), len(found))
        for bot, found in sorted(rows.items())
        if len(found) >= LEAST
    ]


def _last_and_first(match: Observed, worth: Floats) -> Iterator[tuple[str, float, float]]:
    """Yield, by meeting, what each bot scored more in the game that ended last, and how much longer that was."""
    seats, scores = len(match.result.entrants), match.scores
    for meeting in range(len(match.result.ranks)):
        games = range(meeting * seats, meeting * seats + seats)
        played = sorted((game for game in games if match.course.ended[game] >= 0), key=match.course.ended.__getitem__)
        if len(played) < 2:
            continue
        first, last = played[0], played[-1]
        longer = math.log1p(match.course.acts[last]) - math.log1p(match.course.acts[first])
        for entrant, bot in enumerate(match.result.entrants):
            late, early = (scores[game, entrant] - worth[(entrant - game) % seats] for game in (last, first))
            yield bot, float(late - early), longer


def _worth_of_seats(matches: Sequence[Observed]) -> Floats:
    """Return the mean score by seat."""
    if not matches:
        return np.zeros(1)
    seats = len(matches[0].result.entrants)
    sums, games = np.zeros(seats), 0
    for match in matches:
        scores = match.scores
        for entrant in range(seats):
            chairs = (entrant - np.arange(len(scores))) % seats
            sums += np.bincount(chairs, scores[:, entrant], seats)
        games += len(scores)
    return np.asarray(sums / games, dtype=np.float64)


def _gain(rows: Floats) -> tuple[float, float]:
    """Return the gain where both games are as long, and its deviations of chance (White 1980)."""
    design = np.column_stack([np.ones(len(rows)), rows[:, 1]])
    if not np.ptp(rows[:, 1]):
        design = design[:, :1]
    bend = np.linalg.inv(design.T @ design)
    found = bend @ (design.T @ rows[:, 0])
    left = (rows[:, 0] - design @ found) * math.sqrt(len(rows) / (len(rows) - design.shape[1]))
    spread = bend @ (design.T * left**2) @ design @ bend
    return float(found[0]), z_of(float(found[0]), float(spread[0, 0]))


def rumours(fitted: Fit, matches: Sequence[Observed]) -> list[Anomaly]:
    """Return how much more each bot scored on shared deals for each table that had begun before its own."""
    rows: dict[str, list[tuple[float, float]]] = {}
    for tables in _boards(fitted, matches):
        rank = np.argsort(np.argsort([table.began_ms for table in tables], kind="stable"), kind="stable")
        for place, table in zip(rank - rank.mean(), tables, strict=True):
            for bot, more in zip(table.match.result.entrants, table.more, strict=True):
                rows.setdefault(bot, []).append((float(place), float(more)))
    found = []
    for bot, pairs in sorted(rows.items()):
        place, more = np.array(pairs).T
        if len(pairs) >= LEAST and place.any():
            z = z_of(float(place @ more), float(((place * more) ** 2).sum()))
            found.append(Anomaly(Kind.START, (bot,), float(place @ more / (place @ place)), z, len(pairs)))
    return found


def partners(fitted: Fit, matches: Sequence[Observed]) -> list[Anomaly]:
    """Return how much more the bots of each owner scored on deals that each other owner had, too."""
    mine: dict[str, list[tuple[float, frozenset[str]]]] = {}
    for tables in _boards(fitted, matches):
        behind = [frozenset(table.match.owners) - {""} for table in tables]
        everybody = frozenset().union(*behind)
        for table in tables:
            for owner, more in zip(table.match.owners, table.more, strict=True):
                if owner:
                    mine.setdefault(owner, []).append((float(more), everybody - set(table.match.owners)))
    found = []
    for owner, rows in sorted(mine.items()):
        for other in sorted(frozenset().union(*(there for _, there in rows))):
            with_it = np.array([more for more, there in rows if other in there])
            without = np.array([more for more, there in rows if other not in there])
            if min(len(with_it), len(without)) >= LEAST:
                gain = float(with_it.mean() - without.mean())
                z = z_of(gain, float(with_it.var() / len(with_it) + without.var() / len(without)))
                found.append(Anomaly(Kind.SHARED, (owner, other), gain, z, len(with_it)))
    return found


@dataclass(frozen=True, slots=True)
class _Table:
    """A shared deal at one table."""

    match: Observed
    began_ms: int
    more: Floats
    """By entrant: what nobody expected, less what the same seat got beyond expectation at the other tables."""


def _boards(fitted: Fit, matches: Sequence[Observed]) -> Iterator[list[_Table]]:
    """Yield, deal by deal, the tables that played it, where those are several."""
    tables: dict[str, list[tuple[Observed, int, Floats]]] = {}
    expected: Mapping[str, Floats] = {one.result.match: expected_scores(fitted, one.result) for one in matches}
    for match in matches:
        seats, scores = len(match.result.entrants), match.scores
        for game, deal in enumerate(match.result.deals):
            if match.course.ended[game] >= 0:
                by_seat = np.roll(scores[game] - expected[match.result.match], -(game % seats))
                tables.setdefault(deal, []).append((match, game, by_seat))
    for found in tables.values():
        if len(found) < 2:
            continue
        scale = len(found) / (len(found) - 1)
        mean = np.mean([by_seat for _, _, by_seat in found], axis=0)
        yield [
            _Table(match, match.course.began_ms[game], np.roll((by_seat - mean) * scale, game % len(by_seat)))
            for match, game, by_seat in found
        ]
