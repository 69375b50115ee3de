"""Ratings computed anew from the log of a ladder, and compared with those that are served."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ladder import elo
from ladder.store.ladder_log import Entered, RatedMatch

STAT_FIELDS: Final = 7
"""meetings, wins, ties, losses, points, rounds, faults."""


@dataclass(frozen=True, slots=True)
class Rebuild:
    """What a rebuild found."""

    equal: bool
    """Every number is the same, bit for bit."""
    differences: tuple[str, ...]
    """What is not, a sentence each."""
    seq: int
    """Matches replayed."""


@dataclass(frozen=True, slots=True)
class Served:
    """The numbers of a ladder at one moment."""

    rating: Mapping[str, int]
    """Micro-points by bot."""
    seq: int
    """Matches applied."""
    entries: int
    """Sum of all entry ratings."""
    last: str
    """Id of the newest entry of the log."""
    seen: int
    """Matches that are known as applied."""
    stat: Mapping[str, str]
    """Bot to `meetings wins ties losses points rounds faults`."""
    pair: Mapping[str, str]
    """`a|b` to games and half points of a."""


@dataclass(slots=True)
class _Replay:
    init: int
    seq: int = 0
    entries: int = 0
    rating: dict[str, int] = field(default_factory=dict)
    matches: set[str] = field(default_factory=set)
    stat: dict[str, list[int]] = field(default_factory=dict)
    pair: dict[str, list[int]] = field(default_factory=dict)
    found: list[str] = field(default_factory=list)

    def enter(self, entered: Entered) -> None:
        entry = self.rating.get(entered.predecessor, self.init)
        self._expect(f"entry rating of {entered.bot}", entry, entered.entry)
        self.rating[entered.bot] = entry
        self.entries += entry

    def apply(self, match: RatedMatch) -> None:
        self.seq += 1
        self._expect(f"number of match {match.match}", self.seq, match.seq)
        bots = [seat.bot for seat in match.seats]
        for meeting, games in enumerate(match.games):
            before = [self.rating[bot] for bot in bots]
            played = [self._row(bot)[0] for bot in bots]
            changes = elo.meeting(match.elo, before, played, games, match.teams)
            for seat, change in zip(match.seats, changes, strict=True):
                what = f"change of {seat.bot} in meeting {meeting} of match {match.match}"
                self._expect(what, change, seat.deltas[meeting])
                self.rating[seat.bot] += change
                self._row(seat.bot)[0] += 1
        if match.match in self.matches:
            self.found.append(f"match {match.match} is in the log twice")
        self.matches.add(match.match)
        self._count(match)

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
        first = min(one, other, key=str.encode)
        row = self.pair.setdefault("|".join(sorted((one, other), key=str.encode)), [0, 0])
        row[0] += sum(map(len, match.games))
        a, b = (i, j) if first == one else (j, i)
        row[1] += sum(elo.halves(games, a, b) for games in match.games)

    def numbers(self) -> dict[str, int]:
        return {"matches": self.seq, "entries": self.entries, "digests": len(self.matches)}

    def _row(self, bot: str) -> list[int]:
        return self.stat.setdefault(bot, [0] * STAT_FIELDS)

    def _expect(self, what: str, computed: int, logged: int) -> None:
        if computed != logged:
            self.found.append(f"{what}: {logged} in the log, {computed} computed")


Page = Sequence[Entered | RatedMatch]
Seen = Callable[[Sequence[str]], Mapping[str, str | None]]
"""What is served as `seq:digest` of these matches."""


def rebuild(served: Served, log: Iterable[Page], seen: Seen, init: int) -> Rebuild:
    """Replays the log and compares: changes, ratings, experience, counts, and which matches were applied."""
    replay = _Replay(init)
    differences: list[str] = []
    for page in log:
        for entry in page:
            if isinstance(entry, Entered):
                replay.enter(entry)
            else:
                replay.apply(entry)
        logged = {entry.match: f"{entry.seq}:{entry.digest}" for entry in page if isinstance(entry, RatedMatch)}
        differences += _compare("digest", seen(list(logged)), logged)
    numbers = {"matches": served.seq, "entries": served.entries, "digests": served.seen}
    differences += [
        *replay.found,
        *_compare("rating", served.rating, replay.rating),
        *_compare("number", numbers, replay.numbers()),
        *_compare("counts", served.stat, {bot: " ".join(map(str, row)) for bot, row in replay.stat.items()}),
        *_compare("pair", served.pair, {names: " ".join(map(str, row)) for names, row in replay.pair.items()}),
    ]
    if sum(replay.rating.values()) != replay.entries:
        differences.append(f"ratings sum to {sum(replay.rating.values())}, entries to {replay.entries}")
    return Rebuild(not differences, tuple(differences), replay.seq)


def _compare(what: str, served: Mapping[str, object], computed: Mapping[str, object]) -> Iterator[str]:
    for key in sorted(served.keys() | computed.keys()):
        if served.get(key) != computed.get(key):
            yield f"{what} of {key}: {served.get(key)} served, {computed.get(key)} computed"
