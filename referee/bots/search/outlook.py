"""How a round of the UNO family will probably end, judged from where it stands: so that it need not be played out.

Each hand has a strength; how likely one seat ends before another is a logistic function of the difference. The weights
are fitted to rounds between quick players by `./dev soak outlook`: for each preset, for two seats and for more.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from referee.rules.cards import COLOR_OF, DRAW_TWO, REVERSE, SKIP
from referee.rules.uno.codes import COLOR_MASK, RANK_MASK, WILDS
from referee.rules.uno.state import UnoState

ACTIONS: Final = RANK_MASK[SKIP] | RANK_MASK[REVERSE] | RANK_MASK[DRAW_TWO]
MORE: Final = 3  # stands for every number of seats from three up
_, RED, YELLOW, GREEN, BLUE = COLOR_MASK


class Weights(NamedTuple):
    """What counts in a hand. A share is by the size of the hand: of few cards each counts more."""

    small: float  # how small it is: the inverse of its size
    wild_share: float
    action_share: float
    fitting_share: float  # faces that fit what lies there
    colors: float  # different colours held
    wilds: float
    actions: float
    fitting: float
    ready: float  # one card is left, and it fits
    going: float  # and it is this seat's turn


# By preset, and two seats or MORE.
WEIGHTS: Final[dict[tuple[str, int], Weights]] = {
    ("classic", 2): Weights(1.12, 2.55, 0.07, 1.86, -0.27, 0.32, 0.20, -0.22, 0.15, 4.36),
    ("classic", 3): Weights(2.76, 2.59, 0.05, 1.43, 0.03, -0.18, -0.06, -0.22, -0.20, 5.32),
    ("uno", 2): Weights(1.25, 2.53, 0.00, 1.88, -0.22, 0.16, 0.13, -0.24, 0.33, 4.20),
    ("uno", 3): Weights(2.69, 3.27, 0.01, 1.55, 0.02, -0.33, -0.07, -0.26, -0.22, 5.35),
    ("official", 2): Weights(1.44, 2.51, 0.22, 2.18, -0.27, 0.27, 0.22, -0.28, -0.03, 4.28),
    ("official", 3): Weights(2.70, 2.68, 0.02, 1.55, 0.03, -0.21, -0.04, -0.25, -0.22, 5.29),
    ("spin", 2): Weights(1.57, 1.87, 0.20, 1.09, -0.12, 0.03, 0.11, -0.11, 0.08, 4.30),
    ("spin", 3): Weights(2.10, 1.76, -0.24, 0.72, -0.01, -0.20, 0.01, -0.10, 0.00, 5.30),
    ("duo", 2): Weights(1.71, 2.41, 0.22, 1.70, -0.27, 0.00, 0.27, -0.17, 0.01, 4.31),
}


def features(round_: UnoState, seat: int) -> tuple[float, ...]:
    """Return how much there is of each in the hand of a seat, in the order of `Weights`."""
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


class Outlook:
    """Judges rounds of one preset for one seat."""

    __slots__ = ("_opponents", "_seat", "_weights")

    def __init__(self, preset: str, seat: int, team_of: Sequence[int]) -> None:
        self._weights = WEIGHTS[preset, min(len(team_of), MORE)]
        self._seat = seat
        self._opponents = [other for other, team in enumerate(team_of) if team != team_of[seat]]

    def value(self, round_: UnoState) -> float:
        """Return the share of opponents that the seat is likely to leave behind."""
        mine = self._strength(round_, self._seat)
        total = 0.0
        for other in self._opponents:
            if other in round_.out:
                total += 1
            else:
                total += 1 / (1 + math.exp(self._strength(round_, other) - mine))
        return total / len(self._opponents)

    def _strength(self, round_: UnoState, seat: int) -> float:
        return sum(map(float.__mul__, self._weights, map(float, features(round_, seat))))
