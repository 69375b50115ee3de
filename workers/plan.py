"""Moves tournaments on: reads the facts, asks the state machine, does what it says. Twice is as good as once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, assert_never

from ladder.errors import NameTakenError
from ladder.reasons import cancelled
from ladder.store.counters import Counter
from ladder.store.errors import WrongStateError
from ladder.store.logs import logger
from ladder.store.rows import UNPLAYED, MatchState
from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from lastcard.names import bot_of
from lastcard.secret import Secret
from workers.dispatch import Dispatch, attended
from workers.doorbell import Doorbell
from workers.due import Job
from workers.openings import open_since
from workers.tournaments.attempt import unreplaced
from workers.tournaments.cron import Cron
from workers.tournaments.draw import drawn, schedule_of
from workers.tournaments.entry import field_of
from workers.tournaments.life import PLANNER, Action, Facts, State, Step, advance
from workers.tournaments.notes import Notes
from workers.tournaments.runs import run_at
from workers.tournaments.spec import Kind, TournamentSpec
from workers.tournaments.terms import Formats

__all__ = ["Planner"]

WAITING: Final = frozenset({State.DRAFT, State.SCHEDULED})
"""States in which it counts who could play."""
TIMED: Final = WAITING | {State.RUNNING}
"""States in which the clock of the grace goes."""

_log = logger("workers.plan")


@dataclass(frozen=True, slots=True)
class Planner:
    """The use case behind the task `plan`."""

    store: Store
    formats: Formats
    doorbell: Doorbell
    fresh_seed: Callable[[], bytes | Secret]
    """Makes the secret seed of a run of a cron line."""

    def advance(self, name: str, now_ms: int) -> State:
        """Move a tournament on as far as it goes now; returns the state in which it stays."""
        for _ in State:
            found = self.store.tournaments.get(name)
            state = State(found.state)
            spec = TournamentSpec.parse(found.spec)
            row = self._clocked(found, spec, now_ms)
            step = advance(state, self.facts(row, spec, now_ms), now_ms)
            if step.state is state:
                self._act(row, spec, step, now_ms)
                return state
            self._move(row, spec, step, now_ms)
        return State(self.store.tournaments.get(name).state)

    # facts

    def facts(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> Facts:
        """Return what the ledger knows about a tournament, and before it begins what its format asks for.

        Raises:
            UnknownFormatError: it waits for its begin, and nobody here knows its format any more.
        """
        facts = Facts(
            start_ms=self._open_ms(row, now_ms),
            grace_ms=spec.grace_s * 1000 + Notes.parse(row.schedule).rested_ms,
            repeats=bool(spec.cron),
        )
        if row.started_ms:
            return self._begun(row, facts)
        if row.state not in WAITING:
            return facts
        terms = self.formats(spec.format)
        facts = replace(facts, fewest=terms.fewest, tables=terms.tables)
        if spec.cron:
            return replace(facts, run_due=self._run_due(row, spec, now_ms) is not None)
        return self._waiting(spec, facts)

    def _open_ms(self, row: TournamentRow, now_ms: int) -> int:
        """Return when a tournament is to begin: where it waits for bots, not before they could come in."""
        if row.started_ms or row.state not in WAITING:
            return _due_ms(row)
        since_ms = open_since(self.store.matches.referees(), now_ms)
        return max(_due_ms(row), since_ms) if _due_ms(row) <= now_ms else _due_ms(row)

    def _waiting(self, spec: TournamentSpec, facts: Facts) -> Facts:
        """Return the facts with who could play now, and who still may; nobody can without who runs the gauntlet."""
        field = field_of(self.store, spec)
        led = spec.kind is not Kind.GAUNTLET or (field.bots and field.bots[0].name == bot_of(spec.names[0]))
        return replace(facts, named=field.hoped, complete=len(field.bots), leader_missing="" if led else spec.names[0])

    def _begun(self, row: TournamentRow, facts: Facts) -> Facts:
        sifted = self.store.matches.sift(self.store.tournaments.open_ids(row.name))
        states = [match.state for match in sifted.rows]
        notes = Notes.parse(row.schedule)
        return replace(
            facts,
            begun=True,
            matches=row.matches,
            created=notes.cursor.created,
            unplayed=sum(state in UNPLAYED for state in states)
            + len(notes.overtime)
            + len(unreplaced(self.store, row.name)),
            unapplied=sum(state is MatchState.CLOSED for state in states) + len(sifted.damaged),
        )

    def _run_due(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> TournamentSpec | None:
        """Return the run of the last time of the cron line that has come, if that was not acted on."""
        moment = Cron.parse(spec.cron, spec.timezone).latest(_utc(row.created_ms), _utc(now_ms))
        if moment is None:
            return None
        try:
            run, there = run_at(self.store, spec, moment)
        except NameTakenError as error:
            self._alarm(error, spec, moment)
            return None
        return None if there else run

    def _alarm(self, error: NameTakenError, spec: TournamentSpec, moment: datetime) -> None:
        """Say once that a run has no name."""
        if self.store.ticks.tick(f"no-name-{spec.name}", str(int(moment.timestamp()))):
            _log.error("run left out", tournament=spec.name, run=error.value, error=str(error))
            self.store.counters.add({Counter("alarms_total", {"kind": "name_taken"}): 1})

    # the clock of the grace

    def _clocked(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> TournamentRow:
        """Let the clock stand still while a tournament is paused, and go on afterwards; returns the row as it is then.

        Who comes back during a pause is no longer missing, as at any other time.
        """
        notes = Notes.parse(row.schedule)
        if row.state == State.PAUSED:
            kept = self._held(row, spec, notes.held(now_ms))
        elif row.state in TIMED and notes.held_ms:
            kept = notes.resumed(_due_ms(row), now_ms)
        else:
            return row
        if kept == notes:
            return row
        self.store.tournaments.note(row.name, row.state, row.schedule, kept.text())
        return replace(row, schedule=kept.text())

    def _held(self, row: TournamentRow, spec: TournamentSpec, notes: Notes) -> Notes:
        if not row.started_ms:
            return notes
        there = self.store.presence.online(spec.format).keys()
        beats = self.store.matches.referees()
        return attended(replace(row, schedule=notes.text()), beats, there, notes.held_ms)

    # what to do

    def _act(self, row: TournamentRow, spec: TournamentSpec, step: Step, now_ms: int) -> None:
        """Do what a state asks for while it lasts."""
        for action in step.actions:
            match action:
                case Action.PLAN:
                    self._plan(row, spec, now_ms)
                case Action.RUN:
                    self._run(row, spec, now_ms)
                case Action.HOLD:
                    self._hold(row)
                case Action.VOID:
                    self._void(row, now_ms)
                case Action.FIX | Action.END:
                    raise AssertionError(f"{action} without a change of state")
                case _:
                    assert_never(action)

    def _move(self, row: TournamentRow, spec: TournamentSpec, step: Step, now_ms: int) -> None:
        """Change the state, with what is written down by that very change."""
        if Action.FIX in step.actions:
            self._begin(row, spec, step, now_ms)
        else:
            reason = None if step.state is State.SCHEDULED else step.reason  # why it was resumed still holds
            self.store.tournaments.move(row.name, {row.state}, step.state, now_ms=now_ms, reason=reason)
        _log.info("tournament moved", tournament=row.name, state=step.state, reason=step.reason)

    def _begin(self, row: TournamentRow, spec: TournamentSpec, step: Step, now_ms: int) -> None:
        field = field_of(self.store, spec)
        schedule = drawn(spec, self.formats(spec.format), field.entrants)
        placed = None if spec.unrated else self.store.places.take(field.bots, now_ms)
        crowded = field.without(placed)
        notes = Notes(kin=field.kin, crowded=crowded, even=True, spread=True, meetings=schedule.meetings)
        self.store.tournaments.move(
            row.name,
            {row.state},
            step.state,
            now_ms=now_ms,
            reason=None,
            entrants=schedule.entrants,
            matches=len(schedule),
            schedule=notes.text(),
        )

    def _plan(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> None:
        terms = self.formats(spec.format)
        notes = Notes.parse(row.schedule)
        schedule = schedule_of(spec, terms, row.entrants, even=notes.even, spread=notes.spread)
        beats = self.store.matches.referees()
        notes, more = Dispatch(self.store, row, spec, terms, schedule, beats, now_ms).go()
        if notes.text() != row.schedule:
            self.store.tournaments.note(row.name, State.RUNNING, row.schedule, notes.text())
        if more:
            self.doorbell.ring(Job("plan", (row.name,)))

    def _run(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> None:
        """Create the tournament of this time of the cron line."""
        run = self._run_due(row, spec, now_ms)
        if run is None:
            return
        self.store.tournaments.create(
            run.name, run.fields(), deal_seed=self.fresh_seed(), state=State.DRAFT, start_ms=now_ms, now_ms=now_ms
        )
        self.doorbell.ring(Job("plan", (run.name,)))

    def _hold(self, row: TournamentRow) -> None:
        for match in self.store.matches.readable(self.store.tournaments.open_ids(row.name)):
            if match.state is MatchState.READY and not match.handed_on:
                self.store.matches.unready(match.id)

    def _void(self, row: TournamentRow, now_ms: int) -> None:
        for match in self.store.matches.readable(self.store.tournaments.open_ids(row.name)):
            if match.state in UNPLAYED:
                with suppress(WrongStateError):  # it was played at the last moment
                    self.store.matches.void(match.id, cancelled(row.name), PLANNER, now_ms)


def _due_ms(row: TournamentRow) -> int:
    """Return when a tournament is to begin."""
    return row.start_ms or row.created_ms


def _utc(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
