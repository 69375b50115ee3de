"""War on the wheel: who wins, what is shown, which orders are legal."""

from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import COLOR_OF, FACE, format_cards
from referee.rules.errors import IllegalAnswerError
from referee.rules.spin.war import fight
from tests.rules.family import act, legal, listed, pile, table

pytestmark = pytest.mark.slow

POINTS = tuple(range(64))  # a card counts its own number here


def war(*hands: str, **given: Any) -> Any:  # noqa: ANN401  (a round, given as scenarios are)
    """A round in which seat 1 has spun WAR and all seats are asked."""
    draw = given.pop("draw", "G4 G5 G6 G7 G8 G9")
    round_ = table("spin", f"R3* {hands[0]}", *hands[1:], wheel="WAR", draw=draw, **given)
    act(round_, "0 PLAY R3*")
    return round_


@pytest.mark.parametrize(
    ("orders", "shown", "winner"),
    [
        pytest.param({0: [5], 1: [7], 2: [6]}, [(0, 5), (1, 7), (2, 6)], 1, id="the highest wins"),
        pytest.param({0: [9, 1], 1: [7, 7], 2: [7]}, [(0, 9), (1, 7), (2, 7)], 0, id="ties below the top are nothing"),
        pytest.param(
            {0: [8, 2], 1: [8, 7, 1], 2: [8, 6], 3: [7, 6]},
            [(0, 8), (1, 8), (2, 8), (3, 7), (0, 2), (1, 7), (2, 6)],
            1,
            id="who ties shows the next",
        ),
        pytest.param({0: [8], 1: [8, 1]}, [(0, 8), (1, 8), (1, 1)], 1, id="who has none left is out"),
        pytest.param(
            {0: [8, 3], 1: [8, 3], 2: [8, 3, 0]},
            [(0, 8), (1, 8), (2, 8), (0, 3), (1, 3), (2, 3), (2, 0)],
            2,
            id="the last one with a card shows it and wins",
        ),
        pytest.param({0: [8, 3], 1: [8, 3]}, [(0, 8), (1, 8), (0, 3), (1, 3)], None, id="out together: void"),
        pytest.param({0: [], 1: [0], 2: []}, [(1, 0)], 1, id="alone with a card"),
        pytest.param({0: [], 1: []}, [], None, id="nobody has a card"),
        pytest.param({}, [], None, id="nobody answers"),
    ],
)
def test_who_wins_a_war(orders: dict[int, Sequence[int]], shown: list[tuple[int, int]], winner: int | None) -> None:
    """Cards are shown one a seat, the highest first; only ties at the top go on (B3)."""
    assert fight(orders, POINTS) == (shown, winner)


@given(st.dictionaries(st.integers(0, 9), st.lists(st.integers(0, 9)).map(lambda cards: sorted(cards)[::-1])))
def test_a_war_is_a_comparison_of_lists(orders: dict[int, list[int]]) -> None:
    """The winner is whose list is the greatest, if one list is; nobody shows more than it takes."""
    shown, winner = fight(orders, POINTS)
    best = max(orders.values(), default=[])
    leading = [seat for seat, cards in orders.items() if cards == best and cards]
    assert winner == (leading[0] if len(leading) == 1 else None)
    for seat, cards in orders.items():
        mine = [card for who, card in shown if who == seat]
        assert mine == cards[: len(mine)]
        if cards and best and cards[0] < best[0]:
            assert len(mine) == 1


def test_the_winner_discards_what_it_showed_in_that_order() -> None:
    """Its last card shown is the new top, and the seat behind the winner moves."""
    round_ = war("B2 G1", "Y7 Y2 R8", "B8 B6 B5", "G7 G6 G5")
    seen = act(
        round_,
        "3 WAR cards=G7,G6,G5",
        "1 WAR cards=R8,Y7,Y2 !",
        "0 WAR cards=B2,G1",
        "2 WAR cards=B8,B6,B5",
    )
    assert seen["discard_cards"] == ["R9", "R3*", "R8", "Y7"]
    assert (seen["color"], seen["hands"], seen["ask"]) == ("Y", [2, 1, 3, 3], {"2": "TURN"})


def test_a_void_war_changes_nothing() -> None:
    """All take back, and the seat behind the spinner moves."""
    round_ = war("W", "R8 YS", "B8 W", call_mode="OFF")
    seen = act(round_, "0 WAR cards=", "1 WAR cards=R8", "2 WAR cards=B8")
    assert (seen["discard_cards"], seen["ask"]) == (["R9", "R3*"], {"2": "TURN"})


@pytest.mark.parametrize(
    ("line", "fine"),
    [
        pytest.param("1 WAR cards=R8,B5,Y5*,G1", True, id="falling"),
        pytest.param("1 WAR cards=R8,Y5*,B5,G1", True, id="equals in any order"),
        pytest.param("1 WAR R cards=R8,B5,Y5*,G1", True, id="a colour that is not needed"),
        pytest.param("1 WAR cards=B5,R8,Y5*,G1", False, id="rising"),
        pytest.param("1 WAR cards=R8,B5,Y5*", False, id="one left out"),
        pytest.param("1 WAR cards=", False, id="all left out"),
        pytest.param("1 WAR cards=R8,B5,B5,G1", False, id="one twice"),
        pytest.param("1 WAR cards=RS,R8,B5,Y5*,G1", False, id="an action"),
        pytest.param("1 WAR", False, id="no list"),
        pytest.param("1 DISCARD cards=R8,B5,Y5*,G1", False, id="another act"),
    ],
)
def test_orders_of_numbers(line: str, fine: bool) -> None:
    """All own number cards, points not rising, swirled ones included; actions and wilds sit out (NUMBERS_ONLY)."""
    round_ = war("B2 G1", "R8 G1 Y5* B5 RS W", "B7 W")
    assert legal(round_, line) is fine
    assert listed(round_, 1) == ["WAR R8", "WAR Y5*", "WAR G1", "WAR B5"]


@pytest.mark.parametrize(
    ("held", "line", "options", "fine"),
    [
        pytest.param("R8 RS W4 W", "1 WAR G cards=W4,W,RS,R8", {}, True, id="by points, wilds tie"),
        pytest.param("R8 RS W4 W", "1 WAR G cards=W,W4,RS,R8", {}, True, id="the other way round"),
        pytest.param("R8 RS W4 W", "1 WAR cards=W,W4,RS,R8", {}, False, id="a wild without a colour"),
        pytest.param("R8 RS W4 W", '1 WAR color:="X" cards=W,W4,RS,R8', {}, False, id="no such colour"),
        pytest.param("R8 RS W4 W", "1 WAR cards=W,W4,RS,R8", {"wheel_discards": "UNDER"}, True, id="none needed"),
        pytest.param("R8 RS W4 W", "1 WAR G cards=W,RS,W4,R8", {}, False, id="rising"),
        pytest.param("R8 RS", "1 WAR cards=RS,R8", {}, True, id="no wild, no colour"),
        pytest.param("W", "1 WAR G cards=W", {}, True, id="one wild"),
        pytest.param("W", "1 WAR cards=W", {}, False, id="one wild without a colour"),
        pytest.param("W4 R1", "1 WAR cards=W4,R1", {}, False, id="a Wild Draw Four without a colour"),
        pytest.param("W4 R1", "1 WAR G cards=W4,R1", {}, True, id="a Wild Draw Four with one"),
        pytest.param("W", "1 WAR cards=W", {"wheel_discards": "UNDER"}, True, id="one wild, none needed"),
        pytest.param("R8 RS W4 W", "1 WAR G cards=W4,W,RS,R8", {"points": [20, 50, 60]}, True, id="other points"),
        pytest.param("R8 RS W4 W", "1 WAR G cards=W,W4,RS,R8", {"points": [20, 50, 60]}, False, id="a W4 above a W"),
    ],
)
def test_orders_by_points(held: str, line: str, options: dict[str, object], fine: bool) -> None:
    """war_ranks POINTS: all cards take part; a wild anywhere in the list needs a colour (D 29)."""
    round_ = war("B2 G1", held, "B7 W", war_ranks="POINTS", **options)
    assert legal(round_, line) is fine


@pytest.mark.parametrize(
    ("order", "top", "color"),
    [
        pytest.param("1 WAR G cards=W,RS,R8", "W", "G", id="won by the wild"),
        pytest.param("1 WAR G cards=RS,R8", "RS", "R", id="no wild"),
    ],
)
def test_the_colour_of_a_wild_that_wins(order: str, top: str, color: str) -> None:
    """Used if the last card shown is the wild."""
    held = order.rpartition("=")[2].replace(",", " ")
    round_ = war("B2 G1", held, "B7 B6", war_ranks="POINTS")
    seen = act(round_, "0 WAR cards=B2,G1", order, "2 WAR cards=B7,B6")
    assert (seen["top"], seen["color"]) == (top, color)


def test_the_colour_is_not_used_when_another_card_lies_last() -> None:
    """Two wilds tie, the next cards decide: a number lies on top and has its own colour."""
    round_ = war("W B1", "W R8", "B7 B6", war_ranks="POINTS")
    seen = act(round_, "0 WAR B cards=W,B1", "1 WAR G cards=W,R8", "2 WAR cards=B7,B6")
    assert seen["ask"] == {}
    assert (seen["discard_cards"][-2:], seen["color"]) == (["W", "R8"], "R")


@pytest.mark.parametrize(
    ("mode", "call", "hands"),
    [
        pytest.param("AUTO", "", [2, 3, 2], id="missed: two cards"),
        pytest.param("AUTO", " !", [2, 1, 2], id="called"),
        pytest.param("OFF", "", [2, 1, 2], id="no calls"),
    ],
)
def test_a_war_won_down_to_one_card_needs_the_call(mode: str, call: str, hands: list[int]) -> None:
    """The call is part of the sealed answer and counts for the winner only."""
    round_ = war("B2 G1", "R8 YS", "B7 W", call_mode=mode)
    seen = act(round_, "0 WAR cards=B2,G1", f"1 WAR cards=R8{call}", "2 WAR cards=B7")
    assert (seen["hands"], seen["ask"]) == (hands, {"2": "TURN"})


def test_a_loser_of_a_war_with_one_card_needs_no_call() -> None:
    """Who takes its card back has not put any down."""
    round_ = war("B2 G1", "R8 YS Y1", "B7")
    assert act(round_, "0 WAR cards=B2,G1", "1 WAR cards=R8,Y1", "2 WAR cards=B7")["hands"] == [2, 2, 1]


def test_a_war_won_with_the_last_card_wins_the_round() -> None:
    """The hand is empty: out."""
    round_ = war("B2 G1", "R8 Y2", "B9")
    act(round_, "0 WAR cards=B2,G1", "1 WAR cards=R8,Y2", "2 WAR cards=B9")
    assert round_.result.winner == 2


def test_wars_go_under_the_pile_in_the_order_shown() -> None:
    """UNDER: top and colour stay (D 28)."""
    round_ = war("B2 G1", "Y7 Y2 R8", "B8 B6 B5", wheel_discards="UNDER")
    seen = act(round_, "0 WAR cards=B2,G1", "1 WAR cards=R8,Y7,Y2 !", "2 WAR cards=B8,B6,B5")
    assert (seen["discard_cards"], seen["color"]) == (["R8", "Y7", "R9", "R3*"], "R")


@pytest.mark.parametrize(
    ("held", "options", "default"),
    [
        pytest.param("B5 Y5* R1 R5* R5", {}, "R5 R5* Y5* B5 R1", id="points falling, equals in canonical order"),
        pytest.param("RS W", {}, "", id="no numbers"),
        pytest.param("RS W4 R1 W", {"war_ranks": "POINTS"}, "W W4 RS R1", id="wilds first"),
        pytest.param("W", {"war_ranks": "POINTS"}, "W", id="one wild"),
        pytest.param("W W4", {"war_ranks": "POINTS", "wheel_discards": "UNDER"}, "W W4", id="no colour needed"),
    ],
)
def test_the_default_order(held: str, options: dict[str, object], default: str) -> None:
    """Legal, without a call, red for a wild."""
    round_ = war("B2 G1", held, "B7 W", **options)
    picks, call, color = round_.default(1)
    columns = round_.columns(1)
    indices = (picks,) if isinstance(picks, int) else picks
    assert format_cards(columns.card[index] for index in indices) == default.split()
    assert not call
    needs = "W" in held and bool(options) and "wheel_discards" not in options
    assert color == (1 if needs and len(indices) > 1 else 0)
    round_.apply(1, picks, call, color)


@pytest.mark.parametrize(
    ("held", "options", "forced"),
    [
        pytest.param("RS W", {}, True, id="no war card"),
        pytest.param("R9 B7 Y1 RS RS", {}, True, id="one order, two cards stay"),
        pytest.param("R9 R9 Y1 RS RS", {}, True, id="equals of one face"),
        pytest.param("R9 B9 Y1 RS RS", {}, False, id="equals of two faces"),
        pytest.param("R9 B7 Y1 RS", {}, False, id="the call may matter"),
        pytest.param("R9 B7 Y1 RS", {"call_mode": "OFF"}, True, id="no calls"),
        pytest.param("R9", {}, True, id="the last card"),
        pytest.param("R9 RS", {}, False, id="one war card, the call may matter"),
        pytest.param("W", {"war_ranks": "POINTS"}, False, id="a colour to name"),
        pytest.param("W R1 R2 W", {"war_ranks": "POINTS", "call_mode": "OFF"}, False, id="a colour for two wilds"),
        pytest.param(
            "W R1 R2", {"war_ranks": "POINTS", "call_mode": "OFF", "wheel_discards": "UNDER"}, True, id="none to name"
        ),
    ],
)
def test_what_the_table_answers_itself(held: str, options: dict[str, Any], forced: bool) -> None:
    """A seat is asked if it has a choice of order, colour or call, and else not."""
    round_ = war("B2 G1", held, "B7 W", **options)
    assert round_.forced(1) is forced


@settings(deadline=None)
@given(st.lists(st.sampled_from(pile("R1 R1* G1 B2 Y2 Y5* R9 W RS")), min_size=1, max_size=5), st.booleans())
def test_an_order_is_accepted_exactly_when_a_plain_reading_allows_it(held: list[int], all_fight: bool) -> None:
    """All that may fight, none twice, points not rising: any list of picks is judged so."""
    ranks = "POINTS" if all_fight else "NUMBERS_ONLY"
    round_ = war("B2 G1", " ".join(format_cards(held)), "B7 W", war_ranks=ranks)
    fighters = [card for card in held if all_fight or FACE[card][1:2].isdecimal()]
    options = round_.options(1)
    value = {"W": 50, "S": 20}
    for size in range(len(options) + 1):
        for picks in permutations(range(len(options)), size):
            cards = [round_.columns(1).card[index] for index in picks]
            points = [value.get(FACE[card][-1]) or int(FACE[card][1]) for card in cards]
            fine = size == len(fighters) and all(a >= b for a, b in pairwise(points))
            try:
                round_.copy().apply(1, picks, call=False, color=3)
            except IllegalAnswerError:
                assert not fine
            else:
                assert fine
    assert all(COLOR_OF[card] or all_fight for card in fighters)
