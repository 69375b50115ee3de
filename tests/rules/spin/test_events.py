"""What is told of the wheel, and to whom (rules page B8)."""

from typing import Any

from referee.rules import conformance, view
from referee.rules.vocabulary import DrawReason
from tests.rules.family import act, table
from tests.rules.watching import told

THREE = ("R3* G1 B2", "Y1 Y2 R8", "B7 B6 B5")
WHEEL = int(DrawReason.WHEEL)


def after(segment: str, *lines: str, hands: tuple[str, ...] = THREE, **given: Any) -> tuple[Any, int]:  # noqa: ANN401
    """A round in which seat 1 spun this segment and these acts followed, and the number of the event SPUN."""
    round_ = table("spin", *hands, wheel=segment, **given)
    first = view.count(round_) + 2  # PLAYED and TURN come before
    act(round_, "0 PLAY R3*", *lines)
    return round_, first


def test_a_spin_is_a_turn_and_its_segment_is_public() -> None:
    """TURN, then SPUN with the segment counted from 1, clockwise from UNO Spin."""
    round_, first = after("SHOW_HAND")
    assert told(round_, None, first - 1)[:2] == ["TURN 1 - 1", "SPUN 1 - 7"]


def test_a_hand_is_shown_to_everybody() -> None:
    """SHOW_HAND: every card, in canonical order, for seats and spectators; what is drawn later is hidden again."""
    round_, first = after("SHOW_HAND", "2 DRAW", hands=("R3* G1 B2", "Y1 R8 Y1", "B7 B6"))
    shown = ["HAND_SHOWN 1 R8 0", "HAND_SHOWN 1 Y1 0", "HAND_SHOWN 1 Y1 0"]
    for seat in (0, 1, 2, None):
        assert told(round_, seat, first + 1)[:3] == shown
    assert list(conformance.shown_since(round_, 4 * first)) == [{"seat": 1, "to": "ALL", "cards": ["R8", "Y1", "Y1"]}]
    assert told(round_, 0, first + 5)[0].startswith("DREW 2 - ")


def test_what_ended_a_draw_is_public_and_its_cards_are_not() -> None:
    """The drawer sees its cards; everybody sees how many, and whether a colour, a wild or the end stopped it."""
    round_, first = after("DRAW_BLUE", draw="G4 B5 Y9")
    hidden = [f"DREW 1 - {WHEEL}"] * 2
    assert told(round_, 1, first + 1)[:3] == [f"DREW 1 G4 {WHEEL}", f"DREW 1 B5 {WHEEL}", "KEPT 1 - 1"]
    for seat in (0, 2, None):
        assert told(round_, seat, first + 1)[:3] == [*hidden, "KEPT 1 - 1"]
    round_, first = after("DRAW_BLUE", draw="G4 W Y9", spin_draw_stops_on_wild=True)
    assert told(round_, None, first + 1)[:3] == [*hidden, "KEPT 1 - 2"]
    round_, first = after("DRAW_BLUE", draw="G4")
    assert told(round_, None, first + 1)[:4] == [hidden[0], "RESHUFFLED - - 1", hidden[0], "KEPT 1 - 3"]


def test_traded_hands_are_told_and_not_shown() -> None:
    """One event; each seat sees its new hand in its next decision, in an order that tells nothing of its old owner."""
    round_, first = after("TRADE_HANDS", hands=("R3* G1 B2", "Y2 R8 Y1", "B7 B6 B5"))
    for seat in (0, 1, 2, None):
        assert told(round_, seat, first + 1) == ["TRADED - - 0", "TURN 2 - 1"]
    assert list(conformance.shown_since(round_, 0)) == []
    assert view.decision(round_, 2).hand == bytes(sorted(round_.hands[2]))


def test_only_the_shout_that_counts_is_told() -> None:
    """The cards of the others stay sealed, and nobody is told who else shouted."""
    round_, first = after("UNO_SPIN", "0 SHOUT G1", "1 SHOUT Y1", "2 SHOUT B7", orders=[[1, 0, 2]])
    for seat in (0, 1, 2, None):
        assert told(round_, seat, first + 1) == ["DISCARDED 1 Y1 0", "TURN 2 - 1"]


def test_a_wild_put_down_last_names_its_colour() -> None:
    """DISCARDED for each card, then COLOR_NAMED; under the pile nothing is named."""
    hands = ("R3* G1 B2", "Y1 R8 W W4", "B7 B6")
    round_, first = after("ALMOST_UNO", "1 DISCARD G cards=W4,W", hands=hands)
    assert told(round_, None, first + 1) == ["DISCARDED 1 W4 0", "DISCARDED 1 W 0", "COLOR_NAMED 1 - 3", "TURN 2 - 1"]
    round_, first = after("ALMOST_UNO", "1 DISCARD cards=W4,W", hands=hands, wheel_discards="UNDER")
    assert told(round_, None, first + 1) == ["DISCARDED 1 W4 0", "DISCARDED 1 W 0", "TURN 2 - 1"]


def test_a_call_with_a_discard_is_told_where_it_counts() -> None:
    """CALLED, only if one card is left."""
    round_, first = after("DISCARD_COLOR", "1 DISCARD Y cards=Y1,Y2 !")
    assert told(round_, None, first + 3) == ["CALLED 1 - 0", "TURN 2 - 1"]
    round_, first = after("DISCARD_COLOR", "1 DISCARD Y cards=Y1 !")
    assert told(round_, None, first + 2) == ["TURN 2 - 1"]


def test_a_missed_call_with_a_discard_is_told() -> None:
    """AUTO: the penalty and the cards drawn; WINDOW: that the seat is exposed."""
    round_, first = after("DISCARD_COLOR", "1 DISCARD Y cards=Y1,Y2")
    assert told(round_, None, first + 3) == ["PENALTY 1 - 2", "DREW 1 - 3", "DREW 1 - 3", "TURN 2 - 1"]
    round_, first = after("DISCARD_COLOR", "1 DISCARD Y cards=Y1,Y2", call_mode="WINDOW")
    assert told(round_, None, first + 3) == ["EXPOSED 1 - 0"]


def test_a_war_shows_what_it_takes_and_no_more() -> None:
    """Cards in the order shown, round by round; what was not needed to decide stays unknown."""
    round_, first = after("WAR", "0 WAR cards=B2,G1", "1 WAR cards=R8,Y7,Y2 !", "2 WAR cards=B8,B6,B5",
                          hands=("R3* G1 B2", "Y7 Y2 R8", "B8 B6 B5"))  # fmt: skip
    wanted = [
        "WAR_SHOWN 0 B2 0",
        "WAR_SHOWN 1 R8 0",
        "WAR_SHOWN 2 B8 0",
        "WAR_SHOWN 1 Y7 0",
        "WAR_SHOWN 2 B6 0",
        "DISCARDED 1 R8 0",
        "DISCARDED 1 Y7 0",
        "CALLED 1 - 0",
        "TURN 2 - 1",
    ]
    for seat in (0, 1, 2, None):
        assert told(round_, seat, first + 1) == wanted


def test_nothing_is_told_of_a_sealed_answer_before_the_window_closes() -> None:
    """No event, and what the others are asked stays the same bytes."""
    round_, _ = after("WAR")
    before, asked = view.count(round_), view.decision(round_, 2)
    act(round_, "1 WAR cards=R8,Y2,Y1")
    assert view.count(round_) == before
    assert view.decision(round_, 2) == asked
