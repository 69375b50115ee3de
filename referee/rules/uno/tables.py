"""The options of a turn by table: what a hand may play on a coloured top is a run of one colour and little else.

For every play the faces that may follow it are the 13 of the colour in force, and on its sides the three of the same
rank in other colours and the wilds. The run is looked up by its 13 bits, the sides by theirs, so that listing the
options of a turn costs two lookups.
"""

from typing import Final, TypeAlias

from referee.rules.calls import DRAW
from referee.rules.cards import BIT, COLOR_OF
from referee.rules.uno.codes import (
    BLUE,
    CARD_OF_CODE,
    COLOR_AFTER,
    COLOR_MASK,
    GREEN,
    MATCH_AFTER,
    PLAIN,
    RED,
    SINGLE,
    YELLOW,
    plays,
)

# Mask of the sides, shift of the run, codes by run, codes before and behind the run by sides: DRAW is the last of them.
Follow: TypeAlias = tuple[int, int, tuple[bytes, ...], dict[int, tuple[bytes, bytes]]]

RUNS: Final = (RED, YELLOW, GREEN, BLUE)
FACES: Final = (1 << 57) - 2  # the faces of UNO and Duo; Spin's swirled cards are none of them
_LAST: Final = bytes((DRAW,))


def _sides(mask: int, color: int) -> dict[int, tuple[bytes, bytes]]:
    """By the faces held: the codes that stand before the run of this colour, and those behind it."""
    before, behind = [(0, b"")], [(0, b"")]
    for bit in (1 << place for place in range(mask.bit_length()) if mask >> place & 1):
        side, more = before if 0 < COLOR_OF[bit.bit_length() - 1] < color else behind, plays(bit)
        side += [(held | bit, codes + more) for held, codes in side]
    behind = [(held, codes + _LAST) for held, codes in behind]
    return {low | high: (first, last) for high, last in behind for low, first in before}


def _follow(code: int) -> Follow | None:
    color = COLOR_AFTER[code]
    if not CARD_OF_CODE[code] or not color:
        return None
    key = (MATCH_AFTER[code] & FACES & ~COLOR_MASK[color], color)
    if key not in _KNOWN:
        _KNOWN[key] = _sides(*key)
    return key[0], 13 * (color - 1) + 1, RUNS[color - 1], _KNOWN[key]


_KNOWN: Final[dict[tuple[int, int], dict[int, tuple[bytes, bytes]]]] = {}
# By the code of the play on top.
FOLLOW: Final = tuple(_follow(code) for code in range(256))
NO_FOLLOW: Final[tuple[Follow | None, ...]] = (None,) * 256

# What one card leaves behind, by its code: card, its bit, colour, faces that may follow, the same as a table, and
# whether that is all it does. None for codes that are not one card, and for the Wild Draw Four, which may be a bluff.
After: TypeAlias = tuple[int, int, int, int, Follow | None, bool]


def _after(code: int, follow: Follow | None) -> After | None:
    if not SINGLE[code]:
        return None
    card = CARD_OF_CODE[code]
    return card, BIT[card], COLOR_AFTER[code], MATCH_AFTER[code], follow, bool(PLAIN[code])


AFTER: Final = tuple(_after(code, follow) for code, follow in enumerate(FOLLOW))
AFTER_BY_MASK: Final = tuple(_after(code, None) for code in range(256))
