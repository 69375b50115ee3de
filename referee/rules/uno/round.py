"""A round of UNO."""

from functools import lru_cache
from typing import ClassVar

from referee.rules.calls import CHALLENGE, DRAW, FIRST_ACT, KEEP, PASS
from referee.rules.cards import WILD_DRAW_FOUR, uno_deck
from referee.rules.errors import IllegalAnswerError, InvalidOptionError
from referee.rules.events import KEPT, PASSED
from referee.rules.options import Rules
from referee.rules.round import Codes, Picks
from referee.rules.uno.codes import CARD_OF_CODE, COLOR_AFTER, COLOR_NAMED, MATCH_AFTER, PLAIN, PLAYED
from referee.rules.uno.facts import UnoFacts
from referee.rules.uno.start import UnoStart
from referee.rules.uno.state import PLAY_DRAWN, TURN
from referee.rules.vocabulary import DecisionKind, DrawReason, RoundEnding


@lru_cache(maxsize=256)
def _facts(rules: Rules) -> UnoFacts:
    return UnoFacts(rules, uno_deck())


class UnoRound(UnoStart):
    """A round of UNO: presets `classic`, `uno`, `official`."""

    GAME: ClassVar[str] = "uno"
    SEATS: ClassVar[tuple[int, int]] = (2, 10)

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

    def apply(self, seat: int, picks: Picks, call: bool = False, color: int = 0) -> None:  # noqa: FBT001, FBT002
        """Answers the open decision of a seat; see `Round.apply`.

        A number or a Wild played in its turn, with cards enough that no call matters, takes the short way.
        """
        if seat != self.seat or picks.__class__ is not int:
            super().apply(seat, picks, call, color)
            return
        codes = self._codes or self.options(seat)
        if not 0 <= picks < len(codes):
            raise IllegalAnswerError("NO_SUCH_OPTION", f"pick {picks} is not below {len(codes)}")
        code = codes[picks]
        kind = self.kind
        self.acts += 1
        hand = self.hands[seat]
        if PLAIN[code] and len(hand) > 2 and (kind is TURN or kind is PLAY_DRAWN):
            card = CARD_OF_CODE[code]
            hand.remove(card)
            if card not in hand:
                self.masks[seat] ^= 1 << card
            self.discard.append(card)
            self.color = COLOR_AFTER[code]
            self.ok = MATCH_AFTER[code]
            self.events += PLAYED[0][seat][code]
            self._begin_turn(self.ring[seat])
        else:
            self._act(seat, (code,), call, color)

    def _act(self, seat: int, codes: Codes, call: bool, color: int) -> None:  # noqa: FBT001, ARG002
        code = codes[0]
        kind = self.kind
        if code == DRAW:
            self._draw(seat)
        elif code == KEEP:
            self._keep(seat)
        elif code == PASS:
            self._pass(seat)
        elif kind is TURN or kind is PLAY_DRAWN:
            self._play(seat, code, call)
        elif kind is DecisionKind.FIRST_COLOR:
            self._name_color(COLOR_NAMED[code], seat)
        elif kind is DecisionKind.RESPOND_WILD_DRAW_FOUR:
            answer = (codes, call, 0)
            self._judge([seat] if code == CHALLENGE else [], answer)
        elif code < FIRST_ACT:
            self._stack(seat, code, call)
        else:
            self._pay(seat)

    def _draw(self, seat: int) -> None:
        """Draws one card, or until one may be played (003 L12); only the last one may be played now."""
        facts = self.facts
        hand = self.hands[seat]
        for _ in range(facts.draw_limit):
            if not self.take(seat, 1, DrawReason.TURN):
                break
            card = hand[-1]
            if self.ok >> card & 1 and (card != WILD_DRAW_FOUR or self._honest(seat)):
                break
        if self._playable(seat, hand[-1]):
            self.drawn = hand[-1]
            self._ask(seat, PLAY_DRAWN)
        else:
            self._keep(seat)

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
