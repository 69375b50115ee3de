"""The result of a match as the ladder counts it. Pure."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, Protocol

from ladder import elo
from lastcard.names import ABSENCE

NEVER_CAME: Final = "NEVER_CAME"
"""Why an entrant forfeited that was waited for in vain."""
AWAY: Final = (NEVER_CAME, "ABSENT")
"""Why an entrant forfeited that was not there: never, or not any more."""


class BadResultError(ValueError):
    """A result that is not what a closed match may carry; the message says what is wrong."""


class Played(Protocol):
    """A match that was closed, as far as it matters here."""

    @property
    def id(self) -> str:
        """Its id."""

    @property
    def format(self) -> str:
        """Name of its format."""

    @property
    def ruleset(self) -> str:
        """Hash of its rules."""

    @property
    def entrants(self) -> tuple[str, ...]:
        """`name@n` by entrant."""

    @property
    def result(self) -> str:
        """Canonical JSON (docs/architecture.md 2)."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A closed match: who was how good in every game."""

    match: str
    format: str
    ruleset: str
    entrants: tuple[str, ...]
    """`name@n` by entrant."""
    teams: tuple[int, ...]
    """Team by entrant; mates do not count against each other. Everybody alone: 0, 1, 2, …"""
    ranks: tuple[tuple[tuple[int, ...], ...], ...]
    """Places, 1 the best, ties share: by meeting, game, entrant."""
    points: tuple[int, ...]
    """All points by entrant."""
    rounds: tuple[int, ...]
    """Rounds dealt to the entrant."""
    faults: tuple[int, ...]
    """Late, illegal and malformed answers by entrant, and one for who is in `away`."""
    record: str = ""
    """SHA-256 of the complete result, deals and endings included."""
    absent: tuple[int, ...] = ()
    """Entrants who never came: such a match counts in its tournament's score, and in no rating."""
    away: tuple[int, ...] = ()
    """Entrants who never came, or left and did not come back."""
    deals: tuple[str, ...] = ()
    """By game: names a deal that other tables may have played, too. Empty: nobody else had any of them."""

    @classmethod
    def of(cls, played: Played, teams: Sequence[int] | None = None, deals: Sequence[str] = ()) -> "MatchResult":
        """The result that the closing entry of a match carries.

        Args:
            played: The match.
            teams: By entrant; None: everybody alone.
            deals: Names by game, where other tables had the same; they are no part of the digest.

        Raises:
            BadResultError: There is none, or it is not one.
        """
        seats = len(played.entrants)
        try:
            content = json.loads(played.result)
            meetings = [meeting["games"] for meeting in content["meetings"]]
            games = [game for meeting in meetings for game in meeting]
            result = cls(
                match=played.id,
                format=played.format,
                ruleset=played.ruleset,
                entrants=tuple(played.entrants),
                teams=tuple(range(seats) if teams is None else teams),
                ranks=tuple(tuple(tuple(map(_whole, game["ranks"])) for game in meeting) for meeting in meetings),
                points=tuple(sum(_whole(game["points"][entrant]) for game in games) for entrant in range(seats)),
                rounds=(sum(_whole(game["rounds"]) for game in games),) * seats,
                faults=faults(content),
                record=sha256(played.result.encode()).hexdigest(),
                absent=absent(content),
                away=away(content),
                deals=tuple(deals),
            )
        except (IndexError, KeyError, TypeError, ValueError) as error:
            raise BadResultError(f"the result of match {played.id} cannot be read: {error!r}") from error
        result.check()
        return result

    def check(self) -> None:
        """Raises `BadResultError` unless the parts fit together."""
        seats = len(self.entrants)
        if len(set(self.entrants)) != seats:
            raise BadResultError(f"match {self.match} has a bot twice: {', '.join(self.entrants)}")
        if not self.ranks or {len(self.points), len(self.rounds), len(self.faults)} != {seats}:
            raise BadResultError(f"match {self.match} has no meetings, or counts that do not fit {seats} bots")
        if self.deals and len(self.deals) != sum(map(len, self.ranks)):
            raise BadResultError(f"match {self.match} names {len(self.deals)} deals, which must be one a game, or none")
        for games in self.ranks:
            try:
                elo.check(seats, games, self.teams)
            except elo.BadMeetingError as error:
                raise BadResultError(f"match {self.match}: {error}") from error

    @property
    def digest(self) -> str:
        """SHA-256 in hex over everything that is applied: the same match with another one is a conflict.

        Of faults it has the answers alone, as the result has them; that somebody was not there stands in `record`.
        """
        answers = [count - (entrant in self.away) for entrant, count in enumerate(self.faults)]
        content = [
            self.match,
            self.format,
            self.ruleset,
            self.entrants,
            self.teams,
            self.ranks,
            self.points,
            self.rounds,
            answers,
            self.record,
        ]
        return sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()


def absent(result: Mapping[str, Any]) -> tuple[int, ...]:
    """The entrants of a result that never came; its games are walkovers, or were played without them."""
    return tuple(gone["entrant"] for gone in result.get("forfeits", ()) if gone["reason"] == NEVER_CAME)


def away(result: Mapping[str, Any]) -> tuple[int, ...]:
    """The entrants of a result that left it without a word, or never came."""
    return tuple(gone["entrant"] for gone in result.get("forfeits", ()) if gone["reason"] in AWAY)


def faults(result: Mapping[str, Any]) -> tuple[int, ...]:
    """The faults of a result by entrant: its late, illegal and malformed answers, and one for who was not there.

    What somebody who left was not asked any more is one missing answer, however much of the match was left.
    """
    gone = away(result)
    return tuple(_whole(count) + (entrant in gone) for entrant, count in enumerate(result["faults"]))


def faults_by_kind(result: Mapping[str, Any]) -> tuple[dict[str, int], ...]:
    """The same by kind; empty where the result does not say."""
    gone, answers = away(result), result.get("fault_kinds", ())
    return tuple({**kinds, ABSENCE: int(entrant in gone)} for entrant, kinds in enumerate(answers))


def _whole(value: object) -> int:
    """The number as it stands; a text or a fraction is none."""
    if type(value) is not int:
        raise TypeError(f"{value!r} is not a whole number")
    return value
