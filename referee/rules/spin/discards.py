"""Cards that leave a hand by the wheel: which may be picked together, and what putting them down does.

They are discarded, not played: they need not match and have no effect. With `wheel_discards` TOP the last one is the
new top and sets the colour; with UNDER they go under the pile and nothing else changes (D 28).
"""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from referee.rules.cards import BIT, COLOR_OF, RANK_OF, SKIP, WILD, WILD_DRAW_FOUR, canonical, mask_of
from referee.rules.chance import Chance
from referee.rules.errors import IllegalAnswerError
from referee.rules.options import Rules
from referee.rules.round import Answer, Codes
from referee.rules.spin.codes import plays
from referee.rules.spin.facts import SpinFacts
from referee.rules.spin.tables import RUNS
from referee.rules.uno.codes import CARD_OF_CODE, COLOR_NAMED, W4_BIT
from referee.rules.uno.round import UnoRound
from referee.rules.uno.state import PASS_CODE, TURN
from referee.rules.vocabulary import DecisionKind, EventKind, RoundEnding

BY_COLOR: Final = DecisionKind.SPIN_DISCARD_COLOR
BY_NUMBER: Final = DecisionKind.SPIN_DISCARD_NUMBER
ALMOST_UNO: Final = DecisionKind.SPIN_ALMOST_UNO
WAR: Final = DecisionKind.SPIN_WAR
SHOUT: Final = DecisionKind.SPIN_SHOUT
LISTS: Final = frozenset((BY_COLOR, BY_NUMBER, ALMOST_UNO, WAR))

# What the cards of a list have in common, by card: the same entry for all of them.
GROUPS: Final = {BY_COLOR: COLOR_OF, BY_NUMBER: RANK_OF}
# The cards that a list is not about: those without a colour, or without a number.
OUTSIDE: Final = {
    BY_COLOR: bytes(card for card in range(256) if not COLOR_OF[card]),
    BY_NUMBER: bytes(card for card in range(256) if RANK_OF[card] >= SKIP),
}


@mypyc_attr(allow_interpreted_subclasses=True)
class WheelDiscards(UnoRound):
    """Options, composition and effect of the discards of the wheel."""

    LISTS: ClassVar[frozenset[DecisionKind]] = LISTS

    __slots__ = ("spin",)

    spin: SpinFacts  # `facts`, as what they are in this game

    @classmethod
    @abstractmethod
    def facts_of(cls, rules: Rules) -> SpinFacts:
        """What the ruleset means to a round of Spin; cached."""

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.spin = self.facts_of(rules)

    def _plays(self, mask: int) -> bytes:
        """The codes that play each of these faces, in canonical order."""
        return plays(mask)

    def _asks(self, seat: int) -> DecisionKind | None:
        """What this seat is asked."""
        return self.kind if seat == self.seat else self._window.get(seat)

    # -- options ----------------------------------------------------------------------------------------------------

    def options(self, seat: int) -> bytes:
        """The options of an asked seat, in canonical order; see `UnoRound.options`."""
        codes: bytes = self._codes
        if seat != self.seat or codes or not self.spin.by_table or self.kind is not TURN or not self.draw:
            return super().options(seat)
        run = RUNS[self.color][self.discard[-1]] if self.discard else None
        if run is None:
            return super().options(seat)
        sides, plain, swirls, low, high, split = run
        mask = self.masks[seat]
        held = mask & sides
        if held & W4_BIT and self.spin.reject and not self._honest(seat):
            held ^= W4_BIT
        before, behind = split[held]
        colored = low[mask >> plain & 63 | (mask >> swirls & 31) << 6] + high[mask >> plain + 6 & 127]
        self._codes = codes = before + colored + behind
        return codes

    def _list(self, seat: int, kind: DecisionKind) -> bytes:
        if kind is TURN:
            return self._turn_options(seat)
        if kind is SHOUT:
            return self._one_of(self.masks[seat]) + PASS_CODE
        if kind not in LISTS:
            return super()._list(seat, kind)
        cards = self._pool(seat, kind)
        if self._most(cards, kind) == 1 and kind not in GROUPS:
            return self._one_of(mask_of(cards))
        return canonical(cards)

    def _pool(self, seat: int, kind: DecisionKind) -> bytearray:
        """The cards of the hand that a list decision is about, copies apart."""
        return self.hands[seat].translate(None, self.spin.fights_not if kind is WAR else OUTSIDE.get(kind, b""))

    @staticmethod
    def _most(cards: bytearray, kind: DecisionKind) -> int:
        """How many of these cards can be picked together."""
        group = GROUPS.get(kind)
        if group is None:
            return len(cards) - 2 if kind is ALMOST_UNO else len(cards)
        entries = cards.translate(group)
        return max(map(entries.count, set(entries)), default=0)

    def _one_of(self, faces: int) -> bytes:
        """The options to pick one card: a wild once a colour, unless none needs to be named."""
        if self.spin.under:
            return canonical(card for card in range(1, 77) if BIT[card] & faces)
        return plays(faces)

    def picks(self, seat: int) -> tuple[int, int]:
        """Fewest and most picks of a legal answer; see `Round.picks`."""
        kind = self._asks(seat)
        if kind not in LISTS:
            return 1, 1
        most = self._most(self._pool(seat, kind), kind)
        return (0 if kind in GROUPS else most), most

    def _compose(self, seat: int, codes: Codes, color: int) -> None:
        """Raises IllegalAnswerError unless these picks go together; see the rules page, B3."""
        kind = self._asks(seat)
        if kind not in LISTS:
            return
        cards = [CARD_OF_CODE[code] for code in codes]
        group = GROUPS.get(kind)
        if group is not None:
            if len({group[card] for card in cards}) > 1:
                raise IllegalAnswerError("BAD_PICKS", "the cards differ; discard cards of one colour, or of one number")
            return
        points = self.spin.points
        if kind is WAR and any(points[after] > points[card] for card, after in pairwise(cards)):
            raise IllegalAnswerError("BAD_PICKS", "the points rise; put the cards in order, the highest first")
        if self._needs_color(kind, codes) and not 0 < color < 5:
            raise IllegalAnswerError("BAD_COLOR", f"colour {color}; name one of 1 to 4 for the wild")

    def _needs_color(self, kind: DecisionKind, codes: Sequence[int]) -> bool:
        """True if the answer must name a colour beside these picks: for a wild that may come to lie on top."""
        if self.spin.under or not codes:
            return False
        if kind is WAR:
            return any(WILD <= code <= WILD_DRAW_FOUR for code in codes)
        return WILD <= codes[-1] <= WILD_DRAW_FOUR

    def default(self, seat: int) -> Answer:
        """Discards nothing, keeps the first two, fights with the highest first; see `UnoRound.default`."""
        kind = self._asks(seat)
        if kind in GROUPS:
            return (), False, 0
        if kind is ALMOST_UNO:
            return self._default_almost(seat)
        if kind is WAR:
            return self._default_war(seat)
        return super().default(seat)

    def _default_almost(self, seat: int) -> Answer:
        """All but the first two in canonical order, red for a wild on top."""
        codes = self.options(seat)
        cards = canonical(self.hands[seat])
        if len(cards) == 3:
            return next(index for index, code in enumerate(codes) if CARD_OF_CODE[code] == cards[2]), False, 0
        return tuple(range(2, len(codes))), False, int(self._needs_color(ALMOST_UNO, codes))

    def _default_war(self, seat: int) -> Answer:
        """Points falling, equal ones in canonical order, red where a colour is needed."""
        codes = self.options(seat)
        if self.picks(seat) == (1, 1):
            return 0, False, 0
        points = self.spin.points
        order = sorted(range(len(codes)), key=lambda index: -points[CARD_OF_CODE[codes[index]]])
        return tuple(order), False, int(self._needs_color(WAR, codes))

    def forced(self, seat: int) -> bool:
        """True if there is one legal answer; in a war also where the points leave one order and no call can matter."""
        if self._asks(seat) is not WAR:
            return super().forced(seat)
        codes = self.options(seat)
        if not codes:
            return True
        held, facing = len(self.hands[seat]), self.picks(seat)[0]
        if (self.spin.calls and held > 1 and facing >= held - 1) or self._needs_color(WAR, codes):
            return False
        faces = {CARD_OF_CODE[code] for code in codes}
        return len(codes) == facing and len({self.spin.points[card] for card in faces}) == len(faces)

    # -- putting down -----------------------------------------------------------------------------------------------

    def _discard(self, seat: int, codes: Codes, call: bool, color: int) -> None:  # noqa: FBT001  (an answer)
        """Puts these cards down, in this order; then out?, the call, and the next seat of this one."""
        cards = bytes(CARD_OF_CODE[code] for code in codes)
        for card in cards:
            self._shed(seat, card)
            self._say(EventKind.DISCARDED, seat, card)
        if self.spin.under:
            self.discard[:0] = cards
        elif cards:
            self._lay_on_top(seat, cards, COLOR_NAMED[codes[-1]] or color)
        held = len(self.hands[seat])
        if not held:
            self._end(RoundEnding.OUT, seat)
        elif cards and held == 1:
            self._down_to_one(seat, call)
        else:
            self._move_on(seat)

    def _lay_on_top(self, seat: int, cards: bytes, color: int) -> None:
        """The last card is the new top and sets the colour, a wild the one that was named."""
        self.discard += cards
        self.color = COLOR_OF[cards[-1]]
        if not self.color:
            self.color = color
            self._say(EventKind.COLOR_NAMED, seat, 0, color)
        self._match(cards[-1])

    def _down_to_one(self, seat: int, call: bool) -> None:  # noqa: FBT001  (an answer is three values)
        """The call, as after a play (D 31)."""
        if call:
            self._say(EventKind.CALLED, seat)
        if call or not self.spin.calls:
            self._move_on(seat)
        else:
            self._call_missed(seat, "_move_on", seat)

    def _move_on(self, seat: int) -> None:
        """The turn after what the wheel did: of the next seat behind this one."""
        self._begin_turn(self.ring[seat])
