"""A round of UNO."""

from functools import lru_cache
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from referee.rules.calls import CHALLENGE, DRAW, FIRST_ACT, KEEP, PASS
from referee.rules.cards import BIT, WILD_DRAW_FOUR, uno_deck
from referee.rules.errors import IllegalAnswerError, InvalidOptionError
from referee.rules.events import DREW, KEPT, PASSED
from referee.rules.events import TURN as TURNS
from referee.rules.options import Rules
from referee.rules.round import Codes, Picks
from referee.rules.uno.codes import COLOR_NAMED, OWED, PLAYED, W4_BIT
from referee.rules.uno.facts import UnoFacts
from referee.rules.uno.start import UnoStart
from referee.rules.uno.state import PLAY_DRAWN, TURN
from referee.rules.vocabulary import DecisionKind, DrawReason, RoundEnding

DREW_IN_TURN: Final = DREW[DrawReason.TURN]


@lru_cache(maxsize=256)
def _facts(rules: Rules) -> UnoFacts:
    return UnoFacts(rules, uno_deck())


@mypyc_attr(allow_interpreted_subclasses=True)
class UnoRound(UnoStart):
    """A round of UNO: presets `classic`, `uno`, `official`."""

    GAME: ClassVar[str] = "uno"
    SEATS: ClassVar[tuple[int, int]] = (2, 10)
    LISTS: ClassVar[frozenset[DecisionKind]] = frozenset()  # decisions in which codes that are no card need `_compose`

    __slots__ = ()

    @classmethod
    def facts_of(cls, rules: Rules) -> UnoFacts:
        """What the ruleset means to a round of UNO."""
        return _facts(rules)

    @classmethod
    def check(cls, rules: Rules) -> None:
        """Raises InvalidOptionError if a deal could leave no card that may be turned up."""
        facts = cls.facts_of(rules)
        most = (len(facts.deck) - (9 if facts.flips else 0)) // rules.seats  # eight wilds may have to go back
        if facts.hand_size > most:
            raise InvalidOptionError(
                "hand_size", facts.hand_size, f"1 to {most} with {rules.seats} seats and {len(facts.deck)} cards"
            )

    # -- answers ----------------------------------------------------------------------------------------------------

    def options(self, seat: int) -> bytes:
        """The options of an asked seat, in canonical order; see `Round.options`.

        A turn with something to draw is listed by table (referee.rules.uno.tables), where the ruleset allows it.
        """
        if seat != self.seat:
            return self._list(seat, self._kind_of(seat))
        codes: bytes = self._codes
        if codes:
            return codes
        follow = self.follow
        if follow is None or self.kind is not TURN or not self.draw:
            codes = self._list(seat, self.kind)
        else:
            sides, shift, runs, split = follow
            mask = self.masks[seat]
            held = mask & sides
            if held >= W4_BIT and self.uno.reject and not self._honest(seat):
                held ^= W4_BIT
            before, behind = split[held]
            codes = before + runs[mask >> shift & 8191] + behind
        self._codes = codes
        return codes

    def apply(self, seat: int, picks: Picks, call: bool = False, color: int = 0) -> None:  # noqa: FBT001, FBT002
        """Answers the open decision of a seat; see `Round.apply`.

        What fills most of a round takes the short way: drawing, and one card in a turn that is no Wild Draw Four. Its
        last lines are `_begin_turn` written out.
        """
        if seat != self.seat or picks.__class__ is not int or picks < 0:
            super().apply(seat, picks, call, color)
            return
        try:
            codes: bytes = self._codes or self.options(seat)
            code = codes[picks]
        except IndexError:
            raise IllegalAnswerError("NO_SUCH_OPTION", f"pick {picks} is not among the options") from None
        facts = self.uno
        after = facts.after[code]
        if after is not None and ((kind := self.kind) is TURN or kind is PLAY_DRAWN):
            card, bit, self.color, self.ok, self.follow, plain = after
            hand = self.hands[seat]
            hand.remove(card)
            if card not in hand:
                self.masks[seat] ^= bit
            self.discard.append(card)
            self.acts += 1
            if len(hand) < 2:
                self.pending += OWED[card]
                self._last_cards(seat, code, card, 1, call)
                return
            self.events += PLAYED[0][seat][code]
            if not plain:
                self.pending += OWED[card]
                self._effect(seat, card, 1)
                return
            following = self.ring[seat]
        elif code == DRAW:
            self.acts += 1
            if self._draw(seat):
                return
            following = self.ring[seat]
        else:
            self._apply_rare(seat, picks, code, call, color)
            return
        if self.turns >= facts.limit:
            self._limit_reached()
            return
        self.turns += 1
        self.turn = self.seat = following
        self.kind = TURN
        events = self.events
        events += TURNS[self.dir][following]
        self.asked_at = len(events)
        self._codes = b""

    def _apply_rare(self, seat: int, picks: int, code: int, call: bool, color: int) -> None:  # noqa: FBT001
        if self.kind in self.LISTS:
            super().apply(seat, picks, call, color)
        else:
            self.acts += 1
            self._act(seat, (code,), call, color)

    def _begin_turn(self, seat: int) -> None:
        """The next turn, unless the limit is reached (D 7); `Round._begin_turn` written out."""
        turns = self.turns
        if turns >= self.uno.limit:
            self._limit_reached()
            return
        self.turns = turns + 1
        self.turn = self.seat = seat
        self.kind = TURN
        events = self.events
        events += TURNS[self.dir][seat]
        self.asked_at = len(events)
        self._codes = b""

    def _act(self, seat: int, codes: Codes, call: bool, color: int) -> None:  # noqa: FBT001, ARG002
        code = codes[0]
        kind = self.kind
        if kind is TURN or kind is PLAY_DRAWN:
            if code < FIRST_ACT:
                self._play(seat, code, call)
            elif code == KEEP:
                self._keep(seat)
            elif code == PASS:
                self._pass(seat)
            elif not self._draw(seat):
                self._begin_turn(self.ring[seat])
        elif kind is DecisionKind.FIRST_COLOR:
            self._name_color(COLOR_NAMED[code], seat)
        elif kind is DecisionKind.RESPOND_WILD_DRAW_FOUR:
            self._judge([seat] if code == CHALLENGE else [], (codes, call, 0))
        elif code < FIRST_ACT:
            self._stack(seat, code, call)
        else:
            self._pay(seat)

    def _draw(self, seat: int) -> bool:
        """Draws one card, or until one may be played (003 L12); only the last one may be played now.

        True if the seat is asked about it; False if its turn is over.
        """
        facts = self.uno
        hand = self.hands[seat]
        if facts.draws_until:
            self._draw_until(seat, facts.draw_limit)
            card = hand[-1]
        else:
            if not self.draw:
                self._recycle()
            card = self.draw.pop()
            hand.append(card)
            self.masks[seat] |= BIT[card]
            events = self.events
            self.private[seat].append(len(events) << 5 | card)
            events += DREW_IN_TURN[seat]
        if self.ok & BIT[card] and (card != WILD_DRAW_FOUR or not facts.reject or self._honest(seat)):
            self.drawn = card
            self.kind = PLAY_DRAWN
            self.asked_at = len(self.events)
            self._codes = b""
            return True
        self.events += KEPT[seat]
        return False

    def _draw_until(self, seat: int, most: int) -> None:
        """Draws until a card may honestly be played, the maximum is reached, or nothing is left."""
        hand = self.hands[seat]
        for _ in range(most):
            if not self.take(seat, 1, DrawReason.TURN):
                return
            card = hand[-1]
            if self.ok & BIT[card] and (card != WILD_DRAW_FOUR or self._honest(seat)):
                return

    def _keep(self, seat: int) -> None:
        """The turn ends with what was drawn; the same event whether or not the card could be played."""
        self.events += KEPT[seat]
        self._begin_turn(self.ring[seat])

    def _pass(self, seat: int) -> None:
        """Nothing to draw, nothing to play. When everybody has passed in a row the round is blocked."""
        self.passes = self.passes + 1 if self.passed == self.turns - 1 else 1
        self.passed = self.turns
        self.events += PASSED[seat]
        if self.passes >= self.live:
            self._end(RoundEnding.BLOCKED, None)
        else:
            self._begin_turn(self.ring[seat])

    # -- windows and leaving ----------------------------------------------------------------------------------------

    def _settle(self, kind: DecisionKind) -> None:
        if kind is DecisionKind.CALL_WINDOW:
            self._settle_call()
        else:
            self._settle_challenge()

    def _leave(self, seat: int) -> None:
        super()._leave(seat)
        if seat == self.subject:
            self.bluff = False  # a challenge of a seat that left fails (D 16)

    def _lapse(self, seat: int) -> None:
        """The next seat moves, or names the first colour; what the leaver owed is dropped (D 15, D 16, D 18)."""
        self.pending = 0
        if self.kind is DecisionKind.FIRST_COLOR:
            self._ask(self.ring[seat], DecisionKind.FIRST_COLOR)
        else:
            self._begin_turn(self.ring[seat])

    def _left_window(self, seat: int) -> bool:
        return self._window_of is DecisionKind.CALL_WINDOW and self._left_call(seat)
