"""Standing orders: what is answered for a bot in a window, so that nobody waits for it."""

from typing import Final

from lastcard.words import Order
from referee.rules.round import Round
from referee.rules.vocabulary import Act, DecisionKind

ASK: Final = 1  # numbers of the protocol's StandingOrder
ALWAYS: Final = 2
NEVER: Final = 3
NUMBERS: Final[dict[str, int]] = {Order.ASK: ASK, Order.ALWAYS: ALWAYS, Order.NEVER: NEVER}
ORDERED: Final = frozenset(
    {DecisionKind.CALL_WINDOW, DecisionKind.CHALLENGE_WINDOW, DecisionKind.RESPOND_WILD_DRAW_FOUR}
)


def ordered_pick(current: Round, seat: int, kind: DecisionKind, orders: tuple[int, int, int]) -> int | None:
    """Return the option that a standing order picks, or None to ask.

    Args:
        current: the round.
        seat: an asked seat.
        kind: what it is asked, one of ORDERED.
        orders: `catch`, `challenge` and `late_call` of its bot.
    """
    acts = current.columns(seat).act
    catch, challenge, late_call = orders
    if kind is DecisionKind.CALL_WINDOW:
        wanted, order = (Act.CALL, late_call) if Act.CALL in acts else (Act.CATCH, catch)
    else:
        wanted, order = Act.CHALLENGE, challenge
    if order == ALWAYS and wanted in acts:
        return acts.index(wanted)
    if order == NEVER and len(acts) == 2:
        return 1 - acts.index(wanted)
    return None
