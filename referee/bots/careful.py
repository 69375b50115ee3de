"""House bot `careful`: the heuristic that is shipped with the house."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from lastcard.turn import Turn
from lastcard.words import ACTS, Act, Kind, Order
from referee.bots.base import IS_PLAY, HouseBot
from referee.bots.faces import ACT, COLOR_OF, RANK_OF, RANKS, WILD

SKIP, REVERSE, DRAW_TWO, DRAW_FOUR = (RANKS.index(rank) for rank in ("S", "V", "D", "W4"))
CARDS_OF_ACT: Final = bytes(2 if act is Act.PLAY_DOUBLE else play for act, play in zip(ACTS, IS_PLAY, strict=True))
NEVER: Final = -1e9


@dataclass(frozen=True, slots=True)
class Weights:
    """What a play is worth, in points of a hand."""

    point: float = 1.0  # a point that leaves the hand
    color: float = 5.0  # a card of the colour in force that stays in the hand
    link: float = 2.0  # a card of the same number or symbol that stays
    card: float = 20.0  # every further card of the same play
    wild: float = 80.0  # a wild that leaves the hand, for a wild always fits
    attack: float = 30.0  # an action against a next seat that is nearly out
    near: int = 3  # cards of a seat that is nearly out
    again: float = 5.0  # an action after which a table of two is ours again
    keep: float = -40.0  # drawing, or keeping a card just drawn


class Careful(HouseBot):
    """Sheds high cards, keeps the colours it holds many of, keeps wilds for last, and attacks a seat that is nearly out."""

    name: ClassVar[str] = "careful"
    challenge = Order.ASK
    weights: ClassVar[Weights] = Weights()

    def weigh(self, turn: Turn) -> Sequence[float]:
        """Return what each option is worth, in points of a hand."""
        return weigh(turn, self.weights)


def weigh(turn: Turn, weights: Weights) -> list[float]:
    view = turn.view
    hand = view.hand
    points = turn.history.catalogue.points
    held = hand.translate(COLOR_OF)
    by_color = [held.count(color) for color in range(5)]
    ranks = hand.translate(RANK_OF)
    size = len(hand)
    counts = view.counts
    seats = len(counts)
    step = 1 if view.direction == 1 else -1
    next_count = counts[(turn.history.seat + step) % seats]
    threat = next_count <= weights.near
    worth = []
    colors = view.option_color or bytes(len(view.option_act))
    for act, card, color in zip(view.option_act, view.option_card, colors):
        count = CARDS_OF_ACT[act]
        if not count:
            worth.append(weights.keep)
            continue
        own = COLOR_OF[card]
        after = color or own
        rank = RANK_OF[card]
        value = weights.point * points[card] * count + weights.card * (count - 1)
        value += weights.color * (by_color[after] - (count if own else 0))
        value += weights.link * (ranks.count(rank) - count) if own else 0.0
        if not own:
            value -= weights.wild
        if rank == SKIP or rank == DRAW_TWO or rank == DRAW_FOUR or (rank == REVERSE and seats == 2):
            if threat:
                value += weights.attack
            if seats == 2:
                value += weights.again
        worth.append(value)
    return worth
