"""Decks, points and faces: tables against the tables of the rules."""

from collections import Counter

import pytest

from referee.rules import cards
from referee.rules.errors import NotationError

UNO_POINTS = cards.uno_points(20, 50, 50)
DUO_POINTS = cards.uno_points(10, 15, 20)
DOS_POINTS = cards.dos_points(20, 40)


@pytest.mark.parametrize(
    ("deck", "points", "size", "total"),
    [
        pytest.param(cards.uno_deck(), UNO_POINTS, 108, 1240, id="UNO"),
        pytest.param(cards.spin_deck(extra=False), UNO_POINTS, 108, 1240, id="Spin with the swirled cards inside"),
        pytest.param(cards.spin_deck(extra=True), UNO_POINTS, 128, 1300, id="Spin with the swirled cards beside"),
        pytest.param(cards.duo_deck(extra=True), DUO_POINTS, 112, 800, id="Duo with the extra wilds"),
        pytest.param(cards.duo_deck(extra=False), DUO_POINTS, 108, 740, id="Duo without"),
        pytest.param(cards.dos_deck(), DOS_POINTS, 108, 1036, id="DOS"),
    ],
)
def test_decks_have_their_size_and_points(deck: bytes, points: tuple[int, ...], size: int, total: int) -> None:
    """The size and the sum of points of every deck are those of the sources, and it is in canonical order."""
    assert (len(deck), sum(points[card] for card in deck)) == (size, total)
    assert cards.canonical(deck) == deck


@pytest.mark.parametrize(
    ("deck", "copies"),
    [
        pytest.param(cards.uno_deck(), {"R0": 1, "G5": 2, "BS": 2, "YV": 2, "RD": 2, "W": 4, "W4": 4}, id="UNO"),
        pytest.param(cards.spin_deck(extra=False), {"R3": 1, "R3*": 1, "R6": 2, "R0": 1, "W": 4}, id="Spin"),
        pytest.param(cards.spin_deck(extra=True), {"R3": 2, "R3*": 1}, id="Spin, 128 cards"),
        pytest.param(cards.duo_deck(extra=True), {"WC": 3, "WX": 1, "W": 4, "W4": 4}, id="Duo"),
        pytest.param(cards.dos_deck(), {"R1": 3, "Y5": 3, "G6": 2, "B10": 2, "R#": 2, "W2": 12}, id="DOS"),
    ],
)
def test_decks_have_their_copies(deck: bytes, copies: dict[str, int]) -> None:
    """Each face is there as often as the sources say."""
    counted = Counter(cards.format_cards(deck))
    assert {face: counted[face] for face in copies} == copies


@pytest.mark.parametrize(
    ("names", "ordered"),
    [
        pytest.param(cards.UNO_NAMES, "R0 R1 R1* R2 R9 RS RV RD Y0 G5 G5* G6 BD W WC WX W4", id="UNO family"),
        pytest.param(cards.DOS_NAMES, "R1 B1 R3 Y3 R10 B10 W2 R# Y# G# B#", id="DOS"),
    ],
)
def test_canonical_order(names: dict[str, int], ordered: str) -> None:
    """Faces sort as the notation says, from whatever order they come in."""
    listed = cards.parse_cards(ordered.split(), names)
    assert cards.format_cards(cards.canonical(reversed(listed))) == ordered.split()
    assert [cards.place(card) for card in listed] == sorted(cards.place(card) for card in listed)


def test_faces_are_read_as_they_are_written() -> None:
    """Every card reads back from its face, by the names of its game."""
    for card, face in cards.FACE.items():
        names = cards.UNO_NAMES if card < 81 else cards.DOS_NAMES
        assert cards.parse_card(face, names) == card


@pytest.mark.parametrize("text", ["", "r5", "R55", "R", "W5", "R6*", "5R", None, 7, "R5 "])
def test_what_is_no_card_is_refused(text: object) -> None:
    """Text that is no face is an error that shows how faces are written."""
    with pytest.raises(NotationError, match="is no card of this game; write R5"):
        cards.parse_card(text, cards.UNO_NAMES)


@pytest.mark.parametrize(("letter", "color"), [("R", 1), ("Y", 2), ("G", 3), ("B", 4), (None, 0)])
def test_colours_are_letters(letter: str | None, color: int) -> None:
    """A colour is exactly one of four letters, or none."""
    assert cards.parse_color(letter) == color
    assert cards.color_letter(color) == letter


@pytest.mark.parametrize("text", ["", "RY", "r", "W", 1, True])
def test_what_is_no_colour_is_refused(text: object) -> None:
    """An empty text or two letters are no colour."""
    with pytest.raises(NotationError, match="use R, Y, G or B"):
        cards.parse_color(text)
