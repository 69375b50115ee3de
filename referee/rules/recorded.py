"""Chance as a record has it: complete and in order of use, and held against the seed where the record reveals one."""

import json
from collections.abc import Mapping, Sequence
from typing import NoReturn

from referee.rules.cards import canonical, parse_cards
from referee.rules.chance import Chance, check_order
from referee.rules.errors import ChanceError
from referee.rules.vocabulary import Segment


class RecordedChance:
    """The chance of one round as the record has it."""

    __slots__ = ("_deck", "_entries", "_stream", "_used", "names")

    def __init__(
        self, deck: bytes, entries: Sequence[object], names: Mapping[str, int], stream: Chance | None = None
    ) -> None:
        """`deck` is top first; `stream` is what the seed says, if the record has one."""
        self._deck = deck
        self._entries = entries
        self._used = 0
        self._stream = stream
        self.names = names

    @property
    def used(self) -> int:
        """Entries used so far."""
        return self._used

    @property
    def left(self) -> int:
        """Entries not used."""
        return len(self._entries) - self._used

    def _next(self, kind: str) -> object:
        if not self.left:
            raise ChanceError("CHANCE_ENDS", f"chance ends: {kind} is needed")
        entry = self._entries[self._used]
        self._used += 1
        if not isinstance(entry, list) or len(entry) != 2 or entry[0] != kind:
            raise ChanceError("WRONG_CHANCE", f"chance entry {self._used} is {json.dumps(entry)}, but {kind} is needed")
        return entry[1]

    def deck(self, canonical_deck: bytes) -> bytearray:
        """The deck, which must be that of the game."""
        if canonical(self._deck) != canonical_deck:
            raise ChanceError("WRONG_CHANCE", "the deck is not the deck of the game")
        pile = bytearray(self._deck[::-1])
        if self._stream is not None and self._stream.deck(canonical_deck) != pile:
            raise ChanceError("WRONG_CHANCE", "fairness: the deck does not follow from the seed")
        return pile

    def reshuffle(self, cards: bytes) -> bytearray:
        """The next pile, which must hold just these cards."""
        pile = parse_cards(self._next("RESHUFFLE"), self.names)[::-1]
        if canonical(pile) != cards:
            raise ChanceError("NOT_A_PERMUTATION", "the shuffle is not a permutation of the cards concerned")
        if self._stream is not None and self._stream.reshuffle(cards) != pile:
            raise ChanceError("WRONG_CHANCE", "fairness: the reshuffle does not follow from the seed")
        return pile

    def order(self, seats: int, reacting: Sequence[int]) -> list[int]:
        """The next order of seats."""
        order = self._next("ORDER")
        if not isinstance(order, list) or any(type(seat) is not int for seat in order):
            raise ChanceError("WRONG_CHANCE", f"ORDER {json.dumps(order)} is no list of seats")
        check_order(order, seats, reacting)
        if self._stream is not None and self._stream.order(seats, reacting) != order:
            raise ChanceError("WRONG_CHANCE", "fairness: the order does not follow from the seed")
        return list(order)

    def wheel(self) -> int:
        """The next segment."""
        name = self._next("WHEEL")
        if not isinstance(name, str) or name not in Segment.__members__:
            raise ChanceError("WRONG_CHANCE", f"WHEEL {json.dumps(name)} is no segment")
        segment = Segment[name]
        if self._stream is not None and self._stream.wheel() != segment:
            raise ChanceError("WRONG_CHANCE", "fairness: the wheel does not follow from the seed")
        return segment

    def copy(self) -> "RecordedChance":
        """The same chance from here on."""
        stream = None if self._stream is None else self._stream.copy()
        return RecordedChance(self._deck, self._entries[self._used :], self.names, stream)


class RecordedSource:
    """Chance round by round, as the record is read."""

    __slots__ = ("now",)

    now: RecordedChance

    def round(self, index: int) -> RecordedChance:  # noqa: ARG002  (the round that is being read)
        """The chance of the round that is being read."""
        return self.now

    def dealer(self, seats: int) -> NoReturn:
        """A record names its dealers.

        Raises:
            ChanceError: always.
        """
        raise ChanceError("CHANCE_ENDS", f"the record names the dealer of {seats} seats")
