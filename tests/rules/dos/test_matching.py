"""What matches what: the page's examples, faults that others made, and the tables against a plain reading."""

from itertools import combinations_with_replacement

import pytest

from referee.rules.cards import DOS_NAMES, FACE, canonical, dos_deck
from referee.rules.dos.codes import match_code, match_of, matches
from referee.rules.dos.matching import CARDS, PARTNERS, SINGLES, fits, same_color
from tests.rules.dos.tables import colored, fitting

NO_MATCH, NUMBER, COLOR = "no match", "number", "color"
FACES = [FACE[card] for card in CARDS]


def judged(text: str) -> str:
    """What the cards of `R3 <- R1 W2` are on each other: no match, a match by number, or one of colour."""
    row, _, on_it = text.partition(" <- ")
    stack = [DOS_NAMES[face] for face in (row, *on_it.split())]
    return NO_MATCH if not fits(*stack) else COLOR if same_color(*stack) else NUMBER


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        # the examples of seed 000
        pytest.param("R3 <- B3", NUMBER, id="a number on the same number"),
        pytest.param("R3 <- R3", COLOR, id="number and colour"),
        pytest.param("R5 <- G1 B4", NUMBER, id="two cards by their sum"),
        pytest.param("R5 <- R1 R4", COLOR, id="two cards of the row card's colour"),
        pytest.param("R3 <- R1 W2", COLOR, id="a Wild DOS takes the colour that is missing"),
        pytest.param("R3 <- R#", COLOR, id="a Wild # of the row card's colour"),
        # one common colour for all, not card by card against the row
        pytest.param("W2 <- R1 B1", NUMBER, id="two colours on a Wild DOS have none in common"),
        pytest.param("W2 <- R1 R1", COLOR, id="one colour on a Wild DOS"),
        pytest.param("W2 <- R# B#", NUMBER, id="two Wild # of two colours on a Wild DOS"),
        pytest.param("W2 <- W2", COLOR, id="Wild DOS on Wild DOS"),
        pytest.param("R4 <- W2 W2", COLOR, id="two Wild DOS on a coloured card"),
        pytest.param("R5 <- R1 B4", NUMBER, id="one of two cards has the colour"),
        pytest.param("R5 <- B1 B4", NUMBER, id="both cards of one colour, but not of the row's"),
        # sums: at least 2, at most 10
        pytest.param("Y1 <- R# B#", NO_MATCH, id="two Wild # on a 1"),
        pytest.param("Y1 <- R#", NUMBER, id="one Wild # on a 1"),
        pytest.param("R# <- R8 Y3", NO_MATCH, id="eleven on a Wild #"),
        pytest.param("R# <- R9 Y1", NUMBER, id="ten on a Wild #"),
        pytest.param("R# <- R1 R9", COLOR, id="ten in its colour on a Wild #"),
        pytest.param("R# <- W2 R9", NO_MATCH, id="a Wild DOS is two also beside a nine"),
        pytest.param("R# <- R10 B#", NO_MATCH, id="nothing can be added to a ten"),
        pytest.param("R10 <- R3 R7", COLOR, id="ten by three and seven"),
        pytest.param("R10 <- B4 R7", NO_MATCH, id="eleven is no card"),
        # wilds in the row
        pytest.param("R# <- R8", COLOR, id="a Wild # of the row is the number that is needed"),
        pytest.param("R# <- R#", COLOR, id="Wild # on Wild # of its colour"),
        pytest.param("R# <- B#", NUMBER, id="Wild # on Wild # of another colour"),
        pytest.param("R3 <- W2", NO_MATCH, id="a Wild DOS is a two and nothing else"),
        # the number comes first, and a Wild # has a colour of its own
        pytest.param("R3 <- R9", NO_MATCH, id="colour alone"),
        pytest.param("R3 <- B#", NUMBER, id="a Wild # of another colour"),
        pytest.param("R9 <- R# B5", NUMBER, id="a Wild # in a pair of two colours"),
        pytest.param("R9 <- R# R5", COLOR, id="a Wild # in a pair of one colour"),
        pytest.param("R9 <- B1 G3 Y5", NO_MATCH, id="three cards that add up"),
        pytest.param("R3 <- ", NO_MATCH, id="no card at all"),
    ],
)
def test_a_match_is_judged_by_number_then_by_one_common_color(text: str, kind: str) -> None:
    """At most two cards whose numbers can make the row card's, and for a bonus one colour that all of them have."""
    assert judged(text) == kind


def test_the_functions_and_tables_are_those_of_a_plain_reading() -> None:
    """For every row card, every card and every pair: the same verdict as the page read literally, in either order."""
    for row in FACES:
        for first, second in combinations_with_replacement(FACES, 2):
            on_it = DOS_NAMES[row], DOS_NAMES[first], DOS_NAMES[second]
            fit = fitting(row, first, second)
            assert fits(*on_it) == fits(on_it[0], on_it[2], on_it[1]) == fit
            assert bool(PARTNERS[on_it[0]][on_it[1]] >> on_it[2] & 1) == fit
            assert same_color(*on_it) == colored(row, first, second)
        for one in FACES:
            assert bool(SINGLES[DOS_NAMES[row]] >> DOS_NAMES[one] & 1) == fits(DOS_NAMES[row], DOS_NAMES[one])
            assert fits(DOS_NAMES[row], DOS_NAMES[one]) == fitting(row, one)


@pytest.mark.parametrize(
    ("row", "most"),
    [
        *(("R1", 8), ("R3", 42), ("R4", 71), ("R5", 90), ("R6", 116), ("R7", 138), ("R8", 164)),
        *(("R9", 186), ("R10", 212), ("W2", 41), ("R#", 460)),
    ],
)
def test_a_row_card_has_so_many_matches_at_most(row: str, most: int) -> None:
    """Somebody who held every face twice could match this card in as many ways as the rules page counts."""
    everything = bytearray(card for card in CARDS for _ in range(2))
    held = sum(1 << card for card in CARDS)
    assert len(matches([DOS_NAMES[row]], everything, held)) == most


def test_the_deck_is_that_of_the_seed() -> None:
    """108 cards, 41 faces, 1,036 points; no coloured two, no zero, eight Wild # and twelve Wild DOS."""
    deck = [FACE[card] for card in dos_deck()]
    assert (len(deck), len(set(deck)), len([card for card in deck if card[1:] == "#"])) == (108, 41, 8)
    assert (deck.count("W2"), deck.count("R1"), deck.count("R6"), deck.count("R#")) == (12, 3, 2, 2)
    assert not {"R2", "R0"} & set(deck)
    assert canonical(dos_deck()) == dos_deck() == bytes(sorted(dos_deck()))


def test_a_code_says_place_and_cards_in_either_order() -> None:
    """The cards of a pair may be named in any order; the numerical order of codes is the canonical one."""
    first, second = DOS_NAMES["R1"], DOS_NAMES["W2"]
    assert match_code(3, second, first) == match_code(3, first, second)
    assert match_of(match_code(3, second, first)) == (3, first, second)
    assert match_of(match_code(107, second)) == (107, second, 0)
    assert match_code(0, first) < match_code(0, first, second) < match_code(0, second) < match_code(1, first)
