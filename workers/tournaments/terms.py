"""What the workers need to know of a format."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from ladder.elo import EloConfig
from workers.schedule.deal_groups import LEAST_TABLES
from workers.tournaments.spec import Deals

__all__ = ["Formats", "Terms"]


@dataclass(frozen=True, slots=True)
class Terms:
    """A format as far as planning and rating go."""

    name: str
    ruleset: str
    """Hash of the rules with all options."""
    rules_version: int
    seats: int
    deals: Deals
    teams: tuple[int, ...] | None = None
    """Team by entrant; None: everybody alone."""
    correctable: bool = False
    """Whether luck can be taken out of results: a game is one round."""
    luck_left: float = 1.0
    """Share of a rating's variance that is left once luck is taken out of it; 1: it stays in."""
    decisions: float = 28.0
    """About so many are asked in a game."""
    rounds_a_game: float = 1.0
    """About so many; exact where games have no target."""
    elo: EloConfig = field(default_factory=EloConfig)
    """How fast ratings of its ladder move, if that is to begin now."""
    log_format: int = 1
    """What logs are written in."""

    @property
    def tables(self) -> int:
        """Tables that have to play at once: with fewer nothing begins."""
        return LEAST_TABLES if self.deals is Deals.FIELD else 1

    @property
    def fewest(self) -> int:
        """Bots without whom nothing begins."""
        return self.tables * self.seats

    @property
    def side(self) -> int:
        """Bots of one team."""
        return 1 if self.teams is None else self.seats // len(set(self.teams))


class Formats(Protocol):
    """Looks formats up by name."""

    def __call__(self, name: str) -> Terms:
        """Return the format.

        Raises:
            UnknownFormatError: there is none of this name.
        """
        ...
