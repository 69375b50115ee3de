"""Discards of the wheel: which lists are legal, what they do on top and under the pile, the call, defaults, text."""

from collections.abc import Iterator
from itertools import permutations
from random import Random
from typing import Any

import pytest

from referee.rules.cards import FACE, canonical, format_cards
from referee.rules.errors import IllegalAnswerError
from referee.rules.notation import perform
from referee.rules.vocabulary import DecisionKind
from tests.rules.family import act, legal, listed, table

FILLER = "G4 G5 G6 G7 G8 G9"


def asked(segment: str, held: str, *, others: str = "B7 B6", **given: Any) -> Any:  # noqa: ANN401  (a round)
    """A round in which seat 1 with this hand has spun this segment and is asked."""
    draw = given.pop("draw", FILLER)
    round_ = table("spin", "R3* G1 B2", held, others, wheel=segment, draw=draw, **given)
    act(round_, "0 PLAY R3*")
    return round_


@pytest.mark.parametrize(
    ("segment", "held", "line", "fine"),
    [
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD Y cards=Y2,Y1 !", True, id="all of a colour"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD Y cards=Y2", True, id="some of a colour"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD G cards=", True, id="none"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD cards=", True, id="none, no colour named"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD R number=3 cards=R8", True, id="a number beside it"),
        pytest.param("DISCARD_COLOR", "Y1 Y2* R8", "1 DISCARD Y cards=Y2*,Y1 !", True, id="swirled cards, too"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD Y cards=Y1,R8", False, id="two colours"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD R cards=Y1", False, id="another colour than named"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD cards=Y1", False, id="no colour named"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD Y cards=Y1,Y1", False, id="a card twice"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD Y cards=Y9", False, id="a card not held"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 W", "1 DISCARD Y cards=Y1,W", False, id="a wild has no colour"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", '1 DISCARD color:="X" cards=', False, id="no such colour"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD Y", False, id="no list"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 PASS", False, id="no such act"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 WAR cards=", False, id="the act of another segment"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "2 DISCARD Y cards=", False, id="a seat that is not asked"),
        pytest.param("DISCARD_NUMBER", "Y4 R4* B8", "1 DISCARD number=4 cards=Y4,R4* !", True, id="all of a number"),
        pytest.param("DISCARD_NUMBER", "Y4 R4* B8", "1 DISCARD number=9 cards=", True, id="none of a number"),
        pytest.param("DISCARD_NUMBER", "Y0 B8", "1 DISCARD Y number=0 cards=Y0 !", True, id="zero is a number"),
        pytest.param("DISCARD_NUMBER", "Y4 R4* B8", "1 DISCARD number=4 cards=Y4,B8", False, id="two numbers"),
        pytest.param("DISCARD_NUMBER", "Y4 R4* B8", "1 DISCARD number=8 cards=Y4", False, id="another than named"),
        pytest.param("DISCARD_NUMBER", "Y4 R4* B8", "1 DISCARD cards=Y4", False, id="no number named"),
        pytest.param("DISCARD_NUMBER", "YS RS B8", "1 DISCARD number=10 cards=YS", False, id="an action has none"),
        pytest.param("DISCARD_NUMBER", "Y1 R4* B8", "1 DISCARD number:=true cards=Y1", False, id="a flag is no number"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD cards=Y2,R8", True, id="all but two"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD G cards=R8,W4", True, id="a wild last, a colour named"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD cards=W4,R8", True, id="a wild before the last"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD cards=R8,W4", False, id="a wild last without a colour"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD cards=Y1", False, id="keeping three"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD cards=Y1,Y2,R8", False, id="keeping one"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD cards=", False, id="keeping all"),
        pytest.param("ALMOST_UNO", "Y1 Y2 W", "1 DISCARD B cards=W", True, id="one card, a wild"),
        pytest.param("ALMOST_UNO", "Y1 Y2 W", "1 DISCARD cards=W", False, id="one card, a wild without a colour"),
        pytest.param("ALMOST_UNO", "Y1 Y1 Y2", "1 DISCARD cards=Y1", True, id="one of two of a face"),
    ],
)
def test_what_may_be_discarded(segment: str, held: str, line: str, fine: bool) -> None:
    """A list is legal exactly as the rules page says (B3)."""
    assert legal(asked(segment, held), line) is fine


@pytest.mark.parametrize(
    ("segment", "held", "options", "picks"),
    [
        pytest.param("DISCARD_COLOR", "Y1 Y1 W RS R3*", ["R3*", "RS", "Y1", "Y1"], (0, 2), id="coloured cards"),
        pytest.param("DISCARD_COLOR", "W W4", [], (0, 0), id="nothing has a colour"),
        pytest.param("DISCARD_NUMBER", "Y1 R1* W RS Y2", ["R1*", "Y1", "Y2"], (0, 2), id="numbers"),
        pytest.param("ALMOST_UNO", "W4 Y1 Y1 RS", ["RS", "Y1", "Y1", "W4"], (2, 2), id="all cards"),
        pytest.param("ALMOST_UNO", "W Y1 Y1", ["Y1", "W R", "W Y", "W G", "W B"], (1, 1), id="one card of three"),
    ],
)
def test_the_options_of_a_list(segment: str, held: str, options: list[str], picks: tuple[int, int]) -> None:
    """One option a copy, in canonical order; where one card is picked each face once, and a wild once a colour."""
    round_ = asked(segment, held)
    assert listed(round_) == [f"DISCARD {option}" for option in options]
    assert round_.picks(1) == picks


def readings(round_: Any) -> Iterator[tuple[int, ...]]:  # noqa: ANN401  (a round of any game)
    """All lists of picks that a plain reading of the page allows."""
    faces = [FACE[card] for card in round_.columns(1).card]
    for size in range(len(faces) + 1):
        for picks in permutations(range(len(faces)), size):
            chosen = [faces[index] for index in picks]
            if round_.kind is DecisionKind.SPIN_ALMOST_UNO:
                fine = size == len(round_.hands[1]) - 2
            else:
                sign = 0 if round_.kind is DecisionKind.SPIN_DISCARD_COLOR else 1
                fine = len({card[sign] for card in chosen}) <= 1
            if fine:
                yield picks


@pytest.mark.parametrize("segment", ["DISCARD_COLOR", "DISCARD_NUMBER", "ALMOST_UNO"])
@pytest.mark.parametrize("held", ["Y4 Y4 R4* R8", "W Y1 YS B1", "R1 R2 R3 R4", "Y1 R2 W W4"])
def test_a_list_is_accepted_exactly_when_a_plain_reading_allows_it(segment: str, held: str) -> None:
    """Every list of at most four picks: the rules and the reading agree."""
    round_ = asked(segment, held)
    allowed = set(readings(round_))
    for size in range(5):
        for picks in permutations(range(len(round_.options(1))), size):
            try:
                round_.copy().apply(1, picks, call=True, color=2)
            except IllegalAnswerError:
                assert picks not in allowed
            else:
                assert picks in allowed


@pytest.mark.parametrize(
    ("segment", "held", "line", "discard", "color"),
    [
        pytest.param("DISCARD_COLOR", "YS YD Y1 R8", "1 DISCARD Y cards=YS,Y1,YD !", "YS Y1 YD", "Y", id="colour"),
        pytest.param("DISCARD_NUMBER", "R8 B8 Y1 Y2", "1 DISCARD number=8 cards=R8,B8", "R8 B8", "B", id="number"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD G cards=R8,W4", "R8 W4", "G", id="a wild last"),
        pytest.param("ALMOST_UNO", "Y1 Y2 R8 W4", "1 DISCARD G cards=W4,R8", "W4 R8", "R", id="its colour is not used"),
        pytest.param("ALMOST_UNO", "Y1 Y2 RD", "1 DISCARD cards=RD", "RD", "R", id="a Draw Two does nothing"),
        pytest.param("DISCARD_NUMBER", "R4* B4 Y1", "1 DISCARD number=4 cards=B4,R4* !", "B4 R4*", "R", id="no spin"),
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "1 DISCARD Y cards=", "", "R", id="nothing"),
    ],
)
def test_discards_lie_on_top_in_order_without_effect(
    segment: str, held: str, line: str, discard: str, color: str
) -> None:
    """The last card is the new top and sets the colour; nothing acts, the next seat moves."""
    seen = act(asked(segment, held), line)
    assert seen["discard_cards"] == ["R9", "R3*", *discard.split()]
    assert (seen["color"], seen["ask"], seen["pending"]) == (color, {"2": "TURN"}, 0)


@pytest.mark.parametrize(
    ("segment", "line", "discard"),
    [
        pytest.param("DISCARD_COLOR", "1 DISCARD Y cards=Y2,Y1", "Y2 Y1 R9 R3*", id="colour"),
        pytest.param("ALMOST_UNO", "1 DISCARD cards=Y1,W,W4", "Y1 W W4 R9 R3*", id="a wild needs no colour"),
    ],
)
def test_discards_go_under_the_pile(segment: str, line: str, discard: str) -> None:
    """UNDER: first = bottom; top and colour stay (D 28)."""
    seen = act(asked(segment, "Y1 Y2 R8 W W4", wheel_discards="UNDER"), line)
    assert seen["discard_cards"] == discard.split()
    assert (seen["top"], seen["color"], seen["ask"]) == ("R3*", "R", {"2": "TURN"})


def test_the_new_top_is_what_must_be_matched() -> None:
    """After a discard the next seat plays on the last card discarded."""
    round_ = asked("DISCARD_NUMBER", "R8 B8 Y1 Y2", others="B6 G8 R1")
    act(round_, "1 DISCARD number=8 cards=R8,B8")
    assert listed(round_) == ["PLAY G8", "PLAY B6", "DRAW"]


@pytest.mark.parametrize(
    ("mode", "call", "hands", "ask"),
    [
        pytest.param("AUTO", False, [2, 3, 2], {"2": "TURN"}, id="missed: two cards at once"),
        pytest.param("AUTO", True, [2, 1, 2], {"2": "TURN"}, id="called"),
        pytest.param("OFF", False, [2, 1, 2], {"2": "TURN"}, id="no calls at all"),
        pytest.param("WINDOW", True, [2, 1, 2], {"2": "TURN"}, id="called, no window"),
        pytest.param("WINDOW", False, [2, 1, 2], dict.fromkeys("012", "CALL_WINDOW"), id="missed: a window"),
        pytest.param("WINDOW_PAYS", False, [2, 1, 2], dict.fromkeys("012", "CALL_WINDOW"), id="missed: window, pays"),
    ],
)
def test_a_discard_down_to_one_card_needs_the_call(
    mode: str,
    call: bool,
    hands: list[int],
    ask: dict[str, str],
) -> None:
    """As after a play, before the next turn (D 31)."""
    seen = act(asked("DISCARD_COLOR", "Y1 Y2 R8", call_mode=mode), f"1 DISCARD Y cards=Y1,Y2{' !' if call else ''}")
    assert (seen["hands"], seen["ask"]) == (hands, ask)


@pytest.mark.parametrize(
    ("mode", "answers", "hands"),
    [
        pytest.param("WINDOW", ("0 PASS", "1 PASS", "2 PASS"), [2, 1, 2], id="nobody reacts"),
        pytest.param("WINDOW", ("0 PASS", "1 PASS", "2 CATCH"), [2, 3, 2], id="caught"),
        pytest.param("WINDOW_PAYS", ("0 PASS", "1 PASS", "2 PASS"), [2, 3, 2], id="nobody reacts, it pays"),
        pytest.param("WINDOW_PAYS", ("0 PASS", "1 CALL", "2 PASS"), [2, 1, 2], id="a late call saves"),
    ],
)
def test_the_window_after_a_discard(mode: str, answers: tuple[str, ...], hands: list[int]) -> None:
    """The seat behind the spinner moves when the window is closed."""
    round_ = asked("DISCARD_COLOR", "Y1 Y2 R8", call_mode=mode)
    seen = act(round_, "1 DISCARD Y cards=Y1,Y2", *answers)
    assert (seen["hands"], seen["ask"]) == (hands, {"2": "TURN"})


def test_discarding_nothing_from_a_single_card_needs_no_call() -> None:
    """A hand that the answer leaves alone is not fined, whatever it holds."""
    seen = act(asked("DISCARD_COLOR", "R8"), "1 DISCARD R cards=")
    assert seen["hands"] == [2, 1, 2]


def test_discarding_the_whole_hand_wins_at_once() -> None:
    """The round is over; a Draw Two that was discarded is owed by nobody."""
    round_ = asked("DISCARD_COLOR", "Y1 YD")
    seen = act(round_, "1 DISCARD Y cards=Y1,YD")
    assert (seen["ask"], seen["hands"]) == ({}, [2, 0, 2])
    assert round_.result.winner == 1


@pytest.mark.parametrize(
    ("segment", "held", "kept", "color"),
    [
        pytest.param("DISCARD_COLOR", "Y1 Y2 R8", "R8 Y1 Y2", "R", id="colour: nothing"),
        pytest.param("DISCARD_NUMBER", "Y1 Y2 R8", "R8 Y1 Y2", "R", id="number: nothing"),
        pytest.param("ALMOST_UNO", "W4 Y2 Y1 R8 G5", "R8 Y1", "R", id="keeps the first two, red for a wild"),
        pytest.param("ALMOST_UNO", "B5 Y2 Y1 R8", "R8 Y1", "B", id="the last in canonical order lies on top"),
        pytest.param("ALMOST_UNO", "Y1 R8 R8", "R8 R8", "Y", id="keeps two of a face"),
        pytest.param("ALMOST_UNO", "Y1 Y1 R8", "R8 Y1", "Y", id="discards one of two of a face"),
        pytest.param("ALMOST_UNO", "W Y1 R8", "R8 Y1", "R", id="one card, a wild: red"),
    ],
)
def test_defaults(segment: str, held: str, kept: str, color: str) -> None:
    """Nothing where nothing must be discarded; else the two first cards are kept."""
    round_ = asked(segment, held)
    seen = act(round_, "1 DEFAULT")
    assert format_cards(canonical(round_.hands[1])) == kept.split()
    assert (seen["color"], seen["ask"]) == (color, {"2": "TURN"})


def test_a_wild_by_default_needs_no_colour_under_the_pile() -> None:
    """UNDER: the default of ALMOST_UNO names none and is legal."""
    round_ = asked("ALMOST_UNO", "W4 Y2 Y1 R8 G5", wheel_discards="UNDER")
    assert round_.default(1) == ((2, 3, 4), False, 0)
    assert act(round_, "1 DEFAULT")["color"] == "R"


@pytest.mark.parametrize(
    ("segment", "held", "forced"),
    [
        pytest.param("DISCARD_COLOR", "W W4", True, id="nothing has a colour"),
        pytest.param("DISCARD_COLOR", "W Y1", False, id="one card or none"),
        pytest.param("DISCARD_NUMBER", "YS W", True, id="nothing has a number"),
        pytest.param("ALMOST_UNO", "Y1 Y1 Y1", True, id="three of a face"),
        pytest.param("ALMOST_UNO", "Y1 Y1 Y2", False, id="two faces"),
        pytest.param("ALMOST_UNO", "W W W", False, id="a colour to name"),
    ],
)
def test_what_the_table_answers_itself(segment: str, held: str, forced: bool) -> None:
    """A decision with one legal answer is forced, no other."""
    assert asked(segment, held).forced(1) is forced


@pytest.mark.parametrize("segment", ["DISCARD_COLOR", "DISCARD_NUMBER", "ALMOST_UNO"])
@pytest.mark.parametrize("under", ["TOP", "UNDER"])
def test_answers_are_read_as_they_are_written(segment: str, under: str) -> None:
    """The act of an answer means the same answer: the same hands and piles follow."""
    rng = Random(1)
    for held in ("Y1 Y1 R4* R4 W", "W W4 R1", "R1 R2 R3 W4", "YS W Y0", "W W R5 R5 R5"):
        round_ = asked(segment, held, wheel_discards=under)
        least, most = round_.picks(1)
        for _ in range(40):
            picks = tuple(rng.sample(range(len(round_.options(1))), rng.randint(least, most)))
            answer = (picks, rng.random() < 0.5, rng.randint(0, 4))
            first, second = round_.copy(), round_.copy()
            try:
                first.apply(1, *answer)
            except IllegalAnswerError:
                continue
            written = round_.write(1, answer)
            perform(second, written)
            assert second.digest() == first.digest()
            assert round_.write(1, round_.read(1, written)) == written


def test_the_discards_of_a_team_win_for_both() -> None:
    """Partners share the win; only the others' cards score."""
    round_ = table("spin", "R3* G1 B2", "Y1 Y2", "B7", "W", wheel="DISCARD_COLOR", team_of=[0, 1, 0, 1])
    act(round_, "0 PLAY R3*", "1 DISCARD Y cards=Y1,Y2")
    assert round_.result.points == (0, 10, 0, 10)


def test_what_the_wheel_discards_is_drawn_again() -> None:
    """Cards discarded by the wheel come back when the pile is shuffled anew; the top does not."""
    round_ = asked("DISCARD_COLOR", "Y1 Y2 R8 B1", draw="", reshuffles=["Y1 R3* R9"])
    act(round_, "1 DISCARD Y cards=Y1,Y2")
    seen = act(round_, "2 DRAW")
    assert (seen["drawn"], seen["top"], seen["draw_cards"]) == ("Y1", "Y2", ["R3*", "R9"])
