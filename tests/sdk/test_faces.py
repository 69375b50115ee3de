"""Cards, colours and words are the protocol's, byte for byte."""

from __future__ import annotations

import pytest

from lastcard.faces import CARDS, DOS_CODES, DUO_POINTS, FACES, POINTS, UNO_CODES, Color, card, points_of_format
from lastcard.v1 import cards_pb2, play_pb2
from lastcard.words import ACTS, DRAW_REASONS, ENDINGS, EVENT_KINDS, KINDS, Order, Word

LETTERS = {"RED": "R", "YELLOW": "Y", "GREEN": "G", "BLUE": "B"}
RANKS = {"SKIP": "S", "REVERSE": "V", "DRAW_TWO": "D", "ANY": "#"}
WILDS = {
    "WILD": "W",
    "WILD_CUSTOMIZABLE": "WC",
    "WILD_SHUFFLE_HANDS": "WX",
    "WILD_DRAW_FOUR": "W4",
    "DOS_WILD_DOS": "W2",
}


def text_of(name: str) -> str:
    """Return the face that the protocol's name of a card describes."""
    name = name.removeprefix("CARD_")
    if name in WILDS:
        return WILDS[name]
    swirled = "*" if name.startswith("SPIN_") else ""
    color, _, rank = name.removeprefix("SPIN_").removeprefix("DOS_").partition("_")
    return LETTERS[color] + RANKS.get(rank, rank) + swirled


def test_every_card_of_the_protocol_has_its_face() -> None:
    """And there are no others."""
    named = {number: text_of(name) for name, number in cards_pb2.Card.items() if number}
    assert {code: str(face) for code, face in FACES.items()} == named
    assert all(face.code == code for code, face in enumerate(CARDS))


def test_faces_read_back() -> None:
    """Within a family a text names one face."""
    assert all(card(face) == face and card(face).code < 81 for face in UNO_CODES)
    assert all(card(face, dos=True).code >= 81 for face in DOS_CODES)
    assert (len(UNO_CODES), len(DOS_CODES)) == (76, 41)
    with pytest.raises(KeyError):
        card("R11")


@pytest.mark.parametrize(
    ("words", "enum", "prefix"),
    [
        pytest.param(ACTS, cards_pb2.Act, "ACT_", id="acts"),
        pytest.param(KINDS, cards_pb2.DecisionKind, "DECISION_KIND_", id="decision kinds"),
        pytest.param(EVENT_KINDS, cards_pb2.EventKind, "EVENT_KIND_", id="event kinds"),
        pytest.param(DRAW_REASONS, cards_pb2.DrawReason, "DRAW_REASON_", id="draw reasons"),
        pytest.param(ENDINGS, cards_pb2.RoundEnding, "ROUND_ENDING_", id="endings"),
    ],
)
def test_words_are_those_of_the_protocol(words: tuple[Word, ...], enum: object, prefix: str) -> None:
    """By number; a number that is not known reads OTHER."""
    numbers = {number: name.removeprefix(prefix) for name, number in enum.items() if number}  # type: ignore[attr-defined]
    assert {number: str(word) for number, word in enumerate(words) if word != "OTHER"} == numbers
    assert len(words) == 256


def test_standing_orders_are_those_of_the_protocol() -> None:
    """Each name stands for itself."""
    assert set(play_pb2.StandingOrder.keys()) - {"STANDING_ORDER_UNSPECIFIED"} == {f"STANDING_ORDER_{o}" for o in Order}


def test_colors_are_those_of_the_protocol() -> None:
    """1-4 in the order red, yellow, green, blue."""
    assert {color.name: color.code for color in Color} == {
        name.removeprefix("COLOR_"): number for name, number in cards_pb2.Color.items() if number
    }


@pytest.mark.parametrize(
    ("text", "uno", "duo"),
    [
        pytest.param("G7", 7, 7, id="number"),
        pytest.param("R0", 0, 0, id="zero"),
        pytest.param("YS", 20, 10, id="skip"),
        pytest.param("BV", 20, 10, id="reverse"),
        pytest.param("RD", 20, 10, id="draw two"),
        pytest.param("W", 50, 15, id="wild"),
        pytest.param("WX", 50, 15, id="duo extra"),
        pytest.param("W4", 50, 20, id="wild draw four"),
        pytest.param("B5*", 5, 5, id="spin card"),
    ],
)
def test_points_of_the_uno_family(text: str, uno: int, duo: int) -> None:
    """UNO counts specials 20 and 50; Duo less."""
    assert (POINTS[card(text).code], DUO_POINTS[card(text).code]) == (uno, duo)
    assert points_of_format("duo-200")[card(text).code] == duo
    assert points_of_format("spin-4")[card(text).code] == uno


@pytest.mark.parametrize(
    ("text", "points"),
    [pytest.param("R10", 10, id="ten"), pytest.param("W2", 20, id="wild dos"), pytest.param("B#", 40, id="any")],
)
def test_points_of_dos(text: str, points: int) -> None:
    """Numbers their face, Wild DOS 20, Wild # 40."""
    assert POINTS[card(text, dos=True).code] == points


def test_a_card_tells_what_it_is() -> None:
    """Text, colour, rank, number, wild, swirled."""
    face = card("R3*")
    assert (face, face.color, face.rank, face.number, face.wild, face.swirled) == ("R3*", "R", "3", 3, False, True)
    wild = card("W4")
    assert (wild.color, wild.rank, wild.number, wild.wild) == (None, "W4", None, True)
    assert card("B#", dos=True).wild
    assert CARDS[0] == "?"
