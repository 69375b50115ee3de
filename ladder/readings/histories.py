"""What became of every version on a ladder, match after match: the log of each ladder is followed as it grows."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import combinations
from threading import Lock
from typing import Final

from ladder.elo import MICRO, halves
from ladder.store.ladder_log import LogEntry, RatedMatch
from ladder.store.ratings import Ratings

MOST_STEPS: Final = 4_000
"""Steps of one version in memory; beyond that every second one of its past is dropped."""


@dataclass(frozen=True, slots=True)
class Step:
    """A rating after a match."""

    number: int
    """Of the version's rated matches, from 1; 0 is its entry."""
    seq: int
    """In the log of the ladder."""
    elo: float


@dataclass(frozen=True, slots=True)
class Opponent:
    """One opponent, seen from a bot."""

    opponent: str
    games: int
    score: float
    """Mean score of the bot, 0 to 1."""


@dataclass(slots=True)
class _Met:
    """Two versions that met."""

    one: str
    games: int = 0
    halves: int = 0
    """Twice the score of `one`."""

    def seen_by(self, bot: str, opponent: str) -> Opponent:
        halves = self.halves if bot == self.one else 2 * self.games - self.halves
        return Opponent(opponent, self.games, halves / (2 * self.games))


@dataclass(slots=True)
class _Steps:
    """One version's steps in columns."""

    played: int = 0
    numbers: array[int] = field(default_factory=lambda: array("L"))
    seqs: array[int] = field(default_factory=lambda: array("Q"))
    micros: array[int] = field(default_factory=lambda: array("q"))

    def add(self, seq: int, old: int, new: int) -> None:
        if not self.played:
            self._append(0, seq - 1, old)
        self.played += 1
        self._append(self.played, seq, new)
        if len(self.numbers) > MOST_STEPS:
            for column in (self.numbers, self.seqs, self.micros):
                del column[1:-1:2]

    def steps(self) -> tuple[Step, ...]:
        columns = zip(self.numbers, self.seqs, self.micros, strict=True)
        return tuple(Step(number, seq, micro / MICRO) for number, seq, micro in columns)

    def _append(self, number: int, seq: int, micro: int) -> None:
        self.numbers.append(number)
        self.seqs.append(seq)
        self.micros.append(micro)


@dataclass(slots=True)
class _Followed:
    """One ladder, as far as its log was read."""

    seq: int = 0
    generation: int = 0
    bots: dict[str, _Steps] = field(default_factory=dict)
    met: dict[str, dict[str, _Met]] = field(default_factory=dict)
    """By version and opponent; both have the same row of a pair."""
    lock: Lock = field(default_factory=Lock)

    def forget(self, generation: int) -> None:
        """Begin again: the ladder was computed anew."""
        self.seq, self.generation, self.bots, self.met = 0, generation, {}, {}

    def add(self, entries: Iterable[LogEntry]) -> None:
        for entry in entries:
            self.seq = entry.seq
            if isinstance(entry, RatedMatch):
                for seat in entry.seats:
                    self.bots.setdefault(seat.bot, _Steps()).add(entry.seq, seat.old, seat.new)
                self._count(entry)

    def _count(self, match: RatedMatch) -> None:
        meetings = match.games
        for (i, one), (j, other) in combinations(enumerate(match.seats), 2):
            if one.team != other.team:
                met = self._pair(one.bot, other.bot)
                a, b = (i, j) if met.one == one.bot else (j, i)
                met.games += sum(map(len, meetings))
                met.halves += sum(halves(games, a, b) for games in meetings)

    def _pair(self, one: str, other: str) -> _Met:
        opponents = self.met.setdefault(one, {})
        if other not in opponents:
            opponents[other] = self.met.setdefault(other, {})[one] = _Met(one)
        return opponents[other]


class Histories:
    """Reads logs; may be used by several threads."""

    def __init__(self, ratings: Ratings) -> None:
        self._ratings = ratings
        self._ladders: dict[str, _Followed] = {}

    def steps(self, ladder_format: str, bot: str) -> tuple[Step, ...]:
        """Return the steps of a version (`name@n`), oldest first; none before its first rated match.

        Raises:
            UnknownError: there is no such ladder.
        """
        with self._now(ladder_format) as followed:
            steps = followed.bots.get(bot)
            return steps.steps() if steps else ()

    def opponents(self, ladder_format: str, bot: str) -> tuple[Opponent, ...]:
        """Return whom a version (`name@n`) met, most games first.

        Raises:
            UnknownError: there is no such ladder.
        """
        with self._now(ladder_format) as followed:
            rows = [met.seen_by(bot, opponent) for opponent, met in followed.met.get(bot, {}).items()]
        return tuple(sorted(rows, key=lambda row: (-row.games, row.opponent)))

    @contextmanager
    def _now(self, ladder_format: str) -> Iterator[_Followed]:
        """Yield a ladder as its log stands, for this thread alone."""
        followed = self._ladders.setdefault(ladder_format, _Followed())
        with followed.lock:
            generation = self._ratings.generation(ladder_format)
            if followed.generation != generation:
                followed.forget(generation)
            if followed.seq != self._ratings.seq(ladder_format) or not followed.seq:
                followed.add(self._ratings.log(ladder_format, followed.seq))
            yield followed
