"""The segment UNO_SPIN: everybody may shout, the first in a seeded order discards any card."""

from typing import Any

import pytest

from tests.rules.family import act, legal, listed, table

HANDS = ("R3* G1 B2", "Y1 Y2 R8", "W B6 W", "G7 W4 RD")


def shouting(*hands: str, **given: Any) -> Any:  # noqa: ANN401  (a round, given as scenarios are)
    """A round in which seat 1 has spun UNO_SPIN and all seats are asked."""
    draw = given.pop("draw", "G4 G5 G6 G7 G8")
    round_ = table("spin", *(hands or HANDS), wheel="UNO_SPIN", draw=draw, **given)
    act(round_, "0 PLAY R3*")
    return round_


def test_any_card_may_be_shouted_once_a_face() -> None:
    """It need not match; a wild is listed once a colour, PASS last."""
    round_ = shouting()
    assert listed(round_, 0) == ["SHOUT G1", "SHOUT B2", "PASS"]
    assert listed(round_, 2) == ["SHOUT B6", "SHOUT W R", "SHOUT W Y", "SHOUT W G", "SHOUT W B", "PASS"]
    assert listed(round_, 3)[:2] == ["SHOUT RD", "SHOUT G7"]


def test_a_wild_needs_no_colour_under_the_pile() -> None:
    """UNDER: it sets none (D 28)."""
    round_ = shouting(wheel_discards="UNDER")
    assert listed(round_, 2) == ["SHOUT B6", "SHOUT W", "PASS"]
    seen = act(round_, "0 PASS", "1 PASS", "2 SHOUT W", "3 PASS")
    assert (seen["discard_cards"], seen["color"], seen["ask"]) == (["W", "R9", "R3*"], "R", {"3": "TURN"})


@pytest.mark.parametrize("line", ["2 SHOUT W", "2 SHOUT R8", "2 SHOUT", "2 PLAY B6", "2 SHOUT W X"])
def test_what_may_not_be_shouted(line: str) -> None:
    """A wild without a colour, a card not held, another act."""
    round_ = shouting()
    assert not legal(round_, line.replace(" X", ' color:="X"'))


@pytest.mark.parametrize(
    ("answers", "orders", "top", "color", "next_seat"),
    [
        pytest.param(("0 PASS", "1 PASS", "2 PASS", "3 PASS"), [], "R3*", "R", 2, id="nobody: behind the spinner"),
        pytest.param(("0 PASS", "1 PASS", "2 SHOUT W G", "3 PASS"), [], "W", "G", 3, id="one needs no order"),
        pytest.param(
            ("3 SHOUT G7", "2 PASS", "1 SHOUT Y1", "0 SHOUT G1"), [[3, 1, 0]], "G7", "G", 0, id="the first in order"
        ),
        pytest.param(
            ("0 SHOUT G1", "1 SHOUT Y1", "2 PASS", "3 SHOUT G7"), [[2, 0, 3, 1]], "G1", "G", 1, id="not the fastest"
        ),
        pytest.param(("0 PASS", "1 PASS", "2 PASS", "3 SHOUT RD"), [], "RD", "R", 0, id="a Draw Two does nothing"),
        pytest.param(("0 PASS", "1 PASS", "2 PASS", "3 SHOUT W4 B"), [], "W4", "B", 0, id="neither does a W4"),
    ],
)
def test_who_counts(answers: tuple[str, ...], orders: list[list[int]], top: str, color: str, next_seat: int) -> None:
    """The winner's card is the new top, and the seat behind the winner moves."""
    seen = act(shouting(orders=orders), *answers)
    assert (seen["top"], seen["color"], seen["ask"], seen["pending"]) == (top, color, {str(next_seat): "TURN"}, 0)


def test_play_goes_on_in_its_direction() -> None:
    """With direction -1 the seat to the right of the winner moves."""
    round_ = table("spin", *HANDS, wheel="UNO_SPIN", dir=-1)
    assert act(round_, "0 PLAY R3*", "0 PASS", "1 PASS", "2 SHOUT B6", "3 PASS")["ask"] == {"1": "TURN"}


@pytest.mark.parametrize(
    ("mode", "line", "hands", "ask"),
    [
        pytest.param("AUTO", "1 SHOUT Y1", [2, 3, 2], {"2": "TURN"}, id="missed: two cards"),
        pytest.param("AUTO", "1 SHOUT Y1 !", [2, 1, 2], {"2": "TURN"}, id="called"),
        pytest.param("WINDOW", "1 SHOUT Y1", [2, 1, 2], dict.fromkeys("012", "CALL_WINDOW"), id="missed: a window"),
    ],
)
def test_a_shout_down_to_one_card_needs_the_call(mode: str, line: str, hands: list[int], ask: dict[str, str]) -> None:
    """Only the call of the one that counts is looked at."""
    round_ = shouting("R3* G1 B2", "Y1 Y2", "B7 B6", call_mode=mode, orders=[[1, 0, 2]])
    seen = act(round_, "0 SHOUT G1", line, "2 PASS")
    assert (seen["hands"], seen["ask"]) == (hands, ask)


def test_a_shout_of_the_last_card_wins() -> None:
    """The hand is empty: out, whosever turn it was."""
    round_ = shouting("R3* G1 B2", "Y1 Y2", "B7")
    act(round_, "0 PASS", "1 PASS", "2 SHOUT B7")
    assert round_.result.winner == 2


def test_a_swirled_card_that_is_shouted_does_not_spin() -> None:
    """It is discarded, not played."""
    round_ = shouting("R3* G1 B2", "Y1 Y2* B9", "B7 B6")
    assert act(round_, "0 PASS", "1 SHOUT Y2*", "2 PASS")["ask"] == {"2": "TURN"}
