"""What counts in a hand for how a round will end, as numbers: by kind of game, in the order of their names.

A share is by the size of the hand: of few cards each counts more.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from referee.rules.cards import COLOR_OF, DOS_NAMES, DRAW_TWO, REVERSE, SKIP
from referee.rules.round import Round
from referee.rules.uno.codes import COLOR_MASK, RANK_MASK, WILDS
from referee.rules.uno.state import UnoState

Features: TypeAlias = Callable[[Round, int], tuple[float, ...]]

FAMILY: Final = (
    "small",  # how small it is: the inverse of its size
    "wild share",
    "action share",
    "fitting share",  # faces that fit what lies there
    "colors",  # different colours held
    "wilds",
    "actions",
    "fitting",
    "ready",  # one card is left, and it fits
    "going",  # and it is this seat's turn
)
MATCHING: Final = (
    "small",
    "any share",  # Wild #
    "two share",  # Wild DOS
    "low share",  # 1, 3 and 4
    "high share",  # 9 and 10
    "last",  # one card is left
    "chances",  # it is this seat's turn: cards of the row, by the size of the hand
    "any chances",  # and Wild #
)

ACTIONS: Final = RANK_MASK[SKIP] | RANK_MASK[REVERSE] | RANK_MASK[DRAW_TWO]
_, RED, YELLOW, GREEN, BLUE = COLOR_MASK
ANY, TWO, LOW, HIGH = 1, 2, 3, 4
_CLASS: Final = {"#": ANY, "2": TWO, "1": LOW, "3": LOW, "4": LOW, "9": HIGH, "10": HIGH}
# By card of DOS: which of the four it is, 0 for others.
CLASS_OF: Final = bytes(
    next((_CLASS.get(face[1:], 0) for face, found in DOS_NAMES.items() if found == card), 0) for card in range(256)
)


def family(round_: Round, seat: int) -> tuple[float, ...]:
    """Return FAMILY for the hand of a seat, in UNO, Spin and Duo."""
    assert isinstance(round_, UnoState)
    hand, mask = round_.hands[seat], round_.masks[seat]
    share = 1 / (len(hand) + 0.5)
    wilds = hand.translate(COLOR_OF).count(0) if mask & WILDS else 0
    actions = (mask & ACTIONS).bit_count()
    fitting = (mask & round_.ok).bit_count()
    colors = (mask & RED > 0) + (mask & YELLOW > 0) + (mask & GREEN > 0) + (mask & BLUE > 0)
    ready = len(hand) == 1 and fitting > 0
    going = ready and round_.turn == seat
    shares = (share, share * wilds, share * actions, share * fitting)
    return (*shares, colors, wilds, actions, fitting, ready, going)


def matching(round_: Round, seat: int) -> tuple[float, ...]:
    """Return MATCHING for the hand of a seat, in DOS."""
    hand = round_.hands[seat]
    share = 1 / (len(hand) + 0.5)
    classes = hand.translate(CLASS_OF)
    of_any = share * classes.count(ANY)
    others = (share * classes.count(TWO), share * classes.count(LOW), share * classes.count(HIGH))
    moving = round_.turn == seat
    return (share, of_any, *others, len(hand) == 1, moving * share * len(round_.row), moving * of_any)
