"""The draft: picks in turn, what is kept, what lies face up, and where the discards go."""

from typing import Any

import pytest

from referee.rules import view
from referee.rules.cards import FACE, format_cards
from referee.rules.errors import InvalidOptionError
from referee.rules.vocabulary import DecisionKind
from tests.rules.family import act, hand, legal, listed, rules_of, table
from tests.rules.playing import start
from tests.rules.watching import told

DECK = "R1 R2 G5 G6 B3 Y7 Y8 W R5 R9 G0"  # top first; two picks a seat take eight of these


def drafting(*, hand_size: int = 2, dealer: int = 0, deck: str = DECK, **given: Any) -> Any:  # noqa: ANN401  (a round)
    """A round at the first pick."""
    return table("duo", start="DEAL", seats=2, dealer=dealer, decks=[deck], hand_size=hand_size, **given)


def test_picks_alternate_and_player_1_begins() -> None:
    """The dealer is Player 1; each seat picks hand_size times."""
    round_ = drafting()
    asked = []
    for _ in range(4):
        [(seat, kind)] = round_.asked.items()
        assert kind is DecisionKind.DRAFT_PICK
        assert listed(round_) == ["KEEP", "REJECT"]
        asked.append(seat)
        act(round_, f"{seat} KEEP")
    assert asked == [0, 1, 0, 1]
    assert act(round_)["ask"] == {"1": "TURN"}


@pytest.mark.parametrize("dealer", [0, 1])
def test_player_2_goes_first(dealer: int) -> None:
    """The other seat than the one that drafted first (rules page B2)."""
    round_ = drafting(dealer=dealer)
    for k in range(4):
        act(round_, f"{(dealer + k) % 2} KEEP")
    assert act(round_)["ask"] == {str(1 - dealer): "TURN"}


def test_kept_and_rejected_cards() -> None:
    """KEEP: the card shown is kept and the next lies face up; REJECT: the other way round."""
    round_ = drafting()
    act(round_, "0 KEEP", "1 REJECT")
    assert (hand(round_, 0), hand(round_, 1)) == ("R1", "G6")
    assert format_cards(round_.discard) == ["R2", "G5"]


def test_the_same_cards_go_whatever_is_chosen() -> None:
    """A pick always takes two cards: what is shown later does not depend on the choice."""
    seen = set()
    for answers in (("KEEP", "KEEP"), ("KEEP", "REJECT"), ("REJECT", "KEEP"), ("REJECT", "REJECT")):
        round_ = drafting()
        act(round_, *(f"{seat} {answer}" for seat, answer in enumerate(answers)))
        seen.add(FACE[view.decision(round_, 0).drawn])
    assert seen == {"B3"}


def test_the_discards_go_under_the_pile_first_to_be_drawn_first() -> None:
    """UNDER: as one packet, turned over; then the top of the pile is turned up."""
    round_ = drafting()
    seen = act(round_, "0 KEEP", "1 REJECT", "0 KEEP", "1 KEEP")
    assert seen["top"] == "R5"
    assert seen["draw_cards"] == ["R9", "G0", "R2", "G5", "Y7", "W"]


def test_the_discards_may_be_shuffled_in() -> None:
    """SHUFFLED_IN: pile and discards as one, before the card is turned up (D 38)."""
    round_ = drafting(draft_discards="SHUFFLED_IN", reshuffles=["Y7 W R9 G5 G0 R5 R2"])
    seen = act(round_, "0 KEEP", "1 REJECT", "0 KEEP", "1 KEEP")
    assert (seen["top"], seen["draw_cards"]) == ("Y7", ["W", "R9", "G5", "G0", "R5", "R2"])


@pytest.mark.parametrize(
    ("options", "pile"),
    [pytest.param({}, 97, id="112 cards"), pytest.param({"extra_cards": "REMOVED"}, 93, id="108 cards")],
)
def test_sizes_after_the_draft(options: dict[str, Any], pile: int) -> None:
    """Seven each, one turned up, the rest in the pile: U-D1 and U-D2."""
    round_: Any = start(rules_of("duo", **options), 3)
    while round_.kind is DecisionKind.DRAFT_PICK:
        assert round_.everything() == round_.facts.deck
        assert len(round_.discard) == sum(map(len, round_.hands))
        round_.apply(round_.seat, round_.turn % 2)
    seen = act(round_)
    assert (seen["hands"], seen["discard"], seen["draw"]) == ([7, 7], 1, pile)


def test_the_card_shown_is_seen_by_the_picker_alone() -> None:
    """`drawn` of the decision; nobody else is asked anything, and no event names it."""
    round_ = drafting()
    assert FACE[view.decision(round_, 0).drawn] == "R1"
    for seat in (0, 1, None):
        assert told(round_, seat) == ["ROUND_START 0 - 2"]


def test_a_pick_tells_what_lies_face_up_and_no_more() -> None:
    """DRAFTED: kept (1) or rejected (2), and the card that was not taken; what was taken stays secret."""
    round_ = drafting()
    act(round_, "0 KEEP", "1 REJECT")
    for seat in (0, 1, None):
        assert told(round_, seat, 1) == ["DRAFTED 0 R2 1", "DRAFTED 1 G5 2"]
    assert format_cards(view.decision(round_, 0).hand) == ["R1"]


def test_what_a_seat_sees_in_the_draft_does_not_depend_on_what_was_kept() -> None:
    """Exchange the card that the other seat kept unseen with one in the pile: the same bytes."""
    one, other = drafting(), drafting(deck="R1 R2 G5 Y8 B3 Y7 G6 W R5 R9 G0")
    for round_ in (one, other):
        act(round_, "0 KEEP", "1 REJECT")
    assert view.events(one, 0) == view.events(other, 0)
    assert view.decision(one, 0) == view.decision(other, 0)


def test_a_pick_is_no_turn() -> None:
    """Turns are counted from the first TURN on (D 7)."""
    round_ = drafting(max_turns_per_round=1)
    seen = act(round_, "0 KEEP", "1 KEEP", "0 KEEP", "1 KEEP")
    assert (seen["turns"], seen["ask"]) == (1, {"1": "TURN"})


def test_the_default_keeps() -> None:
    """The card shown, which is the one that is known."""
    round_ = drafting()
    act(round_, "0 DEFAULT")
    assert hand(round_, 0) == "R1"


@pytest.mark.parametrize("line", ["0 DRAW", "0 PASS", "1 KEEP", "0 PLAY R1", "0 DUMP cards=R1"])
def test_nothing_else_is_legal_in_the_draft(line: str) -> None:
    """KEEP and REJECT, of the seat that picks."""
    assert not legal(drafting(), line)


@pytest.mark.parametrize(
    ("lines", "winner", "points"),
    [
        pytest.param(("0 FORFEIT",), 1, (0, 0), id="before the first pick"),
        pytest.param(("0 KEEP", "1 FORFEIT"), 0, (0, 0), id="the picker, without cards"),
        pytest.param(("0 KEEP", "0 FORFEIT"), 1, (1, 0), id="not the picker"),
        pytest.param(("0 REJECT", "1 REJECT", "0 KEEP", "1 FORFEIT"), 0, (0, 6), id="with a card that nobody saw"),
    ],
)
def test_a_seat_that_leaves_the_draft_adds_what_it_has(
    lines: tuple[str, ...], winner: int, points: tuple[int, int]
) -> None:
    """The cards picked so far (D 47); the other seat wins."""
    round_ = drafting()
    act(round_, *lines)
    assert (round_.result.ending.name, round_.result.winner, round_.result.points) == ("FORFEIT", winner, points)


@pytest.mark.parametrize(
    ("options", "most"),
    [pytest.param({}, 27, id="112 cards"), pytest.param({"extra_cards": "REMOVED"}, 26, id="108 cards")],
)
def test_the_draft_must_leave_a_card_to_turn_up(options: dict[str, Any], most: int) -> None:
    """A pick takes two cards: 4 x hand_size + 1 at most the deck."""
    rules_of("duo", hand_size=most, **options)
    with pytest.raises(InvalidOptionError, match=f"1 to {most}"):
        rules_of("duo", hand_size=most + 1, **options)


def test_duo_has_two_seats() -> None:
    """Neither fewer nor more."""
    with pytest.raises(InvalidOptionError, match="seats"):
        rules_of("duo", 3)
