"""The organiser's desk: every verb of the tournament service as a plain function over the ledger."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ladder.errors import InvalidFieldError, WrongStateError
from ladder.names import MATCH, TOURNAMENT, checked
from ladder.store.rows import MatchRow
from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from ladder.tables import Table
from workers.cron import Cron
from workers.doorbell import Doorbell
from workers.due import Job
from workers.draw import drawn, schedule_of
from workers.entry import check_deals, check_sides, field_of, named
from workers.notes import Notes
from workers.pace import OF_A_REFEREE
from workers.plan import Planner
from workers.record import Plan, Record, RecordPage
from workers.spec import TournamentSpec, check
from workers.summary import NOTHING, summarise
from workers.terms import Formats
from workers.tournament import State, Verb, WrongVerbError, ask

__all__ = ["Desk", "new_seed"]

NEXT_STARTS = 3
SEED_BYTES = 32
MOST_REASON = 200


@dataclass(frozen=True, slots=True)
class Desk:
    """What organisers ask for. Blocks on the store: call it from a thread."""

    store: Store
    formats: Formats
    table_of: Callable[[TournamentRow], Table]
    planner: Planner
    doorbell: Doorbell
    now_ms: Callable[[], int]

    # describing

    def plan(self, spec: TournamentSpec) -> Plan:
        """Return what a tournament would play.

        Raises:
            RequestError: the description is not acceptable.
        """
        return self._plan(self._accepted(spec), self._pace())

    def create(self, spec: TournamentSpec, deal_seed: bytes, who: str) -> Record:
        """Create a tournament; the same one again is the one that is there.

        Raises:
            RequestError: the description is not acceptable, or its name has another one.
        """
        accepted, now_ms = self._accepted(spec), self.now_ms()
        self._plan(accepted, 1.0)
        row, new = self.store.tournaments.create(
            accepted.name,
            accepted.fields(),
            deal_seed=deal_seed or None,
            state=State.DRAFT,
            start_ms=accepted.start_ms or 0,
            now_ms=now_ms,
        )
        if new:
            self.store.audit.write(who, "create", accepted.name, "", now_ms)
        self.doorbell.ring(Job("plan", (accepted.name,)))
        return self._record(row)

    def get(self, name: str) -> Record:
        """Return a tournament with its table.

        Raises:
            RequestError: there is none of this name.
        """
        row = self._row(name)
        return replace(self._record(row), table=self.table_of(row))

    def list(self, limit: int, token: str = "") -> RecordPage:
        """Return tournaments, newest first."""
        rows, following = self.store.tournaments.page(limit, token)
        return RecordPage(tuple(map(self._record, rows)), following)

    # acting

    def turn(self, name: str, verb: Verb, reason: str, who: str) -> Record:
        """Pause, resume or cancel a tournament; asking for what is so already changes nothing.

        Raises:
            RequestError: there is none of this name, or it is not in a state for it.
        """
        row, now_ms = self._row(name), self.now_ms()
        state = State(row.state)
        target = self._asked(row, state, verb, now_ms)
        if target is not state:
            moved = self.store.tournaments.move(name, {state}, target, now_ms=now_ms, reason=_reason(reason))
            if not moved:
                return self.turn(name, verb, reason, who)
            self.store.audit.write(who, verb, name, _reason(reason), now_ms)
        self.planner.advance(name, now_ms)
        return self.get(name)

    def void(self, match: str, reason: str, who: str) -> MatchRow:
        """Void a match.

        Raises:
            RequestError: there is no such match, it is over, or no reason was given.
        """
        if not reason.strip():
            raise InvalidFieldError("REASON_NEEDED", "say why the match does not count", field="reason")
        now_ms = self.now_ms()
        self.store.matches.void(checked(MATCH, match, "id"), _reason(reason), who, now_ms)
        return self._audited(match, "void", reason, who, now_ms)

    def requeue(self, match: str, reason: str, who: str) -> MatchRow:
        """Put a parked match back.

        Raises:
            RequestError: there is no such match, or it is not parked.
        """
        now_ms = self.now_ms()
        self.store.matches.requeue(checked(MATCH, match, "id"), now_ms)
        return self._audited(match, "requeue", reason, who, now_ms)

    # parts

    def _accepted(self, spec: TournamentSpec) -> TournamentSpec:
        """Return a description that was checked against who and what exists, with the format that its deals mean."""
        check(spec)
        terms = self.formats(spec.format)
        if spec.deals not in {None, terms.deals}:
            terms = self.formats(f"{spec.format}-{spec.deals}")
        if spec.cron:
            Cron.parse(spec.cron, spec.timezone)
        check_sides(spec, terms)
        check_deals(spec, terms, named(self.store, spec.names))
        return replace(spec, format=terms.name, deals=terms.deals)

    def _plan(self, spec: TournamentSpec, pace: float) -> Plan:
        """Return the plan for the bots by name, or for those that are online now where all are meant."""
        entrants = field_of(self.store, spec).entrants if spec.all else tuple(f"{bot}@1" for bot in spec.names)
        terms = self.formats(spec.format)
        if len(entrants) < terms.seats:
            return Plan(NOTHING, self._next_starts(spec))
        schedule = drawn(spec, terms, entrants)
        return Plan(summarise(spec, schedule, pace), self._next_starts(spec))

    def _next_starts(self, spec: TournamentSpec) -> tuple[int, ...]:
        if not spec.cron:
            return ()
        now = datetime.fromtimestamp(self.now_ms() / 1000, UTC)
        moments = Cron.parse(spec.cron, spec.timezone).next(now, NEXT_STARTS)
        return tuple(int(moment.timestamp()) * 1000 for moment in moments)

    def _pace(self) -> float:
        return OF_A_REFEREE * max(len(self.store.matches.referees()), 1)

    def _row(self, name: str) -> TournamentRow:
        return self.store.tournaments.get(checked(TOURNAMENT, name, "name"))

    def _asked(self, row: TournamentRow, state: State, verb: Verb, now_ms: int) -> State:
        spec = TournamentSpec.parse(row.spec)
        try:
            return ask(state, verb, self.planner.facts(row, spec, now_ms))
        except WrongVerbError as error:
            allowed = tuple(error.allowed)
            raise WrongStateError("WRONG_STATE", str(error), field="state", value=state, allowed=allowed) from error

    def _audited(self, match: str, verb: str, reason: str, who: str, now_ms: int) -> MatchRow:
        """Write down who did it, let its tournament move on, and return the match after it."""
        self.store.audit.write(who, verb, match, _reason(reason), now_ms)
        row = self.store.matches.get(match)
        if row.tournament:
            self.doorbell.ring(Job("plan", (row.tournament,)))
        return row

    def _record(self, row: TournamentRow) -> Record:
        spec = TournamentSpec.parse(row.spec)
        now_ms = self.now_ms()
        state = State(row.state)
        pace = Notes.parse(row.schedule).pace
        speed = pace.games_per_second(now_ms, row.games_done) if state is State.RUNNING else 0.0
        plan = self._record_plan(row, spec, speed or self._pace())
        going = state in {State.RUNNING, State.FINISHING}
        return Record(
            spec=spec,
            state=state,
            plan=plan,
            entrants=row.entrants,
            matches_done=row.done,
            matches_lost=row.lost,
            games_done=row.games_done,
            games_per_second=speed,
            eta_s=pace.eta_s(now_ms, row.games_done, plan.summary.games) if going else None,
            commitment=row.commitment,
            deal_seed=row.deal_seed or b"",
            ruleset=self.formats(spec.format).ruleset,
            created_ms=row.created_ms,
            ended_ms=row.ended_ms,
        )

    def _record_plan(self, row: TournamentRow, spec: TournamentSpec, pace: float) -> Plan:
        """Return the plan for the entrants that were fixed, or as before the start."""
        if not row.entrants:
            return self._plan(spec, pace)
        return Plan(summarise(spec, schedule_of(spec, self.formats(spec.format), row.entrants), pace))


def _reason(text: str) -> str:
    return text.strip()[:MOST_REASON]


def new_seed() -> bytes:
    """Return a secret seed for the deals of a tournament."""
    return secrets.token_bytes(SEED_BYTES)
