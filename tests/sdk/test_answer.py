"""From what `choose` returns to what is sent."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastcard import Answer, Color, Turn
from lastcard.answer import Picked, compose, decide, fallback
from lastcard.errors import IllegalChoiceError
from lastcard.faces import CARDS
from lastcard.history import History, Match
from lastcard.practice import turn

WAR = ("WAR R3", "WAR Y9", "WAR G5")
DUMP = ("DISCARD R1", "DISCARD R5", "DISCARD W", "DISCARD W4", "DISCARD B2", "DISCARD B3")
HAND = "R1 R5 W W4 B2 B3"


def plain() -> Turn:
    return turn("PLAY R5", "PLAY R9", "DRAW", hand="R5 R9 B2")


def several(picks: tuple[int, int] = (1, 4), kind: str = "SPIN_ALMOST_UNO") -> Turn:
    return turn(*DUMP, hand=HAND, kind=kind, picks=picks)


@pytest.mark.parametrize(
    "chosen",
    [
        pytest.param(lambda asked: asked.options[1], id="an option"),
        pytest.param(lambda asked: 1, id="its index"),
        pytest.param(lambda asked: [asked.options[1]], id="a list of it"),
        pytest.param(lambda asked: (1,), id="a tuple of its index"),
        pytest.param(lambda asked: Answer(asked.options[1]), id="an answer with the option"),
        pytest.param(lambda asked: Answer([1]), id="an answer with a list"),
        pytest.param(lambda asked: plain().options[1], id="the same option of another turn"),
    ],
)
def test_ways_to_name_an_option(chosen: object) -> None:
    """All mean the same."""
    asked = plain()
    assert compose(asked, chosen(asked)) == Picked((1,), call=True, color=0)  # type: ignore[operator]


def test_call_is_made_unless_the_bot_says_no() -> None:
    """By the turn or by the answer."""
    asked = plain()
    asked.no_call()
    assert not compose(asked, 0).call
    assert not compose(plain(), Answer(0, call=False)).call
    assert compose(plain(), 0).call


@pytest.mark.parametrize(
    ("chosen", "says"),
    [
        pytest.param(None, "return an option", id="nothing"),
        pytest.param(True, "there is no option True", id="a bool"),
        pytest.param(-1, "the indices are 0 to 2", id="below"),
        pytest.param(3, "the indices are 0 to 2", id="above"),
        pytest.param("PLAY R5", "return an option", id="text"),
        pytest.param([0, 1], "wants 1 to 1 options", id="too many"),
        pytest.param([], "wants 1 to 1 options", id="too few"),
        pytest.param(turn("PLAY B9").options[0], "PLAY B9 is not among the options", id="an option of another turn"),
    ],
)
def test_what_is_not_among_the_options_is_refused(chosen: object, says: str) -> None:
    """With a sentence that says what is allowed."""
    with pytest.raises(IllegalChoiceError, match=says):
        compose(plain(), chosen)  # type: ignore[arg-type]


def test_a_color_that_is_none_is_refused() -> None:
    """With the four that there are."""
    with pytest.raises(IllegalChoiceError, match="R, Y, G or B"):
        compose(several(), Answer([2], color="P"))  # type: ignore[arg-type]


def test_a_list_keeps_its_order() -> None:
    """Order is meaning in a war or a dump."""
    asked = several()
    assert compose(asked, [4, asked.options[1], 0]).picks == (4, 1, 0)


def test_a_list_ending_in_a_wild_names_the_color_that_the_hand_keeps_most() -> None:
    """Here two blue cards stay."""
    assert compose(several(), [0, 1, 2]).color == Color.BLUE.code


def test_the_color_may_be_chosen() -> None:
    """On the turn, or with the answer."""
    asked = several()
    asked.color_for_last(Color.GREEN)
    assert compose(asked, [0, 2]).color == Color.GREEN.code
    assert compose(asked, Answer([0, 2])).color == Color.GREEN.code
    assert compose(several(), Answer([0, 2], color=Color.YELLOW)).color == Color.YELLOW.code


def test_a_single_discard_may_need_a_color_too() -> None:
    """Three cards held, all but two must go: the answer is a list of one."""
    asked = turn("DISCARD R1", "DISCARD W", "DISCARD G2", hand="R1 W G2", kind="SPIN_ALMOST_UNO")
    assert compose(asked, 1).color == Color.RED.code
    assert compose(asked, 0).color == 0


def test_no_color_is_named_where_none_is_needed() -> None:
    """A list without a wild, and every single pick."""
    asked = several()
    asked.color_for_last(Color.GREEN)
    assert compose(asked, [0, 1]).color == 0
    single = turn("PLAY W R", "PLAY W G", hand="W R5")
    single.color_for_last(Color.BLUE)
    assert compose(single, 1) == Picked((1,), call=True, color=0)


def test_the_hand_must_hold_all_that_is_picked() -> None:
    """Two matches cannot use one card twice."""
    asked = turn(
        "MATCH R3 ON 0", "MATCH R3 ON 1", "DRAW", hand="R3 B5", kind="DOS_TURN", picks=(1, 2), game_format="dos-2"
    )
    with pytest.raises(IllegalChoiceError, match="more cards of one face"):
        compose(asked, [0, 1])
    assert compose(asked, [1]).picks == (1,)


def test_one_option_where_several_are_needed_is_the_first_of_them() -> None:
    """So a bot that always returns one option plays every game."""
    assert compose(several((4, 4)), 3).picks == (3, 0, 1, 2)


def test_a_war_is_completed_with_the_dearest_first() -> None:
    """Its points may not rise."""
    asked = turn(*WAR, hand="R3 Y9 G5 B2", kind="SPIN_WAR", picks=(3, 3))
    assert compose(asked, 1).picks == (1, 2, 0)
    assert fallback(asked).picks == (1, 2, 0)


def test_a_war_is_put_in_order_by_the_points_that_its_match_told() -> None:
    """An action counts 5 and a Wild 3 there; equal points stand in any order."""
    points = tuple({"S": 5, "W": 3}.get(face.rank, face.number or 0) for face in CARDS)
    view = turn("WAR R5", "WAR Y4", "WAR YS", "WAR W", hand="R5 Y4 YS W", kind="SPIN_WAR", picks=(4, 4)).view
    asked = Turn(view, History("m1/0/0/0", 0, Match("m1", "an-own-format", points=points)))
    assert compose(asked, 3).picks == (0, 2, 1, 3)
    assert compose(asked, [2, 0, 1, 3]).picks == (2, 0, 1, 3)
    for order in ([2, 0, 3, 1], [3, 2, 0, 1], [1, 0, 2, 3]):
        with pytest.raises(IllegalChoiceError, match="points rise"):
            compose(asked, order)


def test_an_order_is_not_judged_where_no_points_were_told() -> None:
    """The referee knows them."""
    view = turn("WAR R5", "WAR YS", hand="R5 YS", kind="SPIN_WAR", picks=(2, 2)).view
    asked = Turn(view, History("m1/0/0/0", 0, Match("m1")))
    assert [compose(asked, order).picks for order in ([0, 1], [1, 0])] == [(0, 1), (1, 0)]


def test_no_option_is_picked_twice_to_complete_a_list() -> None:
    """Three of four cards must go, two of one face: the copies are options of their own."""
    asked = turn(
        *("DISCARD R1", "DISCARD R1", "DISCARD B2", "DISCARD B2"), hand="R1 R1 B2 B2",
        kind="SPIN_ALMOST_UNO", picks=(3, 3),
    )  # fmt: skip
    assert fallback(asked).picks == (0, 1, 2)
    assert compose(asked, 3).picks == (3, 0, 1)


def test_the_fallback_for_a_dump_is_the_whole_dump() -> None:
    """Where the first option is a card of it."""
    asked = turn("DISCARD R1", "DISCARD R7", "DRAW", "DUMP R", hand="R1 R7 B2", picks=(1, 3), game_format="duo")
    assert fallback(asked).picks == (3, 1, 0)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        pytest.param(plain(), (0,), id="first option"),
        pytest.param(several((1, 4)), (0,), id="shortest list"),
        pytest.param(several((4, 4)), (0, 1, 2, 3), id="as many as are needed"),
        pytest.param(several((0, 4)), (), id="nothing where that is legal"),
    ],
)
def test_the_fallback_is_the_least(asked: Turn, expected: tuple[int, ...]) -> None:
    """First option, shortest list, or nothing."""
    assert fallback(asked).picks == expected


def test_decide_says_what_went_wrong() -> None:
    """The answer is there in any case."""

    def choose(asked: Turn) -> int:
        raise ValueError("oh")

    picked, error = decide(choose, plain())
    assert (picked.picks, str(error)) == ((0,), "oh")
    assert decide(lambda asked: 2, plain()) == (Picked((2,), call=True, color=0), None)
    assert isinstance(decide(lambda asked: 9, plain())[1], IllegalChoiceError)


@given(st.lists(st.integers(-1, 6), max_size=7), st.integers(0, 3), st.integers(0, 3))
def test_an_accepted_list_is_sent_as_it_is_and_fits_the_decision(picks: list[int], least: int, more: int) -> None:
    """Length within bounds, indices within range, cards held; everything else is refused."""
    asked = several((least, max(1, least + more)))
    cards = Counter(DUMP[pick].split()[1] for pick in picks if 0 <= pick < len(DUMP))
    legal = (
        all(0 <= pick < len(DUMP) for pick in picks)
        and max(1, least) <= len(picks) <= max(1, least + more)
        and not cards - Counter(HAND.split())
    ) or (not picks and least == 0)
    picked, error = decide(lambda turn: picks, asked)
    assert (error is None) == legal
    assert picked.picks == (tuple(picks) if legal else fallback(asked).picks)
