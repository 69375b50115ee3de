"""How simulated bots choose: by a hash of what they are asked, so that the same question gets the same answer."""

from typing import Final
from zlib import crc32

from lastcard.answer import Picked, fallback
from lastcard.history import History, Match
from lastcard.turn import Turn
from lastcard.view import View
from referee.orders import ALWAYS, NEVER
from referee.rules.vocabulary import Act, DecisionKind

EAGER: Final = frozenset({Act.PLAY, Act.MATCH})
"""What a bot does when it can, so that rounds end."""
WINDOWS: Final = frozenset({DecisionKind.CHALLENGE_WINDOW, DecisionKind.RESPOND_WILD_DRAW_FOUR})


def choose(view: View, format_name: str, key: str, orders: tuple[int, int, int]) -> Picked:
    """Return the answer to a decision.

    Args:
        view: the decision.
        format_name: what is played.
        key: who is asked, in which round, as what; what a bot's whim depends on, too.
        orders: its standing orders, which it follows when it is asked all the same.
    """
    if view.max_picks > 1:
        return fallback(Turn(view, History("", 0, Match(format=format_name))))
    acts = view.option_act
    ordered = _ordered(view.kind, acts, orders)
    if ordered is not None:
        return Picked((ordered,), call=True, color=0)
    eager = [index for index, act in enumerate(acts) if act in EAGER] or list(range(len(acts)))
    return Picked((eager[crc32(key.encode()) % len(eager)],), call=True, color=0)


def _ordered(kind: int, acts: bytes, orders: tuple[int, int, int]) -> int | None:
    catch, challenge, late_call = orders
    if kind == DecisionKind.CALL_WINDOW:
        wanted, order = (Act.CALL, late_call) if Act.CALL in acts else (Act.CATCH, catch)
    elif kind in WINDOWS:
        wanted, order = Act.CHALLENGE, challenge
    else:
        return None
    if order == ALWAYS and wanted in acts:
        return acts.index(wanted)
    if order == NEVER and len(acts) == 2:
        return 1 - acts.index(wanted)
    return None
