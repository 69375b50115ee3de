"""What may be answered in DOS: options, how many of them and which together, the default, and what is forced."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from referee.rules.columns import Columns
from referee.rules.dos import codes as dos
from referee.rules.dos.turn import BONUS, CALLING, DosTurn
from referee.rules.errors import IllegalAnswerError
from referee.rules.round import Answer, Codes
from referee.rules.vocabulary import DecisionKind

TURN: Final = DecisionKind.DOS_TURN
AFTER_DRAW: Final = DecisionKind.DOS_AFTER_DRAW
CALL_WINDOW: Final = DecisionKind.CALL_WINDOW
ONE: Final = (1, 1)

__all__ = ["AFTER_DRAW", "BONUS", "TURN", "DosOptions"]


@mypyc_attr(allow_interpreted_subclasses=True)
class DosOptions(DosTurn):
    """The decisions of DOS as options."""

    __slots__ = ()

    def _list(self, seat: int, kind: DecisionKind) -> Sequence[int]:
        if kind is CALL_WINDOW:
            return self._call_options(seat)
        hand = self.hands[seat]
        if kind is BONUS:
            return tuple([dos.place_code(card) for card in sorted(hand)])
        found = dos.matches(self.row, hand, self.masks[seat])
        if kind is TURN:
            return (*found, dos.DRAW) if found else dos.DRAW_ONLY
        return (*found, *[dos.place_code(card) for card in sorted(set(hand))])

    def picks(self, seat: int) -> tuple[int, int]:
        """Fewest and most picks: a match a card of the row, or the bonus cards that are to be placed."""
        kind = self.kind if seat == self.seat else self._kind_of(seat)
        if kind is CALL_WINDOW:
            return ONE
        if kind is BONUS:
            return (self.bonus if self.dos.mandatory else 0), self.bonus
        if self.options(seat)[0] >= dos.DRAW:
            return ONE
        return 1, min(len(self.row), len(self.hands[seat]))

    def _compose(self, seat: int, codes: Codes, color: int) -> None:  # noqa: ARG002  (no list of DOS ends in a wild)
        """Several picks are matches on different cards of the row, with cards that the hand holds together."""
        if len(codes) < 2 or self.kind is BONUS:
            return
        if max(codes) >= dos.DRAW:
            raise IllegalAnswerError("BAD_PICKS", "DRAW and PLACE are picked alone; only matches go together")
        if len({code >> dos.PLACE_SHIFT for code in codes}) < len(codes):
            raise IllegalAnswerError("BAD_PICKS", "a card of the row is matched once in a turn; pick different slots")
        used = Counter(card for code in codes for card in dos.match_of(code)[1:] if card)
        hand = self.hands[seat]
        if any(count > hand.count(card) for card, count in used.items()):
            raise IllegalAnswerError("BAD_PICKS", "the hand does not hold all these cards; use each card once")

    def columns(self, seat: int) -> Columns:
        """The options of an asked seat as columns of enum values; a slot is a place in the row."""
        codes = self.options(seat)
        if codes is dos.DRAW_ONLY:
            return dos.DRAW_COLUMNS
        return dos.WINDOW[codes] if isinstance(codes, bytes) else dos.columns(codes)

    def default(self, seat: int) -> Answer:
        """PASS, DRAW, or the lowest cards: by points, ties in canonical order."""
        kind = self.kind if seat == self.seat else self._kind_of(seat)
        if kind is CALL_WINDOW:
            return 0, False, 0
        codes = self.options(seat)
        if kind is TURN:
            return len(codes) - 1, False, 0
        points = self.dos.points
        placing = [index for index, code in enumerate(codes) if code >= dos.PLACED]
        placing.sort(key=lambda index: points[dos.card_of(codes[index])])
        return (tuple(placing[: self.bonus]) if kind is BONUS else placing[0]), False, 0

    def forced(self, seat: int) -> bool:
        """True if the seat has exactly one legal answer, also in regard to the call."""
        kind = self.kind if seat == self.seat else self._kind_of(seat)
        if kind is TURN:
            return self.options(seat) is dos.DRAW_ONLY
        if kind is CALL_WINDOW:
            return False
        hand = self.hands[seat]
        if hand.count(hand[0]) < len(hand) or (kind is BONUS and not self.dos.mandatory):
            return False
        if self.dos.calls and not self.called and len(hand) - max(self.bonus, 1) + self.owes[seat] >= CALLING:
            return False
        return kind is BONUS or len(self.options(seat)) == 1
