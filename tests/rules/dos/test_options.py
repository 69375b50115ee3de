"""Options of DOS: the matches of a plain reading, and exactly the lists that the rule composes of them."""

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee.rules.cards import FACE, format_cards
from referee.rules.dos.round import DosRound
from referee.rules.errors import IllegalAnswerError
from referee.rules.round import Round
from referee.rules.vocabulary import DecisionKind
from tests.rules.dos.tables import legal, listed, plain_matches, table
from tests.rules.playing import play, rulesets, start

pytestmark = pytest.mark.slow

SEEDS = st.integers(0, 10**6)
some = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_a_turn_lists_matches_by_place_and_card_then_the_draw() -> None:
    """A card alone stands before the same card with another; equal pairs are there where two are held."""
    round_ = table("B3 R1 R1 W2 G6 Y10", "G8", row="R3 Y7 W2")
    assert listed(round_) == ["0:R1+W2", "0:B3", "1:R1+G6", "2:R1+R1", "2:W2", "DRAW"]


def test_after_the_draw_each_face_may_be_placed_once() -> None:
    """Behind the matches stand the faces of the hand, in canonical order."""
    round_ = table("G9 G9 B6", "G8", draw="G3")
    round_.apply(0, 0)
    assert listed(round_) == ["0:G3", "PLACE G3", "PLACE B6", "PLACE G9"]


def test_bonus_cards_are_listed_copy_by_copy() -> None:
    """So that the same face can be placed twice; as many are picked as are to be placed."""
    round_ = table("R3 Y7 G9 G9 B6 B8", "G8")
    round_.apply(0, tuple(map(listed(round_).index, ("0:R3", "1:Y7"))))
    assert listed(round_) == ["PLACE B6", "PLACE B8", "PLACE G9", "PLACE G9"]
    assert round_.picks(0) == (2, 2)
    round_.apply(0, (2, 3))
    assert format_cards(round_.row[-2:]) == ["G9", "G9"]


@pytest.mark.parametrize(
    ("row", "hand", "picks"),
    [
        pytest.param("R3 Y7", "B3 G7 B6", (1, 2), id="a card of the row each"),
        pytest.param("R3 Y7 G5 B4", "B3 G7", (1, 2), id="no more than the hand has cards"),
        pytest.param("R3 Y7", "G8 B6", (1, 1), id="nothing but a draw"),
    ],
)
def test_so_many_options_may_be_picked(row: str, hand: str, picks: tuple[int, int]) -> None:
    """One match a card of the row."""
    assert table(hand, "G8", row=row).picks(0) == picks


@some
@given(data=st.data(), seed=SEEDS)
def test_options_are_those_of_a_plain_reading(data: st.DataObject, seed: int) -> None:
    """In every turn the matches listed are those that the page allows, in canonical order, and DRAW or the placings."""

    def look(now: Round) -> None:
        if now.kind is DecisionKind.DOS_PLACE_BONUS or now.seat < 0:
            return
        held = format_cards(now.hands[now.seat])
        found = [f"{place}:{'+'.join(chosen)}" for place, chosen in plain_matches(format_cards(now.row), held)]
        rest = [f"PLACE {FACE[card]}" for card in sorted(set(now.hands[now.seat]))]
        words = listed(now)
        assert sorted(words) == sorted([*found, *(["DRAW"] if now.kind is DecisionKind.DOS_TURN else rest)])
        assert list(now.options(now.seat)) == sorted(now.options(now.seat))

    play(start(data.draw(rulesets("dos")), seed), Random(seed), look)


def composed(round_: Round, picks: tuple[int, ...]) -> bool:
    """Whether a list is legal by the page: matches on different cards with cards held together, or one other act."""
    words = listed(round_)
    least, most = round_.picks(round_.seat)
    chosen = [words[pick] for pick in picks]
    if round_.kind is DecisionKind.DOS_PLACE_BONUS:
        return least <= len(picks) <= most
    if len(chosen) != 1 and not all(":" in word for word in chosen):
        return False
    parts = [word.partition(":") for word in chosen if ":" in word]
    used = Counter(card for _, _, on_it in parts for card in on_it.split("+"))
    held = Counter(format_cards(round_.hands[round_.seat]))
    return bool(chosen) and len({place for place, _, _ in parts}) == len(parts) and used <= held


@some
@given(data=st.data(), seed=SEEDS)
def test_a_list_is_accepted_exactly_when_it_is_composed_by_the_rule(data: st.DataObject, seed: int) -> None:
    """Every list of up to two picks, and random longer ones: accepted or refused as the page says, without a trace."""
    rng = Random(seed)

    def look(now: Round) -> None:
        if now.seat < 0 or rng.random() > 0.1:
            return
        size = len(now.options(now.seat))
        lists = [(), *((pick,) for pick in range(min(size, 12))), *permutations(range(min(size, 7)), 2)]
        lists += [tuple(rng.sample(range(size), rng.randint(1, min(size, 4)))) for _ in range(30)]
        before = now.digest()
        for picks in lists:
            assert accepted(now, picks) == composed(now, picks), (listed(now), picks)
        assert now.digest() == before

    play(start(data.draw(rulesets("dos")), seed), rng, look)


def accepted(round_: Round, picks: tuple[int, ...]) -> bool:
    """Whether the round takes these picks, tried on a copy that must stay as it was if not."""
    other = round_.copy()
    before = other.digest()
    try:
        other.apply(other.seat, picks, call=False, color=0)
    except IllegalAnswerError:
        assert other.digest() == before
        return False
    return True


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("0 MATCH matches=", id="no match at all"),
        pytest.param("0 MATCH matches=0:B3,0:G3", id="one card of the row twice"),
        pytest.param("0 MATCH matches=0:B3,0:B3", id="the same match twice"),
        pytest.param("0 MATCH matches=0:B3,1:B3+G4", id="one held card on two cards of the row"),
        pytest.param("0 MATCH matches=2:B6+B6", id="one held card twice on a card of the row"),
        pytest.param("0 MATCH matches=0:R3", id="a card that is not held"),
        pytest.param("0 MATCH matches=5:B3", id="a slot that is not there"),
        pytest.param("0 PLACE cards=B3", id="a placing without a draw"),
        pytest.param("0 PASS", id="a pass"),
        pytest.param("1 DRAW", id="another seat"),
    ],
)
def test_what_a_turn_does_not_allow(line: str) -> None:
    """Each of these is refused (faults others made: cards used twice, slots used twice)."""
    assert not legal(table("B3 G3 G4 B6", "G8", row="R3 Y7 G#"), line)


def test_a_draw_while_matches_are_held_is_allowed() -> None:
    """Nobody is obliged to match (000: unable or unwilling)."""
    assert legal(table("B3 G3", "G8"), "0 DRAW")


@some
@given(data=st.data(), seed=SEEDS)
def test_a_forced_decision_has_one_answer_and_the_call_makes_no_difference(data: st.DataObject, seed: int) -> None:
    """All legal answers of a forced decision lead to the same table, called or not: nobody loses by not being asked.

    A forced draw is not the end of its turn; the call may still come with what follows.
    """
    seen = Counter[bool]()

    def look(now: Round) -> None:
        assert isinstance(now, DosRound)
        for seat in now.asked:
            forced = now.forced(seat)
            seen[forced] += 1
            if now.kind is DecisionKind.DOS_TURN:
                assert forced == (listed(now) == ["DRAW"])
            if not forced or now.kind is DecisionKind.DOS_TURN:
                continue
            least, most = now.picks(seat)
            lists = [picks for n in range(least, most + 1) for picks in permutations(range(len(now.options(seat))), n)]
            outcomes = set()
            for picks, call in product(lists[:24], (False, True)):
                other = now.copy()
                other.apply(seat, picks, call, 0)
                outcomes.add((bytes(other.row), tuple(map(bytes, other.hands)), str(other.asked)))
            assert len(outcomes) == 1

    play(start(data.draw(rulesets("dos")), seed), Random(seed), look)
    assert seen[False]


@pytest.mark.parametrize(
    ("hand", "called", "forced"),
    [
        pytest.param("G9", "", True, id="one card that goes out"),
        pytest.param("G9 G9", "", True, id="two of a face leave one"),
        pytest.param("G9 G9 G9", "", False, id="three of a face leave two to be called"),
        pytest.param("G9 G9 G9", " !", True, id="the call came with the draw"),
        pytest.param("G9 B6", "", False, id="two faces"),
    ],
)
def test_placing_is_forced_only_where_no_call_is_at_stake(hand: str, called: str, forced: bool) -> None:
    """With nothing to draw, nothing to match and one face in hand there is one card to place."""
    round_ = table(hand, "G8", draw="")
    assert round_.forced(0)
    round_.apply(0, 0, bool(called), 0)
    assert round_.forced(0) is forced


def test_a_bonus_of_one_face_is_forced_unless_fewer_may_be_placed() -> None:
    """Which copy is placed makes no difference; with `bonus_mandatory` off their number does."""
    for mandatory in (True, False):
        round_ = table("R3 G9 G9", "G8", bonus_mandatory=mandatory)
        round_.apply(0, 0)
        assert round_.kind is DecisionKind.DOS_PLACE_BONUS
        assert round_.forced(0) is mandatory


@pytest.mark.parametrize(
    ("hand", "points", "placed"),
    [
        pytest.param("W2 R# B9 G9", [20, 40], "G9", id="the lowest points, ties in canonical order"),
        pytest.param("W2 R# B9 G9", [0, 40], "W2", id="by the points of the ruleset"),
        pytest.param("W2 R# G10", [10, 10], "G10", id="a wild of equal points comes behind"),
    ],
)
def test_the_default_places_the_lowest(hand: str, points: list[int], placed: str) -> None:
    """By points, ties in canonical order."""
    round_ = table(hand, "G8", row="R1 Y7", draw="", wild_points=points)
    round_.apply(0, *round_.default(0))
    round_.apply(0, *round_.default(0))
    assert format_cards(round_.row[-1:]) == [placed]
