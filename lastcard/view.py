"""The bytes behind a turn: what a seat that is asked may know, in the protocol's own terms."""

from __future__ import annotations

from typing import NamedTuple, Protocol


class View(Protocol):
    """What a turn reads: the fields of the protocol's `Decision`. Its message is one, and so is `Decision` below."""

    @property
    def kind(self) -> int:
        """DecisionKind: what is asked."""

    @property
    def time_ms(self) -> int:
        """Milliseconds for this decision."""

    @property
    def bank_ms(self) -> int:
        """Milliseconds left in the round's bank."""

    @property
    def hand(self) -> bytes:
        """The seat's cards."""

    @property
    def top(self) -> int:
        """Top of the discard pile, or 0."""

    @property
    def color(self) -> int:
        """Colour in force, or 0."""

    @property
    def direction(self) -> int:
        """1 = clockwise, 2 = counter-clockwise."""

    @property
    def counts(self) -> bytes:
        """Cards in each hand, by seat."""

    @property
    def draw_pile(self) -> int:
        """Cards in the draw pile."""

    @property
    def discard_pile(self) -> int:
        """Cards in the discard pile."""

    @property
    def pending(self) -> int:
        """Cards owed."""

    @property
    def drawn(self) -> int:
        """The card just drawn or shown, or 0."""

    @property
    def row(self) -> bytes:
        """DOS: cards in the middle."""

    @property
    def bonus(self) -> int:
        """DOS: bonus cards to place."""

    @property
    def turn_seat(self) -> int:
        """The seat whose turn it is."""

    @property
    def option_act(self) -> bytes:
        """Act of each option, in canonical order."""

    @property
    def option_card(self) -> bytes:
        """Card of each option, or 0."""

    @property
    def option_second(self) -> bytes:
        """Second card of each option, or 0; may be empty."""

    @property
    def option_color(self) -> bytes:
        """Colour of each option, or 0; may be empty."""

    @property
    def option_slot(self) -> bytes:
        """Slot of each option; may be empty."""

    @property
    def min_picks(self) -> int:
        """Fewest picks; 0 stands for 1."""

    @property
    def max_picks(self) -> int:
        """Most picks; 0 stands for 1."""

    @property
    def may_be_empty(self) -> bool:
        """Whether no pick at all is legal."""


class Decision(NamedTuple):
    """A view in plain values, for turns that come from no network."""

    kind: int
    hand: bytes
    option_act: bytes
    option_card: bytes
    option_color: bytes = b""
    top: int = 0
    color: int = 0
    direction: int = 1
    counts: bytes = b""
    draw_pile: int = 0
    discard_pile: int = 0
    pending: int = 0
    drawn: int = 0
    row: bytes = b""
    bonus: int = 0
    turn_seat: int = 0
    option_second: bytes = b""
    option_slot: bytes = b""
    min_picks: int = 1
    max_picks: int = 1
    may_be_empty: bool = False
    time_ms: int = 0
    bank_ms: int = 0
