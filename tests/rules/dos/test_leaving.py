"""A seat leaves a round of DOS: in any decision, asked or not (D 14-19)."""

from random import Random

import pytest

from referee.rules.games import resolve
from referee.rules.vocabulary import DecisionKind, RoundEnding
from tests.rules.dos.tables import act, table
from tests.rules.playing import some_answer, start


def test_the_hand_goes_under_the_discard_pile_and_counts_for_the_winner() -> None:
    """At its value then; also while nothing was discarded yet (D 14)."""
    round_ = table("B3", "G8 W2", "Y1", discard="B1")
    assert act(round_, "1 FORFEIT")["discard_cards"] == ["G8", "W2", "B1"]
    act(round_, "0 MATCH matches=0:B3")
    assert round_.result is not None
    assert (round_.result.points, round_.result.places) == ((28 + 1, 0, 0), (1, 3, 2))
    assert act(table("B3", "G8 W2", "Y1"), "1 FORFEIT")["discard_cards"] == ["G8", "W2"]


@pytest.mark.parametrize(
    "lines",
    [
        pytest.param((), id="DOS_TURN"),
        pytest.param(("0 DRAW",), id="DOS_AFTER_DRAW"),
        pytest.param(("0 MATCH matches=0:R3",), id="DOS_PLACE_BONUS"),
    ],
)
def test_the_open_decision_of_a_leaver_lapses(lines: tuple[str, ...]) -> None:
    """Nothing is played or placed for it; the next seat moves (D 15)."""
    round_ = table("R3 G9 Y8 B6", "G8", "Y1")
    row = act(round_, *lines)["row"]
    seen = act(round_, "0 FORFEIT")
    assert (seen["ask"], seen["row"], seen["bonus"], seen["out"]) == ({"1": "DOS_TURN"}, row, 0, [0])


def test_another_seat_leaves_while_one_is_asked() -> None:
    """The decision stays open; who comes next is passed over later."""
    round_ = table("B3 G9 Y8 B6", "G8", "Y1")
    assert act(round_, "1 FORFEIT")["ask"] == {"0": "DOS_TURN"}
    assert act(round_, "0 MATCH matches=0:B3")["ask"] == {"2": "DOS_TURN"}


def test_the_cards_of_a_leaver_can_be_drawn() -> None:
    """They are discards, and those are shuffled when the pile is empty."""
    round_ = table("G9 Y8", "G8", "Y1", draw="")
    assert act(round_, "1 FORFEIT", "0 DRAW")["hands"] == [3, 0, 1]


def test_of_two_seats_the_other_wins() -> None:
    """The round ends, scored as for a win (D 19)."""
    round_ = table("R1 R4", "G8 B5")
    act(round_, "0 FORFEIT")
    assert round_.result is not None
    assert (round_.result.ending, round_.result.winner, round_.result.points) == (RoundEnding.FORFEIT, 1, (0, 5))


def test_the_exposed_seat_leaves_its_window() -> None:
    """The window closes without effect and the next seat moves (D 16)."""
    round_ = table("B3 G9 Y8", "G8", "Y1")
    assert act(round_, "0 MATCH matches=0:B3", "1 CATCH", "0 FORFEIT")["ask"] == {"1": "DOS_TURN"}


def test_another_seat_leaves_the_window() -> None:
    """Its sealed answer is void; the window closes when no other answer is missing (D 16)."""
    round_ = table("B3 G9 Y8", "G8", "Y1")
    act(round_, "0 MATCH matches=0:B3", "1 CATCH", "2 PASS")
    assert act(round_, "1 FORFEIT")["ask"] == {"0": "CALL_WINDOW"}
    assert act(round_, "0 PASS")["hands"] == [2, 0, 1]
    assert round_.asked == {2: DecisionKind.DOS_TURN}


def test_a_window_closes_when_the_last_one_missing_leaves() -> None:
    """The other answers count."""
    round_ = table("B3 G9 Y8", "G8", "Y1")
    seen = act(round_, "0 MATCH matches=0:B3", "0 PASS", "2 CATCH", "1 FORFEIT")
    assert (seen["hands"], seen["ask"]) == ([4, 0, 1], {"2": "DOS_TURN"})


EXPOSING = ("0 MATCH matches=0:R1+R4", "0 PLACE cards=B9")  # seat 0 misses its call and pushes the others up


def test_the_active_seat_leaves_while_others_are_still_to_be_settled() -> None:
    """The windows of those whom it pushed go on (EVER_TWO), then the next seat moves."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", "Y1", row="R5 Y7", call_scope="EVER_TWO")
    act(round_, *EXPOSING, "0 FORFEIT")
    assert (round_.subject, sorted(round_.asked)) == (1, [1, 2])
    act(round_, "1 PASS", "2 CATCH")
    assert (round_.subject, round_.owes) == (2, (0, 2, 0))
    assert act(round_, "1 PASS", "2 PASS")["ask"] == {"1": "DOS_TURN"}


def test_an_exposed_seat_leaves_before_its_window() -> None:
    """It is not asked about; what it owed would be void."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", "Y1", row="R5 Y7", call_scope="EVER_TWO")
    act(round_, *EXPOSING, "1 FORFEIT", "0 PASS", "2 PASS")
    assert (round_.subject, sorted(round_.asked)) == (2, [0, 2])


def test_what_a_leaver_owed_is_void() -> None:
    """The debt goes with the seat."""
    round_ = table("R1 R4 Y8 B6 B9", "G8", "Y1", row="R5 Y7", call_scope="EVER_TWO")
    act(round_, *EXPOSING, *("0 PASS", "1 PASS", "2 PASS"), *("0 CATCH", "1 PASS", "2 PASS"))
    assert round_.owes == (0, 2, 0)
    assert act(round_, "1 FORFEIT")["owes"] == [0, 0, 0]


@pytest.mark.parametrize("seed", range(60))
def test_a_seat_may_leave_at_any_moment(seed: int) -> None:
    """Whoever leaves whenever: no card is lost, somebody in the game is asked, and the round comes to an end."""
    options = {"call_scope": "EVER_TWO", "double_color_draw": seed % 3, "bonus_mandatory": seed % 2 == 0}
    round_ = start(resolve("dos", options, 2 + seed % 3), seed)
    rng = Random(seed)
    while round_.result is None:
        assert round_.everything() == round_.facts.deck
        assert not set(round_.asked) & set(round_.out)
        if rng.random() < 0.08:
            round_.forfeit(rng.choice(round_.seats_in()))
        else:
            seat = rng.choice(sorted(round_.asked))
            round_.apply(seat, *some_answer(round_, seat, rng))
    assert min(round_.result.places) == 1
