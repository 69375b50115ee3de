"""Who comes next, in both directions, also when seats have left."""

from __future__ import annotations

from itertools import combinations

import pytest

from referee.rules.events import MOST_SEATS, rings


@pytest.mark.parametrize("seats", range(2, MOST_SEATS + 1))
def test_the_next_seat_is_the_nearest_that_is_still_in_the_game(seats: int) -> None:
    """From every seat, also one that left; where one alone is left it comes after everybody."""
    for gone in range(min(seats, 4)):
        for out in combinations(range(seats), gone):
            for ring, step in zip(rings(seats, out), (1, -1), strict=True):
                for seat in range(seats):
                    way = [(seat + step * far) % seats for far in range(1, seats + 1)]
                    assert ring[seat] == next(one for one in way if one not in out)
