"""What cards of DOS are worth to get rid of, and where: tables by byte of a card, in points of `careful`.

Found by trying every answer of many positions out, on deals that no table of strengths was measured with.
"""

from collections.abc import Callable
from typing import Final

from referee.rules.cards import DOS_NAMES
from referee.rules.dos.matching import COLORS

CARD: Final = 20.0  # a card that leaves the hand
SINGLE: Final = 5.0  # a single match of colour: another card goes to the row
DOUBLE: Final = 17.0  # a double one: and all others draw

# By rank: low cards go together with others, and wilds fit nearly everything, so that a hand keeps them for later.
_SHED: Final = {"1": -17, "3": -15, "4": -11, "5": -9, "6": -4, "9": 1, "10": 3, "W2": -22, "#": -30}
# What lies in the row is for everybody: a Wild # and a 10 are gifts to those that follow.
_TAKEN: Final = {"10": 8, "#": 22}
# In the row a low card and a Wild DOS are hard to match, but a hand misses them more.
_PLACED: Final = {"1": -5, "3": -1, "4": -2, "5": -1, "6": 3, "7": 4, "8": 5, "9": 5, "10": 4, "W2": -10, "#": -60}


def _by_card(worth: Callable[[str], float]) -> tuple[float, ...]:
    """What the rank of each card is worth; 0 for bytes that are no card of DOS."""
    ranks = {card: face if face == "W2" else face[1:] for face, card in DOS_NAMES.items()}
    return tuple(worth(ranks[card]) if card in ranks else 0.0 for card in range(256))


SHED: Final = _by_card(lambda rank: CARD + _SHED.get(rank, 0))
TAKEN: Final = _by_card(lambda rank: _TAKEN.get(rank, 0))
PLACED: Final = _by_card(lambda rank: _PLACED.get(rank, 0))


def match_worth(row: int, first: int, second: int = 0) -> float:
    """What it is worth to put one card, or two, on a card of the row."""
    common = COLORS[row] & COLORS[first]
    worth = SHED[first] + TAKEN[row]
    if not second:
        return worth + SINGLE if common else worth
    worth += SHED[second]
    return worth + DOUBLE if common & COLORS[second] else worth
