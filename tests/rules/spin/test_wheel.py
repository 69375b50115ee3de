"""The wheel: what each of the nine segments does, at several tables and under every option."""

from collections import Counter
from typing import Any

import pytest

from referee.rules.chance import StreamSource
from tests.rules.family import act, hand, listed, table

THREE = ("R3* G1 B2", "Y1 Y2 R8 B8", "B7 B6")


def spun(segment: str, *hands: str, **given: Any) -> Any:  # noqa: ANN401  (a round, given as scenarios are)
    """A round in which seat 0 has played R3* and the seat behind it has spun this segment."""
    round_ = table("spin", *(hands or THREE), wheel=segment, **given)
    act(round_, "0 PLAY R3*")
    return round_


@pytest.mark.parametrize(
    ("segment", "given", "hands", "next_seat"),
    [
        pytest.param("DRAW_BLUE", {"draw": "G4 RS B5 Y9"}, [2, 7, 2], 2, id="draw up to a blue card"),
        pytest.param("DRAW_BLUE", {"draw": "B5 Y9"}, [2, 5, 2], 2, id="the first card may be blue"),
        pytest.param("DRAW_RED", {"draw": "G4 R4* Y9"}, [2, 6, 2], 2, id="a swirled card has its colour"),
        pytest.param("DRAW_BLUE", {"draw": "G4 W B5"}, [2, 7, 2], 2, id="a wild does not stop it"),
        pytest.param("DRAW_RED", {"draw": "G4 RD"}, [2, 6, 2], 2, id="a red Draw Two drawn does nothing"),
        pytest.param("DRAW_BLUE", {"draw": "G4"}, [2, 6, 2], 2, id="both piles run out"),
        pytest.param("SHOW_HAND", {}, [2, 4, 2], 2, id="a hand is shown and stays"),
        pytest.param("TRADE_HANDS", {}, [2, 2, 4], 2, id="hands go to the left"),
        pytest.param("TRADE_HANDS", {"dir": -1, "turn": 0}, [2, 2, 4], 1, id="to the left also when play runs right"),
        pytest.param("SHOW_HAND", {"dir": -1}, [2, 4, 2], 1, id="the spinner is the next seat in play"),
    ],
)
def test_segments_without_a_question(segment: str, given: dict[str, Any], hands: list[int], next_seat: int) -> None:
    """The wheel acts at once; the seat behind the spinner has the next turn."""
    seen = act(spun(segment, discard=given.pop("discard", "R9"), **given))
    assert seen["hands"] == hands
    assert seen["ask"] == {str(next_seat): "TURN"}
    assert (seen["top"], seen["color"], seen["turns"]) == ("R3*", "R", 3)


def test_a_wild_stops_the_drawing_where_the_option_says_so() -> None:
    """spin_draw_stops_on_wild: the wild is the last card drawn (P2, P3)."""
    seen = act(spun("DRAW_BLUE", draw="G4 W4 B5", spin_draw_stops_on_wild=True))
    assert (seen["hands"], seen["draw"]) == ([2, 6, 2], 1)


def test_a_drawn_card_that_fits_may_not_be_played() -> None:
    """004: what the wheel makes one draw is not discarded; the turn is over."""
    round_ = spun("DRAW_RED", draw="R4 Y9")
    assert hand(round_, 1) == "R4 R8 Y1 Y2 B8"
    assert act(round_)["ask"] == {"2": "TURN"}


def test_the_pile_is_reshuffled_in_the_middle_of_a_draw() -> None:
    """The discards below the swirled card come back, which stays on top."""
    round_ = spun("DRAW_BLUE", draw="G4", discard="B9 Y9 R9", reshuffles=["Y9 B9 R9"])
    assert hand(round_, 1) == "R8 Y1 Y2 Y9 G4 B8 B9"
    assert act(round_)["draw_cards"] == ["R9"]


def test_hands_go_round_among_those_who_are_there() -> None:
    """A seat that left neither gives nor gets a hand (D 17)."""
    round_ = table("spin", "R3* G1 B2", "Y1 Y2", "B7 B6 B5", "G5", wheel="TRADE_HANDS", turn=0)
    act(round_, "2 FORFEIT", "0 PLAY R3*")
    assert [hand(round_, seat) for seat in range(4)] == ["G5", "G1 B2", "", "Y1 Y2"]
    assert act(round_)["ask"] == {"3": "TURN"}


def test_nobody_calls_for_a_hand_that_was_traded() -> None:
    """A hand of one card that came by the wheel needs no call."""
    round_ = spun("TRADE_HANDS", "R3* G1", "Y1 Y2", "B7", call_mode="OFF")
    assert act(round_)["ask"] == {"2": "TURN"}
    round_ = table("spin", "R3* G1 B2", "Y1 Y2", "B7", wheel="TRADE_HANDS")
    assert act(round_, "0 PLAY R3*")["hands"] == [1, 2, 2]


@pytest.mark.parametrize("held", ["Y1", "Y1 Y2"], ids=["one card", "two cards"])
def test_almost_uno_leaves_hands_of_two_and_fewer_alone(held: str) -> None:
    """Nothing is asked and nothing happens."""
    seen = act(spun("ALMOST_UNO", "R3* G1 B2", held, "B7 B6"))
    assert (seen["hands"], seen["ask"]) == ([2, len(held.split()), 2], {"2": "TURN"})


def test_with_two_seats_the_move_returns_to_the_player_of_the_swirled_card() -> None:
    """The spinner is the opponent; after the effect the seat behind it moves."""
    assert act(spun("SHOW_HAND", "R3* G1 B2", "Y1 Y2"))["ask"] == {"0": "TURN"}


@pytest.mark.parametrize("segment", ["SHOW_HAND", "TRADE_HANDS"])
def test_a_swirled_card_as_the_last_card_ends_the_round_unspun(segment: str) -> None:
    """Going out on it spins nothing: the chance of the wheel is not used."""
    round_ = table("spin", "R3*", "Y1 Y2", wheel=segment)
    act(round_, "0 PLAY R3*")
    assert round_.result.winner == 0
    assert round_.chance.left == {"wheel": 1}


def test_a_swirled_card_is_not_spun_beyond_the_limit_of_turns() -> None:
    """The spin would be one turn too many: the round is over instead (D 49)."""
    round_ = table("spin", *THREE, wheel="SHOW_HAND", max_turns_per_round=1)
    act(round_, "0 PLAY R3*")
    assert round_.result.ending.name == "TURN_LIMIT"
    assert round_.chance.left == {"wheel": 1}


def test_a_missed_call_is_paid_before_the_spin() -> None:
    """The two cards are in the hand that is traded away."""
    round_ = table("spin", "R3* G1", "Y1 Y2", "B7 B6", wheel="TRADE_HANDS", draw="G4 G6 B1")
    act(round_, "0 PLAY R3*")
    assert hand(round_, 1) == "G1 G4 G6"


def test_the_call_window_of_a_swirled_card_comes_before_the_spin() -> None:
    """WINDOW: the wheel is spun when the window is closed, also if its player left by then."""
    round_ = table("spin", "R3* G1", "Y1 Y2", "B7 B6", wheel="SHOW_HAND", call_mode="WINDOW")
    assert set(act(round_, "0 PLAY R3*")["ask"].values()) == {"CALL_WINDOW"}
    assert round_.chance.left == {"wheel": 1}
    assert act(round_, "1 CATCH", "0 FORFEIT")["ask"] == {"2": "TURN"}
    assert round_.chance.left == {}


@pytest.mark.parametrize("card", ["G3*", "R1*", "R3"], ids=["number", "colour", "both, plain"])
def test_swirled_cards_match_like_the_numbers_they_are(card: str) -> None:
    """Same number or same colour, swirled or not."""
    assert f"PLAY {card}" in listed(table("spin", f"{card} B9", "Y1", discard="R3*"))


def test_a_swirled_card_stands_behind_its_plain_twin() -> None:
    """Options are in canonical order: 1, 1*, 2, 2*, … in each colour."""
    options = listed(table("spin", "G3* R2 R1* R1 R9 W Y9 R0 RD R5*", "Y1", discard="R9"))
    plays = [option.removeprefix("PLAY ") for option in options if " W" not in option]
    assert plays == ["R0", "R1", "R1*", "R2", "R5*", "R9", "RD", "Y9", "DRAW"]


def test_options_by_table_are_those_by_list() -> None:
    """With voluntary draws options come from a table, without them from the list; the plays are the same."""
    held = "G3* R2 R1* R1 R3 R3* Y3 Y3* W W4 B3* RV GV"
    for top in ("R3", "B3*", "RV", "G9"):
        both = [
            [
                option
                for option in listed(table("spin", held, "Y1", discard=top, voluntary_draw=free))
                if option != "DRAW"
            ]
            for free in (True, False)
        ]
        assert both[0] == both[1]


@pytest.mark.parametrize(
    ("options", "ask", "hands"),
    [
        pytest.param({}, {"2": "TURN"}, [2, 3, 2, 2], id="the first seat spins as its turn"),
        pytest.param({"start_spin_card": "NUMBER_ONLY"}, {"1": "TURN"}, [2, 2, 2, 2], id="it is but a number"),
    ],
)
def test_a_swirled_card_turned_up(options: dict[str, Any], ask: dict[str, str], hands: list[int]) -> None:
    """start_spin_card says whether it is spun."""
    wheel = "" if options else "DRAW_BLUE"
    round_ = table(
        "spin", "R1 G1", "Y1 Y2", "B7 B8", "B5 B6", draw="R3* B1 G4", discard="", dealer=0, wheel=wheel, **options
    )
    seen = act(round_)
    assert (seen["ask"], seen["hands"]) == (ask, hands)


def test_every_segment_comes_as_often() -> None:
    """9,000 spins of the deal stream: 1,000 of each, give or take four standard deviations."""
    source = StreamSource(bytes(32), 0, 0)
    counts: Counter[int] = Counter()
    for index in range(900):
        wheel = source.round(index)
        counts.update(wheel.wheel() for _ in range(10))
    assert set(counts) == set(range(9))
    assert all(abs(count - 1000) <= 120 for count in counts.values())
