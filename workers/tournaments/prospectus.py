"""What a tournament will be, and where it stands: descriptions checked and counted, rows of the ledger as statuses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final

from ladder.readings.voids import Voids
from ladder.readings.waits import Waits
from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from ladder.tables import Table
from referee.formats import UnknownFormatError
from workers.tournaments.cron import Cron, check_zone
from workers.tournaments.draw import drawn, schedule_of
from workers.tournaments.entry import check_deadline, check_deals, check_format_deals, check_sides, field_of, named
from workers.tournaments.forecast import forecast
from workers.tournaments.life import State
from workers.tournaments.notes import Notes
from workers.tournaments.recent import Recent
from workers.tournaments.spec import TournamentSpec, check
from workers.tournaments.summary import NOTHING, PlanSummary, summarise
from workers.tournaments.terms import Formats, Terms
from workers.tournaments.tournament_status import Plan, TournamentStatus
from workers.tournaments.traffic import games_per_second

__all__ = ["Prospectus"]

NEXT_STARTS: Final = 3


@dataclass(frozen=True, slots=True)
class Prospectus:
    """Reads the ledger; changes nothing."""

    store: Store
    formats: Formats
    recent: Recent
    now_ms: Callable[[], int]
    luck: bool = True
    """Whether workers compute luck here."""
    voids: Voids = field(init=False)

    def __post_init__(self) -> None:
        """Remember why matches are void."""
        object.__setattr__(self, "voids", Voids(self.store.matches))

    def accepted(self, spec: TournamentSpec) -> TournamentSpec:
        """Return a description that was checked against who and what exists, with the format that its deals mean.

        Raises:
            RequestError: it is not acceptable.
        """
        check(spec)
        terms = self.formats(spec.format)
        if spec.deals not in {None, terms.deals}:
            check_format_deals(spec, terms)
            terms = self.formats(f"{spec.format}-{spec.deals}")
        if spec.cron:
            check_zone(spec.timezone)
            Cron.parse(spec.cron, spec.timezone)
        check_sides(spec, terms)
        check_deals(spec, terms, named(self.store, spec.names))
        check_deadline(spec, terms)
        return replace(spec, format=terms.name, deals=terms.deals)

    def plan(self, spec: TournamentSpec, entrants: tuple[str, ...] = ()) -> Plan:
        """Return the plan for the bots by name, or for those that are online now where all are meant.

        `entrants`: who plays instead.

        Raises:
            InvalidFieldError: it is too large.
        """
        terms = self.formats(spec.format)
        if not entrants:
            entrants = field_of(self.store, spec).entrants if spec.all else spec.stand_ins
        if len(entrants) < terms.fewest:
            return Plan(NOTHING, self._next_starts(spec), len(entrants), terms.fewest)
        usual = self._pace(terms.decisions)
        counts = summarise(spec, drawn(spec, terms, entrants), usual, self._luck_left(terms))
        summary = self._forecast(counts, terms.name, len(entrants), usual)
        return Plan(summary, self._next_starts(spec), len(entrants), terms.fewest)

    def status(self, row: TournamentRow) -> TournamentStatus:
        """Return a tournament as it stands, without its table."""
        spec, state, now_ms = TournamentSpec.parse(row.spec), State(row.state), self.now_ms()
        pace = Notes.parse(row.schedule).pace
        speed = pace.games_per_second(now_ms, row.games_done) if state is State.RUNNING else 0.0
        going = state in {State.RUNNING, State.FINISHING}
        eta_s = pace.eta_s(now_ms) if going else None
        plan, ruleset = self._planned(row, spec, eta_s)
        if state.over:  # a cron line begins nothing any more
            plan = replace(plan, next_starts=())
        if row.ended_ms and row.started_ms:
            speed = row.games_done / max((row.ended_ms - row.started_ms) / 1000, 0.001)
        awaited = Waits(self.store.registry, self.store.presence).of(row, now_ms)
        return TournamentStatus(
            spec=replace(spec, meetings=plan.summary.per_pairing) if spec.size else spec,
            state=state,
            plan=plan,
            entrants=row.entrants,
            matches_created=row.created,
            matches_replayed=row.again,
            matches_parked=row.parked,
            voids=self.voids.of(row),
            matches_done=row.done,
            matches_lost=row.lost,
            games_done=row.games_done,
            games_per_second=speed,
            eta_s=eta_s if ruleset else None,
            commitment=row.commitment,
            deal_seed=row.deal_seed or b"",
            ruleset=ruleset,
            created_ms=row.created_ms,
            started_ms=row.started_ms,
            ended_ms=row.ended_ms,
            reason=row.reason,
            luck=self.luck,
            missing=awaited.bots,
            other_versions=awaited.others,
            not_offering=awaited.not_offering,
            rounds_a_game=self.formats(spec.format).rounds_a_game if ruleset else 1.0,
        )

    def whole(self, row: TournamentRow, table: Table) -> TournamentStatus:
        """Return a tournament as it stands, with its table, and its games as long as those that were played."""
        status = self.status(row)
        return replace(status, table=table, rounds_a_game=table.rounds_a_game or status.rounds_a_game)

    def _planned(self, row: TournamentRow, spec: TournamentSpec, eta_s: float | None) -> tuple[Plan, str]:
        """Return its plan, and the hash of its rules: empty where nobody here knows its format any more."""
        try:
            ruleset = self.formats(spec.format).ruleset
        except UnknownFormatError:  # the file that had it has it no longer: what was played is still listed
            return Plan(replace(NOTHING, matches=row.matches), self._next_starts(spec)), ""
        return (self._begun(row, spec, eta_s) if row.entrants else self.plan(spec)), ruleset

    def _begun(self, row: TournamentRow, spec: TournamentSpec, eta_s: float | None) -> Plan:
        """Return the plan for the entrants that were fixed, and how long it takes by what is known of it now."""
        terms = self.formats(spec.format)
        notes = Notes.parse(row.schedule)
        schedule = schedule_of(spec, terms, row.entrants, even=notes.even, spread=notes.spread)
        usual, took_s = self._pace(terms.decisions), self._took_s(row, eta_s)
        counts = summarise(spec, schedule, usual, self._luck_left(terms))
        if took_s is None:
            summary = self._forecast(counts, terms.name, len(row.entrants), usual)
        else:
            summary = replace(counts, seconds=took_s, measured=row.games_done)
        return Plan(summary, bots=len(row.entrants), fewest=terms.fewest)

    def _took_s(self, row: TournamentRow, eta_s: float | None) -> float | None:
        """Return the seconds from its begin to its end, pauses among them; None where its own games do not tell yet."""
        if row.ended_ms and row.started_ms:
            return (row.ended_ms - row.started_ms) / 1000
        return None if eta_s is None else (self.now_ms() - row.started_ms) / 1000 + eta_s

    def _forecast(self, summary: PlanSummary, format_name: str, bots: int, usual: float) -> PlanSummary:
        """Return the counts with how long it takes, by what was measured here of the format, if anything was."""
        span = forecast(summary.games, bots, usual, self.recent(format_name))
        return replace(summary, seconds=span.seconds, least_s=span.least, most_s=span.most, measured=span.measured)

    def _next_starts(self, spec: TournamentSpec) -> tuple[int, ...]:
        if not spec.cron:
            return ()
        now = datetime.fromtimestamp(self.now_ms() / 1000, UTC)
        moments = Cron.parse(spec.cron, spec.timezone).next(now, NEXT_STARTS)
        return tuple(int(moment.timestamp()) * 1000 for moment in moments)

    def _luck_left(self, terms: Terms) -> float:
        """Return which share of a rating's variance is left once workers have computed luck; 1 where they do not."""
        return terms.luck_left if self.luck else 1.0

    def _pace(self, decisions: float) -> float:
        """Return the games per second that are reckoned with before anything is measured."""
        return games_per_second(decisions, max(len(self.store.matches.referees()), 1))
