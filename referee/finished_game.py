"""A finished game of a match, as the ledger keeps it: every figure by entrant, not by seat."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from referee.rules.game import Game


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """How one game of a match came out.

    Attributes:
        seats: entrant by seat.
        ranks: 1 = best, ties share, forfeiters last.
        points: points won (Duo: taken).
        left: value of the cards left after the last round.
        ending: how the last round ended, or WALKOVER: it was never played.
        rounds: rounds played.
        digest: hex digest of the last round's complete state.
    """

    seats: tuple[int, ...]
    ranks: tuple[int, ...]
    points: tuple[int, ...]
    left: tuple[int, ...]
    ending: str
    rounds: int
    digest: str

    @classmethod
    def played(cls, game: Game, seats: tuple[int, ...], forfeited: Container[int], digest: bytes) -> FinishedGame:
        """Return a game that is over; who forfeited it comes last."""
        result, last = game.result, game.last
        assert result is not None
        assert last is not None
        keys = [
            (1, 0) if entrant in forfeited else (0, place) for entrant, place in zip(seats, result.places, strict=True)
        ]
        return cls(
            seats=seats,
            ranks=_by_entrant(seats, [1 + sum(other < key for other in keys) for key in keys]),
            points=_by_entrant(seats, result.scores),
            left=_by_entrant(seats, last.left),
            ending=last.ending.name,
            rounds=result.rounds,
            digest=digest.hex(),
        )

    @classmethod
    def walkover(cls, seats: tuple[int, ...], gone: Container[int]) -> FinishedGame:
        """Return a game that was never played; who is still there shares the first place."""
        here = [entrant for entrant in seats if entrant not in gone]
        ranks = tuple(1 if entrant in here else 1 + len(here) for entrant in range(len(seats)))
        zeros = (0,) * len(seats)
        return cls(seats, ranks, zeros, zeros, "WALKOVER", 0, "")

    def as_json(self) -> dict[str, object]:
        """As the result of the match writes it (docs/architecture.md 2)."""
        return {
            "seats": list(self.seats),
            "ranks": list(self.ranks),
            "points": list(self.points),
            "left": list(self.left),
            "ending": self.ending,
            "rounds": self.rounds,
            "digest": self.digest,
        }


def _by_entrant(seats: tuple[int, ...], values: Iterable[int]) -> tuple[int, ...]:
    out = [0] * len(seats)
    for entrant, value in zip(seats, values, strict=True):
        out[entrant] = value
    return tuple(out)
