"""The wheel: a seat spins instead of taking a turn, and the segment does what it says (seed 004 L29-49)."""

from typing import Final, assert_never

from mypy_extensions import mypyc_attr

from referee.rules.calls import PASS
from referee.rules.cards import BIT, canonical
from referee.rules.chance import SEGMENTS
from referee.rules.events import NOBODY
from referee.rules.round import Codes
from referee.rules.situation import Situation
from referee.rules.spin.codes import SWIRLED
from referee.rules.spin.discards import ALMOST_UNO, BY_COLOR, BY_NUMBER, SHOUT, WAR, WheelDiscards
from referee.rules.spin.war import fight
from referee.rules.uno.codes import CARD_OF_CODE, WILDS
from referee.rules.vocabulary import Color, DecisionKind, DrawReason, EventKind, Segment

SEGMENT: Final = tuple(Segment(number) for number in range(SEGMENTS))
LAST_SWIRLED: Final = SWIRLED + 19
# What ended a draw of the wheel: the arg of KEPT.
STOPPED_BY_COLOR: Final = 1
STOPPED_BY_WILD: Final = 2
EXHAUSTED: Final = 3


@mypyc_attr(allow_interpreted_subclasses=True)
class Wheel(WheelDiscards):
    """Spinning, and the nine segments."""

    __slots__ = ()

    def _effect(self, seat: int, card: int, count: int) -> None:
        """What a card does: a swirled one makes the next seat spin instead of taking its turn."""
        if SWIRLED <= card <= LAST_SWIRLED:
            self._spin(self.ring[seat])
        else:
            super()._effect(seat, card, count)

    def _started(self, card: int) -> None:
        """What the card turned up does; with a swirled one the first seat spins as its turn (P4)."""
        if SWIRLED <= card <= LAST_SWIRLED and self.spin.spins_first:
            self._spin(self.ring[self.dealer])
        else:
            super()._started(card)

    def _spin(self, spinner: int) -> None:
        """A spin is a turn, so one beyond the limit is not spun (D 7, D 49)."""
        if self._count_turn(spinner):
            number = self.chance.wheel()
            self._say(EventKind.SPUN, spinner, 0, 1 + number)
            self._carry_out(SEGMENT[number], spinner)

    def _carry_out(self, segment: Segment, spinner: int) -> None:
        """What a segment does; it hits the spinner, unless it says otherwise."""
        match segment:
            case Segment.UNO_SPIN:
                self._ask_all(SHOUT)
            case Segment.DISCARD_COLOR:
                self._ask(spinner, BY_COLOR)
            case Segment.DRAW_BLUE:
                self._draw_to(spinner, Color.BLUE)
            case Segment.DRAW_RED:
                self._draw_to(spinner, Color.RED)
            case Segment.WAR:
                self._ask_all(WAR)
            case Segment.DISCARD_NUMBER:
                self._ask(spinner, BY_NUMBER)
            case Segment.SHOW_HAND:
                self._show(spinner, canonical(self.hands[spinner]), None)
                self._move_on(spinner)
            case Segment.TRADE_HANDS:
                self._trade()
                self._move_on(spinner)
            case Segment.ALMOST_UNO:
                self._almost_uno(spinner)
            case unknown:
                assert_never(unknown)

    def _ask_all(self, kind: DecisionKind) -> None:
        """A sealed window for every seat, the spinner's and that of the swirled card included."""
        self.subject = self.turn
        self._open_window(kind, dict.fromkeys(self.seats_in(), kind))

    def _draw_to(self, seat: int, color: Color) -> None:
        """Draws up to and including the first card of this colour, or all that can be drawn; nothing may be played.

        What ended it is told to all, the card is not.
        """
        stops = self.spin.stops[color]
        stopped = EXHAUSTED
        while self.take(seat, 1, DrawReason.WHEEL):
            bit = BIT[self.hands[seat][-1]]
            if bit & stops:
                stopped = STOPPED_BY_WILD if bit & WILDS else STOPPED_BY_COLOR
                break
        self._say(EventKind.KEPT, seat, 0, stopped)
        self._move_on(seat)

    def _trade(self) -> None:
        """Every hand goes one seat to the left, whatever the direction of play; nobody needs to call.

        Hands are handed on in canonical order: the order in which they grew is known to their old owners only.
        """
        self._say(EventKind.TRADED, NOBODY)
        left = self.ring if self.dir > 0 else self.back
        hands, masks = list(self.hands), list(self.masks)
        for seat in self.seats_in():
            self.hands[left[seat]] = bytearray(canonical(hands[seat]))
            self.masks[left[seat]] = masks[seat]

    def _reopen(self, found: Situation) -> None:
        if found.kind is SHOUT or found.kind is WAR:
            self._ask_all(found.kind)
        else:
            super()._reopen(found)

    def _almost_uno(self, spinner: int) -> None:
        """All cards but two are discarded; with no more than two nothing happens."""
        if len(self.hands[spinner]) > 2:
            self._ask(spinner, ALMOST_UNO)
        else:
            self._move_on(spinner)

    # -- answers ----------------------------------------------------------------------------------------------------

    def _act(self, seat: int, codes: Codes, call: bool, color: int) -> None:  # noqa: FBT001  (an answer)
        if self.kind in self.LISTS:
            self._discard(seat, codes, call, color)
        else:
            super()._act(seat, codes, call, color)

    def _settle(self, kind: DecisionKind) -> None:
        if kind is SHOUT:
            self._settle_shout()
        elif kind is WAR:
            self._settle_war()
        else:
            super()._settle(kind)

    def _settle_shout(self) -> None:
        """The first who shouted, in a seeded order, discards its card; the cards of the others stay unknown."""
        shouting = sorted(seat for seat, (codes, _, _) in self._sealed.items() if codes[0] != PASS)
        if shouting:
            winner = self._first(shouting)
            self._discard(winner, *self._sealed[winner])
        else:
            self._move_on(self.turn)

    def _settle_war(self) -> None:
        """The winner discards what it showed, in that order; the others take theirs back. A void war does nothing."""
        orders = {seat: [CARD_OF_CODE[code] for code in codes] for seat, (codes, _, _) in self._sealed.items()}
        shown, winner = fight(orders, self.spin.points)
        for seat, card in shown:
            self._say(EventKind.WAR_SHOWN, seat, card)
        if winner is None:
            self._move_on(self.turn)
            return
        codes, call, color = self._sealed[winner]
        showed = sum(seat == winner for seat, _ in shown)
        self._discard(winner, codes[:showed], call, color)
