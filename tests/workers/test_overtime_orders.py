"""Between a planner's look at a slow table and its end much may happen: nothing is lost, or written twice."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import cast

import pytest

from ladder.store.errors import WrongStateError
from ladder.store.match_calls import Ending
from ladder.store.matches import Matches
from ladder.store.rows import MatchState
from tests.workers.house import House, play
from tests.workers.killing import KilledError, killed_at
from tests.workers.slow_table import Slow
from workers.overtime import REASON
from workers.tournaments.life import PLANNER, State, Verb

BOTH = ["void", "replay"]
"""The lines of a table that was too slow."""

pytestmark = pytest.mark.thorough


@pytest.fixture
def slow(house: House) -> Slow:
    """Let one table of a group go on until it is noted."""
    table = Slow(house)
    house.look(31_000)
    assert table.noted() == (table.last,)
    return table


def _before_its_order(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object]) -> None:
    """Let something happen once, after a planner has judged a table and before its order is there."""
    void, left = Matches.void, [happens]

    def later(*args: object, **options: object) -> MatchState:
        while left:
            left.pop()()
        return void(*args, **options)  # type: ignore[arg-type]  # whatever it was called with

    monkeypatch.setattr(Matches, "void", later)


def _ordered(house: House, slow: Slow) -> None:
    house.look()
    assert slow.row.stop is not None


def _verbs(slow: Slow) -> list[str]:
    assert {who for who, _, _ in slow.audit()} <= {PLANNER}
    return [verb for _, verb, _ in slow.audit()]


def _is_played_again(house: House, slow: Slow) -> None:
    """Check that it is void, and that its bots play all their games nevertheless."""
    house.look()
    house.look()
    assert slow.row.state is MatchState.VOID
    assert _verbs(slow) == BOTH
    assert house.play("spring") is State.FINISHED
    row = house.store.tournaments.get("spring")
    assert (row.done, row.lost, row.again) == (row.matches, 1, 1)


# what it was judged by is not so any more


def test_a_table_that_was_handed_back_is_not_void(house: House, slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another planner looks meanwhile; whoever hosts it next has all the time, and is watched, too."""

    def hand_back() -> None:
        slow.release()
        house.look()

    _before_its_order(monkeypatch, hand_back)
    house.look()
    assert (slow.row.state, slow.row.stop, slow.audit()) == (MatchState.READY, None, [])
    slow.claim()
    house.look(29_000)
    assert (slow.noted(), slow.row.stop) == ((slow.last,), None)
    house.look(31_000)
    _ordered(house, slow)
    slow.obey()
    _is_played_again(house, slow)


def test_a_table_that_has_another_host_by_now_goes_on(
    house: House, slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The order was about the claim before."""

    def hand_on() -> None:
        slow.release()
        house.now_ms += 1
        slow.claim()

    _before_its_order(monkeypatch, hand_on)
    house.look()
    assert (slow.row.state, slow.row.stop, slow.audit()) == (MatchState.RUNNING, None, [])


def test_a_table_that_is_played_by_now_counts(house: House, slow: Slow, monkeypatch: pytest.MonkeyPatch) -> None:
    """It ended between the look and the order: that is nobody's trouble."""

    def end() -> None:
        slow.release()
        play(house, [slow.last])

    _before_its_order(monkeypatch, end)
    house.look()
    house.look()
    assert (slow.row.state, slow.noted(), slow.audit()) == (MatchState.RATED, (), [])


def test_a_note_that_is_lost_is_written_anew(house: House, slow: Slow) -> None:
    """A planner that was slow wrote over it, while its order stood."""
    _ordered(house, slow)
    notes = house.store.tournaments.get("spring").schedule
    without = notes.replace(f'"{slow.last}"', "")
    assert house.store.tournaments.note("spring", "running", notes, without)
    assert slow.noted() == ()
    house.look()
    assert slow.noted() == (slow.last,)
    slow.obey()
    _is_played_again(house, slow)


# however it ends, the order holds


def test_an_order_outlives_a_handover(house: House, slow: Slow) -> None:
    """Its host went before it had heard of it."""
    _ordered(house, slow)
    slow.release()
    _is_played_again(house, slow)


def test_an_order_is_stronger_than_a_bug_of_its_host(house: House, slow: Slow) -> None:
    """The table is not parked: nobody would play it again."""
    _ordered(house, slow)
    slow.end(Ending.PARKED, "internal error")
    assert slow.row.reason == REASON
    _is_played_again(house, slow)


def test_an_order_is_stronger_than_a_result_that_cannot_be_applied(house: House, slow: Slow) -> None:
    """It was played too late, and kills every worker that looks at it."""
    _ordered(house, slow)
    slow.end(Ending.CLOSED, result="{}")
    house.rater.isolate([slow.last], house.now_ms)
    assert (slow.row.state, slow.row.reason) == (MatchState.VOID, REASON)
    _is_played_again(house, slow)


# a line each, whoever dies and whoever else is at it


@pytest.mark.sample(3)
@pytest.mark.parametrize("writes", range(6))
def test_a_kill_leaves_the_order_with_its_line_or_neither(
    house: House, slow: Slow, monkeypatch: pytest.MonkeyPatch, writes: int
) -> None:
    """Whenever a planner ends, at its order and at what is played again; the next one does the rest."""
    for ordered_before in (False, True):
        if ordered_before:
            slow.obey()
        with monkeypatch.context() as patched:
            killed_at(house, patched, writes)
            with suppress(KilledError):
                house.planner.advance("spring", house.now_ms)
        ordered = slow.row.stop is not None or slow.row.state is MatchState.VOID
        again = bool(house.store.matches.rows([f"{slow.last}.r2"]))
        assert _verbs(slow) == BOTH[: ordered + again]
        house.look()
    _is_played_again(house, slow)


def test_an_order_that_waits_for_long_is_one_line(house: House, slow: Slow) -> None:
    """Its host does not hear of it for as long as calls are remembered."""
    _ordered(house, slow)
    house.look()
    for call in cast("list[bytes]", house.store.link.read("KEYS", house.store.keys.once("*"))):
        house.store.link.read("DEL", call)
    house.look(600_000)
    house.look()
    assert _verbs(slow) == ["void"]


def test_an_operator_who_plays_it_again_is_who_did_it(house: House, slow: Slow) -> None:
    """He was faster than the planner, which finds nothing left to do."""
    _ordered(house, slow)
    slow.obey()
    again = house.desk.requeue(slow.last, "at once", "tester").id
    for _ in range(3):
        house.look()
    assert slow.audit() == [(PLANNER, "void", slow.last), ("tester", "replay", again)]
    assert slow.noted() == ()


def _order_of_before(house: House, slow: Slow) -> None:
    """Order what planners of older versions did: without a mark, and without its line in the audit."""
    house.store.matches.void(slow.last, REASON, PLANNER, house.now_ms)


@pytest.mark.parametrize("line", [False, True], ids=["before its line", "with its line"])
@pytest.mark.parametrize("over", [False, True], ids=["pending", "carried out"])
def test_an_order_of_an_older_planner_is_one_of_ours(house: House, slow: Slow, *, line: bool, over: bool) -> None:
    """The version changes between its order and what follows: the table is played again all the same."""
    _order_of_before(house, slow)
    if line:
        house.store.audit.write(PLANNER, "void", slow.last, REASON, house.now_ms, call=f"overtime void {slow.last}")
    if not over:
        house.look()
        assert slow.noted() == (slow.last,)
    slow.obey()
    house.look()
    house.look()
    assert slow.row.state is MatchState.VOID
    assert sorted(_verbs(slow)) == sorted(BOTH)
    assert house.play("spring") is State.FINISHED
    assert house.store.tournaments.get("spring").again == 1


@pytest.mark.parametrize("who", ["tester", PLANNER])
def test_an_operator_who_says_what_the_planner_says_is_not_taken_for_it(house: House, slow: Slow, who: str) -> None:
    """Nor one of its name: what an operator declares void is played again when he says so."""
    house.desk.void(slow.last, REASON, who)
    slow.obey()
    for _ in range(3):
        house.look()
    assert slow.audit() == [(who, "void", slow.last)]
    assert slow.noted() == ()


def test_what_an_operator_declares_void_is_his_while_the_order_of_the_planner_stands(house: House, slow: Slow) -> None:
    """It is played again when he says so, and its reason is his."""
    _ordered(house, slow)
    house.desk.void(slow.last, "that bot cheats", "tester")
    slow.obey()
    for _ in range(3):
        house.look()
    assert slow.row.reason == "that bot cheats"
    assert sorted(slow.audit()) == [(PLANNER, "void", slow.last), ("tester", "void", slow.last)]
    assert slow.noted() == ()


def test_what_an_operator_declares_void_once_it_is_played_is_his(house: House, slow: Slow) -> None:
    """The planner's order came too late; the operator does not want it for a reason of his own."""
    _ordered(house, slow)
    slow.end(Ending.CLOSED, result="{}")
    house.desk.void(slow.last, "it was no fair game", "tester")
    for _ in range(3):
        house.look()
    assert slow.row.reason == "it was no fair game"
    assert sorted(slow.audit()) == [(PLANNER, "void", slow.last), ("tester", "void", slow.last)]
    assert slow.noted() == ()


def test_a_tournament_that_is_cancelled_plays_nothing_again(house: House, slow: Slow) -> None:
    """The order stood before; its line stands."""
    _ordered(house, slow)
    house.desk.turn("spring", Verb.CANCEL, "rain", "tester")
    slow.obey()
    for _ in range(3):
        house.look()
    assert slow.row.reason == REASON
    assert _verbs(slow) == ["void"]


def test_an_order_about_a_claim_needs_that_claim(house: House, slow: Slow) -> None:
    """Nothing is done where there is none."""
    slow.release()
    with pytest.raises(WrongStateError, match="ready"):
        house.store.matches.void(slow.last, REASON, PLANNER, house.now_ms, claimed_ms=slow.row.claimed_ms)
    assert slow.row.state is MatchState.READY
