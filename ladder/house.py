"""What the house's own bot scores, by seat: on the cards of one round, and usually. The difference is luck. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

ENOUGH_GAMES: Final = 200_000
"""That a table is to be made of; what is shipped says how many it has."""
LEAST_GAMES: Final = 20_000
"""With fewer nobody knows yet what is usual (a standard error above 0.0035), and house games are not used."""
DIGITS: Final = 6
MICRO: Final = 1_000_000


class BadHouseTableError(ValueError):
    """A table that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class HouseScores:
    """What the house scored on the cards of a match."""

    house: str
    """Who played, and how many games on the cards of a round: `careful-1/16`."""
    games: tuple[tuple[int, ...] | None, ...]
    """By game, its mean score in the seat of each entrant, in millionths; None for a game that was never dealt."""

    @classmethod
    def of(cls, text: str) -> HouseScores:
        """Return what a text says.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: it says nothing of the kind.
        """
        content = json.loads(text)
        games = tuple(None if game is None else tuple(map(int, game)) for game in content["games"])
        return cls(str(content["house"]), games)

    def text(self) -> str:
        """Return it as it is kept: the same for the same content."""
        return json.dumps({"house": self.house, "games": self.games}, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class UsualScores:
    """What the house scores on any cards: that is the seat, and no luck."""

    house: str
    """Who plays, as in `HouseScores`."""
    mu: tuple[float, ...]
    """By seat, the dealer last."""

    @classmethod
    def of(cls, content: Mapping[str, Any]) -> UsualScores:
        """Return what these plain values say.

        Raises:
            AttributeError, KeyError, TypeError, ValueError: nothing of the kind.
        """
        return cls(str(content["house"]), tuple(float(one) for one in content["mu"]))

    def beyond(self, scores: HouseScores | None) -> list[tuple[int, ...] | None] | None:
        """Return by game and entrant what the house scored more than usually in that seat, in millionths.

        In game g of a meeting of k seats entrant e has seat (e - g) mod k. None where another house played, or none.
        """
        if scores is None or scores.house != self.house:
            return None
        seats, usual = len(self.mu), [round(MICRO * one) for one in self.mu]
        return [
            None if game is None else tuple(one - usual[(entrant - number) % seats] for entrant, one in enumerate(game))
            for number, game in enumerate(scores.games)
        ]


@dataclass(frozen=True, slots=True)
class HouseTable:
    """How the house does in every seat under one ruleset, over many deals."""

    name: str
    """Rules and seats, as `uno-classic-2`."""
    ruleset: str
    """Hash of the rules."""
    house: str
    """Who plays, and how many games on the cards of a round: `careful-1/16`."""
    rounds: int
    """Deals that this was measured on, one game each."""
    halves: tuple[int, ...]
    """By seat, the dealer last: twice the opponents that it was ahead of, ties counting one."""
    rivals: int
    """Opponents of a seat."""

    @classmethod
    def of(cls, text: str) -> HouseTable:
        """Return the table that a file says.

        Raises:
            BadHouseTableError: it is none, or its usual scores are not those of its sums.
        """
        try:
            content: dict[str, Any] = json.loads(text)
            sums = tuple(int(one) for one in content["halves"])
            numbers = int(content["rounds"]), sums, int(content["rivals"])
            found = cls(content["name"], content["ruleset"], content["house"], *numbers)
            said = tuple(float(one) for one in content["mu"])
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadHouseTableError(f"not a table of house games: {error!r}") from error
        if found.rounds < 1 or said != found.mu:
            raise BadHouseTableError(f"{found.name}: mu is {said}, its sums make {found.mu if found.rounds else None}")
        return found

    @property
    def mu(self) -> tuple[float, ...]:
        """What it usually scores, by seat: 1 for all opponents, 0 for none."""
        return tuple(round(one / (2 * self.rivals * self.rounds), DIGITS) for one in self.halves)

    @property
    def usual(self) -> UsualScores:
        """What it usually scores, as weights keep it."""
        return UsualScores(self.house, self.mu)

    @property
    def known(self) -> bool:
        """Whether it is measured on so many deals that it may be used."""
        return self.rounds >= LEAST_GAMES

    def text(self) -> str:
        """Return it as a file."""
        content = {
            "name": self.name,
            "ruleset": self.ruleset,
            "house": self.house,
            "rounds": self.rounds,
            "rivals": self.rivals,
            "halves": self.halves,
            "mu": self.mu,
        }
        return json.dumps(content, indent=2) + "\n"
