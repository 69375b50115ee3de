"""Seats that leave while the wheel asks."""

from typing import Any

import pytest

from tests.rules.family import act, table

HANDS = ("R3* G1 B2", "Y1 Y2 R8", "B7 B6 B9", "G7 G6")


def spun(segment: str, **given: Any) -> Any:  # noqa: ANN401  (a round, given as scenarios are)
    """A round of four in which seat 1 has spun this segment."""
    round_ = table("spin", *HANDS, wheel=segment, **given)
    act(round_, "0 PLAY R3*")
    return round_


@pytest.mark.parametrize("segment", ["DISCARD_COLOR", "DISCARD_NUMBER", "ALMOST_UNO"])
def test_the_spinner_leaves(segment: str) -> None:
    """Nothing is discarded for it, the next seat moves; its hand goes under the pile (D 14, D 15)."""
    seen = act(spun(segment), "1 FORFEIT")
    assert (seen["ask"], seen["hands"], seen["top"]) == ({"2": "TURN"}, [2, 0, 3, 2], "R3*")
    assert seen["discard_cards"][:3] == ["Y1", "Y2", "R8"]


def test_another_seat_leaves_while_the_spinner_is_asked() -> None:
    """The question stands."""
    seen = act(spun("ALMOST_UNO"), "2 FORFEIT")
    assert seen["ask"] == {"1": "SPIN_ALMOST_UNO"}
    assert act(spun("ALMOST_UNO"), "2 FORFEIT", "1 DISCARD cards=R8")["ask"] == {"3": "TURN"}


def test_the_spinner_leaves_a_shout_that_nobody_wants() -> None:
    """The seat behind it moves."""
    seen = act(spun("UNO_SPIN"), "1 FORFEIT", "0 PASS", "2 PASS", "3 PASS")
    assert seen["ask"] == {"2": "TURN"}


def test_a_seat_that_has_shouted_leaves() -> None:
    """Its sealed answer is void; with one shout left no order is needed (D 16)."""
    seen = act(spun("UNO_SPIN"), "0 SHOUT G1", "2 SHOUT B7", "0 FORFEIT", "1 PASS", "3 PASS")
    assert (seen["top"], seen["ask"]) == ("B7", {"3": "TURN"})


def test_the_last_answer_that_was_missing_leaves() -> None:
    """The window closes with the answers that are in."""
    seen = act(spun("WAR"), "0 WAR cards=B2,G1", "2 WAR cards=B9,B7,B6", "3 WAR cards=G7,G6", "1 FORFEIT")
    assert (seen["top"], seen["ask"]) == ("B9", {"3": "TURN"})


def test_the_strongest_leaves_a_war() -> None:
    """Its cards no longer fight."""
    lines = ("0 WAR cards=B2,G1", "2 WAR cards=B9,B7,B6", "3 WAR cards=G7,G6", "2 FORFEIT", "1 WAR cards=R8,Y2,Y1")
    assert act(spun("WAR"), *lines)["top"] == "R8"


def test_two_remain_after_a_spin() -> None:
    """With one other seat left in a team game's wheel the round ends when the last opponent goes."""
    round_ = spun("WAR", team_of=[0, 1, 0, 1])
    act(round_, "1 FORFEIT", "3 FORFEIT")
    assert round_.result.ending.name == "FORFEIT"
    assert (round_.result.winner, round_.result.points) == (0, (24, 0, 24, 0))


@pytest.mark.parametrize("segment", ["UNO_SPIN", "WAR", "DISCARD_COLOR", "ALMOST_UNO"])
def test_the_last_opponent_leaves(segment: str) -> None:
    """Scored as for a win, whatever was asked."""
    round_ = table("spin", "R3* G1 B2", "Y1 Y2 R8", wheel=segment)
    act(round_, "0 PLAY R3*", "1 FORFEIT")
    assert (round_.result.winner, round_.result.points) == (0, (11, 0))
