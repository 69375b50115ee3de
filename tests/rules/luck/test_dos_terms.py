"""The terms of DOS, exactly."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817 (the tables are full of them)
from typing import Any

import pytest

from referee.rules.cards import DOS_NAMES
from referee.rules.chance import ScriptedChance
from referee.rules.games import GAMES, resolve
from referee.rules.luck.dos import makes, matched_by
from referee.rules.luck.watch import watched
from referee.rules.vocabulary import DrawReason
from tests.rules.luck.states import exact, placed


def state(draw: str, hand: str = "G1", row: str = "B7 W2", other: str = "B1 B3") -> dict[str, Any]:
    """Return two seats, of which seat 0 is asked."""
    return {"hands": [hand.split(), other.split()], "draw": draw.split(), "row": row.split(), "turn": 0}


def test_a_card_received_counts_its_points_against_their_mean() -> None:
    """Wilds count nothing."""
    round_ = placed("dos", state("R7 B# W2 G10"))
    round_.take(1, 1, DrawReason.BONUS)
    assert exact(round_, 1, "l1") == F(11, 40)
    assert exact(round_, 1, "l3") == 0


def test_a_wild_number_received_counts_against_its_share() -> None:
    """A Wild DOS is none."""
    round_ = placed("dos", state("B# R7 W2 G10"))
    round_.take(1, 2, DrawReason.BONUS)
    assert exact(round_, 1, "l2") == F(3, 4) + F(0)


@pytest.mark.parametrize(
    ("hand", "gain"),
    [pytest.param("R1 R3", F(1, 4), id="two cards are few"), pytest.param("R1 R3 R3", 0, id="three are not")],
)
def test_near_the_end_a_draw_counts_once_more(hand: str, gain: F) -> None:
    """By the hand before it."""
    round_ = placed("dos", state("R7 Y9 B# W2", hand=hand))
    round_.apply(0, *round_.default(0))
    assert exact(round_, 0, "l7") == gain


@pytest.mark.parametrize(
    ("other", "gain"),
    [pytest.param("R3 Y4 Y4", F(1, 2), id="three cards are few"), pytest.param("R3 Y4 Y4 Y4", 0, id="four are not")],
)
def test_near_the_end_a_card_turned_up_counts_once_more(other: str, gain: F) -> None:
    """For the seat that moves next."""
    round_ = placed("dos", state("B7 G5 W2 G3", hand="R5 R1", row="B5 Y8", other=other))
    round_.apply(0, 0)
    assert exact(round_, 1, "l8") == gain
    assert exact(round_, 0, "l8") == 0


@pytest.mark.parametrize(
    ("draw", "gain"),
    [
        pytest.param("Y9 R7 B# W2", F(-3, 4), id="a card that does not match"),
        pytest.param("R7 Y9 B# W2", F(1, 4), id="a card that does"),
    ],
)
def test_a_card_drawn_in_turn_counts_whether_it_matches_alone(draw: str, gain: F) -> None:
    """Seven fits a seven, a Wild # both cards, a Wild DOS the two."""
    round_ = placed("dos", state(draw, hand="R1 R3"))
    round_.apply(0, *round_.default(0))
    assert exact(round_, 0, "l3") == gain


@pytest.mark.parametrize(
    ("draw", "gain"),
    [pytest.param("B7 G5 W2 G3", F(1, 2), id="a seven"), pytest.param("W2 B7 G5 G3", F(-1, 2), id="a two")],
)
def test_a_card_turned_up_counts_for_the_seat_that_moves_next(draw: str, gain: F) -> None:
    """Three and four make three, four and seven."""
    round_ = placed("dos", state(draw, hand="R5 R1", row="B5 Y8", other="R3 Y4"))
    round_.apply(0, 0)
    assert exact(round_, 1, "l6") == gain
    assert exact(round_, 0, "l6") == 0


def test_the_first_row_counts_for_the_leader() -> None:
    """Seat 1 leads when seat 0 deals; the stock is all that was not dealt."""
    dealt = "R1 B1 R1 B3 R1 B3 R1 B3 R1 B3 R1 B3 R1 B3"
    chance = ScriptedChance(decks=[bytes(DOS_NAMES[face] for face in f"{dealt} Y1 G9 G8".split())])
    round_ = watched(GAMES["dos"])(resolve("dos"), chance, 0)
    assert exact(round_, 1, "l6") == (1 - F(1, 3)) + (0 - F(0, 2))
    assert exact(round_, 0, "l6") == 0


def test_the_deal_counts_the_points_of_number_cards() -> None:
    """A Wild DOS and a Wild # are none."""
    dealt = "R3 B1 Y10 B1 W2 B1 B# B1 G1 B1 G1 B1 R5 B1"
    chance = ScriptedChance(decks=[bytes(DOS_NAMES[face] for face in f"{dealt} Y1 G9 G8".split())])
    round_ = watched(GAMES["dos"])(resolve("dos"), chance, 0)
    assert exact(round_, 1, "f1") == 2
    assert exact(round_, 0, "f1") == F(7, 10)


@pytest.mark.parametrize(
    ("hand", "numbers"),
    [
        pytest.param("R3 Y4", {3, 4, 7}, id="two cards"),
        pytest.param("R3", {3}, id="one card"),
        pytest.param("W2 Y9", {2, 9}, id="eleven is too much"),
        pytest.param("R6 R6", {6}, id="twelve is too much"),
        pytest.param("R1 R1 R1", {1, 2}, id="never three cards"),
        pytest.param("B# Y9", set(range(1, 11)), id="a wild makes all"),
    ],
)
def test_what_a_hand_makes(hand: str, numbers: set[int]) -> None:
    """One card, or two by their sum, up to ten."""
    found = makes(bytes(DOS_NAMES[face] for face in hand.split()))
    assert {number for number in range(16) if found >> number & 1} == numbers


def test_a_wild_in_the_row_is_matched_by_anything() -> None:
    """A Wild # stands for every number from one to ten, a Wild DOS for two."""
    assert matched_by(1 << 9) >> DOS_NAMES["B#"] & 1
    assert not matched_by(1 << 9) >> DOS_NAMES["W2"] & 1
    assert matched_by(1 << 2) >> DOS_NAMES["W2"] & 1
