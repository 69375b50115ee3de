"""The options of a turn by table, as in referee.rules.uno.tables, with the swirled cards among them."""

from functools import cache
from typing import Final, TypeAlias

from referee.rules.calls import DRAW
from referee.rules.cards import COLOR_OF, FACE, WILD, swirled
from referee.rules.spin.codes import HIGH, LOW, plays
from referee.rules.uno.codes import COLOR_MASK, W4_BIT, matching

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
Run: TypeAlias = tuple[int, int, int, tuple[bytes, ...], tuple[bytes, ...], Sides]


@cache
def _sides(mask: int, color: int) -> Sides:  # noqa: ARG001  (tops with the same sides share a table)
    return Sides(color)


def _run(color: int, top: int) -> Run | None:
    if top not in FACE or not color:
        return None
    mask = matching(color, top) & (sum(COLOR_MASK) | _WILDS) & ~COLOR_MASK[color]
    return mask, 13 * color - 12, swirled(color, 1), LOW[color], HIGH[color], _sides(mask, color)


# By the colour in force and the top card.
RUNS: Final = tuple(tuple(_run(color, top) for top in range(77)) for color in range(5))
