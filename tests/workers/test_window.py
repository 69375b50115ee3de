"""Matches are created just ahead of play, and nobody waits for somebody else."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.schedule.pairing import RoundRobin
from workers.schedule.schedule import Fixture, Schedule
from workers.schedule.window import LOOKAHEAD, SLICE, Cursor, Window, choose

pytestmark = pytest.mark.slow


def schedule(entrants: int, meetings: int = 10) -> Schedule:
    return Schedule("spring", RoundRobin(entrants), tuple(f"b{number}@1" for number in range(entrants)), meetings, 1)


def window(plan: Schedule, room: int = 64, capacity: int = 1024, pace: float = 0.0) -> Window:
    return Window(dict.fromkeys(plan.entrants, room), capacity, pace)


def names(fixtures: tuple[Fixture, ...]) -> list[str]:
    return [str(fixture.id) for fixture in fixtures]


def test_a_small_tournament_is_created_at_once() -> None:
    """Where all matches fit into the window there is one slice and no gap."""
    plan = schedule(4)
    chosen = choose(plan, Cursor(), window(plan).room({}))
    assert names(chosen.ready) == names(tuple(plan))
    assert chosen.cursor == Cursor(len(plan))
    assert not chosen.more


def test_four_times_a_bots_room_is_open() -> None:
    """A bot of 20 games at once has four matches of 20 games open: one is there when opponents of others are busy."""
    plan = schedule(6)
    chosen = choose(plan, Cursor(), window(plan, room=20).room({}))
    assert set(Counter(bot for fixture in chosen.ready for bot in fixture.entrants).values()) == {4}


def test_the_pace_widens_the_window() -> None:
    """Fast bots get what they will play until the next looks."""
    plan = schedule(6)
    slow = choose(plan, Cursor(), window(plan, room=20).room({}))
    fast = choose(plan, Cursor(), window(plan, room=20, pace=30).room({}))
    assert len(fast.ready) == len(plan) > len(slow.ready)


def test_the_referees_capacity_is_a_bound() -> None:
    """No more than twice what all referees can play at once is open."""
    plan = schedule(12)
    chosen = choose(plan, Cursor(), window(plan, capacity=50).room({}))
    assert len(chosen.ready) == 5


def test_open_games_count() -> None:
    """What is open already takes its room."""
    plan = schedule(4)
    assert choose(plan, Cursor(), window(plan).room(dict.fromkeys(plan.entrants, 256))).ready == ()


def test_a_bot_without_room_is_a_gap_and_the_others_go_ahead() -> None:
    """A busy bot's matches are left for later; everything else is created."""
    plan = schedule(6)
    busy = plan.entrants[2]
    chosen = choose(plan, Cursor(), window(plan).room({busy: 500}))
    assert len(chosen.ready) == 10
    assert all(busy not in fixture.entrants for fixture in chosen.ready)
    assert {busy in plan[gap].entrants for gap in chosen.cursor.gaps} == {True}
    assert chosen.cursor.created == 10
    later = choose(plan, chosen.cursor, window(plan).room({}))
    assert {busy in fixture.entrants for fixture in later.ready} == {True}
    assert later.cursor == Cursor(len(plan))


def test_a_bot_that_is_not_there_is_waited_for() -> None:
    """Without presence, and within its grace, a bot gets no match."""
    plan = schedule(4)
    there = Window(dict.fromkeys(plan.entrants[1:], 64), 1024)
    chosen = choose(plan, Cursor(), there.room({}))
    assert len(chosen.ready) == 3
    assert chosen.walkovers == ()


def test_a_bot_that_was_waited_for_in_vain_walks_over() -> None:
    """After its grace all its matches are decided at once."""
    plan = schedule(4)
    there = Window(dict.fromkeys(plan.entrants[1:], 64), 1024)
    chosen = choose(plan, Cursor(), there.room({}), {plan.entrants[0]})
    assert len(chosen.ready) == len(chosen.walkovers) == 3
    assert chosen.cursor == Cursor(len(plan))


def test_walkovers_do_not_wait_for_room() -> None:
    """When only one bot is left and nobody else comes, everything still ends."""
    plan = schedule(3)
    alone = Window({plan.entrants[0]: 64}, 1024)
    chosen = choose(plan, Cursor(), alone.room({}), set(plan.entrants[1:]))
    assert len(chosen.walkovers) == len(plan)


def test_a_large_match_goes_to_a_small_bot() -> None:
    """A bot that plays one game at a time gets its matches, one after the other."""
    plan = schedule(2, meetings=48)
    chosen = choose(plan, Cursor(), window(plan, room=1).room({}))
    assert len(chosen.ready) == 1


def test_a_slice_ends_where_it_is_full() -> None:
    """One task creates no more than a slice and says that there may be more."""
    plan = schedule(60, meetings=1)
    chosen = choose(plan, Cursor(), window(plan, room=10_000, capacity=100_000).room({}))
    assert len(chosen.ready) == SLICE
    assert chosen.more
    assert chosen.cursor == Cursor(SLICE)


def test_the_number_of_gaps_is_bounded() -> None:
    """However many bots are busy, the cursor stays small."""
    plan = schedule(200)
    busy = {plan.entrants[number]: 10_000 for number in range(199)}
    chosen = choose(plan, Cursor(), window(plan).room(busy))
    assert len(chosen.cursor.gaps) <= LOOKAHEAD


@given(st.integers(2, 7), st.lists(st.sets(st.integers(0, 6)), max_size=12))
def test_every_match_is_created_once_whoever_is_busy_when(entrants: int, busy: list[set[int]]) -> None:
    """Bots come and go; in the end each match of the schedule was created exactly once."""
    plan = schedule(entrants)
    cursor, created = Cursor(), Counter[str]()
    for out in [*busy, set[int]()]:
        loads = {bot: 500 for number, bot in enumerate(plan.entrants) if number in out}
        chosen = choose(plan, cursor, window(plan).room(loads))
        created.update(names(chosen.ready))
        cursor = chosen.cursor
        assert cursor.created == created.total()
    assert created == Counter(names(tuple(plan)))
