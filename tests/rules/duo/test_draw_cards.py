"""Draw Twos and their volley, the Wild Draw Four and its challenge."""

from typing import Any

import pytest

from tests.rules.family import act, legal, listed, table

DRAW = "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8 Y9"


def playing(mine: str, theirs: str, *lines: str, **given: Any) -> Any:  # noqa: ANN401  (a round, given as scenarios are)
    """A round on an R3 after these acts."""
    round_ = table("duo", mine, theirs, discard=given.pop("discard", "R3"), draw=given.pop("draw", DRAW), **given)
    act(round_, *lines)
    return round_


# -- the volley


@pytest.mark.parametrize(
    ("theirs", "options", "ask", "hands"),
    [
        pytest.param("G8 G9", {}, {"0": "TURN"}, [2, 4], id="no Draw Two: two cards at once, the turn is lost"),
        pytest.param("GD G9", {}, {"1": "RESPOND_STACK"}, [2, 2], id="any Draw Two may answer"),
        pytest.param("GD G9", {"stack_any_color": False}, {"0": "TURN"}, [2, 4], id="only one of its colour"),
        pytest.param("RD G9", {"stack_any_color": False}, {"1": "RESPOND_STACK"}, [2, 2], id="one of its colour"),
        pytest.param("GD G9", {"stacking": "OFF"}, {"0": "TURN"}, [2, 4], id="no volleys"),
        pytest.param("GD G9", {"stacking": "SAME"}, {"1": "RESPOND_STACK"}, [2, 2], id="like on like"),
        pytest.param("W4 G9", {"stacking": "SAME"}, {"0": "TURN"}, [2, 4], id="a W4 is not like a Draw Two"),
    ],
)
def test_who_may_answer_a_draw_two(
    theirs: str, options: dict[str, object], ask: dict[str, str], hands: list[int]
) -> None:
    """The opponent is asked only if it holds a card for it."""
    seen = act(playing("RD B1 B2", theirs, "0 PLAY RD", **options))
    assert (seen["ask"], seen["hands"]) == (ask, hands)


def test_a_volley_goes_on_as_long_as_it_can() -> None:
    """2, 4, 6: the example of seed 001."""
    round_ = playing("RD YD B1 B2", "GD G8 G9", "0 PLAY RD")
    assert listed(round_) == ["STACK GD", "ACCEPT"]
    assert act(round_, "1 STACK GD")["pending"] == 4
    seen = act(round_, "0 STACK YD")
    assert (seen["hands"], seen["ask"], seen["pending"]) == ([2, 8], {"0": "TURN"}, 0)


@pytest.mark.parametrize("line", ["1 DRAW", "1 PLAY G9", "1 PASS", "1 PLAY GD", "1 STACK G9", "1 CHALLENGE"])
def test_nothing_else_is_legal_in_a_volley(line: str) -> None:
    """Another Draw Two, or the cards."""
    assert not legal(playing("RD B1 B2", "GD G9", "0 PLAY RD"), line)


def test_a_volley_may_be_declined() -> None:
    """The default, too; the turn is lost."""
    for line in ("1 ACCEPT", "1 DEFAULT"):
        seen = act(playing("RD B1 B2", "GD G9", "0 PLAY RD"), line)
        assert (seen["ask"], seen["hands"]) == ({"0": "TURN"}, [2, 4])


def test_a_volley_in_one_colour_follows_the_last_card() -> None:
    """stack_any_color off: the Draw Two on top decides; a dump may have put it there."""
    round_ = playing("GV GD B1 B2", "GD RD R9", "0 PLAY GV dump=GD", discard="G3", stack_any_color=False)
    assert listed(round_) == ["STACK GD", "ACCEPT"]


def test_a_volley_that_ends_the_round_is_drawn_whole() -> None:
    """Going out by a stack: the other seat draws the total before it is counted (B6)."""
    round_ = playing("RD B1 B2", "GD", "0 PLAY RD", "1 STACK GD")
    assert (round_.result.winner, round_.result.points) == (1, (3 + 1 + 2 + 3 + 4, 0))
    round_ = playing("RD B1 B2", "GD", "0 PLAY RD", "1 STACK GD", final_draw_counts=False)
    assert round_.result.points == (3, 0)


def test_a_stack_down_to_one_card_needs_the_call() -> None:
    """The window comes before the next answer, with the total owed in sight."""
    round_ = playing("RD YD B1 B2", "GD G8", "0 PLAY RD")
    seen = act(round_, "1 STACK GD")
    assert (seen["ask"], seen["pending"]) == ({"0": "CALL_WINDOW", "1": "CALL_WINDOW"}, 4)
    seen = act(round_, "0 CATCH", "1 PASS")
    assert (seen["ask"], seen["hands"], seen["pending"]) == ({"0": "RESPOND_STACK"}, [3, 3], 4)


# -- the Wild Draw Four


@pytest.mark.parametrize(
    ("mine", "discard", "options", "guilty"),
    [
        pytest.param("W4 R9 B2", "R3", {}, True, id="a card of the colour"),
        pytest.param("W4 B3 B2", "R3", {}, True, id="the same number"),
        pytest.param("W4 W B2", "R3", {}, True, id="a Wild"),
        pytest.param("W4 WC B2", "R3", {}, True, id="an extra wild"),
        pytest.param("W4 W4 B2", "R3", {}, False, id="another W4 does not count"),
        pytest.param("W4 B1 B2", "R3", {}, False, id="nothing that fits"),
        pytest.param("W4 BV B2", "RV", {}, True, id="the same action"),
        pytest.param("W4 B3 B2", "R3", {"wd4_rule": "OFFICIAL_COLOR"}, False, id="colour alone counts"),
        pytest.param("W4 W B2", "R3", {"wd4_rule": "ANY_MATCH"}, False, id="a Wild matches nothing"),
        pytest.param("W4 R9 B2", "R3", {"wd4_rule": "FREE"}, False, id="always legal"),
    ],
)
def test_what_makes_a_wild_draw_four_a_bluff(mine: str, discard: str, options: dict[str, object], guilty: bool) -> None:
    """Judged on the top and the colour before the play. Guilty: four for the player, the challenger moves; else six."""
    round_ = playing(mine, "G8 G9", "0 PLAY W4 B", discard=discard, **options)
    assert act(round_)["ask"] == {"1": "RESPOND_WILD_DRAW_FOUR"}
    seen = act(round_, "1 CHALLENGE")
    assert seen["hands"] == ([6, 2] if guilty else [2, 8])
    assert (seen["ask"], seen["color"]) == ({"1" if guilty else "0": "TURN"}, "B")


def test_a_challenge_is_judged_on_the_colour_that_was_named_before() -> None:
    """Top W named green, hand blue: honest, whatever colour the W4 names."""
    round_ = playing("W4 B1 B2", "G8 G9", "0 PLAY W4 B", "1 CHALLENGE", discard="W", color="G")
    assert act(round_)["hands"] == [2, 8]


@pytest.mark.parametrize(
    ("mine", "options", "ask", "hands"),
    [
        pytest.param("W4 R9 B2", {"guilty_keeps_turn": True}, {"0": "TURN"}, [6, 2], id="the bluffer moves again"),
        pytest.param("W4 R9 B2", {"challenge_guilty_extra": 2}, {"1": "TURN"}, [8, 2], id="six for a bluff"),
        pytest.param("W4 B1 B2", {"challenge_innocent_extra": 0}, {"0": "TURN"}, [2, 6], id="no extra"),
        pytest.param("W4 B1 B2", {"guilty_keeps_turn": True}, {"0": "TURN"}, [2, 8], id="honest all the same"),
    ],
)
def test_options_of_the_challenge(mine: str, options: dict[str, object], ask: dict[str, str], hands: list[int]) -> None:
    """Who draws how many, and who moves (D 41)."""
    seen = act(playing(mine, "G8 G9", "0 PLAY W4 B", "1 CHALLENGE", **options))
    assert (seen["ask"], seen["hands"]) == (ask, hands)


def test_an_accepted_wild_draw_four_gives_another_turn() -> None:
    """The opponent draws four and is passed over."""
    seen = act(playing("W4 R9 B2", "G8 G9", "0 PLAY W4 B", "1 ACCEPT"))
    assert (seen["ask"], seen["hands"], seen["color"]) == ({"0": "TURN"}, [2, 6], "B")


def test_without_bluffs_a_wild_draw_four_is_taken_unasked() -> None:
    """REJECT: illegal beside a card that can be played, else no question."""
    assert not legal(playing("W4 R9 B2", "G8 G9", wd4_enforcement="REJECT"), "0 PLAY W4 B")
    round_ = playing("W4 B1 B2", "G8 G9", "0 PLAY W4 B", wd4_enforcement="REJECT")
    assert act(round_)["hands"] == [2, 6]
    assert legal(playing("W4 R9 B2", "G8 G9", wd4_enforcement="REJECT", wd4_rule="FREE"), "0 PLAY W4 B")


def test_wild_draw_fours_are_stacked_only_like_on_like() -> None:
    """DRAW_TWO_ONLY: never; SAME: with another W4, which cannot be a bluff."""
    assert "STACK W4 G" not in listed(playing("W4 B1 B2", "W4 G8 G9", "0 PLAY W4 B"))
    round_ = playing("W4 B1 B2", "W4 G8 GD", "0 PLAY W4 B", stacking="SAME", draw=f"{DRAW} G1")
    assert "STACK GD" not in listed(round_)
    seen = act(round_, "1 STACK W4 Y", "0 CHALLENGE")
    assert (seen["hands"], seen["ask"], seen["color"]) == ([12, 2], {"1": "TURN"}, "Y")


def test_a_stack_of_wild_draw_fours_without_bluffs() -> None:
    """REJECT and SAME: the victim may answer, and is asked like under a Draw Two."""
    round_ = playing("W4 B1 B2", "W4 G8 G9", "0 PLAY W4 B", stacking="SAME", wd4_enforcement="REJECT")
    assert listed(round_) == [*(f"STACK W4 {letter}" for letter in "RYGB"), "ACCEPT"]
    assert act(round_, "1 STACK W4 Y")["hands"] == [10, 2]


def test_a_wild_draw_four_as_the_last_card_is_not_challenged() -> None:
    """The opponent draws four, and they count."""
    round_ = playing("W4", "G8 G9", "0 PLAY W4 B")
    assert round_.result.points == (0, 17 + 10)


def test_a_wild_draw_four_down_to_one_card_without_a_call() -> None:
    """The window first, then the question; the hand is judged as it was before the play (D 48)."""
    round_ = playing("W4 R9", "G8 G9", "0 PLAY W4 B", draw="B1 B2 B4 B5 B6 B7 B8")
    assert act(round_)["ask"] == {"0": "CALL_WINDOW", "1": "CALL_WINDOW"}
    assert act(round_, "0 PASS", "1 CATCH")["ask"] == {"1": "RESPOND_WILD_DRAW_FOUR"}
    seen = act(round_, "1 CHALLENGE")
    assert (seen["hands"], seen["ask"]) == ([7, 2], {"1": "TURN"})
    honest = playing(
        "W4 B9", "G8 G9", "0 PLAY W4 B", "0 PASS", "1 CATCH", "1 CHALLENGE", draw="R1 R2 B4 B5 B6 B7 B8 Y1"
    )
    assert act(honest)["hands"] == [3, 8]


@pytest.mark.parametrize("line", ["1 DRAW", "1 PLAY G8", "1 PASS", "1 STACK GD", "0 CHALLENGE"])
def test_nothing_else_answers_a_wild_draw_four(line: str) -> None:
    """ACCEPT or CHALLENGE."""
    assert not legal(playing("W4 B1 B2", "G8 GD", "0 PLAY W4 B"), line)
