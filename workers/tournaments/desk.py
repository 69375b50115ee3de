"""The organiser's desk: every verb of the tournament service as a plain function over the ledger."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ladder.errors import InvalidFieldError, WrongStateError
from ladder.extent import too_few
from ladder.names import MATCH, checked
from ladder.readings.fixtures import tournament_named
from ladder.reasons import kept
from ladder.shapes import instant
from ladder.store.audit import Deed
from ladder.store.errors import DamagedError
from ladder.store.errors import WrongStateError as StateError
from ladder.store.rows import UNPLAYED, MatchRow, MatchState
from ladder.store.store import Store
from ladder.store.tournaments import Maker, TournamentRow
from ladder.store.unread import OF_A_TOURNAMENT, UnreadRows
from ladder.tables import Table
from lastcard.secret import Secret
from referee.formats import UnknownFormatError
from workers.doorbell import Doorbell
from workers.due import Job
from workers.plan import Planner
from workers.schedule.schedule import MatchId
from workers.tournaments.attempt import Attempt, check_tournament, last_attempt, next_attempt, next_id
from workers.tournaments.contest import paused_anew
from workers.tournaments.crowded import crowded
from workers.tournaments.draw import schedule_of
from workers.tournaments.entry import missing, not_offering
from workers.tournaments.life import State, Verb, WrongVerbError, ask
from workers.tournaments.moments import moment
from workers.tournaments.notes import Notes
from workers.tournaments.planned import Planned
from workers.tournaments.prospectus import Prospectus
from workers.tournaments.recent import Recent
from workers.tournaments.relatives import relatives
from workers.tournaments.runs import check_no_run
from workers.tournaments.salvage import cancel_unread
from workers.tournaments.sealing import DealGroups
from workers.tournaments.spec import Deals, TournamentSpec, check
from workers.tournaments.terms import Formats
from workers.tournaments.tournament_status import Created, Plan, Proposal, StatusPage, TournamentStatus

__all__ = ["Desk"]

WAITING = frozenset({MatchState.PLANNED, MatchState.READY, MatchState.CLOSED})
"""States of a match that goes on by itself."""
_RECKONED = ("meetings", "cycles", "size")
LATE_MS = 60_000
"""A start may be so long past at least: somebody typed it just now."""


@dataclass(frozen=True, slots=True)
class Desk:
    """What organisers ask for. Blocks on the store: call it from a thread."""

    store: Store
    formats: Formats
    table_of: Callable[[TournamentRow], Table]
    planner: Planner
    doorbell: Doorbell
    now_ms: Callable[[], int]
    luck: bool = True
    """Whether workers compute luck here."""
    recent: Recent = field(init=False)
    _prospectus: Prospectus = field(init=False)
    unread: UnreadRows = field(
        default_factory=lambda: UnreadRows("tournament", OF_A_TOURNAMENT, also=(InvalidFieldError,)), init=False
    )

    def __post_init__(self) -> None:
        """Remember what was measured of formats, and why matches are void."""
        object.__setattr__(self, "recent", Recent(self.store, self.now_ms))
        found = Prospectus(self.store, self.formats, self.recent, self.now_ms, self.luck)
        object.__setattr__(self, "_prospectus", found)

    # describing

    def plan(self, spec: TournamentSpec) -> Plan:
        """Return what a tournament would play; of one that is there, by those who play in it.

        Raises:
            RequestError: the description is not acceptable.
        """
        row = self._twin(spec, but=_RECKONED)
        if row:  # older commands reckon a size from this, and the same call again is to come to the same meetings
            check(spec)
            kept = TournamentSpec.parse(row.spec)
            kept = replace(kept, meetings=spec.meetings, cycles=spec.cycles, size=spec.size)
            return self._prospectus.plan(kept, row.entrants if kept.all else ())
        accepted = self._prospectus.accepted(spec)
        self._check_start(accepted)
        check_no_run(self.store, accepted)
        return self._prospectus.plan(accepted)

    def proposal(self, spec: TournamentSpec) -> Proposal:
        """Return what a tournament would be, and who is there and could not play it.

        Raises:
            RequestError: the description is not acceptable.
            UnknownFormatError: nobody here knows its format any more.
        """
        plan, row = self.plan(spec), self._twin(spec, but=_RECKONED)
        meant = TournamentSpec.parse(row.spec) if row else self._prospectus.accepted(spec)
        ruleset = self.formats(meant.format).ruleset
        return Proposal(plan, meant.format, ruleset, self.luck, () if row else not_offering(self.store, meant))

    def create(self, spec: TournamentSpec, deal_seed: bytes | Secret, who: str, maker: Maker | None = None) -> Created:
        """Create a tournament; the same one again is the one that is there. `maker`: its author, if not an organiser.

        Raises:
            RequestError: the description is not acceptable, or its name has another one.
        """
        check(spec)
        twin, now_ms = self._twin(spec), self.now_ms()
        accepted = TournamentSpec.parse(twin.spec) if twin else self._acceptable(spec, maker)
        row, new = self.store.tournaments.create(
            accepted.name,
            accepted.fields(),
            deal_seed=deal_seed if len(deal_seed) else None,
            state=State.DRAFT,
            start_ms=accepted.start_ms or 0,
            now_ms=now_ms,
            deed=Deed(who, "create", accepted.name, "", now_ms),
            maker=maker,
        )
        self.doorbell.ring(Job("plan", (accepted.name,)))
        status = self._prospectus.status(row) if new else self._whole(row)
        return Created(status, existed=not new, warnings=() if status.state.over else self._warnings(status.spec))

    def get(self, name: str) -> TournamentStatus:
        """Return a tournament with its table.

        Raises:
            RequestError: there is none of this name.
        """
        return self._whole(self._row(name))

    def _whole(self, row: TournamentRow) -> TournamentStatus:
        """Return a tournament with its table."""
        return self._prospectus.whole(row, self.table_of(row))

    def glance(self, name: str) -> TournamentStatus:
        """Return a tournament without its table.

        Raises:
            RequestError: there is none of this name.
        """
        return self._prospectus.status(self._row(name))

    def list(self, limit: int, token: str = "") -> StatusPage:
        """Return tournaments, newest first, but for those whose descriptions cannot be read."""
        rows, following = self.store.tournaments.page(limit, token)
        statuses = self.unread.passing((row.name, partial(self._prospectus.status, row)) for row in rows)
        return StatusPage(tuple(statuses), following)

    # acting

    def turn(self, name: str, verb: Verb, reason: str, who: str) -> TournamentStatus:
        """Pause, resume or cancel a tournament; asking for what is so already changes nothing.

        But who pauses one that is paused and says why has that stand there from then on (`paused_anew`).

        Raises:
            RequestError: there is none of this name, or it is not in a state for it.
            UnknownFormatError: it cannot be resumed, since nobody here knows its format any more.
        """
        try:
            row = self._row(name)
        except DamagedError:
            if verb is not Verb.CANCEL:
                raise
            return self._cancel_unread(name, _reason(reason), who)
        state, now_ms = State(row.state), self.now_ms()
        target = self._asked(row, state, verb)
        if verb is Verb.RESUME:
            self.formats(TournamentSpec.parse(row.spec).format)
        if target is not state or (verb is Verb.PAUSE and paused_anew(row.reason, _reason(reason))):
            deed = Deed(who, verb, name, _reason(reason), now_ms)
            if not self.store.tournaments.turn(name, {state}, target, deed):
                return self.turn(name, verb, reason, who)
        self.planner.advance(name, now_ms)
        return self.get(name)

    def _cancel_unread(self, name: str, why: str, who: str) -> TournamentStatus:
        """Cancel a tournament that cannot be read."""
        now_ms = self.now_ms()
        cancel_unread(self.store, name, Deed(who, Verb.CANCEL, name, why, now_ms))
        self.planner.advance(name, now_ms)
        return self.get(name)

    def void(self, match: str, reason: str, who: str) -> MatchRow:
        """Declare a match void, whether it is still to be played, being played, or applied already.

        The ladder of a match that was applied is computed anew without it. The same again changes nothing. One that
        cannot be read is ended, too: what is returned is what is left of it.

        Raises:
            RequestError: there is no such match, or no reason was given.
        """
        if not reason.strip():
            raise InvalidFieldError("REASON_NEEDED", "say why the match does not count", field="reason")
        why, now_ms = _reason(reason), self.now_ms()
        deed = Deed(who, "void", match, why, now_ms)
        try:
            row = self.store.matches.get(checked(MATCH, match, "id"))
        except DamagedError:
            return self._drop(match, deed)
        if row.state is MatchState.VOID:
            return row
        if row.state in UNPLAYED:
            try:
                self.store.matches.void(match, why, who, now_ms, deed=deed)
                return self._moved_on(match)
            except StateError:  # it was played at this very moment
                pass
        if self.store.matches.annul(match, why, now_ms, deed=deed).renews:
            self.doorbell.ring(Job("renew", (row.format,)))
        return self._moved_on(match)

    def _drop(self, match: str, deed: Deed) -> MatchRow:
        """End a match that cannot be read, and let its tournament and its ladder go on without it."""
        dropped = self.store.matches.drop(match, deed.reason, deed.at_ms, deed=deed)
        if dropped.renews:
            self.doorbell.ring(Job("renew", (dropped.renews,)))
        if dropped.row.tournament:
            self.doorbell.ring(Job("plan", (dropped.row.tournament,)))
        return dropped.row

    def requeue(self, match: str, reason: str, who: str) -> MatchRow:
        """Put a parked match back, or play one again that was declared void; returns the match that is played.

        Where a void one was played again already, it is the last of those that were played in its place that is meant.

        Raises:
            RequestError: there is no such match, it is neither parked nor void, or its tournament is over and the seed
                of its deals public.
            UnknownFormatError: nobody here knows its format any more; nothing was changed.
        """
        match, why = last_attempt(self.store, checked(MATCH, match, "id")), _reason(reason)
        try:
            row = self.store.matches.get(match)
        except DamagedError:
            left = self.store.matches.remains(match)
            if left is None:
                raise
            return self._play_again_unread(left, why, who)
        if row.state in WAITING:
            return row
        if row.state is MatchState.VOID:
            return self._play_again(row, why, who)
        return self._put_back(row, why, who)

    def replay_of(self, row: MatchRow) -> str:
        """Return the id under which `requeue` plays a match again once it is void; empty: it does not."""
        try:
            found = self._row(row.tournament) if row.tournament else None
        except DamagedError:
            return ""
        open_still = found is not None and (found.withheld or not State(found.state).over)
        last = last_attempt(self.store, row.id)
        goes_on = last != row.id and self.store.matches.states_of([last]).get(last) is not MatchState.VOID
        return next_id(last) if open_still and not goes_on else ""

    # parts

    def _put_back(self, row: MatchRow, why: str, who: str) -> MatchRow:
        """Put a parked match back; where others may know its deals it is played again instead, on other ones."""
        match, now_ms = row.id, self.now_ms()
        if row.state is not MatchState.PARKED:
            message = f"match {match} is {row.state}: only a parked one is put back, and only a void one played again"
            raise WrongStateError("WRONG_STATE", message, field="match", value=match, allowed=("parked", "void"))
        self.formats(row.format)  # nothing is put back that nobody here can play or prove any more
        anew = row.shares and not row.result
        deed = Deed(who, "requeue", match, why, now_ms)
        if self.store.matches.requeue(match, now_ms, anew=anew, deed=deed) is MatchState.VOID:
            return self._play_again(row, why, who)
        return self._moved_on(match)

    def _play_again(self, row: MatchRow, why: str, who: str) -> MatchRow:
        """Play a void match again."""
        check_tournament(row)
        return self._played(next_attempt(self.store, row, self.formats(row.format), self.now_ms(), who=who, reason=why))

    def _play_again_unread(self, left: MatchRow, why: str, who: str) -> MatchRow:
        """Play a match again of which too little is left, as the schedule of its tournament has it."""
        check_tournament(left)
        row = self._row(left.tournament)
        spec, notes = TournamentSpec.parse(row.spec), Notes.parse(row.schedule)
        terms = self.formats(spec.format)
        schedule = schedule_of(spec, terms, row.entrants, even=notes.even, spread=notes.spread)
        groups = DealGroups(schedule, notes.kin) if terms.deals is Deals.FIELD else None
        try:
            fixture = schedule.fixture(MatchId.parse(left.id))
        except (LookupError, ValueError) as error:
            message = f"match {left.id} cannot be played again: {error}"
            raise WrongStateError("WRONG_STATE", message, field="match", value=left.id) from error
        plan = Planned(spec, terms, notes, groups).match(fixture, 0)
        return self._played(next_attempt(self.store, left, terms, self.now_ms(), plan=plan, who=who, reason=why))

    def _played(self, again: Attempt) -> MatchRow:
        return self._moved_on(again.id) if again.new else self.store.matches.get(again.id)

    def _twin(self, spec: TournamentSpec, but: Sequence[str] = ()) -> TournamentRow | None:
        """Return the tournament that stands in the ledger where this is the same again, however late it comes.

        It was accepted once: a bot of it may be retired since, a start past, a format gone. `but`: fields in which it
        may differ.
        """
        rows = self.store.tournaments.find([spec.name])
        kept = TournamentSpec.parse(rows[0].spec) if rows else None
        if kept is None or spec.deals not in {None, kept.deals}:
            return None
        shared = spec.deals is not None and spec.format != kept.format
        meant = replace(spec, format=f"{spec.format}-{spec.deals}" if shared else spec.format, deals=kept.deals)
        same = replace(meant, **{field: getattr(kept, field) for field in but}) == kept
        return rows[0] if same or self._is_of_size(meant, kept, rows[0]) else None

    def _is_of_size(self, meant: TournamentSpec, kept: TournamentSpec, row: TournamentRow) -> bool:
        """Return whether one that was created by meetings, as older commands did, is of the size that is meant."""
        if meant.size is None or kept.size is not None or replace(meant, size=None, meetings=kept.meetings) != kept:
            return False
        plan = self._prospectus.plan(meant, row.entrants if kept.all else ())
        return plan.summary.per_pairing == kept.meetings

    def _acceptable(self, spec: TournamentSpec, maker: Maker | None) -> TournamentSpec:
        accepted = self._prospectus.accepted(spec)
        if not self.store.tournaments.find([accepted.name]):  # where it is there, that is what has to be said
            self._check_start(accepted)
            check_no_run(self.store, accepted)
        plan = self._prospectus.plan(accepted)  # refuses what is too large
        if maker and plan.summary.matches > maker.most_matches:
            message = f"{plan.summary.matches} matches: an author has at most {maker.most_matches}; take fewer meetings"
            raise InvalidFieldError("TOO_LARGE", message, field="meetings", value=plan.summary.per_pairing)
        return accepted

    def _warnings(self, spec: TournamentSpec) -> tuple[str, ...]:
        """Return what an organiser should know of who plays, a sentence each."""
        away = missing(self.store, spec)
        try:
            kin = relatives(self.store, spec, self.formats(spec.format))
            return (*away, *self._short(spec), *kin, *crowded(self.store, spec))
        except UnknownFormatError:  # of one that is there already, and whose format is not any more
            return away

    def _short(self, spec: TournamentSpec) -> tuple[str, ...]:
        """Return what becomes of a tournament of all that begins now, where too few of them are there."""
        if not spec.all or spec.cron or spec.start_ms is not None:
            return ()
        plan = self._prospectus.plan(spec)
        short = too_few(spec.format, plan.bots, plan.fewest)
        return (f"{short}; where they are not there within {spec.grace_s} s it is cancelled",) if short else ()

    def _check_start(self, spec: TournamentSpec) -> None:
        """Check that a start is not so long past that nobody would be waited for."""
        if spec.start_ms is not None and spec.start_ms + max(spec.grace_s * 1000, LATE_MS) < self.now_ms():
            message = f"the start {moment(spec.start_ms)} is past: give a later one, or write now"
            raise InvalidFieldError("BAD_START", message, field="start", value=instant(spec.start_ms))

    def _row(self, name: str) -> TournamentRow:
        row = tournament_named(self.store.tournaments, name)
        return self.unread.one(name, partial(_legible, row))

    def _asked(self, row: TournamentRow, state: State, verb: Verb) -> State:
        try:
            return ask(state, verb, begun=bool(row.started_ms))
        except WrongVerbError as error:
            allowed = tuple(error.allowed)
            raise WrongStateError("WRONG_STATE", str(error), field="state", value=state, allowed=allowed) from error

    def _moved_on(self, match: str) -> MatchRow:
        """Let the tournament of a match move on, and return the match as it is now."""
        row = self.store.matches.get(match)
        if row.tournament:
            self.doorbell.ring(Job("plan", (row.tournament,)))
        return row


def _legible(row: TournamentRow) -> TournamentRow:
    """Return the row if what it says of itself can be read, too."""
    TournamentSpec.parse(row.spec)
    Notes.parse(row.schedule)
    return row


def _reason(text: str) -> str:
    """Return a reason as it is kept.

    Raises:
        InvalidFieldError: something was given, and nothing of it can be seen.
    """
    said = kept(text)
    if text.strip() and not said:
        raise InvalidFieldError("REASON_NEEDED", "say why in letters that can be seen", field="reason")
    return said
