"""What is told of a Duo round, and to whom (rules page B8). The draft has its own tests."""

from typing import Any

from referee.rules import conformance, view
from tests.rules.family import act, table
from tests.rules.watching import public, told


def after(*lines: str, mine: str = "GV G1 GS B1 B2", theirs: str = "R8 R9", **given: Any) -> tuple[Any, int]:  # noqa: ANN401
    """A round on a G3 in which these acts were carried out, and the number of events before them."""
    round_ = table("duo", mine, theirs, discard=given.pop("discard", "G3"), **given)
    first = view.count(round_)
    act(round_, *lines)
    return round_, first


def test_nothing_is_dealt() -> None:
    """A round begins with its draft: no DEALT."""
    round_, first = after()
    assert told(round_, None)[:first] == ["ROUND_START 1 - 2", "TURN 0 - 1"]


def test_a_dump_is_told_card_by_card() -> None:
    """PLAYED for the Reverse, DUMPED for the others in their order; no call where none counts."""
    round_, first = after("0 PLAY GV dump=GS,G1 !")
    for seat in (0, 1, None):
        assert told(round_, seat, first) == ["PLAYED 0 GV 0", "DUMPED 0 GS 0", "DUMPED 0 G1 0", "TURN 1 - 1"]


def test_a_dump_by_right_has_no_reverse_before_it() -> None:
    """DUMPED alone, then CALLED where the call counts."""
    round_, first = after("0 DUMP cards=G1,GS !", mine="G1 GS B1", discard="GV", dump_right="G")
    assert told(round_, None, first) == ["DUMPED 0 G1 0", "DUMPED 0 GS 0", "CALLED 0 - 0", "TURN 0 - 1"]


def test_a_volley_is_told_with_its_total() -> None:
    """STACKED names what is owed now."""
    round_, first = after("0 PLAY GD", "1 STACK RD", mine="GD B1 B2", theirs="RD R8 R9")
    assert told(round_, None, first)[:3] == ["PLAYED 0 GD 0", "STACKED 1 RD 4", "PLAYED 1 RD 0"]


def test_a_draw_is_told_alike_whether_or_not_the_card_fits() -> None:
    """PLAY_DRAWN tells others only that the seat drew: same events, same view, same id of the next decision."""
    unplayable, _ = after("0 DRAW", mine="B1 B2", draw="Y1 Y2")
    playable, _ = after("0 DRAW", "0 KEEP", mine="B1 B2", draw="G9 Y2")
    assert told(unplayable, 1) == told(playable, 1)
    assert view.decision(unplayable, 1) == view.decision(playable, 1)
    assert unplayable.asked_at == playable.asked_at


def test_a_challenged_hand_is_shown_to_the_challenger_alone() -> None:
    """The verdict is public; an unchallenged Wild Draw Four tells nothing."""
    round_, first = after("0 PLAY W4 R", "1 CHALLENGE", mine="W4 G1 B1")
    assert told(round_, 1, first + 1)[:3] == ["CHALLENGED 1 - 16", "HAND_SHOWN 0 G1 0", "HAND_SHOWN 0 B1 0"]
    assert told(round_, None, first + 1)[1:3] == ["HAND_SHOWN 0 - 0", "HAND_SHOWN 0 - 0"]
    shown = list(conformance.shown_since(round_, 4 * first))
    assert shown == [{"seat": 0, "to": [1], "cards": ["G1", "B1"]}]
    accepted = [told(after("0 PLAY W4 R", "1 ACCEPT", mine=f"W4 {card} B1")[0], None) for card in ("G1", "B3")]
    assert accepted[0] == accepted[1]


def test_a_pile_turned_over_is_told_like_a_shuffle() -> None:
    """With its size; which of the two it is the ruleset says."""
    round_, first = after("0 DRAW", mine="B4 B1", draw="", discard="B9 B8 G3")
    assert told(round_, None, first)[0] == "RESHUFFLED - - 2"


def test_the_colour_of_a_wild_turned_up_is_told() -> None:
    """TURNED_UP, then COLOR_NAMED by Player 1."""
    round_ = table("duo", "R1 R2", "R3 R4", draw="W4 Y1 Y2 Y3 Y4", discard="", dealer=0)
    act(round_, "0 COLOR B")
    assert told(round_, None, 1) == ["TURNED_UP - W4 0", "COLOR_NAMED 0 - 4", *["DREW 1 - 2"] * 4, "TURN 0 - 1"]


def test_the_right_to_dump_is_seen_in_the_options() -> None:
    """Of the seat that has it, and nowhere else."""
    round_, _ = after("0 PLAY GV dump=G1,GV", mine="GV GV G1 B1 B2", theirs="G8 R9")
    assert 252 + 2 in round_.options(1)
    other, _ = after("0 PLAY GV dump=G1,GV", mine="GV GV G1 B1 B2", theirs="R8 R9")
    assert public(round_) == public(other)
