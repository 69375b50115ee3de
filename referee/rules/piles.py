"""What a round is made of: seats, hands, piles, the events so far, and who has left.

Piles and hands are bytearrays of cards; the last card of a pile is its top. A hand is a multiset; `masks` says which
faces it holds. Every event is four bytes of `events`, with the card zeroed where not everybody may see it; `private`
has the faces that one seat may see behind those zeros.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from mypy_extensions import mypyc_attr

from referee.rules.cards import canonical, mask_of
from referee.rules.chance import Chance
from referee.rules.events import DREW, NOBODY, Ring, event, opening, rings
from referee.rules.facts import Facts
from referee.rules.options import Rules
from referee.rules.vocabulary import DrawReason, EventKind


@mypyc_attr(allow_interpreted_subclasses=True)
class Piles(ABC):
    """Seats, hands, piles and events of one round."""

    KEPT_BACK: ClassVar[int] = 1  # cards of the discard pile that are not drawn again: the top
    LEAD_STAYS_FREE: ClassVar[bool] = True  # with nothing led a leaver's hand goes under the draw pile (D 14)

    __slots__ = (
        "back",
        "chance",
        "color",
        "dealer",
        "dir",
        "discard",
        "draw",
        "events",
        "facts",
        "gone",
        "hands",
        "live",
        "masks",
        "n",
        "out",
        "private",
        "ring",
        "row",
        "rules",
    )

    rules: Rules
    facts: Facts
    chance: Chance
    n: int  # seats at the table, also those that left
    dealer: int
    out: list[int]  # seats that left the match, in order
    live: int  # seats still in it
    gone: dict[int, int]  # value of the hands of seats that left in this round
    hands: list[bytearray]
    masks: list[int]  # by seat: bit c is set for each face c held
    draw: bytearray
    discard: bytearray
    row: bytearray  # DOS: the cards in the middle
    color: int  # colour in force, 0 = none
    dir: int  # 1 clockwise, -1 counter-clockwise
    ring: Ring  # the next seat, by seat, in the direction of play
    back: Ring  # in the other direction
    events: bytearray
    private: list[list[int]]  # by seat: event index * 128 + face

    @classmethod
    @abstractmethod
    def facts_of(cls, rules: Rules) -> Facts:
        """What the ruleset means to a round of this game; cached."""

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        """An empty table."""
        self.rules = rules
        self.facts = facts = self.facts_of(rules)
        self.chance = chance
        self.n = n = rules.seats
        self.dealer = dealer
        self.out = list(out)
        self.live = n - len(out)
        self.gone = {}
        self.hands = [bytearray() for _ in range(n)]
        self.masks = [0] * n
        self.draw, self.discard, self.row = bytearray(), bytearray(), bytearray()
        self.color = 0
        self.dir = 1
        self.ring, self.back = rings(n, out)
        self.events = bytearray(opening(n, dealer, facts.hand_size, tuple(out)))
        self.private = [[] for _ in range(n)]

    def _deal(self, deck: bytearray) -> None:
        """One card at a time, starting left of the dealer; the rest is the draw pile."""
        live = self.live
        total = live * self.facts.hand_size
        dealt = deck[: -total - 1 : -1]
        del deck[-total:]
        seat = self.dealer
        for place in range(live):
            seat = self.ring[seat]
            self.hands[seat] = dealt[place::live]
            self.masks[seat] = mask_of(self.hands[seat])
        self.draw = deck

    # -- drawing ----------------------------------------------------------------------------------------------------

    def take(self, seat: int, count: int, reason: DrawReason) -> int:
        """Draws up to this many cards for a seat and returns how many there were; what is short is not owed."""
        if count > len(self.draw):
            return self._take_short(seat, count, reason)
        if count:
            self._move(seat, self.draw[: -count - 1 : -1], DREW[reason][seat])
            del self.draw[-count:]
        return count

    def _take_short(self, seat: int, count: int, reason: DrawReason) -> int:
        """Drawing over the end of the pile: what is there, then from the recycled discards."""
        got = self.take(seat, len(self.draw), reason)
        if got < count and self._recycle():
            got += self.take(seat, min(count - got, len(self.draw)), reason)
        return got

    def _move(self, seat: int, cards: bytearray, drew: bytes) -> None:
        """Takes cards that are drawn into the hand and tells of them."""
        self.hands[seat] += cards
        private = self.private[seat]
        mask = self.masks[seat]
        number = len(self.events) << 5  # event index * 128
        for card in bytes(cards):
            mask |= 1 << card
            private.append(number | card)
            number += 128
        self.masks[seat] = mask
        self.events += drew * len(cards)

    def _recycle(self) -> bool:
        """Shuffles the discards below the top into a new draw pile; False if there are none."""
        cut = len(self.discard) - self.KEPT_BACK
        if cut < 1:
            return False
        self.draw = self._shuffled(self.discard[:cut])
        del self.discard[:cut]
        return True

    def _shuffled(self, cards: bytearray) -> bytearray:
        """These cards as a new draw pile."""
        pile = self.chance.reshuffle(canonical(cards))
        self._say(EventKind.RESHUFFLED, NOBODY, 0, min(len(pile), 255))
        return pile

    def _shed(self, seat: int, card: int) -> None:
        """Takes a card out of a hand; where it goes is the caller's business."""
        hand = self.hands[seat]
        hand.remove(card)
        if card not in hand:
            self.masks[seat] ^= 1 << card

    # -- telling ----------------------------------------------------------------------------------------------------

    def _say(self, kind: EventKind, seat: int = NOBODY, card: int = 0, arg: int = 0) -> None:
        self.events += event(kind, seat, card, arg)

    def _show(self, seat: int, cards: Sequence[int], to: int | None, kind: EventKind = EventKind.HAND_SHOWN) -> None:
        """Shows cards of a hand to one seat, or to all: one event a card, in this order."""
        for card in cards:
            if to is not None:
                self.private[to].append(len(self.events) << 5 | card)
            self._say(kind, seat, card if to is None else 0)

    # -- leaving ----------------------------------------------------------------------------------------------------

    def worth(self, seat: int) -> int:
        """The value of a hand now: points, or cards where they are counted."""
        hand = self.hands[seat]
        if self.facts.counted:
            return len(hand)
        points = self.facts.points
        return sum([points[card] for card in bytes(hand)])

    def _leave(self, seat: int) -> None:
        """The hand counts at its value now and goes under the discard pile (D 14); the seat is out of the match."""
        self.gone[seat] = self.worth(seat)
        pile = self.draw if self.LEAD_STAYS_FREE and not self.discard else self.discard
        pile[:0] = self.hands[seat]
        self.hands[seat] = bytearray()
        self.masks[seat] = 0
        self.out.append(seat)
        self.live -= 1
        clockwise, counter = rings(self.n, self.out)
        self.ring, self.back = (clockwise, counter) if self.dir > 0 else (counter, clockwise)
        self._say(EventKind.FORFEITED, seat)

    def seats_in(self) -> list[int]:
        """The seats still in the match, ascending."""
        return [seat for seat in range(self.n) if seat not in self.out]

    def everything(self) -> bytes:
        """All cards of the round in canonical order, wherever they are: the same bytes after every act."""
        return canonical(b"".join((*self.hands, self.draw, self.discard, self.row)))
