"""The card turned up after the draft, for either seat as Player 1."""

from typing import Any

import pytest

from tests.rules.family import act, legal, listed, table

HANDS = ("R1 R2 Y1", "G4 G3 R3")


def turned_up(card: str, dealer: int = 0, **given: Any) -> Any:  # noqa: ANN401  (a round, given as scenarios are)
    """A round in which this card is turned up; the dealer is Player 1."""
    hands = given.pop("hands", HANDS)
    return table("duo", *hands, draw=f"{card} Y1 Y2 Y3 Y4 Y5", discard="", dealer=dealer, **given)


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize(
    ("card", "first", "drawn"),
    [
        pytest.param("G5", 2, 0, id="number: Player 2 plays"),
        pytest.param("GS", 1, 0, id="Skip: Player 1 plays"),
        pytest.param("GD", 1, 2, id="Draw Two: Player 2 draws two, Player 1 plays"),
        pytest.param("GV", 2, 0, id="Reverse: Player 2 plays"),
    ],
)
def test_who_goes_first(card: str, first: int, drawn: int, dealer: int) -> None:
    """Player 2 unless the card says otherwise (rules page B2)."""
    seats = {1: dealer, 2: 1 - dealer}
    seen = act(turned_up(card, dealer))
    assert seen["ask"] == {str(seats[first]): "TURN"}
    assert seen["hands"][seats[2]] == 3 + drawn
    assert (seen["dump_right"], seen["color"]) == ("G" if card == "GV" else None, "G")


@pytest.mark.parametrize("dealer", [0, 1])
@pytest.mark.parametrize("card", ["W", "WC", "WX"])
def test_player_1_names_the_colour_of_a_wild(card: str, dealer: int) -> None:
    """Then Player 2 plays."""
    round_ = turned_up(card, dealer)
    assert act(round_)["ask"] == {str(dealer): "FIRST_COLOR"}
    assert listed(round_) == ["COLOR R", "COLOR Y", "COLOR G", "COLOR B"]
    seen = act(round_, f"{dealer} COLOR Y")
    assert (seen["ask"], seen["color"], seen["hands"]) == ({str(1 - dealer): "TURN"}, "Y", [3, 3])


@pytest.mark.parametrize("options", [{}, {"stacking": "SAME", "start_stacking": True}, {"wd4_enforcement": "REJECT"}])
@pytest.mark.parametrize("dealer", [0, 1])
def test_a_wild_draw_four_turned_up_can_never_be_answered(dealer: int, options: dict[str, Any]) -> None:
    """Player 1 names the colour, Player 2 draws four and loses its turn: no challenge, no stack (D 50)."""
    round_ = turned_up("W4", dealer, hands=("R1 W4 Y1", "G4 W4 R3"), **options)
    seen = act(round_, f"{dealer} COLOR B")
    assert seen["ask"] == {str(dealer): "TURN"}
    assert seen["hands"] == ([3, 7] if dealer == 0 else [7, 3])
    assert (seen["color"], seen["pending"]) == ("B", 0)


@pytest.mark.parametrize(
    ("options", "ask"),
    [
        pytest.param({}, {"0": "TURN"}, id="never, by default"),
        pytest.param({"start_stacking": True}, {"1": "RESPOND_STACK"}, id="with start_stacking"),
        pytest.param({"start_stacking": True, "stacking": "OFF"}, {"0": "TURN"}, id="not without stacking"),
        pytest.param({"start_stacking": True, "stack_any_color": False}, {"0": "TURN"}, id="not in another colour"),
    ],
)
def test_whether_a_draw_two_turned_up_may_be_answered(options: dict[str, Any], ask: dict[str, str]) -> None:
    """Player 2 holds a Draw Two of another colour."""
    assert act(turned_up("GD", hands=("R1 R2", "RD R3 R4"), **options))["ask"] == ask


@pytest.mark.parametrize("reverse", ["SKIP", "NO_EFFECT"])
def test_a_reverse_turned_up_gives_the_dump_whatever_else_it_does(reverse: str) -> None:
    """Player 2 may dump, play a card or draw (D 50)."""
    round_ = turned_up("GV", two_player_reverse=reverse)
    assert act(round_)["ask"] == {"1": "TURN"}
    assert legal(round_, "1 DUMP cards=G3,G4 !")
    assert legal(round_, "1 PLAY G3")
    assert legal(round_, "1 DRAW")


def test_a_reverse_turned_up_gives_nothing_without_cards_of_its_colour() -> None:
    """The right is there, but no dump is listed."""
    round_ = turned_up("BV")
    assert act(round_)["dump_right"] == "B"
    assert listed(round_) == ["DRAW"]


def test_the_default_colour_is_red() -> None:
    """Of Player 1, if it gives no answer."""
    assert act(turned_up("W"), "0 DEFAULT")["color"] == "R"


def test_player_1_leaves_when_it_should_name_the_colour() -> None:
    """The round is over."""
    round_ = turned_up("W")
    act(round_, "0 FORFEIT")
    assert (round_.result.winner, round_.result.points) == (1, (4, 0))
