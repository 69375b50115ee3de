"""What lies on the table in UNO, and what may be done with it: legality, options, defaults."""

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Final

from mypy_extensions import mypyc_attr

from referee.rules.calls import ACCEPT, CHALLENGE, DRAW, FIRST_ACT, KEEP, PASS, CallingRound
from referee.rules.cards import DRAW_TWO, RANK_OF, WILD, WILD_DRAW_FOUR
from referee.rules.chance import Chance
from referee.rules.columns import Columns, ColumnsOf
from referee.rules.options import Rules
from referee.rules.round import Answer
from referee.rules.setup import Setup
from referee.rules.situation import Situation
from referee.rules.uno.codes import (
    ACTS,
    CARD_OF_CODE,
    COLOR_AFTER,
    COLOR_CODES,
    COLOR_NAMED,
    DOUBLED,
    W4_BIT,
    matching,
    named,
    plays,
)
from referee.rules.uno.facts import UnoFacts
from referee.rules.uno.tables import Follow
from referee.rules.vocabulary import DecisionKind

DRAW_CODE: Final = bytes((DRAW,))
PASS_CODE: Final = bytes((PASS,))
KEEP_CODE: Final = bytes((KEEP,))
ACCEPT_CODE: Final = bytes((ACCEPT,))
ANSWER_CODES: Final = bytes((ACCEPT, CHALLENGE))
CHALLENGE_CODES: Final = bytes((PASS, CHALLENGE))

WILD_CARDS: Final = range(WILD, WILD_DRAW_FOUR + 1)

TURN: Final = DecisionKind.TURN
PLAY_DRAWN: Final = DecisionKind.PLAY_DRAWN


def _columns(acts: bytes, codes: bytes) -> Columns:
    color = codes.translate(COLOR_NAMED)
    return Columns(codes.translate(acts), codes.translate(CARD_OF_CODE), b"", color if any(color) else b"", b"")


# By decision kind: the columns of a list of codes.
COLUMNS: Final = tuple(ColumnsOf(partial(_columns, acts)) for acts in ACTS)


@mypyc_attr(allow_interpreted_subclasses=True)
class UnoState(CallingRound):
    """Hands, piles and the colour in force, with what is legal on them."""

    __slots__ = ("bluff", "follow", "ok", "passed", "passes", "uno", "victim")

    uno: UnoFacts  # `facts`, as what they are in this game
    ok: int  # mask of the faces that may be played now, wilds included
    follow: Follow | None  # the same as a table
    bluff: bool  # the Wild Draw Four that may be challenged was one
    victim: int  # the seat that it was played on
    passes: int  # passes in a row, the last of them in turn number `passed`
    passed: int

    @classmethod
    @abstractmethod
    def facts_of(cls, rules: Rules) -> UnoFacts:
        """What the ruleset means to a round of this game; cached."""

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.uno = self.facts_of(rules)
        self.ok = matching(0, 0)
        self.follow = None
        self.bluff = False
        self.victim = -1
        self.passes = self.passed = 0

    def place(self, setup: Setup) -> None:
        """Takes in hands and piles that are set up instead of dealt."""
        super().place(setup)
        self._match(self.discard[-1] if self.discard else 0)

    def _reopen(self, found: Situation) -> None:
        self.subject, self.victim, self.bluff = found.accused, found.seat, found.bluff
        self.passes, self.passed = found.passes, found.turns - 1
        super()._reopen(found)

    def _match(self, top: int) -> None:
        """Sets what may follow on this card, with the colour in force.

        A round that is set up may have another colour than its top card; there is no table for that.
        """
        self.ok = matching(self.color, top)
        code = named(top, self.color) if top in WILD_CARDS and self.color else top
        self.follow = self.uno.follow[code] if self.color == COLOR_AFTER[code] else None

    # -- legality ---------------------------------------------------------------------------------------------------

    def _honest(self, seat: int) -> bool:
        """True if `wd4_rule` allows this hand to play a Wild Draw Four on what lies there now."""
        return self.uno.honest(self.masks[seat], self.color, self.ok)

    def _stackable(self, seat: int) -> int:
        """Mask of the faces of the hand that may answer the draw card on top."""
        draw_two = RANK_OF[self.discard[-1]] == DRAW_TWO
        return self.masks[seat] & (self.uno.stack_draw_two if draw_two else self.uno.stack_draw_four)

    # -- options ----------------------------------------------------------------------------------------------------

    def _list(self, seat: int, kind: DecisionKind) -> bytes:
        if kind is TURN:
            return self._turn_options(seat)
        if kind is PLAY_DRAWN:
            return self._drawn_options(seat)
        if kind is DecisionKind.CALL_WINDOW:
            return self._call_options(seat)
        if kind is DecisionKind.CHALLENGE_WINDOW:
            return CHALLENGE_CODES
        if kind is DecisionKind.FIRST_COLOR:
            return COLOR_CODES
        answers = ANSWER_CODES if kind is DecisionKind.RESPOND_WILD_DRAW_FOUR else ACCEPT_CODE
        return self._plays(self._stackable(seat)) + answers

    def _plays(self, mask: int) -> bytes:
        """The codes that play each of these faces, in canonical order."""
        return plays(mask)

    def _turn_options(self, seat: int) -> bytes:
        facts = self.uno
        mask = self.masks[seat] & self.ok
        if mask & W4_BIT and facts.reject and not self._honest(seat):
            mask ^= W4_BIT
        if mask & facts.doubles:
            codes = self._plays(mask) + self._doubles(seat, mask & facts.doubles)
        else:
            codes = self._plays(mask)
        if (self.draw or len(self.discard) > 1) and (facts.voluntary or not codes):
            return codes + DRAW_CODE
        return codes or PASS_CODE

    def _doubles(self, seat: int, mask: int) -> bytes:
        """The codes that play two of these faces, where the hand holds two."""
        hand = self.hands[seat]
        return bytes(DOUBLED + card for card in self._plays(mask) if hand.count(card) > 1)

    def _drawn_options(self, seat: int) -> bytes:
        codes = self._plays(1 << self.drawn)
        if self.uno.must_play and (self.drawn != WILD_DRAW_FOUR or self._honest(seat)):
            return codes
        return codes + KEEP_CODE

    def default(self, seat: int) -> Answer:
        """DRAW, PASS, KEEP, ACCEPT where there is one; else the first card, honest by construction, with a call.

        A Wild Draw Four is a bluff only beside another card that can be played, and that one is listed first.
        """
        options = self.options(seat)
        for index, code in enumerate(options):
            if code >= FIRST_ACT:
                return index, False, 0
        return 0, True, 0

    @abstractmethod
    def options(self, seat: int) -> bytes:
        """The options of an asked seat, as codes."""

    def columns(self, seat: int) -> Columns:
        """The options of an asked seat as columns of enum values."""
        kind = self.kind if seat == self.seat else self._kind_of(seat)
        return COLUMNS[kind][self.options(seat)]

    def state(self) -> tuple[object, ...]:
        """The complete state as plain values."""
        return (*super().state(), self.ok, self.bluff, self.victim, self.passes, self.passed)
