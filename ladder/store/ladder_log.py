"""The log of a ladder: every entry and every match in the order in which they were applied. It is the definition."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from ladder.elo import EloConfig
from ladder.results import MatchResult

Ranks = tuple[tuple[tuple[int, ...], ...], ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """What a ladder is; fixed when its first bot enters."""

    format: str
    ruleset: str
    """Hash of the rules."""
    seats: int
    elo: EloConfig = field(default_factory=EloConfig)

    def words(self) -> tuple[str | int, ...]:
        """As the scripts want it."""
        numbers = (self.elo.k0_milli, self.elo.kmin_milli, self.elo.n0_milli, self.elo.init)
        return (self.format, self.ruleset, self.seats, *numbers)

    @classmethod
    def of(cls, ladder_format: str, fields: Mapping[str, str]) -> "Ladder":
        """The ladder that these fields of `cfg` describe."""
        numbers = (int(fields[name]) for name in ("k0", "kmin", "n0", "init"))
        return cls(ladder_format, fields["ruleset"], int(fields["seats"]), EloConfig(*numbers))


@dataclass(frozen=True, slots=True)
class Entered:
    """A bot version entered."""

    seq: int
    """Number of the match before it."""
    bot: str
    predecessor: str
    """Whose rating it took over; empty: it began at the initial one."""
    entry: int
    """Micro-points."""

    def words(self) -> tuple[str, ...]:
        """Fields and values as they stand in the log."""
        return ("op", "enter", "bot", self.bot, "from", self.predecessor, "entry", str(self.entry))


@dataclass(frozen=True, slots=True)
class Voided:
    """A match that was applied and declared void later: it keeps its number and counts for nothing."""

    seq: int
    match: str
    digest: str
    reason: str

    def words(self) -> tuple[str, ...]:
        """Fields and values as they stand in the log."""
        return ("op", "void", "gid", self.match, "dg", self.digest, "reason", self.reason)


@dataclass(frozen=True, slots=True)
class Seat:
    """A bot in an applied match."""

    bot: str
    team: int
    ranks: tuple[tuple[int, ...], ...]
    """Its places by meeting and game."""
    points: int
    rounds: int
    faults: int
    played: int
    """Rated meetings before the match."""
    old: int
    """Micro-points before the match."""
    deltas: tuple[int, ...]
    """Micro-points by meeting."""

    @property
    def new(self) -> int:
        """Micro-points after the match."""
        return self.old + sum(self.deltas)

    def text(self) -> str:
        """As it stands in the log."""
        counts = f"{self.points}|{self.rounds}|{self.faults}|{self.played}|{self.old}"
        return f"{self.bot}|{self.team}|{places(self.ranks)}|{counts}|{';'.join(map(str, self.deltas))}"


@dataclass(frozen=True, slots=True)
class RatedMatch:
    """A match that was applied."""

    seq: int
    match: str
    digest: str
    elo: EloConfig
    seats: tuple[Seat, ...]
    """By entrant."""

    @property
    def games(self) -> Ranks:
        """Places by meeting, game and entrant."""
        meetings = zip(*(seat.ranks for seat in self.seats), strict=True)
        return tuple(tuple(zip(*rows, strict=True)) for rows in meetings)

    @property
    def teams(self) -> tuple[int, ...]:
        """Team by entrant."""
        return tuple(seat.team for seat in self.seats)

    def result(self, ladder: Ladder) -> MatchResult:
        """It as a result of its ladder."""
        return MatchResult(
            match=self.match,
            format=ladder.format,
            ruleset=ladder.ruleset,
            entrants=tuple(seat.bot for seat in self.seats),
            teams=self.teams,
            ranks=self.games,
            points=tuple(seat.points for seat in self.seats),
            rounds=tuple(seat.rounds for seat in self.seats),
            faults=tuple(seat.faults for seat in self.seats),
        )

    def words(self) -> tuple[str, ...]:
        """Fields and values as they stand in the log."""
        k = f"{self.elo.k0_milli} {self.elo.kmin_milli} {self.elo.n0_milli}"
        seats = (word for number, seat in enumerate(self.seats, 1) for word in (f"s{number}", seat.text()))
        return ("op", "match", "gid", self.match, "dg", self.digest, "k", k, *seats)


LogEntry: TypeAlias = Entered | RatedMatch | Voided


def parse(entry_id: str, fields: Mapping[str, bytes], init: int) -> LogEntry:
    """The entry of the log with this id.

    Raises:
        ValueError, KeyError: It is none that was ever written.
    """
    seq = int(entry_id.partition("-")[0])
    text = {name: value.decode() for name, value in fields.items()}
    if text["op"] == "enter":
        return Entered(seq, text["bot"], text["from"], int(text["entry"]))
    if text["op"] == "void":
        return Voided(seq, text["gid"], text["dg"], text["reason"])
    if text["op"] != "match":
        raise ValueError(f"unknown entry {entry_id} in the log of a ladder: {text['op']}")
    k0, kmin, n0 = map(int, text["k"].split())
    seats = tuple(_seat(text[f"s{number}"]) for number in range(1, 11) if f"s{number}" in text)
    return RatedMatch(seq, text["gid"], text["dg"], EloConfig(k0, kmin, n0, init), seats)


def places(ranks: tuple[tuple[int, ...], ...]) -> str:
    """Places of one bot as the scripts want them: meetings by `;`, games by `,`."""
    return ";".join(",".join(map(str, games)) for games in ranks)


def _seat(text: str) -> Seat:
    bot, team, ranks, points, rounds, faults, played, old, deltas = text.split("|")
    return Seat(
        bot=bot,
        team=int(team),
        ranks=tuple(tuple(map(int, games.split(","))) for games in ranks.split(";")),
        points=int(points),
        rounds=int(rounds),
        faults=int(faults),
        played=int(played),
        old=int(old),
        deltas=tuple(map(int, deltas.split(";"))),
    )
