"""The draft: picks in turn, Player 1 first; of two cards one is kept and the other lies face up (rules page B2)."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from referee.rules.calls import KEEP, REJECT
from referee.rules.chance import Chance
from referee.rules.duo.facts import DuoFacts
from referee.rules.options import Rules
from referee.rules.uno.round import UnoRound
from referee.rules.vocabulary import DecisionKind, EventKind

PICK_OPTIONS: Final = bytes((KEEP, REJECT))
KEPT_SHOWN: Final = 1  # the arg of DRAFTED
REJECTED_SHOWN: Final = 2


@mypyc_attr(allow_interpreted_subclasses=True)
class Draft(UnoRound):
    """Picking the hands. The dealer is Player 1; the cards not kept are the discard pile while the draft lasts."""

    __slots__ = ("duo",)

    duo: DuoFacts  # `facts`, as what they are in this game

    @classmethod
    @abstractmethod
    def facts_of(cls, rules: Rules) -> DuoFacts:
        """What the ruleset means to a round of Duo; cached."""

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.duo = self.facts_of(rules)

    def _deal(self, deck: bytearray) -> None:
        """Nothing is dealt: the whole deck is the draw pile."""
        self.draw = deck

    def _open(self) -> None:
        self._ask_pick(self.dealer)

    def _ask_pick(self, seat: int) -> None:
        """The seat looks at the top card, and nobody else does."""
        self.turn = seat
        self.drawn = self.draw[-1]
        self._ask(seat, DecisionKind.DRAFT_PICK)

    def _pick(self, seat: int, code: int) -> None:
        """Takes two cards from the pile: the one shown and the next, or, if it is rejected, the other way round."""
        shown, following = self.draw.pop(), self.draw.pop()
        kept, left = (shown, following) if code == KEEP else (following, shown)
        self.hands[seat].append(kept)
        self.masks[seat] |= 1 << kept
        self.discard.append(left)
        self._say(EventKind.DRAFTED, seat, left, KEPT_SHOWN if code == KEEP else REJECTED_SHOWN)
        if len(self.discard) < 2 * self.duo.hand_size:
            self._ask_pick(self.ring[seat])
        else:
            self._end_draft()

    def _end_draft(self) -> None:
        """The discards are turned over under the pile, the first of them to be drawn first, or shuffled in (D 38)."""
        packet, self.discard = self.discard[::-1], bytearray()
        self.draw[:0] = packet
        if self.duo.shuffled_in:
            self.draw = self._shuffled(self.draw)
        self._start()
