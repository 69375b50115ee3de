"""Who sits out of a small leg that turns round the circle, so that at no time anybody sat out twice more than another.

With one or two tables a bench that is spread evenly over the circle leaves tables that meet unevenly, and most other
benches have no such order of turns. `BENCHES` has those found by search through them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

__all__ = ["BENCHES", "turns"]

BENCHES: Final[Mapping[tuple[int, int], tuple[int, ...]]] = {
    (10, 4): (0, 1),
    (11, 4): (0, 1, 2),
    (13, 5): (0, 1, 2),
    (15, 6): (0, 1, 2),
    (16, 6): (0, 2, 4, 6),
    (18, 7): (0, 1, 4, 5),
    (19, 8): (0, 1, 2),
    (12, 9): (0, 1, 5),
    (21, 9): (0, 1, 5),
    (22, 9): (0, 1, 2, 3),
}
"""By entrants and seats. Of fields of up to six seats four have no bench by which both games and meetings are even: 14
entrants at 5 seats, and 10, 11 and 17 at 6 (`tests/workers/test_benches.py` goes through all of theirs)."""


def turns(places: int, bench: Sequence[int]) -> tuple[int, ...]:
    """Return how far a leg is turned each time, each way once, so that nobody ever sat out twice more than another.

    Raises:
        LookupError: there is no such order.
    """
    search = _Search(places, [sum(1 << (place + step) % places for place in bench) for step in range(places)])
    found = search.after(search.everybody, 0)
    if found is None:
        what = "whatever the order, somebody sits out twice more than another"
        raise LookupError(f"{places} places and the bench {tuple(bench)}: {what}")
    return found


class _Search:
    """Depth first through all orders; what cannot be ended from some point on is looked at once."""

    def __init__(self, places: int, benches: Sequence[int]) -> None:
        self.everybody = (1 << places) - 1
        self._benches = benches
        self._dead: set[tuple[int, int]] = set()

    def after(self, left: int, more: int) -> tuple[int, ...] | None:
        """Return the turns that are left, as a mask, in an order that goes on from where `more` sat out once more."""
        if not left:
            return ()
        if (left, more) not in self._dead:
            for step, following in self._next(left, more):
                if (rest := self.after(left & ~(1 << step), following)) is not None:
                    return step, *rest
            self._dead.add((left, more))
        return None

    def _next(self, left: int, more: int) -> Iterator[tuple[int, int]]:
        """Yield the turns that may follow, and who has sat out once more after each."""
        for step, bench in enumerate(self._benches):
            together, twice = more | bench, more & bench
            if left >> step & 1 and (not twice or together == self.everybody):
                yield step, twice if together == self.everybody else together
