"""How a contest between two versions is counted."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.sprt import Bounds, Trial
from tests.workers.contests import NEW, OLD, contest, ended, played
from workers.tournaments.played_match import PlayedMatch

COMMAND = ["sprt", NEW, OLD, "--bounds", "0,60", "--name", "rivals"]


# counting


def test_meetings_are_checked_by_ten_whatever_matches_they_are_in() -> None:
    """The ratio after so many meetings is that of their counts, as in one process; what makes no ten waits."""
    wins = [2, 1, 0, 1, 2, 2, 1, 2, 1, 1, 2, 1, 2, 0, 1, 1, 2, 2, 1, 2, 1, 1, 1]
    parts = [wins[:7], wins[7:14], wins[14:21], wins[21:]]
    count = contest().begin(1000)
    for part, some in enumerate(parts):
        count = count.after(played(part, *some))
    trial = Trial(Bounds(0, 60))
    for first in (0, 10):
        ten = wins[first : first + 10]
        trial = trial.after([ten.count(0), 0, ten.count(1), 0, ten.count(2)])
    assert count.comparison.trial == trial
    assert count.comparison.games == (sum(2 - won for won in wins[:20]), 0, sum(wins[:20]))
    assert (count.comparison.rounds, count.comparison.faults, count.matches) == (40, (6, 3), 4)


def test_what_comes_after_the_decision_changes_nothing() -> None:
    """Nor what comes after the meetings that were allowed."""
    count = contest().begin(1000)
    while not count.ended:
        count = count.after(played(count.matches, *[2] * 16))
    assert count.comparison.trial.decision == "H1"
    assert count.after(played(99, *[0] * 16)).comparison == count.comparison
    short = contest().begin(29).after(played(0, *[1, 2] * 8)).after(played(1, *[1, 2] * 8))
    assert (short.ended, short.comparison.meetings) == (True, 20)


def test_a_match_that_tells_nothing_is_left_out() -> None:
    """Void, parked, by walkover; each is named, and those around it count as if they stood side by side."""
    count = contest().begin(1000)
    without = count.after(played(0, *[1] * 5)).after(played(2, *[2] * 5))
    void = ended(played(1, *[0] * 9), "void", "void")
    for between in (void, ended(void, "parked", "parked"), ended(void, "rated", "walkover")):
        assert not count.awaits(between)
        found = count.after(played(0, *[1] * 5)).after(between).after(played(2, *[2] * 5))
        assert found.comparison == without.comparison
        assert (found.matches, found.left_out) == (3, {"rivals.1.1.1": between.match.outcome})


@pytest.mark.parametrize(
    ("result", "doing"),
    [
        pytest.param(ended(played(0, 1, 1), "ready", "ready"), "which waits for a referee", id="nobody has it"),
        pytest.param(
            ended(replace(played(0, 1, 1), meetings=()), "running", "running"),
            "which is played (4 of 4 games)",
            id="at a table",
        ),
        pytest.param(ended(played(0, 1, 1), "closed", "closed"), "which is played and is to be rated", id="over"),
        pytest.param(replace(played(0, 1, 1), luck_to_come=True), "which waits for its luck", id="rated"),
    ],
)
def test_it_is_said_what_it_waits_for(result: PlayedMatch, doing: str) -> None:
    """The first match that has not told all, and what is played behind it."""
    count = contest(luck=True).begin(1000)
    assert count.awaits(result)
    assert count.waits([result]).startswith(f"next is rivals.1.1.0, {doing}")
    later = replace(played(1, 1, 1, 1), luck_to_come=True)
    lucky = 3 + 2 * result.luck_to_come
    assert count.waits([result, later, ended(played(2, 1), "void", "void")]).endswith(
        f", 3 meetings behind it played already, {lucky} meetings still without their luck"
    )
    assert "their luck" not in contest().begin(1000).waits([result, later])
    assert count.waits([]) == ""


@pytest.mark.parametrize("state", ["planned", "ready", "running", "closed"])
def test_a_match_is_awaited_until_its_result_stands(state: str) -> None:
    """One that is closed is still to be proved."""
    assert contest().begin(1000).awaits(ended(played(0, 1), state, state))


def test_luck_is_waited_for_and_taken_out() -> None:
    """Only where it is asked for; a match whose luck is never known is left out."""
    raw, corrected = contest().begin(1000), contest(luck=True).begin(1000)
    later = played(0, *[1, 2] * 5, luck_to_come=True)
    assert (raw.awaits(later), corrected.awaits(later)) == (False, True)
    never = replace(later, luck_to_come=False)
    assert not corrected.awaits(never)
    assert corrected.after(never).left_out == {"rivals.1.1.0": "unknown luck"}
    count = corrected.after(played(0, *[1, 2] * 5, luck=0.25))
    moments = count.comparison.trial.corrected
    assert moments is not None
    assert moments.mean == pytest.approx(0.75 - 0.25)
    assert (count.comparison.trial.counts, count.lc_version) == ((0, 0, 5, 0, 5), "lc-1")
    assert raw.after(played(0, *[1, 2] * 5, luck=0.25)).lc_version == ""  # workers know it by now, or not yet


def test_a_meeting_with_a_game_of_unknown_luck_is_left_out() -> None:
    """It does not stand for one without luck; the others of its match count, and the match is named."""
    whole = played(0, *[1, 2] * 5, luck=0.25)
    blind = tuple(replace(game, luck=()) for game in whole.meetings[0][:1]) + whole.meetings[0][1:]
    before = contest(luck=True).begin(1000)
    count = before.after(replace(whole, meetings=(blind, *whole.meetings)))
    assert count.comparison == before.after(whole).comparison
    assert count.left_out == {"rivals.1.1.0": "unknown luck"}
    raw = contest().begin(1000).after(replace(whole, meetings=(blind, *whole.meetings[1:])))
    assert (raw.comparison.meetings, raw.left_out) == (10, {})


def test_the_same_question_has_the_same_name_and_another_one_another() -> None:
    """A name of a tournament, however long that of the bot is."""
    long = replace(contest(), new=f"{'a' * 24}@12", old=f"{'a' * 24}@11")
    names = [contest().name, contest(luck=True).name, replace(contest(), bounds=Bounds(0, 61)).name, long.name]
    assert contest().name == contest().name
    assert len(set(names)) == len(names)
    assert all(len(name) <= 40 for name in names)
    assert replace(contest(), named="rivals").name == "rivals"


# at a ladder
