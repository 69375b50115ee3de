"""The options of a turn by table, as in referee.rules.uno.tables, with the swirled cards among them."""

from functools import cache
from typing import Final, TypeAlias

from referee.rules.calls import DRAW
from referee.rules.cards import COLOR_OF, WILD, swirled
from referee.rules.spin.codes import HIGH, LOW, plays
from referee.rules.uno.codes import CARD_OF_CODE, COLOR_AFTER, COLOR_MASK, MATCH_AFTER, W4_BIT
from referee.rules.uno.tables import AFTER_BY_MASK

_LAST: Final = bytes((DRAW,))
_WILDS: Final = 1 << WILD | W4_BIT  # Duo's wilds are no cards of Spin


class Sides(dict[int, tuple[bytes, bytes]]):
    """By the faces held beside those of a colour: the codes before them and behind them, each found when first met."""

    __slots__ = ("_color",)

    def __init__(self, color: int) -> None:
        super().__init__()
        self._color = color

    def __missing__(self, held: int) -> tuple[bytes, bytes]:
        before = 0
        for card in range(held.bit_length()):
            if held >> card & 1 and 0 < COLOR_OF[card] < self._color:
                before |= 1 << card
        found = self[held] = (plays(before), plays(held ^ before) + _LAST)
        return found


# Mask of the sides, shifts of the plain and the swirled cards of the colour, their codes by rank low and high, the
# codes before and behind them by sides: DRAW is the last of them.
Follow: TypeAlias = tuple[int, int, int, tuple[bytes, ...], tuple[bytes, ...], Sides]


@cache
def _sides(mask: int, color: int) -> Sides:  # noqa: ARG001  (tops with the same sides share a table)
    return Sides(color)


def _follow(code: int) -> Follow | None:
    color = COLOR_AFTER[code]
    if not CARD_OF_CODE[code] or not color:
        return None
    mask = MATCH_AFTER[code] & (sum(COLOR_MASK) | _WILDS) & ~COLOR_MASK[color]
    return mask, 13 * color - 12, swirled(color, 1), LOW[color], HIGH[color], _sides(mask, color)


FOLLOW: Final = tuple(_follow(code) for code in range(256))  # by the code of the play on top
AFTER: Final = tuple(
    None if after is None else (*after[:4], FOLLOW[code], after[5]) for code, after in enumerate(AFTER_BY_MASK)
)
