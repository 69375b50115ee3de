"""Moves tournaments on: reads the facts, asks the state machine, does what it says. Twice is as good as once."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final, assert_never

import structlog

from ladder.store.errors import UnknownError, WrongStateError
from ladder.store.rows import MatchState
from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from workers.dispatch import Dispatch
from workers.doorbell import Doorbell
from workers.due import Job
from workers.tournaments.cron import Cron
from workers.tournaments.draw import drawn, schedule_of
from workers.tournaments.entry import field_of
from workers.tournaments.life import Action, Facts, State, Step, advance
from workers.tournaments.notes import Notes
from workers.tournaments.sealing import UNPLAYED
from workers.tournaments.spec import Kind, TournamentSpec
from workers.tournaments.terms import Formats

__all__ = ["Planner", "run_name"]

PLANNER: Final = "planner"
"""Who voids what a cancelled tournament leaves."""

_log = structlog.get_logger("workers.plan")


def run_name(name: str, moment: datetime) -> str:
    """Return the name of the tournament that a cron line creates at a moment."""
    return f"{name}-{moment:%Y%m%dt%H%M}"


@dataclass(frozen=True, slots=True)
class Planner:
    """The use case behind the task `plan`."""

    store: Store
    formats: Formats
    doorbell: Doorbell
    fresh_seed: Callable[[], bytes]
    """Makes the secret seed of a run of a cron line."""

    def advance(self, name: str, now_ms: int) -> State:
        """Move a tournament on as far as it goes now; returns the state in which it stays."""
        for _ in State:
            row = self.store.tournaments.get(name)
            state = State(row.state)
            spec = TournamentSpec.parse(row.spec)
            step = advance(state, self.facts(row, spec, now_ms), now_ms)
            if step.state is state:
                self._act(row, spec, step, now_ms)
                return state
            self._move(row, spec, step, now_ms)
        return State(self.store.tournaments.get(name).state)

    # facts

    def facts(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> Facts:
        """Return what the ledger knows about a tournament."""
        start_ms = row.start_ms or row.created_ms
        facts = Facts(
            named=len(spec.names),
            fewest=self.formats(spec.format).seats,
            start_ms=start_ms,
            grace_ms=spec.grace_s * 1000,
            repeats=bool(spec.cron),
        )
        if row.started_ms:
            return self._begun(row, facts)
        if spec.cron:
            return replace(facts, run_due=self._run_due(row, spec, now_ms) is not None)
        return replace(facts, complete=self._complete(spec))

    def _complete(self, spec: TournamentSpec) -> int:
        """Return how many bots could play now; nobody can without the one that runs the gauntlet."""
        bots = field_of(self.store, spec).bots
        leaderless = spec.kind is Kind.GAUNTLET and not (bots and bots[0].name == spec.names[0])
        return 0 if leaderless else len(bots)

    def _begun(self, row: TournamentRow, facts: Facts) -> Facts:
        states = [match.state for match in self.store.matches.rows(self.store.tournaments.open_ids(row.name))]
        return replace(
            facts,
            begun=True,
            matches=row.matches,
            created=Notes.parse(row.schedule).cursor.created,
            unplayed=sum(state in UNPLAYED for state in states),
            unapplied=sum(state is MatchState.CLOSED for state in states),
        )

    def _run_due(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> datetime | None:
        """Return the last time of the cron line that has come and was not acted on."""
        moment = Cron.parse(spec.cron, spec.timezone).latest(_utc(row.created_ms), _utc(now_ms))
        return None if moment is None or self._exists(run_name(spec.name, moment)) else moment

    def _exists(self, name: str) -> bool:
        try:
            self.store.tournaments.get(name)
        except UnknownError:
            return False
        return True

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
            self.store.tournaments.move(row.name, {row.state}, step.state, now_ms=now_ms, reason=step.reason)
        _log.info("tournament moved", tournament=row.name, state=step.state, reason=step.reason)

    def _begin(self, row: TournamentRow, spec: TournamentSpec, step: Step, now_ms: int) -> None:
        field = field_of(self.store, spec)
        schedule = drawn(spec, self.formats(spec.format), field.entrants)
        self.store.tournaments.move(
            row.name,
            {row.state},
            step.state,
            now_ms=now_ms,
            entrants=schedule.entrants,
            matches=len(schedule),
            schedule=Notes(kin=field.kin).text(),
        )

    def _plan(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> None:
        terms = self.formats(spec.format)
        schedule = schedule_of(spec, terms, row.entrants)
        notes, more = Dispatch(self.store, row, spec, terms, schedule, now_ms).go()
        if notes.text() != row.schedule:
            self.store.tournaments.move(row.name, {State.RUNNING}, State.RUNNING, now_ms=now_ms, schedule=notes.text())
        if more:
            self.doorbell.ring(Job("plan", (row.name,)))

    def _run(self, row: TournamentRow, spec: TournamentSpec, now_ms: int) -> None:
        """Create the tournament of this time of the cron line."""
        moment = self._run_due(row, spec, now_ms)
        if moment is None:
            return
        run = replace(
            spec, name=run_name(spec.name, moment), cron="", timezone="UTC", start_ms=int(moment.timestamp()) * 1000
        )
        self.store.tournaments.create(
            run.name, run.fields(), deal_seed=self.fresh_seed(), state=State.DRAFT, start_ms=now_ms, now_ms=now_ms
        )
        self.doorbell.ring(Job("plan", (run.name,)))

    def _hold(self, row: TournamentRow) -> None:
        for match in self.store.matches.rows(self.store.tournaments.open_ids(row.name)):
            if match.state is MatchState.READY:
                self.store.matches.unready(match.id)

    def _void(self, row: TournamentRow, now_ms: int) -> None:
        for match in self.store.matches.rows(self.store.tournaments.open_ids(row.name)):
            if match.state in UNPLAYED and match.stop is None:
                with suppress(WrongStateError):  # it was played at the last moment
                    self.store.matches.void(match.id, f"tournament {row.name} was cancelled", PLANNER, now_ms)


def _utc(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)
