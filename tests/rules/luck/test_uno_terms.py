"""The terms of UNO, exactly."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817 (the tables are full of them)
from typing import Any

import pytest

from referee.rules.calls import DRAW
from referee.rules.luck.watch import account_of
from referee.rules.vocabulary import DrawReason
from tests.rules.luck.states import exact, placed

PENALTY = DrawReason.PENALTY


def state(draw: str, hand: str = "G1", top: str = "R7", **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return two seats, of which seat 0 is asked."""
    return {"hands": [hand.split(), ["B1", "B2"]], "draw": draw.split(), "discard": top.split(), "turn": 0, **more}


@pytest.mark.parametrize(
    ("draw", "count", "term", "gain"),
    [
        pytest.param("W R3 G5 W4", 1, "l1", F(1, 2), id="a wild of two in four"),
        pytest.param("W R3 G5 W4", 2, "l1", F(1, 6), id="then none of one in three"),
        pytest.param("RS R3 G5 W4", 1, "l2", F(3, 4), id="a Skip"),
        pytest.param("R3 RS G5 W4", 1, "l2", F(-1, 4), id="no Skip"),
        pytest.param("W R3 GD W4", 1, "l4", F(-1, 4), id="no Wild Draw Four"),
        pytest.param("W R3 GD W4", 1, "l5", F(-1, 4), id="no Draw Two"),
    ],
)
def test_a_card_received_counts_against_its_share(draw: str, count: int, term: str, gain: F) -> None:
    """Of the stock just before it."""
    round_ = placed("classic", state(draw))
    round_.take(1, count, PENALTY)
    assert exact(round_, 1, term) == gain
    assert exact(round_, 0, term) == 0
    assert exact(round_, 1, "l3") == 0


def test_a_shuffle_in_between_makes_a_new_stock() -> None:
    """One card of one, then one of three."""
    round_ = placed("classic", state("R3", top="Y1 W G5 R7"), reshuffle=[["Y1", "W", "G5"]])
    round_.take(1, 2, PENALTY)
    assert exact(round_, 1, "l1") == F(0) - F(1, 3)


@pytest.mark.parametrize(
    ("preset", "gain"),
    [
        pytest.param("official", F(-4, 5), id="a Wild Draw Four may be a bluff"),
        pytest.param("classic", F(-3, 5), id="it may not be played"),
    ],
)
def test_a_card_drawn_in_turn_counts_whether_it_may_be_played(preset: str, gain: F) -> None:
    """By the rules in force, on the hand before it."""
    round_ = placed(preset, state("G5 B7 R1 W W4", hand="R5"))
    options = round_.write(0, round_.default(0))
    assert options["act"] == "DRAW"
    round_.apply(0, *round_.default(0))
    assert exact(round_, 0, "l3") == gain


@pytest.mark.parametrize(
    ("hand", "gain"),
    [pytest.param("R5 B9", F(-3, 5), id="two cards are few"), pytest.param("R5 B9 B9", 0, id="three are not")],
)
def test_near_the_end_the_same_counts_once_more(hand: str, gain: F) -> None:
    """By the hand before the draw."""
    round_ = placed("classic", state("G5 B7 R1 W W4", hand=hand, top="R7"))
    round_.apply(0, round_.options(0).index(DRAW))
    assert exact(round_, 0, "l7") == gain
    assert exact(round_, 1, "l7") == 0


@pytest.mark.parametrize(
    ("hand", "draw", "gain"),
    [
        pytest.param("G1 G2 B3", "G5 R3 B1 W4", F(3, 4), id="of the colour that it has most of"),
        pytest.param("G1 G2 B3", "B1 R3 G5 W4", F(-1, 4), id="of another one"),
        pytest.param("G1 B3", "B1 R3 G5 W4", F(1, 2), id="of one of two"),
        pytest.param("W W4", "B1 R3 G5 W4", F(0), id="without a colour there is none"),
    ],
)
def test_a_card_received_counts_whether_it_goes_with_the_hand(hand: str, draw: str, gain: F) -> None:
    """Against the share of such cards."""
    round_ = placed("classic", state(draw, hand=hand))
    round_.take(0, 1, PENALTY)
    assert exact(round_, 0, "l8") == gain
    assert exact(round_, 1, "l8") == 0


def test_a_wild_that_was_not_drawn_in_turn_counts_once_more() -> None:
    """A penalty does, the own draw does not."""
    penalty, own = (placed("classic", state("W R3 G5 W4", hand="Y2 Y3 Y4")) for _ in range(2))
    penalty.take(0, 1, PENALTY)
    own.apply(0, own.options(0).index(DRAW))
    assert [exact(round_, 0, "l1") for round_ in (penalty, own)] == [F(1, 2)] * 2
    assert [exact(round_, 0, "l9") for round_ in (penalty, own)] == [F(1, 2), 0]


def test_nothing_led_yet_means_that_everything_may_be_played() -> None:
    """A draw then is no luck."""
    round_ = placed("uno", state("G5 B7 W4 W", hand="R5", top=""))
    round_.apply(0, *round_.default(0))
    assert exact(round_, 0, "l3") == 0
    assert exact(round_, 0, "l1") == F(-1, 2)


def test_drawing_until_something_fits_counts_every_card() -> None:
    """Each against what was left: G5, then G6, then R1."""
    round_ = placed("classic", state("G5 G6 R1 B3", hand="Y2"), {"draw_until_max": 10})
    round_.apply(0, *round_.default(0))
    assert exact(round_, 0, "l3") == F(-1, 4) + F(-1, 3) + F(1, 2)


def test_drawing_with_an_empty_pile_counts_against_the_shuffled_one() -> None:
    """The shuffle comes first."""
    round_ = placed("classic", state("", hand="Y2", top="R1 G5 W R7"), reshuffle=[["W", "G5", "R1"]])
    round_.apply(0, *round_.default(0))
    assert exact(round_, 0, "l1") == F(2, 3)
    assert exact(round_, 0, "l3") == F(1, 3)


def test_a_hand_that_was_buried_under_the_pile_is_not_of_the_stock() -> None:
    """Somebody left before anything was led: its cards are drawn last, and count nothing."""
    table = {"hands": [["R5"], ["B1"], ["W", "W4"]], "draw": ["G5", "W"], "discard": [], "turn": 0}
    round_ = placed("uno", table)
    round_.forfeit(2)
    assert account_of(round_).known == 2
    round_.take(1, 4, PENALTY)
    assert exact(round_, 1, "l1") == F(-1, 2) + F(0)
    assert exact(round_, 1, "l4") == 0


def test_the_deal_counts_what_was_dealt() -> None:
    """Points, Draw Twos and Wild Draw Fours; nothing of it is a draw."""
    deck = ["R1", "RD", "Y2", "W4", "G3", "GS", "B9", "W", "R0", "BD", "Y5", "W4", "G7", "B4", "R8", "Y1", "Y3"]
    round_ = placed_by_deal(deck)
    assert [exact(round_, seat, "f1") for seat in (1, 0)] == [F(1 + 2 + 3 + 9 + 0 + 5 + 7, 10), F(214, 10)]
    assert [exact(round_, seat, "f4") for seat in (1, 0)] == [0, 2]
    assert [exact(round_, seat, "f5") for seat in (1, 0)] == [0, 2]
    assert all(exact(round_, seat, term) == 0 for seat in (0, 1) for term in ("l1", "l2", "l3", "l4", "l5"))


def placed_by_deal(deck: list[str]) -> Any:  # noqa: ANN401
    """Return a round that was dealt from this deck, by seat 0, so that seat 1 gets the first card."""
    from referee.rules.cards import UNO_NAMES
    from referee.rules.chance import ScriptedChance
    from referee.rules.games import GAMES, resolve
    from referee.rules.luck.watch import watched

    chance = ScriptedChance(decks=[bytes(UNO_NAMES[face] for face in deck)])
    return watched(GAMES["uno"])(resolve("classic"), chance, 0)


def test_a_copy_has_an_account_of_its_own() -> None:
    """What is tried on it is not on the account of the round."""
    round_ = placed("classic", state("W R3 G5 W4"))
    other = round_.copy()
    other.take(1, 1, PENALTY)
    assert exact(other, 1, "l1") == F(1, 2)
    assert exact(round_, 1, "l1") == 0
