"""Acts of DOS as text: slots and cards in any order, reading back what was written, what cannot be read."""

from random import Random

import pytest

from referee.rules.cards import format_cards
from referee.rules.errors import IllegalAnswerError, NotationError
from referee.rules.games import resolve
from referee.rules.gametext import parse_act, print_act
from referee.rules.notation import perform
from referee.rules.round import Answer, Round
from referee.rules.vocabulary import DecisionKind
from tests.rules.dos.tables import act, listed, table
from tests.rules.playing import some_answer, start


@pytest.mark.parametrize("seed", range(40))
def test_every_answer_reads_back_from_its_text(seed: int) -> None:
    """`read` of `write` is the answer, through a line of text as well."""
    round_ = start(resolve("dos", {"bonus_mandatory": seed % 2 == 0, "call_scope": "EVER_TWO"}, 2 + seed % 3), seed)
    rng = Random(seed)
    while round_.result is None:
        seat = min(round_.asked)
        answer = some_answer(round_, seat, rng)
        written = round_.write(seat, answer)
        assert meaning(round_, seat, round_.read(seat, parse_act(print_act(written)))) == meaning(round_, seat, answer)
        round_.apply(seat, *answer)


def meaning(round_: Round, seat: int, answer: Answer) -> object:
    """Options and call of an answer: one pick or a list of one are the same, and equal options are."""
    picks, call, _ = answer
    options = round_.options(seat)
    return [options[pick] for pick in ([picks] if isinstance(picks, int) else picks)], call


def test_text_names_slots_where_answers_name_places() -> None:
    """Slots stay with their cards while places move up."""
    round_ = table("B3 G9 B6 Y4", "Y7 G4 Y1")
    act(round_, "0 MATCH matches=0:B3")
    assert listed(round_)[0].startswith("0:")
    place = next(index for index, word in enumerate(listed(round_)) if word == "0:Y7")
    assert round_.write(1, (place, False, 0))["matches"] == [{"slot": 1, "cards": ["Y7"]}]


def test_a_written_list_keeps_the_order_of_its_picks() -> None:
    """Matches, and cards that are placed, stand in the order in which they were picked."""
    round_ = table("R3 Y7 B9 B8 B6 B1", "G8")
    words = listed(round_)
    picks = words.index("1:Y7"), words.index("0:R3")
    assert round_.write(0, (picks, True, 0)) == {
        "seat": 0,
        "act": "MATCH",
        "matches": [{"slot": 1, "cards": ["Y7"]}, {"slot": 0, "cards": ["R3"]}],
        "call": True,
    }
    round_.apply(0, picks)
    assert round_.write(0, ((3, 1), False, 0)) == {"seat": 0, "act": "PLACE", "cards": ["B9", "B6"]}


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        pytest.param({"act": "MATCH"}, NotationError, id="no matches"),
        pytest.param({"act": "MATCH", "matches": {}}, NotationError, id="matches that are no list"),
        pytest.param({"act": "MATCH", "matches": [3]}, NotationError, id="a match that is none"),
        pytest.param({"act": "MATCH", "matches": [{"slot": "0", "cards": ["B3"]}]}, NotationError, id="a slot as text"),
        pytest.param(
            {"act": "MATCH", "matches": [{"slot": True, "cards": ["B3"]}]}, NotationError, id="a slot as truth"
        ),
        pytest.param({"act": "MATCH", "matches": [{"slot": 0}]}, NotationError, id="no cards"),
        pytest.param({"act": "MATCH", "matches": [{"slot": 0, "cards": ["B2"]}]}, NotationError, id="no such card"),
        pytest.param({"act": "MATCH", "matches": [{"slot": 0, "cards": []}]}, IllegalAnswerError, id="an empty match"),
        pytest.param(
            {"act": "MATCH", "matches": [{"slot": 9, "cards": ["B3"]}]}, IllegalAnswerError, id="no such slot"
        ),
        pytest.param(
            {"act": "MATCH", "matches": [{"slot": 0, "cards": ["B3"]}], "bonus": "G9"}, NotationError, id="bonus"
        ),
        pytest.param({"act": "MATCH", "matches": [], "cards": []}, NotationError, id="a field too many"),
        pytest.param({"act": "DRAW", "matches": []}, NotationError, id="a draw with matches"),
        pytest.param({"act": "DRAW", "call": 1}, NotationError, id="a call that is none"),
        pytest.param({"act": "PLACE", "card": "B3"}, NotationError, id="a card that is no list"),
        pytest.param({"act": "PLACE", "cards": ["B3"]}, IllegalAnswerError, id="a placing that is not asked"),
        pytest.param({"act": "PLAY", "card": "B3"}, IllegalAnswerError, id="an act of another game"),
        pytest.param({"act": 5}, NotationError, id="no act"),
    ],
)
def test_what_cannot_be_read_is_refused(entry: dict[str, object], error: type[Exception]) -> None:
    """A typed error, and no trace of the act."""
    round_ = table("B3 G9 B6 Y4", "G8")
    before = round_.digest()
    with pytest.raises(error):
        perform(round_, {"seat": 0} | entry)
    assert round_.digest() == before


def test_a_refused_match_leaves_no_order_behind() -> None:
    """The order in which two cards were to lie is forgotten with an act that is refused."""
    round_ = table("G3 G4 B6 B8 B9", "G8")
    with pytest.raises(IllegalAnswerError):
        perform(round_, parse_act("0 MATCH matches=1:G4+G3,1:G4+G3"))
    round_.apply(0, listed(round_).index("1:G3+G4"))
    assert format_cards(round_.discard) == ["Y7", "G3", "G4"]


def test_a_window_takes_its_own_acts_only() -> None:
    """CALL, CATCH and PASS; a match is none of them."""
    round_ = table("B3 G9 Y8", "G8 R3")
    act(round_, "0 MATCH matches=0:B3")
    assert round_.asked[1] is DecisionKind.CALL_WINDOW
    for line in ("1 MATCH matches=1:R3", "1 PLACE cards=R3", "1 CALL", "0 CATCH"):
        with pytest.raises((IllegalAnswerError, NotationError)):
            perform(round_, parse_act(line))
    assert round_.write(1, (1, False, 0)) == {"seat": 1, "act": "CATCH"}
