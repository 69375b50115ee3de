"""What one seat has seen of one round, and the match that the round belongs to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from lastcard.errors import ProtocolError
from lastcard.faces import CARDS, COLORS, HIDDEN, Card, Color, points_of_format
from lastcard.option import catalogue
from lastcard.words import DRAW_REASONS, EVENT_KINDS, DrawReason, EventKind

NO_SEAT: Final = 255
LONGEST: Final = 1 << 17  # events of a round; the longest legal one has a tenth of it
COLOR_BITS: Final = 7
ByteColumn: TypeAlias = bytes | bytearray
CALLED_BIT: Final = 8
DOUBLE_BIT: Final = 16


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it was announced; empty where it was not."""

    id: str = ""
    format: str = ""
    entrants: tuple[str, ...] = ()  # `name@n`
    meetings: int = 0
    commitment: bytes = b""  # SHA-256 of the seed
    ruleset: str = ""  # hash of the complete rules
    points: tuple[int, ...] = ()  # what each face counts when it is left in a hand, by byte


class Event(NamedTuple):
    """Something that happened in a round."""

    number: int
    kind: EventKind
    seat: int | None
    card: Card | None  # None where there is none or it is hidden from this seat
    arg: int  # see EventKind in cards.proto; the properties below read it

    @property
    def color(self) -> Color | None:
        """The colour named, of PLAYED and COLOR_NAMED."""
        named = self.kind in {EventKind.PLAYED, EventKind.COLOR_NAMED}
        return COLORS[self.arg & COLOR_BITS] if named else None

    @property
    def called(self) -> bool:
        """Whether a PLAYED came with the call."""
        return self.kind is EventKind.PLAYED and bool(self.arg & CALLED_BIT)

    @property
    def double(self) -> bool:
        """Whether a PLAYED put down two cards of its face."""
        return self.kind is EventKind.PLAYED and bool(self.arg & DOUBLE_BIT)

    @property
    def reason(self) -> DrawReason | None:
        """Why a DREW happened."""
        return DRAW_REASONS[self.arg] if self.kind is EventKind.DREW else None


def read_events(first: int, kinds: ByteColumn, seats: ByteColumn, cards: ByteColumn, args: ByteColumn) -> list[Event]:
    """Return the events in columns, the first of which has the number `first`."""
    columns = zip(
        range(first, first + len(kinds)),
        map(EVENT_KINDS.__getitem__, kinds),
        (None if seat == NO_SEAT else seat for seat in seats),
        (None if code == HIDDEN.code else CARDS[code] for code in cards),
        args,
        strict=False,
    )
    return [Event(*row) for row in columns]


class History:
    """Events of one round as one seat saw them, and who and what the round is; grows while it is played."""

    __slots__ = (
        *("round_id", "seat", "match", "entrants", "scores", "catalogue"),
        *("kinds", "seats", "cards", "args", "told"),
    )

    def __init__(
        self,
        round_id: str,
        seat: int,
        match: Match | None = None,
        entrants: Sequence[str] = (),
        scores: Sequence[int] = (),
    ) -> None:
        """Start with nothing seen; `entrants` and `scores` (of the game before this round) are by seat."""
        self.round_id = round_id
        self.seat = seat
        self.match = match or Match()
        self.entrants = tuple(entrants)
        self.scores = tuple(scores)
        self.catalogue = catalogue(self.match.points or points_of_format(self.match.format))
        self.kinds, self.seats, self.cards, self.args = bytearray(), bytearray(), bytearray(), bytearray()
        self.told = 0  # events that an answered turn has shown

    def __len__(self) -> int:
        return len(self.kinds)

    def add(self, first: int, kinds: bytes, seats: bytes, cards: bytes, args: bytes) -> None:
        """Append the events `first`, `first + 1`, …, dropping those that are known.

        Raises:
            ProtocolError: the columns differ in length or leave out events, or there are too many.

        """
        known = len(self.kinds) - first
        if known < 0:
            raise ProtocolError("BAD_EVENTS", f"events of round {self.round_id} are missing before number {first}")
        if not len(kinds) == len(seats) == len(cards) == len(args):
            raise ProtocolError("BAD_EVENTS", f"columns of events of round {self.round_id} differ in length")
        if first + len(kinds) > LONGEST:
            raise ProtocolError("TOO_MANY_EVENTS", f"round {self.round_id} has more than {LONGEST} events")
        self.kinds += kinds[known:]
        self.seats += seats[known:]
        self.cards += cards[known:]
        self.args += args[known:]

    def events(self, first: int = 0, until: int | None = None) -> list[Event]:
        """Return the events from number `first` on, before number `until` if it is given."""
        columns = (column[first:until] for column in (self.kinds, self.seats, self.cards, self.args))
        return read_events(first, *columns)
