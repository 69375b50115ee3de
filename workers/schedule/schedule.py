"""The matches of a tournament, each by its index: a pure function of the entrants and the public schedule seed.

A pairing's meetings are split into the fewest matches of at most 16, as equal as possible. Matches are numbered leg by
leg, then part by part, then table by table, so that any stretch of them keeps all bots busy. Where they are spread it
is part by part, then leg by leg: in a gauntlet, whose leg is one table, every opponent is met before one is met again.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from workers.schedule.circle import turned
from workers.schedule.pairing import Pairing

__all__ = ["MATCH_MEETINGS", "Fixture", "MatchId", "Schedule", "order", "split"]

MATCH_MEETINGS: Final = 16
"""Meetings of one match, at most: what is claimed, logged and rated as one must stay small."""

_ID: Final = re.compile(r"([a-z0-9-]+)\.([1-9]\d*)\.([1-9]\d*)\.(0|[1-9]\d*)(?:\.r([2-9]|[1-9]\d+))?")


@dataclass(frozen=True, slots=True)
class MatchId:
    """Where a match stands: `<tournament>.<leg>.<table>.<part>`, with `.r2` and up for a replay after a void."""

    tournament: str
    leg: int
    table: int
    part: int
    attempt: int = 1

    def __str__(self) -> str:
        replay = f".r{self.attempt}" if self.attempt > 1 else ""
        return f"{self.tournament}.{self.leg}.{self.table}.{self.part}{replay}"

    @classmethod
    def parse(cls, text: str) -> "MatchId":
        """Return the parts of a match id.

        Raises:
            ValueError: it is no id of a tournament's match.
        """
        found = _ID.fullmatch(text)
        if found is None:
            raise ValueError(f"{text!r} is not <tournament>.<leg>.<table>.<part>, like spring.1.2.0")
        name, leg, table, part, attempt = found.groups()
        return cls(name, int(leg), int(table), int(part), int(attempt or 1))


@dataclass(frozen=True, slots=True)
class Fixture:
    """A match to be played: its id, the entrants in circular order and the meetings."""

    id: MatchId
    entrants: tuple[str, ...]
    meetings: int


def split(meetings: int, most: int = MATCH_MEETINGS) -> tuple[int, ...]:
    """Return the sizes of the fewest parts of at most `most`, as equal as possible, larger ones first."""
    parts = -(-meetings // most)
    size, larger = divmod(meetings, parts)
    return (size + 1,) * larger + (size,) * (parts - larger)


def order(entrants: Sequence[str], seed: int, side: int = 1) -> tuple[str, ...]:
    """Return `name@n` entrants shuffled by the public seed, whatever order and versions they came in.

    Sides of more than one bot stand together and stay together; of versions of one bot the lower number stands first.
    """

    def key(members: Sequence[str]) -> tuple[bytes, list[int]]:
        names, _, numbers = zip(*(member.partition("@") for member in members), strict=True)
        drawn = hashlib.sha256(f"lastcard/schedule/1\n{seed}\n{'+'.join(names)}".encode()).digest()
        return drawn, list(map(int, numbers))

    sides = [entrants[first : first + side] for first in range(0, len(entrants), side)]
    return tuple(member for members in sorted(sides, key=key) for member in members)


@dataclass(frozen=True, slots=True)
class Schedule:
    """All matches of a tournament as a sequence that is never a list."""

    tournament: str
    pairing: Pairing
    entrants: tuple[str, ...]
    """Bots; those of one side stand together."""
    meetings: int
    cycles: int
    side: int = 1
    """Bots that play together and are paired as one."""
    teams: tuple[int, ...] = ()
    """Side by seat, where sides have more than one bot."""
    spread: bool = False
    """Whether the first parts of all legs of a cycle stand before the second ones."""

    @property
    def seats(self) -> int:
        """Bots of a table."""
        return self.pairing.seats * self.side

    @property
    def games(self) -> int:
        """Games of all matches."""
        return self.games_before(len(self))

    @property
    def shares(self) -> tuple[float, ...]:
        """The part of all games that each entrant plays; who runs a gauntlet plays them all."""
        least, sides = self.pairing.least_tables(), len(self.entrants) // self.side
        tables = self.pairing.legs * self.pairing.tables
        first = tables * self.pairing.seats - (sides - 1) * least
        return (first / tables,) * self.side + (least / tables,) * (len(self.entrants) - self.side)

    def games_before(self, index: int) -> int:
        """Return the games of the matches before this one."""
        sizes, tables = split(self.meetings), self.pairing.tables
        leg, part, table = self._place(index)
        whole = leg * sum(sizes) + sum(sizes[:part])
        if self.spread:
            cycle, within = divmod(leg, self.pairing.legs)
            whole = self.pairing.legs * (cycle * sum(sizes) + sum(sizes[:part])) + within * sizes[part]
        return self.seats * (whole * tables + table * sizes[part])

    def __len__(self) -> int:
        return self.cycles * self.pairing.legs * len(split(self.meetings)) * self.pairing.tables

    def __iter__(self) -> Iterator[Fixture]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: int) -> Fixture:
        if not 0 <= index < len(self):
            raise IndexError(f"match {index}: {self.tournament} has {len(self)}")
        sizes = split(self.meetings)
        leg, part, table = self._place(index)
        seated = self._seated(leg, table, part)
        return Fixture(MatchId(self.tournament, leg + 1, table + 1, part), seated, sizes[part])

    def fixture(self, match: MatchId) -> Fixture:
        """Return the match that stands under this id, whichever attempt it is.

        Raises:
            LookupError: there is none in this schedule.
        """
        sizes, pairing = split(self.meetings), self.pairing
        known = match.tournament == self.tournament and match.leg <= self.cycles * pairing.legs
        if not (known and match.table <= pairing.tables and match.part < len(sizes)):
            raise LookupError(f"{match} is no match of {self.tournament}")
        return self[self.index(match)]

    def index(self, match: MatchId) -> int:
        """Return where a match of this schedule stands in it, whichever attempt it is."""
        parts, legs = len(split(self.meetings)), self.pairing.legs
        cycle, leg = divmod(match.leg - 1, legs)
        before = match.part * legs + leg if self.spread else leg * parts + match.part
        return (cycle * legs * parts + before) * self.pairing.tables + match.table - 1

    def _place(self, index: int) -> tuple[int, int, int]:
        """Return leg, part and table of a match, from 0."""
        parts, legs = len(split(self.meetings)), self.pairing.legs
        rest, table = divmod(index, self.pairing.tables)
        if not self.spread:
            return *divmod(rest, parts), table
        cycle, rest = divmod(rest, legs * parts)
        part, leg = divmod(rest, legs)
        return cycle * legs + leg, part, table

    def tables_of(self, leg: int) -> tuple[tuple[str, ...], ...]:
        """Return who sits at each table of a leg, counted from 0."""
        return tuple(self._seated(leg, table, 0) for table in range(self.pairing.tables))

    def _seated(self, leg: int, table: int, part: int) -> tuple[str, ...]:
        """Return the entrants of a table; who follows whom, and who leads, changes with parts and cycles."""
        cycle, leg = divmod(leg, self.pairing.legs)
        turn = cycle * len(split(self.meetings)) + part
        numbers = turned(self.pairing.at(leg, table), turn)
        if self.side == 1:
            return tuple(self.entrants[number] for number in numbers)
        members = [self._members(number, turn // len(numbers)) for number in numbers]
        return tuple(next(members[team]) for team in self.teams)

    def _members(self, side: int, turn: int) -> Iterator[str]:
        """Yield the bots of a side, another one first each turn."""
        return (self.entrants[side * self.side + (turn + member) % self.side] for member in range(self.side))
