"""Turns of DOS: what a match does and in which order, refilling, bonus cards, an empty draw pile, going out."""

import pytest

from referee.rules import view
from referee.rules.cards import format_cards
from tests.rules.dos.tables import act, hand, legal, table
from tests.rules.watching import told


def test_several_matches_are_one_act_in_any_order() -> None:
    """The order in which matches are picked says nothing: stacks are discarded in the order of the row."""
    digests = set()
    for matches in ("0:B3,1:G3+G4", "1:G3+G4,0:B3"):
        round_ = table("B3 G3 G4 B6 B8", "G8")
        assert act(round_, f"0 MATCH matches={matches}")["discard_cards"] == ["R3", "B3", "Y7", "G3", "G4"]
        digests.add(round_.digest())
    assert len(digests) == 1


def test_two_cards_lie_as_they_are_named() -> None:
    """In a stack the row card comes first, then the cards in the order of the act."""
    round_ = table("G3 G4 B6 B8 B9", "G8")
    assert act(round_, "0 MATCH matches=1:G4+G3")["discard_cards"] == ["Y7", "G4", "G3"]
    assert round_.flipped == frozenset()


def test_what_comes_into_the_row_is_not_matched_in_that_turn() -> None:
    """The row is refilled when the turn's one act of matching is over; there is no second one."""
    seen = act(table("B3 G8 B6 B9", "G8", draw="Y8 G1"), "0 MATCH matches=0:B3")
    assert (seen["row"], seen["ask"]) == (["Y7", "Y8"], {"1": "DOS_TURN"})


@pytest.mark.parametrize(
    ("options", "row", "after"),
    [
        pytest.param({}, "R3 Y7 R6 B4", ["Y7", "R6"], id="two are left: no refill"),
        pytest.param({"row_min": 3}, "R3 Y7 R6 B4", ["Y7", "R6", "G1"], id="up to three"),
        pytest.param({"refill": "ONE_PER_MATCH"}, "R3 Y7 R6 B4", ["Y7", "R6", "G1", "G3"], id="one a match"),
        pytest.param({"refill": "ONE_PER_MATCH"}, "R3 B4", ["G1", "G3"], id="one a match, two in all"),
        pytest.param(
            {"refill": "ONE_PER_MATCH", "row_min": 5}, "R3 Y7 R6 B4", ["Y7", "R6", "G1", "G3", "G4"], id="never too few"
        ),
    ],
)
def test_the_row_is_refilled(options: dict[str, object], row: str, after: list[str]) -> None:
    """To its least size, or one card for each matched one, and never fewer than the least size (D 32)."""
    last = len(row.split()) - 1
    seen = act(table("B3 G4 Y8 Y6 R10", "G8", row=row, **options), f"0 MATCH matches=0:B3,{last}:G4")
    assert seen["row"] == after


def test_placing_after_a_draw_refills_first() -> None:
    """A row that was short, for want of cards, is filled before the placed card joins it."""
    seen = act(table("G9 B6 Y5", "G8", row="R3", draw="Y1 G1 G4"), "0 DRAW", "0 PLACE cards=G9")
    assert (seen["row"], seen["slots"], seen["draw"]) == (["R3", "G1", "G9"], [0, 1, 2], 1)


def test_slots_are_never_used_again() -> None:
    """A card keeps its slot until it is matched; new cards get the next numbers."""
    round_ = table("B3 G9 B6 Y4", "Y7 G4 Y1", row="R3 Y7 B8")
    assert act(round_, "0 MATCH matches=0:B3")["slots"] == [1, 2]
    assert act(round_, "1 MATCH matches=1:Y7", "1 PLACE cards=G4")["slots"] == [2, 3, 4]


def test_forced_draws_come_before_the_discards_so_that_the_table_is_not_dealt_out() -> None:
    """With an empty draw pile the others draw nothing; then the refill shuffles this turn's cards (D 36)."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", row="R5 Y7", draw="", reshuffles=["R4 R5 R1"])
    seen = act(round_, "0 MATCH matches=0:R1+R4")
    assert (seen["hands"], seen["row"], seen["discard"]) == ([3, 1], ["Y7", "R4"], 0)


def test_forced_draws_use_older_discards() -> None:
    """What was discarded in earlier turns is shuffled for the forced draw."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", "Y3", row="R5 Y7 B4", draw="", discard="B1 B1")
    seen = act(round_, "0 MATCH matches=0:R1+R4")
    assert seen["hands"] == [3, 2, 2]
    assert hand(round_, 1) == "B1 G8"


def test_the_whole_discard_pile_is_shuffled_and_the_row_stays() -> None:
    """No top card is kept back: there is no top card in DOS (A5)."""
    round_ = table("G9 B6 Y5", "G8", draw="", discard="B1 B3", reshuffles=["B3 B1"])
    seen = act(round_, "0 DRAW")
    assert (seen["draw"], seen["discard"], seen["row"]) == (1, 0, ["R3", "Y7"])
    assert hand(round_, 0) == "B3 Y5 B6 G9"


def test_no_card_anywhere_is_no_deadlock() -> None:
    """DRAW draws nothing and the turn goes on; each such turn sheds a card (fault: neither draw nor end of turn)."""
    round_ = table("G9 B6 B9", "G8 Y4", draw="")
    assert act(round_, "0 DRAW")["hands"] == [3, 2]
    seen = act(round_, "0 PLACE cards=G9 !", "1 DRAW", "1 PLACE cards=G8", "0 DRAW", "0 PLACE cards=B9")
    assert (seen["hands"], seen["row"]) == ([1, 1], ["R3", "Y7", "G9", "G8", "B9"])


@pytest.mark.parametrize("colors", [0, 1, 3])
def test_every_opponent_draws_for_double_matches_of_color(colors: int) -> None:
    """`double_color_draw` cards for each, seat by seat clockwise, and a bonus card for each match of colour."""
    round_ = table("B9", "B8", "R1 R4 Y8 B6 Y3 G10", "B7", row="R5 Y7", turn=2, double_color_draw=colors)
    seen = act(round_, "2 MATCH matches=0:R1+R4")
    assert seen["hands"] == [1 + colors, 1 + colors, 4, 1 + colors]
    assert seen["bonus"] == 1
    if colors == 1:
        assert [hand(round_, seat) for seat in (3, 0, 1)] == ["G1 B7", "G3 B9", "G4 B8"]


@pytest.mark.parametrize(
    ("cards", "legal_list"),
    [
        pytest.param("B8,B6", True, id="two cards"),
        pytest.param("B6,B8", True, id="two cards the other way round"),
        pytest.param("B8", False, id="one card"),
        pytest.param("B8,B6,B1", False, id="three cards"),
        pytest.param("B8,B8", False, id="one card twice"),
        pytest.param("B8,R3", False, id="a card that was matched"),
        pytest.param("", False, id="no card"),
    ],
)
def test_exactly_the_bonus_is_placed(cards: str, legal_list: bool) -> None:
    """As many cards as were earned, of the hand as it is now (fault others made: placing without end)."""
    round_ = table("R3 Y7 B9 B8 B6 B1", "G8")
    assert act(round_, "0 MATCH matches=0:R3,1:Y7")["bonus"] == 2
    assert legal(round_, f"0 PLACE cards={cards}") is legal_list


@pytest.mark.parametrize(
    ("cards", "size"),
    [
        pytest.param("", 2, id="none"),
        pytest.param("B8", 3, id="one"),
        pytest.param("B8,B6", 4, id="all that was earned"),
    ],
)
def test_a_bonus_may_be_optional(cards: str, size: int) -> None:
    """`bonus_mandatory` off: any number up to what was earned; the order of the cards is kept (D 34)."""
    round_ = table("R3 Y7 B9 B8 B6 B1", "G8", bonus_mandatory=False)
    seen = act(round_, "0 MATCH matches=0:R3,1:Y7", f"0 PLACE cards={cards} !")
    assert (seen["row_size"], seen["bonus"]) == (size, 0)
    assert seen["row"] == ["G1", "G3", *filter(None, cards.split(","))]


def test_an_optional_bonus_is_asked_also_where_it_is_the_whole_hand() -> None:
    """With `bonus_mandatory` off a seat may prefer to keep its last cards (D 34); the default places the lowest."""
    round_ = table("R3 Y7 B9", "G8", bonus_mandatory=False)
    assert act(round_, "0 MATCH matches=0:R3,1:Y7")["ask"] == {"0": "DOS_PLACE_BONUS"}
    assert act(round_.copy(), "0 PLACE cards=")["ask"] == {"1": "DOS_TURN"}
    assert act(round_, "0 DEFAULT")["hands"] == [0, 1]


def test_a_bonus_that_is_not_less_than_the_hand_is_placed_unasked() -> None:
    """The rest of the hand goes to the row in canonical order, behind the refill, and the seat is out (D 52)."""
    round_ = table("R3 Y7 B9 G4", "G8")
    seen = act(round_, "0 MATCH matches=0:R3,1:Y7 bonus=B9,G4")
    assert (seen["row"], seen["hands"], seen["ask"]) == (["G1", "G3", "G4", "B9"], [0, 1], {})


@pytest.mark.parametrize(
    ("ahead", "row"),
    [
        pytest.param("B8,B6", ["G1", "G3", "B8", "B6"], id="the right number: no second question"),
        pytest.param("B8", None, id="too few"),
        pytest.param("B8,B6,B1", None, id="too many"),
        pytest.param("B8,R3", None, id="a card that was just matched"),
        pytest.param("B8,B8", None, id="one card twice"),
        pytest.param("", None, id="an empty list"),
    ],
)
def test_bonus_cards_may_be_named_ahead(ahead: str, row: list[str] | None) -> None:
    """They are placed if the whole list may be; else the seat is asked (D 34)."""
    seen = act(table("R3 Y7 B9 B8 B6 B1", "G8"), f"0 MATCH matches=0:R3,1:Y7 bonus={ahead} !")
    asked = {"0": "DOS_PLACE_BONUS"} if row is None else {"1": "DOS_TURN"}
    assert (seen["ask"], seen["row"]) == (asked, row or ["G1", "G3"])


def test_an_optional_bonus_may_be_declined_ahead() -> None:
    """An empty list is placeable where fewer may be placed."""
    round_ = table("R3 Y7 B9 B8 B6 B1", "G8", bonus_mandatory=False)
    assert act(round_, "0 MATCH matches=0:R3,1:Y7 bonus=")["ask"] == {"1": "DOS_TURN"}


def test_a_bonus_named_where_none_is_earned_is_not_used() -> None:
    """Nothing is placed without a match of colour."""
    assert act(table("B3 B9 B8 B6", "G8"), "0 MATCH matches=0:B3 bonus=B9")["hands"] == [3, 1]


@pytest.mark.parametrize(
    ("options", "hands", "points"),
    [
        pytest.param({}, [0, 1, 1], 9, id="only doubles make others draw"),
        pytest.param({"final_draw": "ANY_COLOR"}, [0, 2, 2], 13, id="singles too"),
    ],
)
def test_going_out_with_a_single_match_of_color(options: dict[str, object], hands: list[int], points: int) -> None:
    """`final_draw` ANY_COLOR: each opponent draws one card for each single before it is scored (D 33)."""
    round_ = table("R3", "G8", "Y1", **options)
    assert act(round_, "0 MATCH matches=0:R3")["hands"] == hands
    assert round_.result is not None
    assert round_.result.points == (points, 0, 0)


@pytest.mark.parametrize("last", ["bonus", "match"])
def test_singles_and_doubles_of_the_last_turn_are_drawn_for_once_each(last: str) -> None:
    """A double has drawn already; the single is drawn for when the seat goes out, also by its bonus cards (D 33)."""
    held = "R1 R4 Y7" + (" B9 B8" if last == "bonus" else "")
    round_ = table(held, "G8", row="R5 Y7", final_draw="ANY_COLOR")
    assert act(round_, "0 MATCH matches=0:R1+R4,1:Y7")["hands"] == [0, 3]


def test_every_single_of_the_last_turn_counts_and_none_of_an_earlier_one() -> None:
    """Two singles are two cards for each opponent; what was matched in turns before was settled then."""
    round_ = table("R3 Y7", "G8", final_draw="ANY_COLOR")
    assert act(round_, "0 MATCH matches=0:R3,1:Y7")["hands"] == [0, 3]
    round_ = table("R3 B9 G1", "G8 G9 B10", row="R3 Y7 Y1", final_draw="ANY_COLOR", turn=0)
    act(round_, "0 MATCH matches=0:R3", "0 PLACE cards=B9", "1 DRAW !", "1 PLACE cards=B10")
    assert act(round_, "0 MATCH matches=2:G1")["hands"] == [0, 3]


def test_the_one_color_decides_what_a_pair_on_a_wild_earns() -> None:
    """Two colours on a Wild DOS earn nothing and make nobody draw; one colour does (fault others made)."""
    assert act(table("R1 B1 Y8 B6", "G8", row="W2 Y7"), "0 MATCH matches=0:R1+B1 !")["hands"] == [2, 1]
    seen = act(table("R1 R1 Y8 B6", "G8", row="W2 Y7"), "0 MATCH matches=0:R1+R1 !")
    assert (seen["hands"], seen["bonus"]) == ([2, 2], 1)


def test_no_color_is_ever_in_force() -> None:
    """Whatever lies on the discard pile."""
    round_ = table("B3 G9 B6", "G8", discard="B1")
    assert (view.decision(round_, 0).color, act(round_)["color"]) == (0, None)


def test_a_match_of_numbers_makes_nobody_draw_at_the_end() -> None:
    """Without a match of colour nobody draws, whatever `final_draw` says."""
    assert act(table("B3", "G8", final_draw="ANY_COLOR"), "0 MATCH matches=0:B3")["hands"] == [0, 1]


def test_going_out_by_the_card_after_a_draw() -> None:
    """With nothing to draw, the last card placed is the end; an earlier turn's singles are no matter."""
    seen = act(table("G9", "G8", draw="", final_draw="ANY_COLOR"), "0 DRAW", "0 PLACE cards=G9")
    assert (seen["ask"], seen["hands"]) == ({}, [0, 1])


def test_events_of_a_turn() -> None:
    """Cards on the row with place and colour, forced draws hidden, the refill, the bonus card, the call."""
    round_ = table("R1 R4 B7 Y8 B6 G9", "G8", row="R5 Y7", draw="G1 G3 G4")
    first = len(told(round_))
    act(round_, "0 MATCH matches=1:B7,0:R1+R4", "0 PLACE cards=B6 !")
    assert told(round_, None, first) == [
        "MATCHED 0 R1 128",
        "MATCHED 0 R4 128",
        "MATCHED 0 B7 1",
        "DREW 1 - 6",
        "REFILLED - G3 0",
        "REFILLED - G4 0",
        "PLACED 0 B6 0",
        "CALLED 0 - 0",
        "TURN 1 - 1",
    ]
    assert told(round_, 1, first)[3] == "DREW 1 G1 6"
    assert format_cards(round_.hands[1]) == ["G8", "G1"]
