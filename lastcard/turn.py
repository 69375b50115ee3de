"""What a bot is asked, as objects; they are made when they are looked at, so a turn costs little."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Final, Self

from lastcard.faces import CARDS, COLORS, Card, Color, cards
from lastcard.words import KINDS, Kind

if TYPE_CHECKING:
    from lastcard.history import Event, History, Match
    from lastcard.option import Option
    from lastcard.v1 import play_pb2
    from lastcard.view import View

COUNTER_CLOCKWISE: Final = 2


class Turn:
    """A question to one seat, with everything that the seat may know. Nothing of it is to be changed."""

    __slots__ = ("_options", "act", "call", "first", "history", "last_color", "received", "until", "view")

    def __init__(self, view: View, history: History, *, act: int = 0, received: float = 0.0) -> None:
        """Ask what `view` holds, of the seat that saw `history`; `received` is when (`time.monotonic`)."""
        self.view = view
        self.history = history
        self.act = act
        self.received = received
        self.first = history.told
        self.until = len(history.kinds)
        self.call = True
        self.last_color: Color | None = None
        self._options: tuple[Option, ...] | None = None

    @classmethod
    def from_wire(cls, message: play_pb2.Turn, history: History, received: float = 0.0) -> Self:
        """Return the turn of a message that carries a decision; its new events go into `history`."""
        history.add(message.first_event, message.event_kind, message.event_seat, message.event_card, message.event_arg)
        return cls(message.decision, history, act=message.act, received=received)

    # ---- what may be done ----

    @property
    def options(self) -> tuple[Option, ...]:
        """What this seat may do, in canonical order; never empty."""
        if self._options is None:
            self._options = self.history.catalogue.options(self.view)
        return self._options

    @property
    def kind(self) -> Kind:
        """What is asked."""
        return KINDS[self.view.kind]

    @property
    def min_picks(self) -> int:
        """Fewest options of a legal answer, apart from none at all where `may_be_empty`."""
        return self.view.min_picks or 1

    @property
    def max_picks(self) -> int:
        """Most options of a legal answer; above 1 the answer is an ordered list."""
        return self.view.max_picks or 1

    @property
    def may_be_empty(self) -> bool:
        """Whether an empty list is a legal answer."""
        return self.view.may_be_empty

    def no_call(self) -> None:
        """Do not call UNO! or DOS! with this answer; otherwise the call is always made."""
        self.call = False

    def color_for_last(self, color: Color) -> None:
        """Name `color` if the list of picks ends in a wild; otherwise the hand's most frequent colour is named."""
        self.last_color = Color(color)

    # ---- the table ----

    @property
    def hand(self) -> tuple[Card, ...]:
        """This seat's cards, in no particular order."""
        return cards(self.view.hand)

    @property
    def top(self) -> Card | None:
        """The top of the discard pile, or None if there is none."""
        code = self.view.top
        return CARDS[code] if code else None

    @property
    def color(self) -> Color | None:
        """The colour in force, or None."""
        return COLORS[self.view.color]

    @property
    def counts(self) -> tuple[int, ...]:
        """Cards in each hand, by seat."""
        return tuple(self.view.counts)

    @property
    def direction(self) -> int:
        """1 = clockwise (seats rising), -1 = counter-clockwise."""
        return -1 if self.view.direction == COUNTER_CLOCKWISE else 1

    @property
    def draw_pile(self) -> int:
        """Cards in the draw pile."""
        return self.view.draw_pile

    @property
    def discard_pile(self) -> int:
        """Cards in the discard pile."""
        return self.view.discard_pile

    @property
    def pending(self) -> int:
        """Cards owed by whoever takes them."""
        return self.view.pending

    @property
    def drawn(self) -> Card | None:
        """The card just drawn (PLAY_DRAWN) or shown (DRAFT_PICK)."""
        code = self.view.drawn
        return CARDS[code] if code else None

    @property
    def row(self) -> tuple[Card, ...]:
        """DOS: the cards in the middle; `option.slot` is an index into this."""
        return cards(self.view.row)

    @property
    def bonus(self) -> int:
        """DOS: bonus cards to place."""
        return self.view.bonus

    @property
    def turn_seat(self) -> int:
        """The seat whose turn it is; another than yours in windows."""
        return self.view.turn_seat

    @property
    def seconds_left(self) -> float:
        """Seconds until the default is played for you, the round's bank included."""
        total = (self.view.time_ms + self.view.bank_ms) / 1000
        return max(0.0, total - (monotonic() - self.received)) if self.received else total

    # ---- the round and its match ----

    @property
    def seat(self) -> int:
        """Your seat."""
        return self.history.seat

    @property
    def round_id(self) -> str:
        """`<match>/<meeting>/<game>/<round>`."""
        return self.history.round_id

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of the game before this round, by seat."""
        return self.history.scores or (0,) * len(self.view.counts)

    @property
    def entrants(self) -> tuple[str, ...]:
        """`name@n` by seat."""
        return self.history.entrants

    @property
    def match(self) -> Match:
        """The match: id, format, entrants, meetings, commitment and ruleset."""
        return self.history.match

    @property
    def events(self) -> list[Event]:
        """What happened since the last turn that you answered."""
        return self.history.events(self.first, self.until)

    @property
    def past(self) -> list[Event]:
        """Everything that happened in this round."""
        return self.history.events(0, self.until)

    def points_of(self, card: Card) -> int:
        """Return what `card` counts when it is left in a hand of this format."""
        return self.history.catalogue.points[card.code]

    def __repr__(self) -> str:
        """Return it in one line, for logs."""
        return f"<Turn {self.kind} {self.round_id} top={self.top} color={self.color} hand={' '.join(self.hand)}>"
