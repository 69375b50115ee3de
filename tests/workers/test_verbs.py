"""What an organiser may ask for in every state of a tournament, and where it stands then."""

from __future__ import annotations

import pytest

from workers.tournaments.life import State, Verb, WrongVerbError, ask

NO = None
AFTER: dict[State, tuple[State | None, State | None, State | None]] = {
    State.DRAFT: (State.PAUSED, State.DRAFT, State.CANCELLED),
    State.SCHEDULED: (State.PAUSED, State.SCHEDULED, State.CANCELLED),
    State.RUNNING: (State.PAUSED, State.RUNNING, State.CANCELLED),
    State.PAUSED: (State.PAUSED, State.RUNNING, State.CANCELLED),
    State.FINISHING: (NO, State.FINISHING, State.CANCELLED),
    State.FINISHED: (NO, NO, NO),
    State.CANCELLED: (NO, NO, State.CANCELLED),
}
"""After pause, resume and cancel of one that had begun. What is so already stays so: a call that is repeated because
its answer was lost finds the tournament further on, and is no mistake."""


@pytest.mark.parametrize("state", State)
def test_every_verb_in_every_state(state: State) -> None:
    """A refusal names the states in which the verb changes something."""
    for verb, after in zip((Verb.PAUSE, Verb.RESUME, Verb.CANCEL), AFTER[state], strict=True):
        if after is not None:
            assert ask(state, verb, begun=True) is after
            continue
        with pytest.raises(WrongVerbError) as caught:
            ask(state, verb, begun=True)
        number = list(Verb).index(verb)
        assert caught.value.allowed == tuple(other for other in State if AFTER[other][number] not in (NO, other))


def test_what_had_not_begun_is_a_draft_again() -> None:
    """Its bots are looked for anew."""
    assert ask(State.PAUSED, Verb.RESUME, begun=False) is State.DRAFT
