"""What a deal was worth to the house."""

from __future__ import annotations

import pytest

from referee import logbook
from referee.house_games import GAMES, HOUSE, MICRO, house_name, house_play, house_scores
from referee.logbook import Author, Fault
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


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        pytest.param("uno-classic-2", ((125000, 875000), (187500, 812500)), id="uno-classic-2"),
        pytest.param(
            "uno-house-4", ((479167, 604167, 625000, 291667), (937500, 625000, 187500, 250000)), id="uno-house-4"
        ),
        pytest.param(
            "uno-pairs-4", ((937500, 62500, 937500, 62500), (875000, 125000, 875000, 125000)), id="uno-pairs-4"
        ),
        pytest.param("spin-2", ((125000, 875000), (500000, 500000)), id="spin-2"),
        pytest.param("dos-3", ((93750, 843750, 562500), (906250, 125000, 468750)), id="dos-3"),
        pytest.param("duo", ((0, 1000000), (875000, 125000)), id="duo"),
    ],
)
def test_the_house_plays_as_its_name_says(name: str, expected: tuple[tuple[int, ...], ...]) -> None:
    """Whoever changes one of its moves gives it another name, and measures anew (`./dev soak house_luck`)."""
    assert (HOUSE, GAMES, house_name()) == ("careful-1", 16, "careful-1/16")
    assert tuple(house_scores(spec(name, 1), SEED, {}, game) for game in (0, 1)) == expected


def test_partners_are_no_opponents() -> None:
    """Both have the score of their team, and a team that wins all games has all points."""
    scores = house_scores(spec("uno-pairs-4", 1), SEED, {}, 0, 4)
    assert scores[0] == scores[2] == MICRO
    assert scores[1] == scores[3] == 0


def test_the_log_of_a_match_says_nonces_and_what_was_dealt() -> None:
    """House games of a closed match are on its cards; a game that was never dealt has none."""
    chosen, nonces = spec("uno-classic-2", 1, with_nonces=True), {0: b"a" * 16, 1: None}
    entry = b"".join(logbook.nonce(entrant, nonce) for entrant, nonce in nonces.items())
    entry += logbook.act(1, 0, 2, 0, 0, Author.BOT, Fault.NONE, 0)
    played = house_play(chosen, SEED, [entry])
    assert played.games == (None, house_scores(chosen, SEED, nonces, 1))
    assert played == house_play(chosen, SEED, [entry])
