"""The dump: a Reverse takes all other cards of its colour along, and its last card acts (rules page B3).

A dump that ends in a Reverse, or a Reverse turned up, gives the other seat the right to dump that colour in its turn;
the right ends with any other act (D 40).
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from referee.rules.calls import FIRST_ACT
from referee.rules.cards import BIT, COLOR_OF, RANK_OF, REVERSE, canonical, color_letter
from referee.rules.chance import Chance
from referee.rules.duo.codes import BY_RIGHT, DUMP_COLOR, DUMPED, REVERSE_OF, WITH_REVERSE
from referee.rules.duo.draft import Draft
from referee.rules.errors import IllegalAnswerError
from referee.rules.options import Rules
from referee.rules.round import Codes
from referee.rules.setup import Setup
from referee.rules.uno.codes import CARD_OF_CODE, OWED, PLAYED, REVERSES
from referee.rules.uno.state import PLAY_DRAWN, TURN
from referee.rules.vocabulary import DecisionKind, EventKind

DUMPING: Final = frozenset((TURN, PLAY_DRAWN))


@mypyc_attr(allow_interpreted_subclasses=True)
class Dump(Draft):
    """Dumping, and the right to it."""

    LISTS: ClassVar[frozenset[DecisionKind]] = DUMPING

    __slots__ = ("right", "right_turn")

    right: int  # the colour that may be dumped without a Reverse in turn number `right_turn`
    right_turn: int

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.right = self.right_turn = 0

    def place(self, setup: Setup) -> None:
        """Takes in hands and piles that are set up instead of dealt."""
        super().place(setup)
        self.right, self.right_turn = setup.dump_right, self.turns + 1

    def _give_right(self, seat: int, color: int) -> None:
        """The next turn is this seat's, and it may dump this colour."""
        self.right, self.right_turn = color, self.turns + 1
        self._begin_turn(seat)

    def dump_right(self) -> int:
        """The colour that the seat to move may dump without a Reverse, 0 if none."""
        return self.right if self.seat >= 0 and self.kind is TURN and self.right_turn == self.turns else 0

    # -- options ----------------------------------------------------------------------------------------------------

    def options(self, seat: int) -> bytes:
        """The options of an asked seat, in canonical order; dumps beside those of UNO."""
        if seat != self.seat:
            return super().options(seat)
        codes: bytes = self._codes
        if codes:
            return codes
        codes = super().options(seat)
        kind = self.kind
        if kind is TURN:
            reverses = self.masks[seat] & self.ok & REVERSES
        elif kind is PLAY_DRAWN:
            reverses = BIT[self.drawn] & REVERSES
        else:
            return codes
        if reverses or (self.right_turn == self.turns and self.right):
            self._codes = codes = self._with_dumps(seat, codes, reverses)
        return codes

    def _with_dumps(self, seat: int, codes: bytes, reverses: int) -> bytes:
        """These options and the dumps: with each of these Reverses, and by right."""
        hand, right = self.hands[seat], self.dump_right()
        more = bytearray()
        for color in range(1, 5):
            reverse = REVERSE_OF[color]
            if color != right and not reverses & BIT[reverse]:
                continue
            cards = [card for card in bytes(hand) if COLOR_OF[card] == color]
            if reverses & BIT[reverse] and len(cards) > 1:
                more.append(WITH_REVERSE + color)
                if color != right:
                    cards.remove(reverse)
            elif color != right:
                continue
            if color == right and cards:
                more.append(BY_RIGHT + color)
            more += bytes(DUMPED + card for card in cards)
        return bytes(sorted(codes + more)) if more else codes

    def picks(self, seat: int) -> tuple[int, int]:
        """Fewest and most picks of a legal answer: a dump is one pick and the other cards of its colour."""
        if seat != self.seat or self.kind not in DUMPING or not (self.masks[seat] & REVERSES or self.right):
            return 1, 1
        colors = bytes(COLOR_OF[CARD_OF_CODE[code]] for code in self.options(seat) if DUMPED < code < FIRST_ACT)
        return 1, 1 + max(map(colors.count, set(colors)), default=0)

    def _compose(self, seat: int, codes: Codes, color: int) -> None:  # noqa: ARG002  (a dump names no colour)
        """Raises IllegalAnswerError unless this is one option, or a dump of exactly all other cards of its colour."""
        first = codes[0]
        dumped = DUMP_COLOR[first]
        cards = [CARD_OF_CODE[code] for code in codes[1:]]
        if not dumped:
            if cards or (DUMPED < first < FIRST_ACT and self.kind in DUMPING):
                raise IllegalAnswerError("BAD_PICKS", "cards are put down together by a dump; pick one, and it first")
            return
        whole = cards_to_dump(self.hands[seat], first)
        if canonical(cards) != whole or not all(DUMPED < code < FIRST_ACT for code in codes[1:]):
            raise IllegalAnswerError(
                "BAD_PICKS",
                f"a dump puts down all other cards of {color_letter(dumped)}: pick all {len(whole)} of them",
            )

    # -- dumping ----------------------------------------------------------------------------------------------------

    def _dump(self, seat: int, codes: Codes, call: bool) -> None:  # noqa: FBT001  (an answer is three values)
        """Puts the cards down, in this order; then out?, the call, and what the last card does."""
        first = codes[0]
        if first < BY_RIGHT:
            reverse = REVERSE_OF[DUMP_COLOR[first]]
            self._shed(seat, reverse)
            self.discard.append(reverse)
            self.events += PLAYED[0][seat][reverse]
        for code in codes[1:]:
            card = CARD_OF_CODE[code]
            self._shed(seat, card)
            self.discard.append(card)
            self._say(EventKind.DUMPED, seat, card)
        last = self.discard[-1]
        self.pending += OWED[last]
        self.color = COLOR_OF[last]
        self._match(last)
        held = len(self.hands[seat])
        if not held:
            self._go_out(seat)
        elif held == 1:
            self._dumped_to_one(seat, last, call)
        else:
            self._dumped(seat, last)

    def _dumped_to_one(self, seat: int, last: int, call: bool) -> None:  # noqa: FBT001  (an answer is three values)
        if call:
            self._say(EventKind.CALLED, seat)
        if call or not self.duo.calls:
            self._dumped(seat, last)
        else:
            self._call_missed(seat, "_dumped", seat, last)

    def _dumped(self, seat: int, last: int) -> None:
        """What the last card of a dump does; of those before it none does anything.

        A Reverse gives the other seat the dump (seed 001, literally), or does nothing (D 39).
        """
        if RANK_OF[last] != REVERSE:
            self._effect(seat, last, 1)
        elif self.duo.gives_dump:
            self._give_right(self.ring[seat], COLOR_OF[last])
        else:
            self._begin_turn(self.ring[seat])

    def state(self) -> tuple[object, ...]:
        """The complete state as plain values."""
        return (*super().state(), self.dump_right())


def cards_to_dump(hand: Sequence[int], first: int) -> bytes:
    """The cards that must follow this opening of a dump, in canonical order."""
    color = DUMP_COLOR[first]
    cards = [card for card in hand if COLOR_OF[card] == color]
    if first < BY_RIGHT:
        cards.remove(REVERSE_OF[color])
    return canonical(cards)
