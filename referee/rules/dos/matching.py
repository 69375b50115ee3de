"""What matches what in DOS: pure functions over faces, and the same as tables.

A number is what a match must fit: one card by its own, two cards by their sum. A Wild # has the numbers 1-10, a Wild
DOS is a 2; both keep that freedom in the row, and every player who matches them decides anew (seed 000; rules page A3).
A match that fits is a match of colour if one colour is common to the row card and all cards on it.
"""

from functools import cache
from itertools import product
from typing import Final

from referee.rules.cards import BIT, COLOR_OF, DOS_FACES, FACE, WILD_DOS

FIRST: Final = 81
LAST: Final = 121
CARDS: Final = range(FIRST, LAST + 1)

ANY: Final = frozenset(range(1, 11))  # the numbers of a Wild # (000: any number from 1 to 10)
ALL_COLORS: Final = 0b11110  # of a Wild DOS: bit k is set for colour k


def values(card: int) -> frozenset[int]:
    """The numbers that a card may stand for."""
    sign = FACE[card][1:]
    if card == WILD_DOS:
        return frozenset((2,))
    return frozenset((int(sign),)) if sign in DOS_FACES else ANY


def colors(card: int) -> int:
    """The colours that a card may have, as a mask: bit k for colour k, 1-4."""
    return ALL_COLORS if card == WILD_DOS else 1 << COLOR_OF[card]


def fits(row: int, *cards: int) -> bool:
    """Whether one card or two match a card of the row by number; more than two never do (000)."""
    if len(cards) not in (1, 2):
        return False
    return any(sum(numbers) in values(row) for numbers in product(*map(values, cards)))


def same_color(row: int, *cards: int) -> bool:
    """Whether one colour is common to the card of the row and all cards on it: not pair by pair."""
    common = colors(row)
    for card in cards:
        common &= colors(card)
    return bool(common)


_VALUES: Final = {card: values(card) for card in CARDS}
# By number: mask of the faces that may stand for it.
_STANDING_FOR: Final = {number: sum(BIT[card] for card in CARDS if number in _VALUES[card]) for number in ANY}


@cache
def _completing(wanted: frozenset[int], held: frozenset[int]) -> int:
    """Mask of the faces that make one of the wanted numbers with what a card before them may stand for."""
    mask = 0
    for number in {number - before for number in wanted for before in held} & ANY:
        mask |= _STANDING_FOR[number]
    return mask


def _partners() -> tuple[tuple[int, ...], ...]:
    partners = [[0] * 128 for _ in range(128)]
    for row, first in product(CARDS, repeat=2):
        partners[row][first] = _completing(_VALUES[row], _VALUES[first]) >> first << first
    return tuple(map(tuple, partners))


# By card of the row: mask of the faces that match it alone.
SINGLES: Final = tuple(_completing(_VALUES.get(row, frozenset()), frozenset((0,))) for row in range(128))
# By card of the row and first card: mask of the faces not before it in canonical order that match together with it.
PARTNERS: Final = _partners()
# By card: its colours as a mask, 0 for bytes that are no card of DOS.
COLORS: Final = bytes(colors(card) if card in CARDS else 0 for card in range(128))
