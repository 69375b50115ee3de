"""The cards in the middle: turned up, matched, refilled, placed. Each has a slot, a number that is never used again."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from mypy_extensions import mypyc_attr

from referee.rules.calls import CallingRound
from referee.rules.chance import Chance
from referee.rules.dos.facts import DosFacts
from referee.rules.events import MOST_SEATS, NOBODY, event
from referee.rules.options import Rules
from referee.rules.setup import Setup
from referee.rules.vocabulary import EventKind

# By seat: the first two bytes of the event of placing a card.
PLACED = tuple(bytes((EventKind.PLACED, seat)) for seat in range(MOST_SEATS))


@mypyc_attr(allow_interpreted_subclasses=True)
class DosRow(CallingRound):
    """Hands and piles with the row between them."""

    KEPT_BACK: ClassVar[int] = 0  # the whole discard pile is shuffled; the row stays (rules page A5)
    LEAD_STAYS_FREE: ClassVar[bool] = False  # a leaver's hand goes under the discard pile, always (D 14)

    __slots__ = ("dos", "next_slot", "slots")

    dos: DosFacts  # `facts`, as what they are in this game
    slots: tuple[int, ...]  # of the cards of the row: the names that scenarios and records give them
    next_slot: int

    @classmethod
    @abstractmethod
    def facts_of(cls, rules: Rules) -> DosFacts:
        """What the ruleset means to a round of this game; cached."""

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.dos = self.facts_of(rules)
        self.slots = ()
        self.next_slot = 0

    def place(self, setup: Setup) -> None:
        """Takes in hands, piles and row that are set up instead of dealt. No colour is ever in force."""
        super().place(setup)
        self.color = 0
        self.next_slot = len(self.row)
        self.slots = tuple(range(self.next_slot))

    def _lay(self, card: int) -> None:
        """A card joins the row, at its end."""
        self.row.append(card)
        self.slots += (self.next_slot,)
        self.next_slot += 1

    def _turn_up(self, count: int, kind: EventKind) -> None:
        """Turns up cards from the draw pile into the row; what is short stays short."""
        for _ in range(count):
            if not self.draw and not self._recycle():
                return
            card = self.draw.pop()
            self._lay(card)
            self.events += event(kind, NOBODY, card)

    def _refill(self, matched: int) -> None:
        """Fills the row up to its least size, or by one card for each that was matched (D 32)."""
        missing = self.dos.row_min - len(self.row)
        if self.dos.one_per_match and matched > missing:
            missing = matched
        if missing > 0:
            self._turn_up(missing, EventKind.REFILLED)

    def _put_in_row(self, seat: int, cards: Sequence[int]) -> None:
        """Places cards of a hand in the row, in this order."""
        for card in cards:
            self._shed(seat, card)
            self._lay(card)
            self.events += PLACED[seat] + bytes((card, 0))

    def _take_matched(self, places: Sequence[int]) -> None:
        """Takes the cards at these places, in rising order, out of the row."""
        slots = list(self.slots)
        for place in reversed(places):
            del self.row[place], slots[place]
        self.slots = tuple(slots)

    def state(self) -> tuple[object, ...]:
        """The complete state as plain values."""
        return (*super().state(), self.slots, self.next_slot)
