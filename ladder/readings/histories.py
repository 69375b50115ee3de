"""How ratings went: the log of every ladder, followed as it grows."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from ladder.elo import MICRO
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
    lock: Lock = field(default_factory=Lock)

    def add(self, entries: Iterable[LogEntry]) -> None:
        for entry in entries:
            self.seq = entry.seq
            if isinstance(entry, RatedMatch):
                for seat in entry.seats:
                    self.bots.setdefault(seat.bot, _Steps()).add(entry.seq, seat.old, seat.new)


class Histories:
    """Reads logs; may be used by several threads."""

    def __init__(self, ratings: Ratings) -> None:
        self._ratings = ratings
        self._ladders: dict[str, _Followed] = {}

    def get(self, ladder_format: str, bot: str) -> tuple[Step, ...]:
        """Return the steps of a version (`name@n`), oldest first; none before its first rated match.

        Raises:
            UnknownError: there is no such ladder.
        """
        followed = self._ladders.setdefault(ladder_format, _Followed())
        with followed.lock:
            generation = self._ratings.generation(ladder_format)
            if followed.generation != generation:
                followed.seq, followed.generation, followed.bots = 0, generation, {}
            if followed.seq != self._ratings.seq(ladder_format) or not followed.seq:
                followed.add(self._ratings.log(ladder_format, followed.seq))
            steps = followed.bots.get(bot)
            return steps.steps() if steps else ()
