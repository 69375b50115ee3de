"""The ladders: bots enter, matches are applied exactly once, ratings are read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import Final, cast

from ladder.elo import MICRO
from ladder.results import BadResultError, MatchResult
from ladder.standings import Tally
from ladder.store.applied import Applied, Duplicate, SumCheck
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.errors import BadInputError, ConflictError, NotEnteredError, UnknownError, WrongStateError
from ladder.store.keys import Keys
from ladder.store.ladder_log import Ladder, LogEntry, parse, places
from ladder.store.rebuild import Rebuild, Served, rebuild
from ladder.store.replay import STAT_FIELDS
from ladder.store.replies import decode_entries, spelled_hash, spelled_scores
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows

__all__ = ["Applied", "BadResultError", "Duplicate", "Ladder", "MatchResult", "Ratings", "SumCheck"]

LAST: Final = 2**64 - 1
"""No entry of a match has a higher number."""
PAGE: Final = 1_000
"""Entries of a log in one round trip."""


class Ratings:
    """All ladders of a tenant, by format."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("ladder")

    def enter(self, ladder: Ladder, bots: Mapping[str, str | None]) -> list[str]:
        """Enters bot versions; returns those that were not there.

        Args:
            ladder: What it is; its first call fixes it.
            bots: Version to its predecessor, whose rating it takes over; None begins at the initial rating.

        Raises:
            ConflictError: The ladder exists with other rules, seats or K.
        """
        words = [word for bot, predecessor in bots.items() for word in (bot, predecessor or "")]
        cfg, *parts, pairs = self._parts(ladder.format, "cfg", "rating", "games", "log", "pair")
        keys = (cfg, *parts, self._keys.formats, pairs)
        word, *entered = _texts(self._link.run(Call(script("enter"), keys, (*ladder.words(), *words))))
        if word == "CONFLICT":
            raise ConflictError(
                f"the ladder {ladder.format} exists with other settings: {entered[0]}",
                reason="LADDER_DIFFERS",
                field="format",
                value=" ".join(map(str, ladder.words()[1:])),
                allowed=entered[0],
            )
        return entered

    def apply(self, result: MatchResult) -> Applied | Duplicate:
        """Applies a match with all its meetings, once by its id.

        Raises:
            ConflictError: Another result was applied under this id. Raise the alarm; nothing was overwritten.
            NotEnteredError: A bot is not in the ladder.
            UnknownError: There is no such ladder.
            BadInputError: The result cannot be rated.
            WrongStateError: The match was declared void.
        """
        keys = self._parts(result.format, "cfg", "seen", "rating", "games", "log", "stat", "void")
        reply = cast("list[bytes | int]", self._link.run(Call(script("rate"), keys, _words(result))))
        match reply:
            case [b"OK", seq, *deltas]:
                return Applied(int(seq), tuple(map(int, deltas)))
            case [b"DUP", seq]:
                return Duplicate(int(seq))
            case _:
                word, *rest = _texts(reply)
                raise _refused(word, rest, result)

    def tallies(self, ladder_format: str) -> list[Tally]:
        """Every version of a ladder with its numbers, in alphabetical order.

        Raises:
            UnknownError: There is no such ladder.
        """
        self.ladder(ladder_format)
        rating, stat = self._parts(ladder_format, "rating", "stat")
        scores = self._link.scores(rating)
        counts = self._link.raw_fields(stat, sorted(scores))
        return self.unread.passing((bot, partial(_tally, bot, scores[bot], counts[bot])) for bot in sorted(scores))

    def elo(self, ladder_format: str, bots: list[str]) -> dict[str, float]:
        """Live Elo of those of these versions that are in the ladder."""
        key = self._keys.ladder(ladder_format, "rating")
        scores = cast("list[float | None]", self._link.read_all([["ZSCORE", key, bot] for bot in bots]))
        return {bot: score / MICRO for bot, score in zip(bots, scores, strict=True) if score is not None}

    def top(self, ladder_format: str, count: int) -> dict[str, float]:
        """The best so many versions by live Elo, best first."""
        key = self._keys.ladder(ladder_format, "rating")
        best = self._link.scores(key, count - 1, "REV")
        return {bot: micro / MICRO for bot, micro in best.items()}

    def log(self, ladder_format: str, after_seq: int = 0) -> Iterator[LogEntry]:
        """Entries and matches in the order in which they were applied, later than match number `after_seq`.

        Without those that cannot be read: `rebuild` and a new generation stop at them.
        """
        ladder = self.ladder(ladder_format)
        first = f"({after_seq}-{LAST}" if after_seq else "-"
        return chain.from_iterable(map(self.unread.passing, self._pages(ladder, first, "+")))

    def generation(self, ladder_format: str) -> int:
        """How often the ladder was computed anew without matches that were declared void."""
        return int(self._link.field(self._keys.ladder(ladder_format, "cfg"), "generation") or "0")

    def seq(self, ladder_format: str) -> int:
        """Matches applied so far; 0 where there is no ladder."""
        return int(self._link.field(self._keys.ladder(ladder_format, "games"), "#seq") or "0")

    def counted(self, ladder_format: str) -> int:
        """Matches that count: those applied, without the ones that were declared void since."""
        seen, void = self._parts(ladder_format, "seen", "void")
        annulled = self._link.fields(seen, sorted(self._link.hash(void)))
        return self.seq(ladder_format) - sum(number is not None for number in annulled.values())

    def applied(self, ladder_format: str, match: str) -> int | None:
        """The number under which a match was applied; None: it was not."""
        seen = self._link.field(self._keys.ladder(ladder_format, "seen"), match)
        return None if seen is None else int(seen.partition(":")[0])

    def numbers(self, ladder_format: str, matches: Sequence[str]) -> dict[str, int]:
        """The numbers under which those of these matches were applied that were."""
        seen = self._link.fields(self._keys.ladder(ladder_format, "seen"), matches) if matches else {}
        return {match: int(said.partition(":")[0]) for match, said in seen.items() if said is not None}

    def formats(self) -> dict[str, str]:
        """Every ladder that exists: format to the hash of its rules."""
        return self._link.texts(self._keys.formats)

    def ladder(self, ladder_format: str) -> Ladder:
        """What a ladder is.

        Raises:
            UnknownError: There is no such ladder.
        """
        fields = self._link.hash(self._keys.ladder(ladder_format, "cfg"))
        if not fields:
            raise self._unknown(ladder_format)
        return Ladder.of(ladder_format, fields)

    def rebuild(self, ladder_format: str) -> Rebuild:
        """Computes every number anew from the log and compares. Reads only; matches may be applied meanwhile.

        Raises:
            UnknownError: There is no such ladder.
        """
        ladder, before = self.ladder(ladder_format), self.generation(ladder_format)
        served = self._served(ladder_format)
        seen = partial(self._link.fields, self._keys.ladder(ladder_format, "seen"))
        pages = ([self.unread.one(*entry) for entry in page] for page in self._pages(ladder, "-", served.last))
        found = rebuild(served, pages, seen, ladder.elo.init)
        return found if self.generation(ladder_format) == before else self.rebuild(ladder_format)

    def sum_check(self, ladder_format: str) -> SumCheck:
        """The sum of all ratings beside the sum of all entry ratings.

        Raises:
            UnknownError: There is no such ladder.
        """
        self.ladder(ladder_format)
        served = self._served(ladder_format)
        return SumCheck(sum(served.rating.values()), served.entries)

    def _parts(self, ladder_format: str, *parts: str) -> tuple[str, ...]:
        return tuple(self._keys.ladder(ladder_format, part) for part in parts)

    def _served(self, ladder_format: str) -> Served:
        """All numbers of one moment."""
        rating, log, seen, *hashes = self._parts(ladder_format, "rating", "log", "seen", "games", "stat")
        reads = [
            ["ZRANGE", rating, "0", "-1", "WITHSCORES"],
            ["XREVRANGE", log, "+", "-", "COUNT", "1"],
            ["HLEN", seen],
            *(["HGETALL", key] for key in hashes),
        ]
        scores, newest, known, *replies = self._link.read_all(reads, atomic=True)
        games, stat = map(spelled_hash, replies)
        return Served(
            rating=spelled_scores(scores),
            seq=int(games["#seq"]),
            entries=int(games.get("#sum", "0")),
            last=next((entry for entry, _ in decode_entries(newest)), "0-0"),
            seen=cast("int", known),
            stat=stat,
        )

    def _pages(self, ladder: Ladder, first: str, last: str) -> Iterator[list[tuple[str, Callable[[], LogEntry]]]]:
        """Yields names of entries of a log, and what reads them."""
        key = self._keys.ladder(ladder.format, "log")
        while True:
            entries = self._link.entries(key, first, last, PAGE)
            yield [
                (f"{ladder.format} {entry}", partial(parse, entry, fields, ladder.elo.init))
                for entry, fields in entries
            ]
            if len(entries) < PAGE:
                return
            first = f"({entries[-1][0]}"

    def _unknown(self, ladder_format: str) -> UnknownError:
        known = ", ".join(sorted(self.formats())) or "none"
        return UnknownError(
            f"there is no ladder {ladder_format!r}",
            reason="UNKNOWN_FORMAT",
            field="format",
            value=ladder_format,
            allowed=known,
        )


_ZEROS: Final = " ".join("0" * STAT_FIELDS)


def _tally(bot: str, micro: int, counts: bytes | None) -> Tally:
    return Tally(bot, micro, *map(int, (_ZEROS if counts is None else counts.decode()).split()))


def _words(result: MatchResult) -> tuple[str, ...]:
    return result.match, result.digest, *(_seat(result, entrant) for entrant in range(len(result.entrants)))


def _seat(result: MatchResult, entrant: int) -> str:
    ranks = places(tuple(tuple(game[entrant] for game in games) for games in result.ranks))
    counts = f"{result.points[entrant]}|{result.rounds[entrant]}|{result.faults[entrant]}"
    return f"{result.entrants[entrant]}|{result.teams[entrant]}|{ranks}|{counts}"


def _refused(word: str, rest: list[str], result: MatchResult) -> Exception:
    if word == "CONFLICT":
        return ConflictError(
            f"match {result.match} was applied with another result ({rest[0]})", field="match", value=result.digest
        )
    if word == "VOID":
        return WrongStateError(f"match {result.match} was declared void", field="match", value=result.match)
    if word == "NOTENTERED":
        return NotEnteredError(
            f"{rest[0]} is not in the ladder {result.format}; enter it first", field="bot", value=rest[0]
        )
    if word == "NOLADDER":
        return UnknownError(
            f"there is no ladder {result.format!r}", reason="UNKNOWN_FORMAT", field="format", value=result.format
        )
    return BadInputError(
        f"match {result.match} cannot be rated: {rest[0]}", reason="BAD_RESULT", field="match", value=result.match
    )


def _texts(reply: object) -> list[str]:
    return [word.decode() for word in cast("list[bytes]", reply)]
