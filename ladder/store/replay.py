"""A ladder computed from its log, entry by entry: what each entry ought to say, and what is served after it."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final, assert_never

from ladder import elo
from ladder.store.ladder_log import Entered, LogEntry, RatedMatch, Seat, Voided

STAT_FIELDS: Final = 7
"""meetings, wins, ties, losses, points, rounds, faults."""


@dataclass(slots=True)
class Replay:
    """The numbers of a ladder after the entries so far."""

    init: int
    seq: int = 0
    counted: int = 0
    """Matches that are not void."""
    entries: int = 0
    rating: dict[str, int] = field(default_factory=dict)
    matches: set[str] = field(default_factory=set)
    stat: dict[str, list[int]] = field(default_factory=dict)

    def add(self, entry: LogEntry) -> LogEntry:
        """Apply an entry; returns what it ought to be, whatever numbers it says."""
        match entry:
            case Entered():
                return self._enter(entry)
            case RatedMatch():
                return self._apply(entry)
            case Voided():
                self.seq += 1
                self.matches.add(entry.match)
                return replace(entry, seq=self.seq)
            case _:
                assert_never(entry)

    def stats(self) -> dict[str, str]:
        """Counts by bot as they are served."""
        return {bot: " ".join(map(str, row)) for bot, row in self.stat.items()}

    def _enter(self, entered: Entered) -> Entered:
        entry = self.rating.get(entered.predecessor, self.init)
        self.rating[entered.bot] = entry
        self.entries += entry
        return replace(entered, seq=self.seq, entry=entry)

    def _apply(self, match: RatedMatch) -> RatedMatch:
        self.seq += 1
        self.counted += 1
        self.matches.add(match.match)
        bots = [seat.bot for seat in match.seats]
        old, first = [self.rating[bot] for bot in bots], [self._row(bot)[0] for bot in bots]
        changes = list(self._meetings(match, bots))
        self._count(match)
        seats = tuple(
            replace(seat, played=first[number], old=old[number], deltas=tuple(row[number] for row in changes))
            for number, seat in enumerate(match.seats)
        )
        return replace(match, seq=self.seq, seats=seats)

    def _meetings(self, match: RatedMatch, bots: list[str]) -> Iterator[list[int]]:
        for games in match.games:
            before, played = [self.rating[bot] for bot in bots], [self._row(bot)[0] for bot in bots]
            changes = elo.meeting(match.elo, before, played, games, match.teams)
            for bot, change in zip(bots, changes, strict=True):
                self.rating[bot] += change
                self._row(bot)[0] += 1
            yield changes

    def _count(self, match: RatedMatch) -> None:
        for seat in match.seats:
            for column, count in enumerate((seat.points, seat.rounds, seat.faults)):
                self._row(seat.bot)[4 + column] += count
        seats = range(len(match.seats))
        for i, j in ((i, j) for i in seats for j in seats if i < j and match.teams[i] != match.teams[j]):
            self._count_pair(match, i, j)

    def _count_pair(self, match: RatedMatch, i: int, j: int) -> None:
        one, other = match.seats[i].bot, match.seats[j].bot
        for games in match.games:
            for ranks in games:
                outcome = 1 + (ranks[i] > ranks[j]) - (ranks[i] < ranks[j])
                self.stat[one][1 + outcome] += 1
                self.stat[other][3 - outcome] += 1

    def _row(self, bot: str) -> list[int]:
        return self.stat.setdefault(bot, [0] * STAT_FIELDS)


def differences(logged: LogEntry, computed: LogEntry) -> Iterator[str]:
    """Say where an entry is not what it ought to be."""
    if isinstance(logged, Entered) and isinstance(computed, Entered):
        yield from _unequal(f"entry rating of {logged.bot}", logged.entry, computed.entry)
    elif isinstance(logged, RatedMatch) and isinstance(computed, RatedMatch):
        yield from _unequal(f"number of match {logged.match}", logged.seq, computed.seq)
        for seat, right in zip(logged.seats, computed.seats, strict=True):
            yield from _changes(logged.match, seat, right)
    elif isinstance(logged, Voided):
        yield from _unequal(f"number of match {logged.match}", logged.seq, computed.seq)


def _changes(match: str, seat: Seat, right: Seat) -> Iterator[str]:
    for meeting, (delta, change) in enumerate(zip(seat.deltas, right.deltas, strict=True)):
        yield from _unequal(f"change of {seat.bot} in meeting {meeting} of match {match}", delta, change)


def _unequal(what: str, logged: int, computed: int) -> Iterator[str]:
    if logged != computed:
        yield f"{what}: {logged} in the log, {computed} computed"
