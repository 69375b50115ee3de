"""Option codes of DOS: whole numbers whose numerical order is the canonical one.

    place << 14 | card << 7 | second   put one card (second 0) or two on the row card at that place in the row
    1 << 21                            draw
    1 << 21 | 1 << 14 | card << 7      place the card in the row

So matches come by place in the row, then by card, a card alone before the same card with another; then DRAW, or the
cards that may be placed. The window of a missed call has the codes that all games share (referee.rules.calls).
"""

from collections.abc import Sequence
from typing import Final, TypeAlias

from referee.rules.calls import ACT_OF_CODE, CALL_OPTIONS, CATCH_OPTIONS
from referee.rules.cards import BIT
from referee.rules.columns import Columns
from referee.rules.dos.matching import PARTNERS, SINGLES
from referee.rules.vocabulary import Act

Match: TypeAlias = tuple[int, int, int]  # place in the row, first card, second card or 0

PLACE_SHIFT: Final = 14
CARD_SHIFT: Final = 7
LOW: Final = 127
DRAW: Final = 1 << 21
PLACED: Final = DRAW | 1 << PLACE_SHIFT

DRAW_ONLY: Final[tuple[int, ...]] = (DRAW,)


def match_code(place: int, first: int, second: int = 0) -> int:
    """The code of a match; of two cards in either order."""
    if second and second < first:
        first, second = second, first
    return place << PLACE_SHIFT | first << CARD_SHIFT | second


def place_code(card: int) -> int:
    """The code of placing this card."""
    return PLACED | card << CARD_SHIFT


def match_of(code: int) -> Match:
    """Place in the row, first card, and second card or 0, of the code of a match."""
    return code >> PLACE_SHIFT, code >> CARD_SHIFT & LOW, code & LOW


def card_of(code: int) -> int:
    """The first card of a code, 0 if it has none."""
    return code >> CARD_SHIFT & LOW


def matches(row: Sequence[int], hand: bytearray, held: int) -> list[int]:
    """The codes of all matches of this hand, in canonical order; `held` is its mask.

    Matches are not combined here: any of them with different places and cards that the hand holds together make a turn.
    """
    faces = sorted(set(hand))
    codes = []
    base = 0
    for top in row:
        alone, partners = SINGLES[top], PARTNERS[top]
        for card in faces:
            with_card = base | card << CARD_SHIFT
            if alone >> card & 1:
                codes.append(with_card)
            others = partners[card] & held
            if others & BIT[card] and hand.count(card) < 2:
                others ^= BIT[card]
            while others:
                lowest = others & -others
                codes.append(with_card | lowest.bit_length() - 1)
                others ^= lowest
        base += 1 << PLACE_SHIFT
    return codes


def columns(codes: Sequence[int]) -> Columns:
    """The options of a turn, or of placing, as columns; `slot` is there where there are matches."""
    acts = bytes([Act.MATCH if code < DRAW else Act.DRAW if code < PLACED else Act.PLACE for code in codes])
    cards = bytes([code >> CARD_SHIFT & LOW for code in codes])
    if codes[0] >= DRAW:
        return Columns(acts, cards, b"", b"", b"")
    seconds = bytes([code & LOW for code in codes])
    slots = bytes([code >> PLACE_SHIFT if code < DRAW else 0 for code in codes])
    return Columns(acts, cards, seconds if any(seconds) else b"", b"", slots)


def _window(codes: bytes) -> Columns:
    return Columns(bytes(ACT_OF_CODE[code] for code in codes), bytes(len(codes)), b"", b"", b"")


# The two lists of a call window as columns.
WINDOW: Final = {codes: _window(codes) for codes in (CALL_OPTIONS, CATCH_OPTIONS)}
DRAW_COLUMNS: Final = columns(DRAW_ONLY)
