"""How a round, a game and a match ended, as a bot is told."""

from __future__ import annotations

from dataclasses import dataclass

from lastcard.faces import Card
from lastcard.history import History, Match
from lastcard.words import Ending


@dataclass(frozen=True, slots=True)
class RoundResult:
    """A round that is over."""

    history: History  # everything that this seat saw
    ending: Ending
    places: tuple[int, ...]  # by seat, 1 = best, ties share
    points: tuple[int, ...]  # won in this round, by seat; empty, as hands and left, where the deal is played again
    hands: tuple[tuple[Card, ...], ...]  # at the end, by seat
    left: tuple[int, ...]  # value of each hand at the end, by seat
    faults: int  # this seat's late, illegal and missing answers

    @property
    def round_id(self) -> str:
        """`<match>/<meeting>/<game>/<round>`."""
        return self.history.round_id

    @property
    def seat(self) -> int:
        """Your seat."""
        return self.history.seat

    @property
    def place(self) -> int:
        """Your place."""
        return self.places[self.seat]


@dataclass(frozen=True, slots=True)
class GameResult:
    """A game that is over, after its last round."""

    game_id: str  # `<match>/<meeting>/<game>`
    match: Match
    seat: int
    entrants: tuple[str, ...]  # by seat
    places: tuple[int, ...]  # by seat
    points: tuple[int, ...]  # of the whole game, by seat

    @property
    def place(self) -> int:
        """Your place."""
        return self.places[self.seat]


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A match that is over; standings are the ladder's to tell."""

    match: Match
    void_reason: str  # empty where the match counts
    seed: bytes  # empty while it is sealed
    nonces: tuple[bytes, ...]  # by entrant; empty where none came
    proven: bool | None  # whether the seed fits the commitment; None while there is nothing to compare
