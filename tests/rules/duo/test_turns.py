"""Turns of Duo: what may be played, drawing, passing, the pile, the end of a round, and of the game."""

from typing import Any

import pytest

from referee.rules.cards import format_cards
from referee.rules.chance import ScriptedChance
from referee.rules.game import Game
from tests.rules.family import act, hand, legal, listed, pile, rules_of, table


def turn(mine: str, theirs: str = "G8 G9", **given: Any) -> Any:  # noqa: ANN401  (a round, given as scenarios are)
    """A round in which seat 0 is asked, on an R3 unless it is said otherwise."""
    return table("duo", mine, theirs, discard=given.pop("discard", "R3"), draw=given.pop("draw", "Y1 Y2"), **given)


@pytest.mark.parametrize(
    ("mine", "given", "plays"),
    [
        pytest.param("R4 B4 B3", {}, "R4 B3", id="colour or number"),
        pytest.param("RS GS B4", {"discard": "BS"}, "GS RS B4", id="the same action, or the colour"),
        pytest.param("Y5 B1", {"discard": "W", "color": "Y"}, "Y5", id="on a wild its colour alone"),
        pytest.param("Y4 B1", {"discard": "W4", "color": "B"}, "B1", id="on a W4, too"),
        pytest.param("Y4 B1", {"discard": "WX", "color": "B"}, "B1", id="on an extra wild, too"),
        pytest.param("RV GV", {"discard": "GV", "color": "G"}, "RV GV", id="a Reverse on a Reverse"),
    ],
)
def test_what_fits(mine: str, given: dict[str, Any], plays: str) -> None:
    """Colour, number or action, as in UNO (B3)."""
    options = [option.removeprefix("PLAY ") for option in listed(turn(mine, **given)) if option.startswith("PLAY")]
    assert sorted(options) == sorted(plays.split())


@pytest.mark.parametrize("card", ["W", "WC", "WX", "W4"])
def test_every_wild_names_a_colour(card: str) -> None:
    """Listed once a colour; without one it is illegal."""
    round_ = turn(f"{card} B1 B2")
    assert listed(round_) == [*(f"PLAY {card} {letter}" for letter in "RYGB"), "DRAW"]
    assert not legal(round_, f"0 PLAY {card}")


def test_the_extra_wilds_move_no_hands() -> None:
    """They play as a Wild."""
    seen = act(turn("WX WC B1 B2"), "0 PLAY WX G", "1 DRAW", "0 PLAY WC Y")
    assert (seen["hands"], seen["color"], seen["ask"]) == ([2, 3], "Y", {"1": "TURN"})


@pytest.mark.parametrize(
    ("card", "next_seat"),
    [
        pytest.param("R9", "1", id="number"),
        pytest.param("RS", "0", id="Skip: again"),
        pytest.param("RV", "1", id="Reverse"),
    ],
)
def test_whose_turn_follows(card: str, next_seat: str) -> None:
    """A Skip gives another turn; a Reverse alone nothing."""
    assert act(turn(f"{card} B1 B2"), f"0 PLAY {card}")["ask"] == {next_seat: "TURN"}


def test_nobody_is_obliged_to_play() -> None:
    """A draw beside a card that fits; a card drawn that fits may be kept, one that does not is kept unasked."""
    assert act(turn("R4 B1"), "0 DRAW")["ask"] == {"1": "TURN"}
    round_ = turn("R4 B1", draw="R1 Y2")
    assert act(round_, "0 DRAW")["ask"] == {"0": "PLAY_DRAWN"}
    assert not legal(round_, "0 PLAY R4")
    seen = act(round_, "0 KEEP")
    assert (seen["ask"], seen["hands"]) == ({"1": "TURN"}, [3, 2])


def test_passing_is_legal_when_nothing_can_be_drawn() -> None:
    """Also with a card that fits, and only then; two in a row block the round, both add their hands (D 37)."""
    assert not legal(turn("R4 B1"), "0 PASS")
    assert not legal(turn("R4 B1", draw="", discard="B9 R3"), "0 PASS")
    round_ = turn("R4 B1", draw="")
    assert listed(round_) == ["PLAY R4", "PASS"]
    assert act(round_, "0 PASS")["ask"] == {"1": "TURN"}
    act(round_, "1 PASS")
    assert (round_.result.ending.name, round_.result.points) == ("BLOCKED", (5, 17))


def test_passes_block_only_in_a_row() -> None:
    """A play between them begins the count anew."""
    round_ = turn("B4 B1", "R9 G9", draw="")
    act(round_, "0 PASS", "1 PLAY R9 !", "0 DRAW", "0 KEEP", "1 PASS")  # the R3 below the R9 can be drawn again
    assert round_.result is None
    assert act(round_, "0 PASS")["ask"] == {}


def test_the_default_is_to_draw_and_else_to_pass() -> None:
    """Never a card."""
    assert act(turn("R4 B1"), "0 DEFAULT")["hands"] == [3, 2]
    assert act(turn("R4 B1", draw=""), "0 DEFAULT")["hands"] == [2, 2]


def test_the_pile_is_turned_over_and_not_shuffled() -> None:
    """FLIP: the oldest discard is drawn first, the top and its colour stay; no chance is used."""
    round_ = turn("B4 B1", draw="", discard="B9 B8 G2 W", color="Y")
    seen = act(round_, "0 DRAW")
    assert hand(round_, 0) == "B1 B4 B9"
    assert (seen["draw_cards"], seen["discard_cards"], seen["color"]) == (["B8", "G2"], ["W"], "Y")


def test_the_pile_may_be_shuffled() -> None:
    """SHUFFLE: as in UNO."""
    round_ = turn("B4 B1", draw="", discard="B9 B8 R3", recycle="SHUFFLE", reshuffles=["B8 B9"])
    act(round_, "0 DRAW")
    assert hand(round_, 0) == "B1 B4 B8"


def test_the_pile_is_turned_over_in_the_middle_of_a_penalty() -> None:
    """What is still short then is dropped."""
    round_ = turn("W4 B1 B2", draw="Y1")
    seen = act(round_, "0 PLAY W4 B", "1 ACCEPT")
    assert (seen["hands"], seen["draw"], seen["ask"]) == ([2, 4], 0, {"0": "TURN"})
    assert hand(round_, 1) == "R3 Y1 G8 G9"


def test_an_honest_wild_is_no_reason_to_pass() -> None:
    """With REJECT a forbidden W4 is not listed, and PASS is."""
    assert listed(turn("W4 R4 B1", draw="", wd4_enforcement="REJECT")) == ["PLAY R4", "PASS"]


@pytest.mark.parametrize(
    ("held", "options", "points"),
    [
        pytest.param("G7 GD GV GS W W4", {}, 72, id="seed: 10, 15, 20"),
        pytest.param("WX WC W", {}, 45, id="extra wilds as a Wild"),
        pytest.param("G7 GD GV W W4", {"points": [20, 50, 50]}, 147, id="the sheet"),
        pytest.param("G0", {}, 0, id="nothing"),
    ],
)
def test_the_loser_adds_its_hand(held: str, options: dict[str, object], points: int) -> None:
    """The winner nothing; a round of no points is won all the same."""
    round_ = turn("R5", held, **options)
    act(round_, "0 PLAY R5")
    assert (round_.result.winner, round_.result.points, round_.result.places) == (0, (0, points), (1, 2))


def test_at_the_limit_of_turns_both_add() -> None:
    """Stalling gains nothing; the lower hand has the better place."""
    round_ = turn("R4 B1 B2", "R5 G9 G7", max_turns_per_round=2)
    act(round_, "0 PLAY R4", "1 PLAY R5")
    assert (round_.result.points, round_.result.places) == ((3, 16), (1, 2))


@pytest.mark.parametrize("mode", ["WINDOW", "WINDOW_PAYS"])
@pytest.mark.parametrize(
    ("answers", "orders", "caught"),
    [
        pytest.param(("0 PASS", "1 PASS"), [], None, id="nobody reacts"),
        pytest.param(("0 CALL", "1 PASS"), [], False, id="a late call"),
        pytest.param(("0 PASS", "1 CATCH"), [], True, id="caught"),
        pytest.param(("1 CATCH", "0 CALL"), [[0, 1]], False, id="both, the call first"),
        pytest.param(("0 CALL", "1 CATCH"), [[1, 0]], True, id="both, the catch first"),
    ],
)
def test_the_call_window(mode: str, answers: tuple[str, ...], orders: list[list[int]], caught: bool | None) -> None:
    """Two cards for who is caught; WINDOW_PAYS: also if nobody reacts."""
    round_ = turn("R5 B1", draw="Y1 Y2 Y3", call_mode=mode, orders=orders)
    seen = act(round_, "0 PLAY R5", *answers)
    pays = mode == "WINDOW_PAYS" if caught is None else caught
    assert (seen["hands"], seen["ask"]) == ([3 if pays else 1, 2], {"1": "TURN"})


def test_a_skip_waits_for_the_window() -> None:
    """The extra turn begins when it is closed (B10-16)."""
    round_ = turn("RS B1")
    assert act(round_, "0 PLAY RS")["ask"] == {"0": "CALL_WINDOW", "1": "CALL_WINDOW"}
    assert act(round_, "0 PASS", "1 PASS")["ask"] == {"0": "TURN"}


def test_without_late_calls_only_the_opponent_is_asked() -> None:
    """late_call off."""
    assert act(turn("R5 B1", late_call=False), "0 PLAY R5")["ask"] == {"1": "CALL_WINDOW"}


def deck(first: str) -> str:
    """A deck for one pick a seat in which Player 2 holds the first card and may play it on R3 at once."""
    return f"G7 B1 {first} B2 R3 Y1 Y2 Y3"


def test_roles_change_every_round_and_the_lower_total_wins() -> None:
    """Who drafts first alternates; a total at the target loses (B6)."""
    rules = rules_of("duo", hand_size=1, target_score=14)
    game = Game(rules, ScriptedChance(decks=[pile(deck("R5"))] * 3), 0)
    dealers = []
    while not game.over:
        dealers.append(game.round.dealer)
        while game.round.result is None:
            seat = game.round.seat
            game.round.apply(seat, 0)
        game.advance()
    assert dealers == [0, 1, 0]
    assert game.result is not None
    assert (game.result.scores, game.result.winners, game.result.ending.name) == ((14, 7), (1,), "TARGET")


def test_the_draft_of_a_deck_is_what_the_test_says() -> None:
    """The helper above: seat 1 holds R5 on R3."""
    round_ = table("duo", start="DEAL", seats=2, dealer=0, decks=[deck("R5")], hand_size=1)
    act(round_, "0 KEEP", "1 KEEP")
    assert (hand(round_, 1), format_cards(round_.discard)) == ("R5", ["R3"])


def test_points_never_make_a_seat_win() -> None:
    """The scoring is that of POINTS_LOW, whatever the target: equal totals there mean another round."""
    rules = rules_of("duo", target_score=5)
    game = Game.unbegun(rules, ScriptedChance())
    game.round = turn("B4 B1", "B2 B3", draw="")
    act(game.round, "0 PASS", "1 PASS")
    game.settle()
    assert (game.scores, game.over) == ([5, 5], False)
