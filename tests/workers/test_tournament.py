"""The life of a tournament: every state, fact and verb has one answer."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.tournaments.life import Action, Facts, State, Step, Verb, WrongVerbError, advance, ask

START, GRACE = 1_000_000, 120_000
WAITING = Facts(named=4, complete=4, start_ms=START, grace_ms=GRACE)
GOING = replace(WAITING, begun=True, matches=24, created=8, unplayed=6)
PLAYED = replace(GOING, created=24, unplayed=0)
CRON = Facts(repeats=True, start_ms=START)


@pytest.mark.parametrize(
    ("state", "facts", "now_ms", "step"),
    [
        pytest.param(State.DRAFT, WAITING, 0, Step(State.SCHEDULED), id="all bots have played before: scheduled"),
        pytest.param(State.DRAFT, Facts(named=0), 0, Step(State.SCHEDULED), id="whoever is there: scheduled"),
        pytest.param(State.DRAFT, CRON, 0, Step(State.SCHEDULED), id="a cron line needs nobody yet"),
        pytest.param(
            State.DRAFT,
            replace(WAITING, complete=3),
            START + GRACE - 1,
            Step(State.DRAFT),
            id="a bot that never connected is waited for",
        ),
        pytest.param(
            State.DRAFT,
            replace(WAITING, complete=3),
            START + GRACE,
            Step(State.SCHEDULED),
            id="after the grace it begins without it",
        ),
        pytest.param(
            State.DRAFT,
            replace(WAITING, complete=1),
            START + GRACE,
            Step(State.CANCELLED, (Action.END,), "1 bot was there, 2 are needed"),
            id="one alone cannot play",
        ),
        pytest.param(State.SCHEDULED, WAITING, START - 1, Step(State.SCHEDULED), id="too early"),
        pytest.param(State.SCHEDULED, WAITING, START, Step(State.RUNNING, (Action.FIX,)), id="it begins"),
        pytest.param(
            State.SCHEDULED,
            replace(WAITING, named=0, complete=1),
            START + GRACE - 1,
            Step(State.SCHEDULED),
            id="one bot is online: it waits for a second",
        ),
        pytest.param(
            State.SCHEDULED,
            replace(WAITING, named=0, complete=0),
            START + GRACE,
            Step(State.CANCELLED, (Action.END,), "0 bots were there, 2 are needed"),
            id="nobody came",
        ),
        pytest.param(State.SCHEDULED, CRON, START, Step(State.SCHEDULED), id="a cron line between its times"),
        pytest.param(
            State.SCHEDULED,
            replace(CRON, run_due=True),
            START,
            Step(State.SCHEDULED, (Action.RUN,)),
            id="a cron line at its time",
        ),
        pytest.param(State.RUNNING, GOING, START, Step(State.RUNNING, (Action.PLAN,)), id="more matches"),
        pytest.param(
            State.RUNNING,
            replace(GOING, created=24, unplayed=1),
            START,
            Step(State.RUNNING, (Action.PLAN,)),
            id="all created, one still played: those that wait for bots are seen to",
        ),
        pytest.param(State.RUNNING, PLAYED, START, Step(State.FINISHING), id="all played"),
        pytest.param(
            State.RUNNING, Facts(), START, Step(State.RUNNING, (Action.PLAN,)), id="never over before it is fixed"
        ),
        pytest.param(State.PAUSED, GOING, START, Step(State.PAUSED, (Action.HOLD,)), id="a pause holds matches back"),
        pytest.param(State.PAUSED, WAITING, START, Step(State.PAUSED), id="a pause before the start"),
        pytest.param(State.PAUSED, PLAYED, START, Step(State.FINISHING), id="nothing is left to pause"),
        pytest.param(
            State.FINISHING, replace(PLAYED, unapplied=1), START, Step(State.FINISHING), id="a result is not applied"
        ),
        pytest.param(State.FINISHING, PLAYED, START, Step(State.FINISHED, (Action.END,)), id="all results applied"),
        pytest.param(
            State.FINISHING, replace(PLAYED, unplayed=1), START, Step(State.RUNNING), id="a match is played again"
        ),
        pytest.param(State.FINISHED, PLAYED, START, Step(State.FINISHED), id="finished stays finished"),
        pytest.param(
            State.CANCELLED, GOING, START, Step(State.CANCELLED, (Action.VOID,)), id="cancelled with matches left"
        ),
        pytest.param(State.CANCELLED, PLAYED, START, Step(State.CANCELLED), id="cancelled stays cancelled"),
    ],
)
def test_where_it_goes_by_itself(state: State, facts: Facts, now_ms: int, step: Step) -> None:
    """State, facts and time decide the next state and what to do."""
    assert advance(state, facts, now_ms) == step


@pytest.mark.parametrize(
    ("state", "verb", "after"),
    [
        pytest.param(State.RUNNING, Verb.PAUSE, State.PAUSED, id="pause"),
        pytest.param(State.SCHEDULED, Verb.PAUSE, State.PAUSED, id="pause before it begins"),
        pytest.param(State.DRAFT, Verb.PAUSE, State.PAUSED, id="pause while bots are waited for"),
        pytest.param(State.DRAFT, Verb.RESUME, State.DRAFT, id="resume what only waits for bots"),
        pytest.param(State.PAUSED, Verb.PAUSE, State.PAUSED, id="pause twice"),
        pytest.param(State.PAUSED, Verb.RESUME, State.RUNNING, id="resume"),
        pytest.param(State.RUNNING, Verb.RESUME, State.RUNNING, id="resume what runs"),
        pytest.param(State.DRAFT, Verb.CANCEL, State.CANCELLED, id="cancel a draft"),
        pytest.param(State.FINISHING, Verb.CANCEL, State.CANCELLED, id="cancel at the last moment"),
        pytest.param(State.CANCELLED, Verb.CANCEL, State.CANCELLED, id="cancel twice"),
    ],
)
def test_verbs(state: State, verb: Verb, after: State) -> None:
    """An organiser's verb leads to one state; asking for what is so changes nothing."""
    assert ask(state, verb, begun=True) is after


def test_resume_before_the_start_goes_back_to_waiting() -> None:
    """A tournament that was paused before its start waits again, for the bots that are missing, too."""
    assert ask(State.PAUSED, Verb.RESUME, begun=False) is State.DRAFT
    assert advance(State.DRAFT, replace(WAITING, complete=3), START).state is State.DRAFT
    assert advance(State.DRAFT, WAITING, START).state is State.SCHEDULED


@pytest.mark.parametrize(
    ("state", "verb"),
    [
        pytest.param(State.FINISHED, Verb.PAUSE, id="pause what is over"),
        pytest.param(State.FINISHED, Verb.CANCEL, id="cancel what is over"),
        pytest.param(State.CANCELLED, Verb.RESUME, id="resume what was cancelled"),
        pytest.param(State.FINISHING, Verb.PAUSE, id="pause when all is played"),
    ],
)
def test_a_verb_at_the_wrong_time_names_the_right_ones(state: State, verb: Verb) -> None:
    """What cannot be done now is refused with the states in which it can."""
    with pytest.raises(WrongVerbError, match="allowed while") as refused:
        ask(state, verb, begun=True)
    assert state not in refused.value.allowed
    assert refused.value.allowed


COUNTS = st.integers(0, 5)


@given(
    st.sampled_from(State),
    st.builds(
        Facts,
        named=COUNTS,
        complete=COUNTS,
        start_ms=st.integers(0, 10),
        grace_ms=st.integers(0, 10),
        repeats=st.booleans(),
        run_due=st.booleans(),
        begun=st.booleans(),
        matches=COUNTS,
        created=COUNTS,
        unplayed=COUNTS,
        unapplied=COUNTS,
    ),
    st.integers(0, 30),
)
def test_it_settles(state: State, facts: Facts, now_ms: int) -> None:
    """Advancing with unchanged facts comes to rest within the number of states, and what is over stays over."""
    seen = [state]
    while (following := advance(seen[-1], facts, now_ms).state) is not seen[-1]:
        assert not seen[-1].over
        seen.append(following)
        assert len(seen) <= len(State)
