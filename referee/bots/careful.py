"""House bot `careful`: the heuristic that is shipped with the house."""

from collections.abc import Callable
from typing import ClassVar, Final

from lastcard.turn import Turn
from lastcard.words import ACTS, EVENT_KINDS, Act, EventKind, Kind, Order
from referee.bots import lists
from referee.bots.base import HouseBot
from referee.bots.faces import CARDS_PLAYED, COLOR_OF
from referee.bots.sense import WEIGHTS, Sense, Weights
from referee.bots.shedding import PLACED, match_worth

NEVER: Final = -1e6  # below any card: what is done only where there is nothing else
PLAYED_CARD: Final = EVENT_KINDS.index(EventKind.PLAYED)
UNO: Final = Weights()
BLUFFABLE: Final = 4  # so many cards of an accused seat make a bluff likely enough to challenge it
RICH: Final = 10  # points from which a card is worth keeping in a draft


class Careful(HouseBot):
    """Sheds high cards, keeps the colours it holds many of, keeps wilds for last, attacks a next seat with few cards.

    It draws only when it must, names its best colour, calls always, and challenges where a bluff is likely.
    """

    name: ClassVar[str] = "careful"
    challenge = Order.ASK

    def choose(self, turn: Turn) -> int | list[int]:
        """Return the index of the best option, or the best list."""
        if turn.kind is Kind.SPIN_ALMOST_UNO and turn.view.max_picks > 1:
            return lists.keeping_two(turn, self.weigh(turn))
        return super().choose(turn)

    def weights(self, turn: Turn) -> Weights:
        """Return how much each thing counts in the game that the turn is of."""
        played = self.played(turn)
        return WEIGHTS[played.rules.game] if played else UNO

    def weigh(self, turn: Turn) -> list[float]:
        """Return what each option is worth, in points of a hand."""
        view = turn.view
        acts = view.option_act
        sense = Sense(turn, self.weights(turn))
        cards = view.option_card or bytes(len(acts))
        colors = view.option_color or bytes(len(acts))
        return [
            sense.card(card, color, CARDS_PLAYED[act]) if CARDS_PLAYED[act] else _OTHERS[act](turn, sense, place)
            for place, (act, card, color) in enumerate(zip(acts, cards, colors, strict=True))
        ]


def _never(turn: Turn, sense: Sense, place: int) -> float:  # noqa: ARG001
    return NEVER


def _gladly(turn: Turn, sense: Sense, place: int) -> float:  # noqa: ARG001
    return 1.0


def _color(turn: Turn, sense: Sense, place: int) -> float:
    return float(sense.colors.count(turn.view.option_color[place]))


def _dump(turn: Turn, sense: Sense, place: int) -> float:
    """Duo: many cards at once; the more the better."""
    view = turn.view
    color = view.option_color[place] if view.option_color else 0
    return sense.weights.card * sense.colors.count(color or COLOR_OF[view.option_card[place]])


def _discard(turn: Turn, sense: Sense, place: int) -> float:
    """A card of a list; what goes with it goes, too. Wilds are kept if any card is."""
    card = turn.view.option_card[place]
    return sense.weights.card + sense.points[card] + (0.0 if COLOR_OF[card] else sense.weights.wild)


def _match(turn: Turn, sense: Sense, place: int) -> float:  # noqa: ARG001
    """DOS: what leaves the hand now and by its bonus, and what the others are left with."""
    view = turn.view
    second = view.option_second[place] if view.option_second else 0
    return match_worth(view.row[view.option_slot[place]], view.option_card[place], second)


def _place(turn: Turn, sense: Sense, place: int) -> float:  # noqa: ARG001
    return PLACED[turn.view.option_card[place]]


def _keep(turn: Turn, sense: Sense, place: int) -> float:  # noqa: ARG001
    """A drawn card that fits is played. In Duo's draft, actions, wilds and cards of a colour that is held are kept."""
    if turn.kind is not Kind.DRAFT_PICK:
        return NEVER
    drawn = turn.view.drawn
    return 1.0 if sense.points[drawn] >= RICH or sense.colors.count(COLOR_OF[drawn]) > 1 else -1.0


def _challenge(turn: Turn, sense: Sense, place: int) -> float:  # noqa: ARG001
    """Challenge for oneself, if the accused holds many cards; for others it costs more than it brings."""
    seen = turn.history
    accused = seen.seats[seen.kinds.rfind(PLAYED_CARD)] if PLAYED_CARD in seen.kinds else turn.seat
    likely = turn.kind is Kind.RESPOND_WILD_DRAW_FOUR and turn.view.counts[accused] >= BLUFFABLE
    return NEVER + (1.0 if likely else -1.0)


_OTHERS: Final[tuple[Callable[[Turn, Sense, int], float], ...]] = tuple(
    {
        Act.CALL: _gladly,
        Act.CATCH: _gladly,
        Act.COLOR: _color,
        Act.DUMP: _dump,
        Act.DISCARD: _discard,
        Act.WAR: _gladly,
        Act.MATCH: _match,
        Act.PLACE: _place,
        Act.KEEP: _keep,
        Act.REJECT: lambda turn, sense, place: 0.0,  # noqa: ARG005
        Act.CHALLENGE: _challenge,
    }.get(act, _never)
    for act in ACTS
)
