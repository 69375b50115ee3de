"""The life of a tournament as a state machine: state, facts and time in, next state and what to do out.

    draft ──> scheduled ──> running ──> finishing ──> finished
                  └── (cron: a run each time, stays)

    The first three may be paused, and go on as a draft if they had not begun, else running. Everything that is not
    finished may be cancelled. A tournament that finished with parked matches runs again once one is put back: whoever
    puts it back does both at once.

Nothing here reads a clock or a store; whoever calls `advance` twice with the same facts gets the same answer twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

__all__ = ["PLANNER", "Action", "Facts", "State", "Step", "Verb", "WrongVerbError", "advance", "ask"]

PLANNER: Final = "planner"
"""Who acts where nobody asked for it: what stands in the audit."""


class State(StrEnum):
    """Where a tournament stands."""

    DRAFT = "draft"
    SCHEDULED = "scheduled"
    RUNNING = "running"
    PAUSED = "paused"
    FINISHING = "finishing"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def over(self) -> bool:
        """True where nothing will happen any more."""
        return self in {State.FINISHED, State.CANCELLED}


class Action(StrEnum):
    """What has to be done beside the change of state; each is safe to do twice."""

    FIX = "fix"
    """Write down which versions play, how many matches there are, and that it began."""
    PLAN = "plan"
    """Create the next matches and see to those that wait for their bots."""
    RUN = "run"
    """Create the tournament of this time of the cron line."""
    HOLD = "hold"
    """Take back matches that no referee has begun."""
    VOID = "void"
    """Void what is not yet played."""
    END = "end"
    """Write down that it ended."""


class Verb(StrEnum):
    """What an organiser may ask for."""

    PAUSE = "pause"
    RESUME = "resume"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True)
class Facts:
    """What the ledger knows about a tournament at one moment; times in ms since 1970."""

    named: int = 0
    """Bots that take part by name, without those that never can; 0: whoever is there at the start."""
    fewest: int = 2
    """Bots without whom it does not begin."""
    tables: int = 1
    """That these fill: more than one where tables share deals."""
    complete: int = 0
    """Of these (or of all that are there), bots with a version that could play."""
    leader_missing: str = ""
    """The bot that all others are to meet, where it is not among them: without it nothing begins."""
    start_ms: int = 0
    """When it is to begin."""
    grace_ms: int = 120_000
    """How long absent bots are waited for."""
    repeats: bool = False
    """It has a cron line and only creates others."""
    run_due: bool = False
    """A time of the cron line has come that was not acted on."""
    begun: bool = False
    """Its entrants are fixed."""
    matches: int = 0
    """Matches of its schedule, once it has begun."""
    created: int = 0
    """Matches that were created."""
    unplayed: int = 0
    """Created matches that are not closed, void or parked, and those that are to be played again."""
    unapplied: int = 0
    """Closed matches whose result has not been applied."""


@dataclass(frozen=True, slots=True)
class Step:
    """The next state, what to do, and in words why it ended, where it did so by itself."""

    state: State
    actions: tuple[Action, ...] = ()
    reason: str = ""


class WrongVerbError(Exception):
    """The tournament is not in a state for this verb.

    `allowed`: those in which it changes something.
    """

    def __init__(self, verb: Verb, state: State) -> None:
        self.verb = verb
        self.state = state
        able = [other for other in State if verb in _VERBS[other]]
        self.allowed = tuple(other for other in able if ask(other, verb, begun=True) is not other)
        super().__init__(f"cannot {verb} a tournament that is {state}: allowed while {', '.join(self.allowed)}")


def advance(state: State, facts: Facts, now_ms: int) -> Step:
    """Return where a tournament goes from here by itself; the same state and no actions: it waits."""
    match state:
        case State.DRAFT:
            return _draft(facts, now_ms)
        case State.SCHEDULED:
            return _scheduled(facts, now_ms)
        case State.RUNNING:
            return _running(facts)
        case State.PAUSED:
            return _paused(facts)
        case State.FINISHING:
            return _finishing(facts)
        case State.FINISHED:
            return Step(State.FINISHED)
        case State.CANCELLED:
            return Step(State.CANCELLED, (Action.VOID,) if facts.unplayed else ())
        case _:
            assert_never(state)


def _draft(facts: Facts, now_ms: int) -> Step:
    if facts.repeats or not facts.named or facts.complete == facts.named:
        return Step(State.SCHEDULED)
    if now_ms < facts.start_ms + facts.grace_ms:
        return Step(State.DRAFT)
    return Step(State.SCHEDULED) if _enough(facts) else _nobody(facts)


def _scheduled(facts: Facts, now_ms: int) -> Step:
    if facts.repeats:
        return Step(State.SCHEDULED, (Action.RUN,) if facts.run_due else ())
    if now_ms < facts.start_ms:
        return Step(State.SCHEDULED)
    if _enough(facts):
        return Step(State.RUNNING, (Action.FIX,))
    return Step(State.SCHEDULED) if now_ms < facts.start_ms + facts.grace_ms else _nobody(facts)


def _enough(facts: Facts) -> bool:
    return facts.complete >= facts.fewest and not facts.leader_missing


def _nobody(facts: Facts) -> Step:
    if facts.leader_missing:
        return Step(State.CANCELLED, (Action.END,), f"{facts.leader_missing}, whom all others were to meet, never came")
    why = f" for the {facts.tables} tables that share deals at least" if facts.tables > 1 else ""
    there = "1 bot was" if facts.complete == 1 else f"{facts.complete} bots were"
    return Step(State.CANCELLED, (Action.END,), f"{there} there, {facts.fewest} are needed{why}")


def _running(facts: Facts) -> Step:
    return Step(State.FINISHING) if _played(facts) else Step(State.RUNNING, (Action.PLAN,))


def _paused(facts: Facts) -> Step:
    if _played(facts):
        return Step(State.FINISHING)
    return Step(State.PAUSED, (Action.HOLD,) if facts.unplayed else ())


def _finishing(facts: Facts) -> Step:
    if facts.unplayed:  # a match was put back, or is played again
        return Step(State.RUNNING)
    return Step(State.FINISHING) if facts.unapplied else Step(State.FINISHED, (Action.END,))


def _played(facts: Facts) -> bool:
    return facts.begun and facts.created == facts.matches and facts.unplayed == 0


_VERBS: Final[dict[State, frozenset[Verb]]] = {
    State.DRAFT: frozenset({Verb.PAUSE, Verb.CANCEL, Verb.RESUME}),
    State.SCHEDULED: frozenset({Verb.PAUSE, Verb.CANCEL, Verb.RESUME}),
    State.RUNNING: frozenset({Verb.PAUSE, Verb.CANCEL, Verb.RESUME}),
    State.PAUSED: frozenset({Verb.PAUSE, Verb.CANCEL, Verb.RESUME}),
    State.FINISHING: frozenset({Verb.CANCEL, Verb.RESUME}),
    State.FINISHED: frozenset(),
    State.CANCELLED: frozenset({Verb.CANCEL}),
}


def ask(state: State, verb: Verb, *, begun: bool) -> State:
    """Return the state after an organiser's verb; asking for what is already so changes nothing.

    Raises:
        WrongVerbError: a tournament in this state cannot do that.
    """
    if verb not in _VERBS[state]:
        raise WrongVerbError(verb, state)
    match verb:
        case Verb.PAUSE:
            return State.PAUSED
        case Verb.RESUME:
            return state if state is not State.PAUSED else State.RUNNING if begun else State.DRAFT
        case Verb.CANCEL:
            return State.CANCELLED
        case _:
            assert_never(verb)
