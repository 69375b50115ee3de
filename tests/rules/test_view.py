"""What leaves a round: columns of events and the view of a decision."""

import pytest

from referee.rules import view
from referee.rules.cards import FACE
from referee.rules.chance import ScriptedChance
from referee.rules.columns import Columns, ColumnsOf
from referee.rules.errors import IllegalAnswerError
from referee.rules.games import resolve
from referee.rules.gametext import parse_act
from referee.rules.notation import perform
from referee.rules.round import Round
from referee.rules.setup import load
from referee.rules.uno.round import UnoRound
from referee.rules.vocabulary import DecisionKind, DrawReason, RoundEnding
from tests.rules.watching import told

HANDS = [["R5", "G1", "W"], ["Y1", "Y2"], ["B7", "B8"]]


def after(*lines: str, preset: str = "classic", hands: list[list[str]] | None = None, **state: object) -> Round:
    """A round in which these acts were carried out."""
    rules = resolve(preset, {}, len(hands or HANDS))
    board: dict[str, object] = {"hands": hands or HANDS, "draw": ["G3", "G4", "G6"], "discard": ["R9"], "turn": 0}
    round_ = load(UnoRound, rules, ScriptedChance(), board | state)
    for line in lines:
        perform(round_, parse_act(line))
    return round_


def test_a_drawn_card_is_seen_by_the_drawer_alone() -> None:
    """Everybody sees that a card was drawn, one seat sees which."""
    round_ = after("0 DRAW")
    drew = f"DREW 0 {{}} {int(DrawReason.TURN)}"
    assert told(round_, 0, 5)[0] == drew.format("G3")
    for seat in (1, 2, None):
        assert told(round_, seat, 5)[0] == drew.format("-")


def test_keeping_looks_the_same_whether_or_not_the_card_could_be_played() -> None:
    """An unplayable card kept unasked and a playable one kept by choice are told alike, up to the decision's id."""
    unplayable = after("0 DRAW")
    playable = after("0 DRAW", "0 KEEP", draw=["R3", "G4", "G6"])
    assert told(unplayable, 1) == told(playable, 1)
    assert view.decision(unplayable, 1) == view.decision(playable, 1)
    assert unplayable.asked_at == playable.asked_at


def test_the_course_of_a_play() -> None:
    """A Wild names its colour in the event, a call counts where one card is left, the next turn is told."""
    round_ = after("0 PLAY W B !", "1 DRAW", "2 PLAY B7 !")
    assert told(round_, None, 5) == [
        "PLAYED 0 W 4",
        "TURN 1 - 1",
        "DREW 1 - 1",
        "KEPT 1 - 0",
        "TURN 2 - 1",
        "PLAYED 2 B7 8",
        "TURN 0 - 1",
    ]


def test_a_missed_call_is_told() -> None:
    """Exposed, caught and by whom, and the cards drawn for it."""
    round_ = after("2 PLAY B7", "0 PASS", "1 CATCH", "2 PASS", turn=2, discard=["B1"])
    assert told(round_, None, 5) == [
        "PLAYED 2 B7 0",
        "EXPOSED 2 - 0",
        "CAUGHT 1 - 2",
        "DREW 2 - 3",
        "DREW 2 - 3",
        "TURN 0 - 1",
    ]


def test_a_challenged_hand_is_shown_to_the_challenger_alone() -> None:
    """The verdict is public, the hand is not."""
    hands = [["W4", "R1", "Y1"], ["Y3", "Y4"], ["B7", "B8"]]
    round_ = after("0 PLAY W4 G", "1 CHALLENGE", preset="official", hands=hands, draw=["G0", "G1", "G2", "G3"])
    assert told(round_, 1, 6)[:3] == ["CHALLENGED 1 - 16", "HAND_SHOWN 0 R1 0", "HAND_SHOWN 0 Y1 0"]
    for seat in (2, None):
        assert told(round_, seat, 6)[:3] == ["CHALLENGED 1 - 16", "HAND_SHOWN 0 - 0", "HAND_SHOWN 0 - 0"]


def test_the_end_is_told() -> None:
    """The last event of a round names winner and ending."""
    round_ = after("0 PLAY R5", hands=[["R5"], ["Y1"]])
    assert told(round_, None)[-1] == f"ROUND_END 0 - {int(RoundEnding.OUT)}"


def test_the_view_of_a_decision_is_complete() -> None:
    """Own hand, top, colour, sizes and options; nothing of other hands."""
    seen = view.decision(after("0 PLAY W B", dir=-1), 2)
    assert seen.kind is DecisionKind.TURN
    assert [FACE[card] for card in seen.hand] == ["B7", "B8"]
    assert (FACE[seen.top], seen.color, seen.direction, seen.counts) == ("W", 4, 2, bytes((2, 2, 2)))
    assert (seen.draw_pile, seen.discard_pile, seen.pending, seen.drawn, seen.turn_seat) == (3, 2, 0, 0, 2)
    assert [FACE.get(card) for card in seen.options.card] == ["B7", "B8", None]
    assert (seen.options.color, seen.picks) == (b"", (1, 1))


def test_the_drawn_card_is_part_of_its_decision_only() -> None:
    """PLAY_DRAWN shows the card, the next decision does not."""
    round_ = after("0 DRAW", draw=["R3", "G4"])
    assert FACE[view.decision(round_, 0).drawn] == "R3"
    round_.apply(0, 1)
    assert view.decision(round_, 1).drawn == 0


def test_nobody_looks_through_the_eyes_of_a_seat_that_is_not_asked() -> None:
    """There is a view where there is a decision."""
    with pytest.raises(IllegalAnswerError):
        view.decision(after(), 1)


def test_columns_that_are_asked_for_again_and_again_are_made_once() -> None:
    """However many others come between, as long as it is not two generations of them."""
    made: list[bytes] = []

    def make(codes: bytes) -> Columns:
        made.append(codes)
        return Columns(codes, codes, b"", b"", b"")

    kept = ColumnsOf(make)
    for number in range(3 * ColumnsOf.MOST):
        assert kept[number.to_bytes(4, "big")].act == number.to_bytes(4, "big")
        assert kept[b"hot"].act == b"hot"
    assert made.count(b"hot") == 1
    assert len(made) == 3 * ColumnsOf.MOST + 1
    assert len(kept) + len(kept._old) <= 2 * ColumnsOf.MOST
