"""War on the wheel: who wins, and which cards are shown on the way there (rules page B3)."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class War(NamedTuple):
    """The outcome of a war: seat and card in the order shown, and the winner, None if it is void."""

    shown: list[tuple[int, int]]
    winner: int | None


def fight(orders: Mapping[int, Sequence[int]], points: Sequence[int]) -> War:
    """Fights a war between seats that have put their cards in order, highest first.

    All show their first card. Of those who tie at the top whoever has another one shows it, until one of them is
    ahead or alone. When all who tie run out together, the war is void.

    Args:
        orders: by seat, its cards in the order in which it shows them.
        points: by card.
    """
    shown: list[tuple[int, int]] = []
    tied, depth = sorted(orders), 0
    while True:
        showing = [seat for seat in tied if depth < len(orders[seat])]
        if not showing:
            return War(shown, None)
        shown += [(seat, orders[seat][depth]) for seat in showing]
        top = max(points[orders[seat][depth]] for seat in showing)
        tied = [seat for seat in showing if points[orders[seat][depth]] == top]
        if len(tied) == 1:
            return War(shown, tied[0])
        depth += 1
