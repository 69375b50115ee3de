"""A bot that recognises deals: it keeps what it saw, and knows the other's hand when the cards come again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import ClassVar

from lastcard.faces import Card, Color
from lastcard.turn import Turn
from lastcard.words import EventKind
from referee.bots.careful import Careful

ROUNDS = 10  # that it looks back
EVIDENCE = 2  # cards that must fit
WORTH = 15.0  # points of a hand, for a card that the other certainly cannot answer


@dataclass(slots=True)
class Seen:
    """One round as its seat saw it: the card turned up, its hand, what the other played from its own first hand."""

    opening: str
    hand: Counter[str]
    told: Counter[str] = field(default_factory=Counter)


class Rememberer(Careful):
    """`careful` with a memory, for two seats: when the other sits on a hand that was its own, it plays against it."""

    name: ClassVar[str] = "rememberer"

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self.rounds: list[Seen] = []
        self.recognised = 0
        self._round: object = None
        self._known: Counter[str] | None = None

    def weigh(self, turn: Turn) -> list[float]:
        """Return the worth of each option, more where the other, if it is known, has no answer to it."""
        worth = super().weigh(turn)
        if turn.history is not self._round:
            self._begin(turn)
        self._look(turn)
        if self._known is None:
            return worth
        left = self._known - self._played(turn)
        return [
            value + WORTH * self._unanswered(option.card, option.color, left) if option.card else value
            for value, option in zip(worth, turn.options, strict=True)
        ]

    def _begin(self, turn: Turn) -> None:
        self._round = turn.history
        opening = next((event.card for event in turn.past if event.kind is EventKind.TURNED_UP and event.card), None)
        hand = Counter(map(str, turn.hand))
        self._known = self._recall(str(opening), hand)
        self.recognised += self._known is not None
        self.rounds = [*self.rounds[-ROUNDS:], Seen(str(opening), hand)]

    def _recall(self, opening: str, hand: Counter[str]) -> Counter[str] | None:
        for seen in reversed(self.rounds):
            if seen.opening == opening and seen.told.total() >= EVIDENCE and seen.told <= hand:
                return seen.hand
        return None

    def _look(self, turn: Turn) -> None:
        """Keep what the other has played before it drew."""
        told: Counter[str] = Counter()
        for event in turn.past:
            if event.seat == 1 - turn.seat:
                if event.kind is EventKind.DREW:
                    break
                if event.kind is EventKind.PLAYED:
                    told[str(event.card)] += 1
        self.rounds[-1].told = told

    @staticmethod
    def _played(turn: Turn) -> Counter[str]:
        past = turn.past
        return Counter(str(e.card) for e in past if e.kind is EventKind.PLAYED and e.seat == 1 - turn.seat)

    @staticmethod
    def _unanswered(card: Card, named: Color | None, left: Counter[str]) -> bool:
        """Return whether no known card goes on this one."""
        color = card.color or named
        return not any(text[0] in ("W", str(color)) or text[1:] == card.rank for text in left)
