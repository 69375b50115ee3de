"""What a deal was worth to the house."""

from __future__ import annotations

import pytest

from tests.house_games import house_scores
from tests.referee.playing import SEED, spec


@pytest.mark.parametrize("name", ["uno-classic-2", "dos-4", "uno-pairs-4"])
def test_scores_of_a_table_sum_to_a_half_each(name: str) -> None:
    """Every pair of seats gives one point in every game."""
    chosen = spec(name, 1)
    scores = house_scores(chosen, SEED, {}, 0, 4)
    assert sum(scores) == pytest.approx(500_000 * len(scores), abs=2)
    assert all(0 <= score <= 1_000_000 for score in scores)
    assert scores == house_scores(chosen, SEED, {}, 0, 4)


def test_it_is_the_cards_that_count_and_the_seat() -> None:
    """On one deal for both games, who sits where the other sat has what the other had."""
    chosen = spec("uno-classic-2-mirrored", 1)
    one, other = (house_scores(chosen, SEED, {}, game, 8) for game in range(2))
    assert one != (500_000, 500_000)
    assert sorted(one) == pytest.approx(sorted(other), abs=300_000)
    assert (one[0] > one[1]) == (other[1] > other[0])


def test_nonces_are_part_of_the_deal() -> None:
    """Other nonces are other cards."""
    chosen = spec("uno-classic-2", 1, with_nonces=True)
    scores = {house_scores(chosen, SEED, {0: bytes((n,)) * 16}, 0, 8) for n in range(6)}
    assert len(scores) > 1
