"""Codes of Duo's own options, beside those of the UNO family (referee.rules.uno.codes).

    96 + k     play the Reverse of colour k and dump all other cards of that colour
    160 + c    put the card c down with a dump (Duo has no pairs)
    251 + k    use the right to dump colour k

A dump is a list: one of the first and the last, then every other card of the colour, in any order.
"""

from functools import partial
from typing import Final

from referee.rules.cards import REVERSE, uno
from referee.rules.columns import Columns, ColumnsOf
from referee.rules.uno.codes import ACTS, CARD_OF_CODE, COLOR_NAMED, DOUBLED
from referee.rules.vocabulary import Act, DecisionKind

WITH_REVERSE: Final = 96
BY_RIGHT: Final = 251
DUMPED: Final = DOUBLED

# By code: the colour that is dumped, 0 if the code opens no dump.
DUMP_COLOR: Final = bytes(
    code - WITH_REVERSE if 0 < code - WITH_REVERSE < 5 else code - BY_RIGHT if 0 < code - BY_RIGHT < 5 else 0
    for code in range(256)
)
REVERSE_OF: Final = (0, *(uno(color, REVERSE) for color in range(1, 5)))  # by colour

_CARDS: Final = bytes(
    REVERSE_OF[DUMP_COLOR[code]] if code < BY_RIGHT and DUMP_COLOR[code] else CARD_OF_CODE[code] for code in range(256)
)
_COLORS: Final = bytes(DUMP_COLOR[code] if code > BY_RIGHT else COLOR_NAMED[code] for code in range(256))


def _acts(acts: bytes) -> bytes:
    return bytes(
        Act.DUMP if DUMP_COLOR[code] else Act.DISCARD if code > DUMPED and CARD_OF_CODE[code] else acts[code]
        for code in range(256)
    )


def _columns(acts: bytes, codes: bytes) -> Columns:
    color = codes.translate(_COLORS)
    return Columns(codes.translate(acts), codes.translate(_CARDS), b"", color if any(color) else b"", b"")


# By decision kind: the columns of a list of codes.
COLUMNS: Final = tuple(ColumnsOf(partial(_columns, _acts(ACTS[kind]))) for kind in (0, *DecisionKind))
