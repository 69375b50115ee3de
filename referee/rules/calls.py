"""The UNO and DOS call: a flag on the act, and the sealed window after an act that missed it.

All seats are asked at once; of those that react the first in a seeded order counts: the seat that missed its call is
safe, or is caught and draws. Nobody reacts: it is safe for good, unless `call_mode` is WINDOW_PAYS (D 43).
"""

from typing import Final

from mypy_extensions import mypyc_attr

from referee.rules.events import NOBODY
from referee.rules.round import Round
from referee.rules.vocabulary import Act, DecisionKind, DrawReason, EventKind

# Codes of options without a card, in all games; the canonical order of options is the numerical one.
FIRST_ACT: Final = 240
DRAW: Final = 240
PASS: Final = 241
KEEP: Final = 242
ACCEPT: Final = 243
CHALLENGE: Final = 244
CALL: Final = 245
CATCH: Final = 246
REJECT: Final = 247
COLOR: Final = 248  # red; the other colours follow

ACT_OF_CODE: Final[dict[int, Act]] = {
    DRAW: Act.DRAW,
    PASS: Act.PASS,
    KEEP: Act.KEEP,
    ACCEPT: Act.ACCEPT,
    CHALLENGE: Act.CHALLENGE,
    CALL: Act.CALL,
    CATCH: Act.CATCH,
    REJECT: Act.REJECT,
    **dict.fromkeys(range(COLOR, COLOR + 4), Act.COLOR),
}

CALL_OPTIONS: Final = bytes((PASS, CALL))
CATCH_OPTIONS: Final = bytes((PASS, CATCH))


@mypyc_attr(allow_interpreted_subclasses=True)
class CallingRound(Round):
    """A round of a game with a call."""

    __slots__ = ()

    def _call_missed(self, seat: int, then: str, *arguments: int) -> None:
        """A seat missed its call: it pays, or the window opens; afterwards the method `then` goes on."""
        self._then = (then, arguments)
        if self.facts.auto:
            self._fine(seat)
            self._go_on()
            return
        self.subject = seat
        self._say(EventKind.EXPOSED, seat)
        asked = {
            k: DecisionKind.CALL_WINDOW for k in range(self.n) if k not in self.out and (k != seat or self.facts.late)
        }
        self._open_window(DecisionKind.CALL_WINDOW, asked)

    def _call_options(self, seat: int) -> bytes:
        return CALL_OPTIONS if seat == self.subject else CATCH_OPTIONS

    def _settle_call(self) -> None:
        """The window is closed."""
        offender = self.subject
        reacting = sorted(seat for seat, (codes, _, _) in self._sealed.items() if codes[0] != PASS)
        if reacting:
            first = self._first(reacting)
            if first == offender:
                self._say(EventKind.CALLED, offender)
            else:
                self._say(EventKind.CAUGHT, first, 0, offender)
                self._caught(offender)
        elif self.facts.pays:
            self._fine(offender)
        self._go_on()

    def _fine(self, seat: int) -> None:
        """The seat pays without having been caught."""
        self._say(EventKind.PENALTY, seat, 0, min(self.facts.penalty, NOBODY))
        self._caught(seat)

    def _caught(self, seat: int) -> None:
        """The seat draws for its missed call."""
        self.take(seat, self.facts.penalty, DrawReason.CALL)

    def _left_call(self, seat: int) -> bool:
        """A seat left the call window; without its offender the window has no effect (D 16)."""
        if seat != self.subject:
            return False
        self._go_on()
        return True
