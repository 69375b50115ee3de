"""The terms of Spin's wheel, exactly; its cards count as those of UNO."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817 (the tables are full of them)

import pytest

from referee.rules.luck.stock import number_of
from referee.rules.uno.codes import COLOR_MASK
from referee.rules.vocabulary import Color, Segment
from tests.rules.luck.states import exact, placed

# Twenty cards: four blue, six red, the rest green.
STOCK = ["B1", "B3", "B4", "B5", "R3", "R4", "R5", "R6", "R7", "R8", *["G3"] * 10]


@pytest.mark.parametrize(
    ("segment", "spinner", "other"),
    [
        pytest.param(Segment.DISCARD_COLOR, F(86, 45), F(2, 9), id="two cards of one colour"),
        pytest.param(Segment.DRAW_BLUE, F(-193, 45), F(2, 9), id="four and a fifth to a blue one"),
        pytest.param(Segment.TRADE_HANDS, F(86, 45), F(-16, 9), id="two cards more than the other"),
        pytest.param(Segment.WAR, F(-4, 45), F(2, 9), id="nothing"),
    ],
)
def test_what_the_wheel_means_in_cards(segment: Segment, spinner: F, other: F) -> None:
    """Minus the mean over the nine segments, which is 4/45 for the spinner and -2/9 for the other seat."""
    hands = [["R1", "R2", "B2", "W"], ["G1*", "G1", "G2"]]
    round_ = placed("spin", {"hands": hands, "draw": STOCK, "discard": ["G7"], "turn": 1}, wheel=[segment])
    assert [number_of(round_.draw, COLOR_MASK[color]) for color in (Color.BLUE, Color.RED)] == [4, 6]
    seat, pick = 1, round_.columns(1).card.index(57 + 5 * 2)
    round_.apply(seat, pick)
    assert exact(round_, 0, "l6") == spinner
    assert exact(round_, 1, "l6") == other


def test_a_seat_that_left_has_no_part_in_the_wheel() -> None:
    """Hands go round among those who are there."""
    hands = [["G1*", "G1", "G2"], ["R1"], ["B1", "B2", "B3", "B4"], ["Y1", "Y2"]]
    state = {"hands": hands, "draw": STOCK, "discard": ["G7"], "turn": 0}
    round_ = placed("spin", state, wheel=[Segment.TRADE_HANDS])
    round_.forfeit(1)
    round_.apply(0, round_.columns(0).card.index(57 + 5 * 2))
    assert exact(round_, 1, "l6") == 0
    assert exact(round_, 3, "l6") == F(2 - 4) * F(8, 9)
    assert exact(round_, 0, "l6") == 0


def test_cards_drawn_by_the_wheel_count_but_were_not_drawn_in_a_turn() -> None:
    """One blue card comes at once; it is neither wild nor an action, of six cards of which one is wild."""
    hands = [["G1*", "G1", "G2"], ["R1"]]
    state = {"hands": hands, "draw": ["B1", "W", "R3", "R4", "R5", "RS"], "discard": ["G7"], "turn": 0}
    round_ = placed("spin", state, wheel=[Segment.DRAW_BLUE])
    round_.apply(0, round_.columns(0).card.index(57 + 5 * 2))
    assert exact(round_, 1, "l1") == F(-1, 6)
    assert exact(round_, 1, "l2") == F(-1, 6)
    assert exact(round_, 1, "l3") == 0
