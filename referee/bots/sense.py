"""What a card of the UNO family is worth to `careful`, in points of a hand."""

from dataclasses import dataclass
from typing import Final

from lastcard.turn import Turn
from referee.bots.faces import COLOR_OF, RANK_OF, RANKS, SWIRLED

CLOCKWISE: Final = 1
DRAW_FOUR: Final = RANKS.index("W4")
ATTACKS: Final = frozenset({RANKS.index("S"), RANKS.index("D"), DRAW_FOUR})
REVERSE: Final = RANKS.index("V")


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each thing counts. Found by hill climbing on deals that no table of strengths was measured with."""

    point: float = 1.0  # a point that leaves the hand; most of all this brings actions down early
    color: float = 2.5  # a card that stays and has the colour that is in force afterwards
    link: float = (
        -5.0
    )  # at tables of two: a card that stays and has the same number or symbol; it can change the colour
    card: float = 20.0  # a further card that leaves with the same play
    wild: float = -80.0  # a wild that leaves: it would always fit
    four: float = 0.0  # and a Wild Draw Four beside that
    attack: float = 30.0  # an action against a next seat that is nearly out
    near: int = 3  # cards of a seat that is nearly out
    reverse: float = 0.0  # a Reverse that leaves
    spin: float = 0.0  # Spin: a swirled card against a next seat that is nearly out: the wheel seldom helps it


# By game. In Duo a Reverse is kept to dump a colour with; what gives another turn is not worth its points there.
WEIGHTS: Final[dict[str, Weights]] = {
    "uno": Weights(),
    "spin": Weights(point=0.5, spin=40.0),
    "duo": Weights(point=0.5, four=-60.0, attack=10.0, reverse=-20.0),
    "dos": Weights(),  # has weights of its own (referee.bots.shedding)
}


class Sense:
    """The hand and the next seat, looked at once for all options.

    Attributes:
        colors: colour of each card of the hand, 0 for wilds.
        points: value of each face, by byte.
        weights: how much each thing counts.
    """

    __slots__ = ("_attacks", "_link", "_ranks", "_spin", "colors", "points", "weights")

    def __init__(self, turn: Turn, weights: Weights) -> None:
        view = turn.view
        self.weights = weights
        self.points = turn.history.catalogue.points
        self.colors = view.hand.translate(COLOR_OF)
        self._ranks = view.hand.translate(RANK_OF)
        seats = len(view.counts)
        self._link = weights.link if seats == 2 else 0.0
        following = turn.history.seat + (1 if view.direction == CLOCKWISE else -1)
        near = seats > 1 and view.counts[following % seats] <= weights.near
        self._spin = weights.spin if near else 0.0
        self._attacks = (ATTACKS | {REVERSE} if seats == 2 else ATTACKS) if near else frozenset()

    def card(self, card: int, named: int, count: int) -> float:
        """Return what it is worth that `count` cards of this face leave the hand, naming a colour if it is a wild."""
        weights, color, rank = self.weights, COLOR_OF[card], RANK_OF[card]
        value = weights.point * self.points[card] * count + weights.card * (count - 1)
        if color:
            value += weights.color * (self.colors.count(color) - count)
            value += self._link * (self._ranks.count(rank) - count)
            if SWIRLED[card]:
                value += self._spin
            elif rank == REVERSE:
                value += weights.reverse
        else:
            value += weights.wild + weights.color * self.colors.count(named)
            if rank == DRAW_FOUR:
                value += weights.four
        return value + weights.attack if rank in self._attacks else value
