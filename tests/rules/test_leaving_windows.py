"""A seat leaves while several are asked at once: what is kept of the answers that are in, and who is asked anew.

A sealed answer is kept as what it says, not by its place, and what the others may answer hangs on their own hands and
on the top card: so nobody else's question changes, and it keeps its id. Only where the window closes for it, because
the seat that it is about has left or nobody is missing any more, does the next question have a new one.
"""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from referee.rules.games import resolve
from referee.rules.round import Round
from referee.rules.vocabulary import DecisionKind, RoundEnding
from tests.rules.dos.tables import table as dos_table
from tests.rules.family import act, table
from tests.rules.playing import play, start

Open = Callable[[], Any]
_CALL, _CHALLENGE = DecisionKind.CALL_WINDOW, DecisionKind.CHALLENGE_WINDOW
_WHEEL = {DecisionKind.SPIN_SHOUT, DecisionKind.SPIN_WAR}
KINDS = {
    "classic": {_CALL}, "uno": {_CALL, _CHALLENGE}, "official": {_CALL, _CHALLENGE},
    "spin": {_CALL, _CHALLENGE, *_WHEEL}, "dos": {_CALL},
}  # fmt: skip
"""By preset, the windows that there are."""


def _uno_call() -> Any:  # noqa: ANN401  (rounds of any game)
    """Seat 0 has missed its call; all are asked."""
    round_ = table("classic", "R5 G1", "Y1 Y2", "B7 B8", "B5 B6")
    act(round_, "0 PLAY R5")
    return round_


def _uno_challenge() -> Any:  # noqa: ANN401
    """Seat 0 has bluffed seat 1 with a Wild Draw Four; 1 answers, 2 and 3 may challenge."""
    round_ = table("uno", "W4 R1 Y1", "Y3 W4 Y4", "B7 B8", "B5 B6", discard="R5")
    act(round_, "0 PLAY W4 G")
    return round_


def _spin_call() -> Any:  # noqa: ANN401
    round_ = table("spin", "R5 G1", "Y1 Y2", "B7 B8", "B5 B6", call_mode="WINDOW")
    act(round_, "0 PLAY R5")
    return round_


def _wheel(segment: str) -> Any:  # noqa: ANN401
    """Seat 1 has spun; all are asked."""
    round_ = table("spin", "R3* G1 B2", "Y1 Y2 R8", "B7 B6 B9", "G7 G6", wheel=segment)
    act(round_, "0 PLAY R3*")
    return round_


def _dos_call() -> Any:  # noqa: ANN401
    round_ = dos_table("B3 G9 Y8", "G8", "Y1", "R8 R9")
    act(round_, "0 MATCH matches=0:B3")
    return round_


CALLS = [
    pytest.param(_uno_call, id="uno: call"),
    pytest.param(_spin_call, id="spin: call"),
    pytest.param(_dos_call, id="dos: call"),
]
WINDOWS = [
    *CALLS,
    pytest.param(_uno_challenge, id="uno: challenge"),
    pytest.param(lambda: _wheel("UNO_SPIN"), id="spin: shout"),
    pytest.param(lambda: _wheel("WAR"), id="spin: war"),
]


def _questions(round_: Round) -> dict[int, tuple[object, ...]]:
    """Return all that a seat which is asked may answer to."""
    return {
        seat: (round_.asked_at, kind, bytes(round_.options(seat)), round_.picks(seat), round_.default(seat))
        for seat, kind in round_.asked.items()
    }


@pytest.mark.parametrize("opened", WINDOWS)
def test_answers_that_are_in_are_kept_and_the_others_are_asked_on(opened: Open) -> None:
    """Seat 2 has answered and counts, seat 3 leaves unasked from now on, everybody else has the same question."""
    round_ = opened()
    round_.apply(2, *round_.default(2))
    questions, sealed = _questions(round_), dict(round_._sealed)
    round_.forfeit(3)
    del questions[3]
    assert questions
    assert _questions(round_) == questions
    assert round_._sealed == sealed
    for seat in list(round_.asked):
        round_.apply(seat, *round_.default(seat))
    assert not round_._window


@pytest.mark.parametrize("opened", WINDOWS)
def test_the_answer_of_the_leaver_is_void(opened: Open) -> None:
    """As if it had never come; the window waits for all the others."""
    round_, never = opened(), opened()
    round_.apply(3, *round_.default(3))
    questions = _questions(round_)
    for one in (round_, never):
        one.forfeit(3)
    assert _questions(round_) == questions
    assert round_._sealed == {}
    for one in (round_, never):
        for seat in list(one.asked):
            one.apply(seat, *one.default(seat))
    assert (round_.hands, round_.draw, round_.discard) == (never.hands, never.draw, never.discard)
    assert round_.asked == never.asked
    assert round_.events == never.events


@pytest.mark.parametrize("opened", WINDOWS)
def test_the_last_one_that_was_missing_leaves(opened: Open) -> None:
    """The window closes with the answers that are in, and what is asked next has a new id."""
    round_ = opened()
    asked_at, window = round_.asked_at, sorted(round_.asked)
    for seat in window[:-1]:
        round_.apply(seat, *round_.default(seat))
    assert list(round_.asked) == window[-1:]
    round_.forfeit(window[-1])
    assert window[-1] not in round_.asked
    assert round_.asked
    assert round_.asked_at > asked_at


@pytest.mark.parametrize("opened", CALLS)
def test_the_seat_leaves_that_a_call_window_is_about(opened: Open) -> None:
    """Nobody is asked about it any more, nobody draws, and the next question has a new id."""
    round_ = opened()
    asked_at, hands = round_.asked_at, [len(hand) for hand in round_.hands]
    act(round_, "1 CATCH")
    round_.forfeit(0)
    assert [len(hand) for hand in round_.hands] == [0, *hands[1:]]
    assert list(round_.asked) == [1]
    assert round_.asked[1] in {DecisionKind.TURN, DecisionKind.DOS_TURN}
    assert round_.asked_at > asked_at


def test_a_challenge_that_is_in_is_judged_after_the_victim_left() -> None:
    """Seat 2 has challenged: the bluffer draws, as if the victim were there (D 16)."""
    round_ = _uno_challenge()
    act(round_, "2 CHALLENGE", "1 FORFEIT")
    assert act(round_, "3 PASS")["hands"] == [8, 0, 2, 2]


def test_a_stack_that_is_in_lies_there_after_another_seat_left() -> None:
    """What was picked is the card, wherever it stood in the list."""
    round_ = _uno_challenge()
    act(round_, "1 STACK W4 Y", "3 FORFEIT")
    seen = act(round_, "2 PASS")
    assert (seen["top"], seen["color"]) == ("W4", "Y")


def test_in_a_game_of_two_the_round_is_over() -> None:
    """Whatever was asked and answered: Duo has no more seats."""
    round_ = table("duo", "RS B1", "G8 G9 G1", discard="R3")
    act(round_, "0 PLAY RS")
    assert set(round_.asked.values()) == {DecisionKind.CALL_WINDOW}
    act(round_, "1 CATCH", "0 FORFEIT")
    assert (round_.result.ending, round_.result.winner, round_.asked) == (RoundEnding.FORFEIT, 1, {})


@pytest.mark.parametrize("preset", KINDS)
def test_whoever_leaves_whichever_window_nobody_elses_question_changes(preset: str) -> None:
    """In thirty rounds of four, at every moment at which several are asked."""
    options: dict[str, object] = {} if preset == "dos" else {"wd4_challengers": "ANYONE", "call_mode": "WINDOW"}
    seen: set[tuple[DecisionKind, int]] = set()

    def look(round_: Round) -> None:
        if round_.seat >= 0:
            return
        before, sealed, about = _questions(round_), dict(round_._sealed), round_.subject
        for leaver in round_.seats_in():
            left = round_.copy()
            left.forfeit(leaver)
            closed = left.result is not None or left.asked_at != round_.asked_at
            of_a_call = round_._window_of is DecisionKind.CALL_WINDOW and leaver == about
            assert closed == (left.result is not None or of_a_call or before.keys() == {leaver}), (seed, leaver)
            if not closed:
                assert _questions(left) == {seat: one for seat, one in before.items() if seat != leaver}, (seed, leaver)
                assert left._sealed == {seat: one for seat, one in sealed.items() if seat != leaver}, (seed, leaver)
                seen.add((round_._window_of, len(sealed)))

    for seed in range(30):
        play(start(resolve(preset, {**options, "max_turns_per_round": 150}, 4), seed), Random(seed), look)
    assert {sealed for _, sealed in seen} >= {0, 1, 2}
    assert {kind for kind, _ in seen} == KINDS[preset]
