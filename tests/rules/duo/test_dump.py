"""Dumps: with a Reverse and by right, all or nothing, and what the last card does."""

from itertools import permutations
from typing import Any

import pytest

from referee.rules.cards import FACE
from referee.rules.errors import IllegalAnswerError
from referee.rules.notation import perform
from referee.rules.vocabulary import Act
from tests.rules.family import act, hand, legal, listed, table


def holding(mine: str, theirs: str = "R8 R9 B8 B9", **given: Any) -> Any:  # noqa: ANN401  (a round)
    """A round in which seat 0 holds this hand, on a G3 unless it is said otherwise."""
    return table("duo", mine, theirs, discard=given.pop("discard", "G3"), **given)


@pytest.mark.parametrize(
    ("line", "fine"),
    [
        pytest.param("0 PLAY GV", True, id="the Reverse alone"),
        pytest.param("0 PLAY GV dump=G1,G7,GS", True, id="with all greens"),
        pytest.param("0 PLAY GV dump=GS,G7,G1", True, id="in any order"),
        pytest.param("0 PLAY GV dump=G1,G7", False, id="all or nothing"),
        pytest.param("0 PLAY GV dump=", False, id="an empty dump"),
        pytest.param("0 PLAY GV dump=G1,G7,GS,GV", False, id="the Reverse twice"),
        pytest.param("0 PLAY GV dump=G1,G7,GS,W", False, id="a wild has no colour"),
        pytest.param("0 PLAY GV dump=G1,G7,GS,B1", False, id="another colour"),
        pytest.param("0 PLAY GV dump=G1,G1,G7,GS", False, id="a card twice"),
        pytest.param("0 PLAY GV dump=B1", False, id="another colour alone"),
        pytest.param("0 PLAY G1 dump=G7,GS,GV", False, id="a dump without a Reverse"),
        pytest.param("0 PLAY W G dump=G1", False, id="a dump with a wild"),
        pytest.param("0 DUMP cards=G1,G7,GS,GV", False, id="no right to it"),
        pytest.param("0 DISCARD G1", False, id="a card of a dump alone"),
        pytest.param("0 PLAY GV dump=G1,G7,GS cards=G1", False, id="a field too many"),
    ],
)
def test_what_may_be_dumped_with_a_reverse(line: str, fine: bool) -> None:
    """Exactly all other cards of its colour, each once, at least one (B3)."""
    assert legal(holding("GV G1 G7 GS B1 W"), line) is fine


@pytest.mark.parametrize(
    ("line", "fine"),
    [
        pytest.param("0 DUMP cards=G8,G9", True, id="all greens"),
        pytest.param("0 DUMP cards=G9,G8", True, id="in any order"),
        pytest.param("0 DUMP cards=G8", False, id="all or nothing"),
        pytest.param("0 DUMP cards=", False, id="an empty list"),
        pytest.param("0 DUMP", False, id="no list"),
        pytest.param("0 DUMP cards=G8,G9,W", False, id="a wild"),
        pytest.param("0 DUMP cards=R1", False, id="another colour"),
        pytest.param("0 PLAY G8", True, id="a card alone"),
        pytest.param("0 DRAW", True, id="drawing"),
    ],
)
def test_what_may_be_dumped_by_right(line: str, fine: bool) -> None:
    """All cards of the colour, a Reverse among them or not."""
    assert legal(holding("G8 G9 W R1", discard="GV", dump_right="G"), line) is fine


def test_the_options_of_a_dump() -> None:
    """The dump is one option with its Reverse, the other cards of the colour are listed to put down; in order."""
    round_ = holding("GV G7 G1 G1 B1 W")
    plays = ["PLAY G1", "PLAY G7", "PLAY GV"]
    wilds = [f"PLAY W {letter}" for letter in "RYGB"]
    discards = ["DISCARD G1", "DISCARD G1", "DISCARD G7"]
    assert listed(round_) == [*plays, "DUMP GV", *wilds, *discards, "DRAW"]
    assert round_.picks(0) == (1, 4)


def test_the_options_of_a_dump_by_right() -> None:
    """A dump without a card names its colour."""
    round_ = holding("G8 G9 R1", discard="GV", dump_right="G")
    assert listed(round_) == ["PLAY G8", "PLAY G9", "DISCARD G8", "DISCARD G9", "DRAW", "DUMP G"]
    assert round_.picks(0) == (1, 3)


def test_two_colours_may_be_dumped_on_a_reverse() -> None:
    """Each Reverse that fits opens a dump of its own colour; the lists do not mix."""
    round_ = holding("BV GV B1 G1 G2 R1", discard="GV")
    assert legal(round_, "0 PLAY GV dump=G1,G2")
    assert legal(round_, "0 PLAY BV dump=B1")
    assert not legal(round_, "0 PLAY BV dump=B1,G1,G2")
    assert round_.picks(0) == (1, 3)


def test_a_second_reverse_is_one_of_the_cards_dumped() -> None:
    """Two of them: one opens, the other goes along, once."""
    round_ = holding("GV GV G1 B1")
    assert listed(round_).count("DISCARD GV") == 1
    assert legal(round_, "0 PLAY GV dump=GV,G1 !")
    assert not legal(round_, "0 PLAY GV dump=GV,GV,G1 !")
    assert not legal(round_, "0 PLAY GV dump=G1 !")


def test_both_ways_to_dump_at_once() -> None:
    """With the right and a Reverse of that colour: by right all of them, with the Reverse all others."""
    round_ = holding("GV G1 B1 B2", discard="GV", dump_right="G")
    assert legal(round_, "0 DUMP cards=GV,G1")
    assert legal(round_, "0 DUMP cards=G1,GV")
    assert legal(round_, "0 PLAY GV dump=G1")
    assert not legal(round_, "0 DUMP cards=G1")
    assert not legal(round_, "0 PLAY GV dump=G1,GV")


@pytest.mark.parametrize(
    ("mine", "given"),
    [
        pytest.param("GV G1 G1 B1 W", {}, id="with a Reverse"),
        pytest.param("GV GV BV B1", {"discard": "RV"}, id="with two of them"),
        pytest.param("GV G1 B1", {"discard": "GV", "dump_right": "G"}, id="by right or with a Reverse"),
    ],
)
def test_a_list_is_accepted_exactly_when_a_plain_reading_allows_it(mine: str, given: dict[str, Any]) -> None:
    """One option that is no dump and no card of one, or a dump with all other cards of its colour: nothing else."""
    round_ = holding(mine, **given)
    columns = round_.columns(0)
    rows = list(zip(columns.act, columns.card, columns.color or bytes(len(columns.act)), strict=True))
    for size in range(1, 4):
        for picks in permutations(range(len(rows)), size):
            kind, card, named = rows[picks[0]]
            rest = sorted(FACE[rows[index][1]] for index in picks[1:] if rows[index][0] == Act.DISCARD)
            fine = size == 1 and kind != Act.DISCARD
            if kind == Act.DUMP:
                color = FACE[card][0] if card else " RYGB"[named]
                whole = [face for face in mine.split() if face[0] == color]
                if card:
                    whole.remove(FACE[card])
                fine = rest == sorted(whole) and len(rest) == size - 1
            try:
                round_.copy().apply(0, picks, call=True, color=0)
            except IllegalAnswerError:
                assert not fine, picks
            else:
                assert fine, picks


@pytest.mark.parametrize(
    ("mine", "line", "ask", "hands"),
    [
        pytest.param("GV GS G1 B1 B2", "0 PLAY GV dump=GS,G1", {"1": "TURN"}, [2, 4], id="a number: nothing"),
        pytest.param("GV GS G1 B1 B2", "0 PLAY GV dump=G1,GS", {"0": "TURN"}, [2, 4], id="a Skip: again"),
        pytest.param("GV GD GS B1 B2", "0 PLAY GV dump=GS,GD", {"0": "TURN"}, [2, 6], id="a Draw Two: they draw"),
        pytest.param("GV GD GS B1 B2", "0 PLAY GV dump=GD,GS", {"0": "TURN"}, [2, 4], id="a Draw Two inside: nothing"),
        pytest.param("GV GV G1 B1 B2", "0 PLAY GV dump=GV,G1", {"1": "TURN"}, [2, 4], id="a Reverse inside: nothing"),
        pytest.param("GV GV G1 B1 B2", "0 PLAY GV dump=G1,GV", {"1": "TURN"}, [2, 4], id="a Reverse: their dump"),
    ],
)
def test_the_last_card_of_a_dump_acts(mine: str, line: str, ask: dict[str, str], hands: list[int]) -> None:
    """On the opponent, as if it was played; those before it do nothing."""
    seen = act(holding(mine), line)
    assert (seen["ask"], seen["hands"]) == (ask, hands)
    assert seen["color"] == "G"
    assert seen["dump_right"] == ("G" if line.endswith("GV") else None)


def test_a_dump_that_ends_in_a_draw_two_opens_a_volley() -> None:
    """The opponent may answer it."""
    round_ = holding("GV GD B1 B2", "RD R9 R8")
    assert act(round_, "0 PLAY GV dump=GD")["ask"] == {"1": "RESPOND_STACK"}
    assert act(round_, "1 STACK RD")["hands"] == [6, 2]


def test_a_dump_by_right_acts_in_the_same_way() -> None:
    """Last a Reverse: the right goes back; last a Draw Two: they draw."""
    round_ = holding("G1 GV R2 R3", "G4 R8", discard="GV", dump_right="G")
    assert act(round_, "0 DUMP cards=G1,GV")["dump_right"] == "G"
    assert act(round_, "1 DUMP cards=G4 !")["ask"] == {"0": "TURN"}
    round_ = holding("G1 GD R2 R3", "Y4 R8", discard="GV", dump_right="G")
    assert act(round_, "0 DUMP cards=G1,GD")["hands"] == [2, 4]


@pytest.mark.parametrize("reverse", ["SKIP", "NO_EFFECT"])
def test_a_reverse_at_the_end_may_do_nothing(reverse: str) -> None:
    """dump_last_reverse NONE, whatever a Reverse alone does (D 39)."""
    round_ = holding("GV GV B1 B2", dump_last_reverse="NONE", two_player_reverse=reverse)
    seen = act(round_, "0 PLAY GV dump=GV")
    assert (seen["ask"], seen["dump_right"]) == ({"1": "TURN"}, None)


@pytest.mark.parametrize(("reverse", "next_seat"), [("SKIP", "0"), ("NO_EFFECT", "1")])
def test_a_reverse_alone(reverse: str, next_seat: str) -> None:
    """Nothing, or another turn (two_player_reverse); no right to dump either way."""
    seen = act(holding("GV G1 B1 B2", two_player_reverse=reverse), "0 PLAY GV")
    assert (seen["ask"], seen["dump_right"]) == ({next_seat: "TURN"}, None)


@pytest.mark.parametrize(
    "line",
    [
        pytest.param("0 DRAW", id="a draw"),
        pytest.param("0 PLAY G8", id="a play"),
        pytest.param("0 PLAY W R", id="a wild"),
        pytest.param("0 PLAY GS", id="a Skip that gives another turn"),
    ],
)
def test_any_other_act_ends_the_right(line: str) -> None:
    """Also where the same seat moves again, and while it is asked about a card it drew (D 40)."""
    round_ = holding("G8 G9 GS W", discard="GV", dump_right="G", draw="G1 G2 Y1")
    assert act(round_)["dump_right"] == "G"
    seen = act(round_, line)
    assert seen["dump_right"] is None
    assert not any(option.startswith("DUMP") for seat in round_.asked for option in listed(round_, seat))


def test_a_pass_ends_the_right() -> None:
    """With nothing to draw (D 50)."""
    round_ = holding("G8 G9 W", discard="GV", dump_right="G", draw="")
    assert act(round_, "0 PASS")["dump_right"] is None
    assert act(round_, "1 PASS")["ask"] == {}


def test_a_reverse_that_was_drawn_may_be_played_with_a_dump() -> None:
    """The card drawn and all others of its colour (B10-18)."""
    round_ = holding("G1 G2 B1 B2", draw="GV Y1")
    act(round_, "0 DRAW")
    assert listed(round_) == ["PLAY GV", "DUMP GV", "DISCARD G1", "DISCARD G2", "KEEP"]
    assert not legal(round_, "0 PLAY G1")
    assert act(round_, "0 PLAY GV dump=G2,G1")["top"] == "G1"


def test_a_reverse_drawn_on_another_reverse_dumps_its_own_colour() -> None:
    """Only the one that was drawn opens a dump."""
    round_ = holding("GV G2 B1 B2", discard="GV", draw="BV Y1")
    act(round_, "0 DRAW")
    assert listed(round_) == ["PLAY BV", "DUMP BV", "DISCARD B1", "DISCARD B2", "KEEP"]


@pytest.mark.parametrize(
    ("line", "drawn"),
    [
        pytest.param("0 PLAY GV dump=G1,GD", 2, id="last a Draw Two: they draw two"),
        pytest.param("0 PLAY GV dump=GD,G1", 0, id="last a number: nothing"),
    ],
)
def test_going_out_by_a_dump(line: str, drawn: int) -> None:
    """The round is over at once; what the last card owes is drawn and counts."""
    round_ = holding("GV G1 GD", "R8 R9", draw="Y1 Y2")
    act(round_, line)
    assert round_.result.winner == 0
    assert round_.result.points == (0, 17 + (3 if drawn else 0))


@pytest.mark.parametrize(
    ("line", "mode", "ask", "hands"),
    [
        pytest.param("0 PLAY GV dump=G1,G7 !", "WINDOW", {"1": "TURN"}, [1, 4], id="called"),
        pytest.param("0 PLAY GV dump=G1,G7", "WINDOW", {"0": "CALL_WINDOW", "1": "CALL_WINDOW"}, [1, 4], id="a window"),
        pytest.param("0 PLAY GV dump=G1,G7", "AUTO", {"1": "TURN"}, [3, 4], id="at once"),
        pytest.param("0 PLAY GV dump=G1,G7", "OFF", {"1": "TURN"}, [1, 4], id="no calls"),
    ],
)
def test_a_dump_down_to_one_card_needs_the_call(line: str, mode: str, ask: dict[str, str], hands: list[int]) -> None:
    """Also from many cards at once (B10-16)."""
    seen = act(holding("GV G1 G7 B1", call_mode=mode), line)
    assert (seen["ask"], seen["hands"]) == (ask, hands)


def test_the_window_after_a_dump_comes_before_what_its_last_card_does() -> None:
    """The right, the volley and the extra turn wait for it; what is owed can be seen already."""
    round_ = holding("GV GV B1")
    assert act(round_, "0 PLAY GV dump=GV")["dump_right"] is None
    assert act(round_, "0 PASS", "1 PASS")["dump_right"] == "G"
    round_ = holding("GV GD B1")
    assert act(round_, "0 PLAY GV dump=GD")["pending"] == 2
    assert act(round_, "0 CALL", "1 PASS")["hands"] == [1, 6]


def test_the_limit_of_turns_ends_a_right() -> None:
    """No further turn, no right."""
    round_ = holding("GV GV B1 B2", max_turns_per_round=1)
    assert act(round_, "0 PLAY GV dump=GV")["dump_right"] is None
    assert round_.result.ending.name == "TURN_LIMIT"


@pytest.mark.parametrize(
    ("mine", "given"),
    [
        pytest.param("GV G1 G1 B1 W4", {}, id="with a Reverse"),
        pytest.param("GV G1 B1", {"discard": "GV", "dump_right": "G"}, id="by right"),
    ],
)
def test_answers_are_read_as_they_are_written(mine: str, given: dict[str, Any]) -> None:
    """The act of every legal answer means the same answer."""
    round_ = holding(mine, **given)
    for size in range(1, 4):
        for picks in permutations(range(len(round_.options(0))), size):
            first, second = round_.copy(), round_.copy()
            try:
                first.apply(0, picks, call=True, color=0)
            except IllegalAnswerError:
                continue
            written = round_.write(0, (picks, True, 0))
            perform(second, written)
            assert second.digest() == first.digest()
            assert round_.write(0, round_.read(0, written)) == written


def test_a_copy_keeps_the_right() -> None:
    """And is independent of its origin."""
    round_ = holding("G8 G9 W R1", discard="GV", dump_right="G")
    other = round_.copy()
    act(other, "0 DUMP cards=G8,G9")
    assert act(round_)["dump_right"] == "G"
    assert hand(round_, 0) == "R1 G8 G9 W"
