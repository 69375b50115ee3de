"""What a match is to be: who plays what, how often, in which seats and with which deals."""

import hashlib
import hmac
from dataclasses import dataclass

from lastcard.secret import Secret, commitment, hides_deals
from referee.formats import Format
from referee.logbook import LOG_FORMAT


@dataclass(frozen=True, slots=True)
class MatchSpec:
    """What is to be played.

    Attributes:
        id: match id.
        format: the format.
        entrants: `name@n`, in seating order of the first game.
        meetings: 1-16; each has as many games as entrants.
        with_nonces: whether the entrants' nonces enter the deals.
        first_meeting: number of the first meeting in the deal stream; local play counts on over all its matches.
        group: with `field` deals, the tables that play the same ones; empty: this match has its deals alone.
        log_format: what its log is written in.
    """

    id: str
    format: Format
    entrants: tuple[str, ...]
    meetings: int
    with_nonces: bool = True
    first_meeting: int = 0
    group: str = ""
    log_format: int = LOG_FORMAT

    @property
    def deals_of(self) -> str:
        """What the deals are derived for: the group of tables that share them, or this match."""
        return self.group or self.id

    @property
    def sealed(self) -> bool:
        """Whether a deal is played again: then the end of a round shows places, and nothing of the cards."""
        return self.format.deals != "fresh"

    def commitment(self, seed: Secret) -> bytes:
        """Return what commits to the seed; that of a group is committed to at each table apart."""
        return commitment(seed, self.id, self.group, self.log_format)

    @property
    def hides_deals(self) -> bool:
        """Whether other tables may have the same deals, and nobody is told which games those are."""
        return hides_deals(self.group, self.log_format)

    def deal_of(self, game: int, seed: Secret) -> int:
        """Number of the deal of a game within its meeting.

        Fresh: each game has its own. Mirrored: one for all. Field: the same as at the other tables, in an order that
        differs from table to table and from meeting to meeting, so that no seat is tied to a deal; nobody knows it who
        does not know the seed.
        """
        meeting, number = divmod(game, len(self.entrants))
        match self.format.deals:
            case "fresh":
                return number
            case "mirrored":
                return 0
            case _:
                drawn = self._drawn(meeting, seed)
                return (number + int.from_bytes(drawn[:8], "big")) % len(self.entrants)

    def _drawn(self, meeting: int, seed: Secret) -> bytes:
        if not self.hides_deals:
            return hashlib.sha256(f"lastcard/board/1\n{self.id}\n{meeting}".encode()).digest()
        return hmac.digest(seed.reveal(), f"lastcard/board/2\n{self.id}\n{meeting}".encode(), "sha256")

    @property
    def games(self) -> int:
        """Games in the match."""
        return self.meetings * len(self.entrants)

    def seating(self, game: int) -> tuple[int, ...]:
        """Entrant by seat: game g of a meeting is the circular order turned by g."""
        return seating(len(self.entrants), game)

    def seat_of(self, game: int, entrant: int) -> int:
        """Seat of an entrant in a game."""
        return (entrant - game) % len(self.entrants)


def seating(entrants: int, game: int) -> tuple[int, ...]:
    """Return the entrant by seat in a game of so many."""
    return tuple((seat + game) % entrants for seat in range(entrants))
