"""The call of DOS: two cards at the end of a turn, and with EVER_TWO also those who were pushed to two."""

import pytest

from referee.rules.dos.round import DosRound
from tests.rules.dos.tables import act, hand, table
from tests.rules.watching import told

PUSH = ("0 MATCH matches=0:R1+R4", "0 PLACE cards=B9 !")  # a double match of colour that ends with two called cards


@pytest.mark.parametrize(
    ("lines", "asked"),
    [
        pytest.param(("0 MATCH matches=0:B3",), True, id="two cards, no call"),
        pytest.param(("0 MATCH matches=0:B3 !",), False, id="two cards, called"),
        pytest.param(("0 MATCH matches=0:B3,1:G7",), False, id="one card: passing through two needs no call"),
        pytest.param(("0 DRAW", "0 PLACE cards=B3"), False, id="three cards"),
        pytest.param(("0 DRAW !", "0 MATCH matches=0:B3,1:G7"), True, id="two after a draw: no window with the call"),
    ],
)
def test_the_call_is_checked_at_the_end_of_the_turn(lines: tuple[str, ...], asked: bool) -> None:
    """Exactly two cards then, and no call on any act of the turn."""
    round_ = table("B3 G7 Y8", "G8")
    window = "CALL_WINDOW" in str(act(round_, *lines)["ask"])
    assert window is (asked and not any("!" in line for line in lines))


def test_each_turn_that_ends_with_two_needs_a_call_of_its_own() -> None:
    """The call of an earlier turn is gone (fault others made: flags that are never cleared)."""
    round_ = table("B3 G9 B6", "G8 B8 B10", draw="G1 B1 B1 Y9 Y9 Y9 Y9")
    act(round_, "0 MATCH matches=0:B3 !", "1 DRAW", "1 PLACE cards=G8")
    assert "CALL_WINDOW" in str(act(round_, "0 DRAW", "0 PLACE cards=G9")["ask"])


def test_a_caught_seat_draws_at_the_end_of_its_turn_and_is_not_exposed_again() -> None:
    """Then the next seat moves."""
    round_ = table("B3 G9 Y8", "G8", "Y1", call_penalty=3)
    seen = act(round_, "0 MATCH matches=0:B3", "2 PASS", "1 CATCH", "0 PASS")
    assert (seen["hands"], seen["ask"]) == ([5, 1, 1], {"1": "DOS_TURN"})


@pytest.mark.parametrize(
    ("mode", "answers", "size"),
    [
        pytest.param("WINDOW", ("0 PASS", "1 PASS"), 2, id="nobody reacts: safe for good"),
        pytest.param("WINDOW_PAYS", ("0 PASS", "1 PASS"), 4, id="nobody reacts: it pays"),
        pytest.param("WINDOW_PAYS", ("0 CALL", "1 PASS"), 2, id="the late call saves"),
        pytest.param("AUTO", (), 4, id="no window: it pays at once"),
        pytest.param("OFF", (), 2, id="no calls at all"),
    ],
)
def test_modes_of_the_call(mode: str, answers: tuple[str, ...], size: int) -> None:
    """What becomes of a missed call."""
    seen = act(table("B3 G9 Y8", "G8", call_mode=mode), "0 MATCH matches=0:B3", *answers)
    assert (seen["hands"], seen["ask"]) == ([size, 1], {"1": "DOS_TURN"})


def test_nobody_needs_a_call_for_being_pushed_to_two() -> None:
    """TURN_END, the preset: only the seat whose turn ends is checked."""
    assert act(table("R1 R4 Y8 B6 B9", "G8", row="R5 Y7"), *PUSH)["ask"] == {"1": "DOS_TURN"}


def test_ever_two_asks_one_window_a_seat_the_active_one_first() -> None:
    """The seat whose turn ends, then clockwise those whom it brought to exactly two (D 35)."""
    round_ = table("B8", "R1 R4 Y8 B6 B9", "G8", "Y1 Y3", row="R5 Y7", turn=1, call_scope="EVER_TWO")
    act(round_, "1 MATCH matches=0:R1+R4", "1 PLACE cards=B9")
    order = []
    while round_.seat < 0:
        order.append(round_.subject)
        act(round_, *(f"{seat} PASS" for seat in sorted(round_.asked)))
    assert order == [1, 2, 0]


@pytest.mark.parametrize(
    ("option", "sizes", "owes"),
    [
        pytest.param("AT_ONCE", [2, 4, 3], [0, 0, 0], id="it draws at once"),
        pytest.param("END_OF_OWN_TURN", [2, 2, 3], [0, 2, 0], id="it owes"),
    ],
)
@pytest.mark.parametrize("mode", ["WINDOW", "WINDOW_PAYS"])
def test_a_seat_caught_off_its_turn_pays(option: str, sizes: list[int], owes: list[int], mode: str) -> None:
    """Now, or at the end of its own next turn; with WINDOW_PAYS also if nobody reacts."""
    options = {"call_scope": "EVER_TWO", "off_turn_penalty": option, "call_mode": mode}
    round_ = table("R1 R4 Y8 B6 B9", "G8", "Y3 Y4", row="R5 Y7", **options)
    reaction = "CATCH" if mode == "WINDOW" else "PASS"
    seen = act(round_, *PUSH, f"0 {reaction}", "1 PASS", "2 PASS")
    assert (seen["hands"], seen["owes"], seen["ask"]) == (sizes, owes, {"1": "DOS_TURN"})


def owing() -> DosRound:
    """Seat 1, with two cards, owes two and is to move."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", "Y3 Y4", row="R5 Y7", draw="B1 G3 G4 G5 B6 B8 B10", call_scope="EVER_TWO")
    act(round_, *PUSH, "0 CATCH", "1 PASS", "2 PASS")
    assert (round_.owes, hand(round_, 1)) == ((0, 2, 0), "B1 G8")
    return round_


def test_what_is_owed_is_drawn_before_the_own_check() -> None:
    """At the end of the next turn; then two cards are no longer two."""
    round_ = owing()
    seen = act(round_, "1 DRAW", "1 PLACE cards=G8")
    assert (seen["hands"], seen["owes"], seen["ask"]) == ([2, 4, 3], [0, 0, 0], {"2": "DOS_TURN"})


def test_what_is_owed_may_lead_to_two_that_must_be_called() -> None:
    """One card and a penalty of one: the check comes behind the draw."""
    options = {"call_scope": "EVER_TWO", "call_penalty": 1}
    round_ = table("R1 R4 Y8 B6 B9", "Y7", "Y3 Y4", row="R5 R1", draw="B1 Y7 G4 G5 B6 B8 B10", **options)
    act(round_, *PUSH, "0 CATCH", "1 PASS", "2 PASS")
    seen = act(round_, f"1 MATCH matches={round_.slots[0]}:B1")
    assert (seen["hands"], seen["ask"]) == ([2, 2, 3], dict.fromkeys("012", "CALL_WINDOW"))


def test_what_is_owed_is_void_when_the_seat_goes_out() -> None:
    """Going out ends the round before anything is paid (fault: a penalty that meets an empty hand)."""
    round_ = table("R1 R4 Y8 B6 B9", "Y7", row="R5 Y7", draw="R3 R3 G4 G5", call_scope="EVER_TWO")
    act(round_, *PUSH, "0 CATCH", "1 PASS")
    y7, r3 = round_.slots[0], round_.slots[1]
    seen = act(round_, f"1 MATCH matches={y7}:Y7,{r3}:R3")
    assert (seen["ask"], seen["hands"], seen["owes"]) == ({}, [2, 0], [0, 0])


def test_late_call_of_a_seat_that_was_pushed() -> None:
    """It may still call in its window; of two who react the order decides."""
    options = {"call_scope": "EVER_TWO", "orders": [[1, 0, 2]]}
    round_ = table("R1 R4 Y8 B6 B9", "G8", "Y3 Y4", row="R5 Y7", **options)
    assert act(round_, *PUSH, "0 CATCH", "1 CALL", "2 PASS")["owes"] == [0, 0, 0]


@pytest.mark.parametrize(
    ("other", "draw"),
    [
        pytest.param("G8 B8", "G1 G3", id="from two to three"),
        pytest.param("G8", "", id="nothing to draw"),
        pytest.param("G8 B8", "", id="two before and nothing to draw"),
    ],
)
def test_who_is_not_brought_to_two_is_not_exposed(other: str, draw: str) -> None:
    """Only a forced draw that ends at exactly two exposes."""
    round_ = table("R1 R4 Y8 B6 B9", other, row="R5 Y7 B4", draw=draw, call_scope="EVER_TWO")
    assert act(round_, *PUSH)["ask"] == {"1": "DOS_TURN"}


def test_auto_fines_only_the_seat_whose_turn_ends() -> None:
    """`call_mode` AUTO has no windows, so that nobody is exposed off its turn (D 35)."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", row="R5 Y7", call_scope="EVER_TWO", call_mode="AUTO")
    seen = act(round_, "0 MATCH matches=0:R1+R4", "0 PLACE cards=B9")
    assert (seen["hands"], seen["owes"], seen["ask"]) == ([4, 2], [0, 0], {"1": "DOS_TURN"})


@pytest.mark.parametrize("scope", ["TURN_END", "EVER_TWO"])
def test_calls_off_means_no_window_and_no_fine(scope: str) -> None:
    """`call_mode` OFF, whatever the scope."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", row="R5 Y7", call_scope=scope, call_mode="OFF")
    assert act(round_, "0 MATCH matches=0:R1+R4", "0 PLACE cards=B9")["ask"] == {"1": "DOS_TURN"}


def test_late_call_off_does_not_ask_the_exposed_seat() -> None:
    """Also where it was pushed off its turn."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", "Y1 Y3", row="R5 Y7", call_scope="EVER_TWO", late_call=False)
    assert act(round_, *PUSH)["ask"] == {"0": "CALL_WINDOW", "2": "CALL_WINDOW"}


def test_events_of_missed_calls() -> None:
    """Exposed, caught and by whom; what is owed is drawn at the end of the own turn."""
    round_ = owing()
    first = told(round_).index("EXPOSED 1 - 0")
    act(round_, "1 DRAW", "1 PLACE cards=G8")
    assert told(round_, None, first) == [
        "EXPOSED 1 - 0",
        "CAUGHT 0 - 1",
        "TURN 1 - 1",
        "DREW 1 - 1",
        "PLACED 1 G8 0",
        "DREW 1 - 3",
        "DREW 1 - 3",
        "TURN 2 - 1",
    ]
