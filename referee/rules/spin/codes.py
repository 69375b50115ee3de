"""Codes of options that know the swirled cards: which faces stand where in the canonical order.

Option codes are those of the UNO family (referee.rules.uno.codes). Of one colour the canonical order is
0 1 1* 2 2* 3 3* 4 4* 5 5* 6 7 8 9 S V D, so that a colour is looked up in two tables: ranks 0-5 with their swirled
twins, and the ranks above.
"""

from typing import Final

from referee.rules.cards import place, swirled, uno
from referee.rules.uno.codes import WILD_CODES

SWIRLED: Final = swirled(1, 1)  # the first of them; all cards from here on are swirled

_LOW_RANKS: Final = 6


def _low(color: int) -> tuple[bytes, ...]:
    """By the bits of ranks 0-5, then those of the swirled 1-5: the codes in canonical order."""
    cards = [(uno(color, rank), rank) for rank in range(_LOW_RANKS)]
    cards += [(swirled(color, rank), _LOW_RANKS - 1 + rank) for rank in range(1, _LOW_RANKS)]
    cards.sort(key=lambda one: place(one[0]))
    codes = {0: b""}
    for card, bit in cards:
        codes |= {mask | 1 << bit: before + bytes((card,)) for mask, before in codes.items()}
    return tuple(codes[mask] for mask in range(1 << len(cards)))


def _high(color: int) -> tuple[bytes, ...]:
    """By the bits of ranks 6-9, Skip, Reverse, Draw Two: the codes in canonical order."""
    first = uno(color, _LOW_RANKS)
    return tuple(bytes(first + bit for bit in range(7) if mask >> bit & 1) for mask in range(1 << 7))


def _recolored(codes: tuple[bytes, ...], color: int) -> tuple[bytes, ...]:
    """These codes of red cards in another colour, which is faster than to put them in order again."""
    colored = bytearray(range(256))
    for rank in range(_LOW_RANKS):
        colored[uno(1, rank)] = uno(color, rank)
        if rank:
            colored[swirled(1, rank)] = swirled(color, rank)
    return tuple(code.translate(colored) for code in codes)


_LOW_RED: Final = _low(1)
# By colour.
LOW: Final = ((), *(_recolored(_LOW_RED, color) for color in range(1, 5)))
HIGH: Final = ((), *(_high(color) for color in range(1, 5)))
_, _RED_LOW, _YELLOW_LOW, _GREEN_LOW, _BLUE_LOW = LOW
_, _RED_HIGH, _YELLOW_HIGH, _GREEN_HIGH, _BLUE_HIGH = HIGH


def plays(mask: int) -> bytes:
    """The codes that play each of these faces, in canonical order: a wild once a colour."""
    return (
        _RED_LOW[mask >> 1 & 63 | mask >> 51 & 1984]
        + _RED_HIGH[mask >> 7 & 127]
        + _YELLOW_LOW[mask >> 14 & 63 | mask >> 56 & 1984]
        + _YELLOW_HIGH[mask >> 20 & 127]
        + _GREEN_LOW[mask >> 27 & 63 | mask >> 61 & 1984]
        + _GREEN_HIGH[mask >> 33 & 127]
        + _BLUE_LOW[mask >> 40 & 63 | mask >> 66 & 1984]
        + _BLUE_HIGH[mask >> 46 & 127]
        + WILD_CODES[mask >> 53 & 15]
    )
