"""What cards do when they lie there (rules page A3), going out, and the challenge of a Wild Draw Four.

Order inside a play (D 20): cards down, out?, the call, then the effect of the card.
"""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from mypy_extensions import mypyc_attr

from referee.rules.calls import CHALLENGE, FIRST_ACT
from referee.rules.cards import DRAW_TWO, RANK_OF, REVERSE, SKIP, WILD_DRAW_FOUR, canonical
from referee.rules.events import BLUFF
from referee.rules.round import Sealed
from referee.rules.uno.codes import CARD_OF_CODE, COLOR_AFTER, DOUBLED, MATCH_AFTER, OWED, PLAYED
from referee.rules.uno.state import UnoState
from referee.rules.vocabulary import DecisionKind, DrawReason, EventKind, RoundEnding


class Effect(Enum):
    """What a card does."""

    NONE = auto()
    SKIP = auto()
    REVERSE = auto()
    DRAW_TWO = auto()
    DRAW_FOUR = auto()


_BY_RANK: Final = {SKIP: Effect.SKIP, REVERSE: Effect.REVERSE, DRAW_TWO: Effect.DRAW_TWO}  # 002 L31-37, 003 L19-22
EFFECTS: Final = tuple(
    Effect.DRAW_FOUR if card == WILD_DRAW_FOUR else _BY_RANK.get(RANK_OF[card], Effect.NONE) for card in range(128)
)


@mypyc_attr(allow_interpreted_subclasses=True)
class UnoEffects(UnoState):
    """Playing a card, and all that follows from it."""

    __slots__ = ()

    def _play(self, seat: int, code: int, call: bool) -> None:  # noqa: FBT001  (an answer is three values)
        """A play of the seat's own turn. Whether a Wild Draw Four is a bluff is judged before it lies there."""
        if CARD_OF_CODE[code] == WILD_DRAW_FOUR:
            self.bluff = not self._honest(seat)
        self._put_down(seat, code, call)

    def _stack(self, seat: int, code: int, call: bool) -> None:  # noqa: FBT001  (an answer is three values)
        """Answers a draw card with another. A Wild Draw Four in a stack is never a bluff."""
        card = CARD_OF_CODE[code]
        self.bluff = False
        self._say(EventKind.STACKED, seat, card, min(self.pending + OWED[card], 255))
        self._put_down(seat, code, call)

    def _put_down(self, seat: int, code: int, call: bool) -> None:  # noqa: FBT001  (an answer is three values)
        """One card, or two of a face, from the hand onto the pile; then what they do."""
        card = CARD_OF_CODE[code]
        count = 2 if code > DOUBLED else 1
        for _ in range(count):
            self._shed(seat, card)
            self.discard.append(card)
        self.pending += OWED[card] * count
        self.color = COLOR_AFTER[code]
        self.ok = MATCH_AFTER[code]
        self.follow = self.uno.follow[code]
        if len(self.hands[seat]) > 1:
            self.events += PLAYED[0][seat][code]
            self._effect(seat, card, count)
        else:
            self._last_cards(seat, code, card, count, call)

    def _last_cards(self, seat: int, code: int, card: int, count: int, call: bool) -> None:  # noqa: FBT001
        """The hand is down to one card or none: the round may be over, the call may be missed."""
        held = len(self.hands[seat])
        self.events += PLAYED[call and held == 1][seat][code]
        if not held:
            self._go_out(seat)
        elif call or not self.uno.calls:
            self._effect(seat, card, count)
        else:
            self._call_missed(seat, "_effect", seat, card, count)

    def _go_out(self, seat: int) -> None:
        """The hand is empty: the next seat takes what is owed, unanswered; the round is over (O1-O3)."""
        owed = self.pending
        self.pending = 0
        if owed and self.uno.final_draw:
            self.take(self.ring[seat], owed, DrawReason.PENALTY)
        self._end(RoundEnding.OUT, seat)

    # -- effects ----------------------------------------------------------------------------------------------------

    def _effect(self, seat: int, card: int, count: int) -> None:
        """What a card does, or two of them, after the call is settled. The seat may have left by then.

        What is owed for it is owed since it lies there.
        """
        effect = EFFECTS[card]
        if effect is Effect.SKIP:
            self._skip(seat, count)
        elif effect is Effect.REVERSE:
            self._reverse(seat, count)
        elif effect is Effect.DRAW_TWO:
            self._owe(self.ring[seat])
        elif effect is Effect.DRAW_FOUR:
            self._draw_four(seat)
        else:
            self._begin_turn(self.ring[seat])

    def _skip(self, seat: int, count: int) -> None:
        """The next seat is passed over; by two cards two seats, but never the player."""
        following = self.ring[self.ring[seat]]
        if count > 1 and self.live > 2:
            following = self.ring[following]
        self._begin_turn(following)

    def _reverse(self, seat: int, count: int) -> None:
        """The direction turns; with two seats left it is a Skip (O2), or nothing."""
        if self.live == 2:
            following = self.ring[seat]
            self._begin_turn(self.ring[following] if self.uno.reverse_skips else following)
            return
        if count == 1:
            self._turn_round()
        self._begin_turn(self.ring[seat])

    def _turn_round(self) -> None:
        self.dir = -self.dir
        self.ring, self.back = self.back, self.ring

    def _draw_four(self, seat: int) -> None:
        victim = self.ring[seat]
        if self.uno.reject:
            self._owe(victim)
        else:
            self._ask_challenge(seat, victim)

    def _owe(self, victim: int) -> None:
        """The seat owes what is pending: it may pass it on, or takes it."""
        if self.uno.stacks and self._stackable(victim):
            self._ask(victim, DecisionKind.RESPOND_STACK)
        else:
            self._pay(victim)

    def _pay(self, victim: int, extra: int = 0) -> None:
        """The seat takes what is pending, and loses its turn or not (003 L20 L22; 002 L65-69)."""
        if extra:
            self.take(victim, extra, DrawReason.CHALLENGE)
        self.take(victim, self.pending, DrawReason.PENALTY)
        self.pending = 0
        self._begin_turn(self.ring[victim] if self.uno.skips else victim)

    # -- the challenge of a Wild Draw Four ---------------------------------------------------------------------------

    def _ask_challenge(self, accused: int, victim: int) -> None:
        """The victim answers; with ANYONE all others may challenge in the same window (002 L39)."""
        self.subject = accused
        self.victim = victim
        others = [seat for seat in range(self.n) if seat not in self.out and seat not in (accused, victim)]
        if not self.uno.anyone or not others:
            self._ask(victim, DecisionKind.RESPOND_WILD_DRAW_FOUR)
            return
        asked = dict.fromkeys(others, DecisionKind.CHALLENGE_WINDOW)
        asked[victim] = DecisionKind.RESPOND_WILD_DRAW_FOUR
        self._open_window(DecisionKind.CHALLENGE_WINDOW, asked)

    def _settle_challenge(self) -> None:
        """The window is closed."""
        challengers = sorted(seat for seat, (codes, _, _) in self._sealed.items() if codes[0] == CHALLENGE)
        self._judge(challengers, self._sealed.get(self.victim))

    def _judge(self, challengers: Sequence[int], answer: Sealed | None) -> None:
        """Settles a challenge, if there is one, before the victim's own answer; None if the victim left.

        Of the challengers the first in the seeded order counts, the others pay nothing; a victim's CHALLENGE that was
        not first counts as ACCEPT (D 22).
        """
        if challengers and self._challenge(self._first(challengers)):
            return
        if answer is None:
            self.pending = 0  # what is owed by a seat that left is dropped (D 16)
            self._begin_turn(self.ring[self.victim])
            return
        codes, call, _ = answer
        if codes[0] < FIRST_ACT:
            self._stack(self.victim, codes[0], call)
        else:
            self._pay(self.victim)

    def _challenge(self, challenger: int) -> bool:
        """One seat challenges; True if that settles the victim's answer, too."""
        accused, victim = self.subject, self.victim
        self._say(EventKind.CHALLENGED, challenger, 0, accused | (BLUFF if self.bluff else 0))
        self._show(accused, canonical(self.hands[accused]), challenger)
        if self.bluff:
            self.take(accused, self.pending + self.uno.guilty_extra, DrawReason.CHALLENGE)
            self.pending = 0
            self._begin_turn(self._after_bluff())
            return True
        if challenger == victim:
            self._pay(victim, self.uno.innocent_extra)
            return True
        self.take(challenger, 4 + self.uno.innocent_extra, DrawReason.CHALLENGE)
        return False

    def _after_bluff(self) -> int:
        """Whose turn it is after a bluff was found out: the victim's, or, if it left, that of the seat behind it."""
        return self.ring[self.victim] if self.victim in self.out else self.victim
