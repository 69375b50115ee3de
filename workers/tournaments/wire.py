"""Tournaments between the wire and the domain, in both directions: the servicer sends, commands receive."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final, TypeVar

from google.protobuf.timestamp_pb2 import Timestamp

from ladder import wire
from ladder.errors import InvalidFieldError
from ladder.judged import Judged
from ladder.tables import PairResult, RankRange, Table, Walkover
from lastcard.secret import Secret
from lastcard.v1 import tournament_pb2 as pb
from workers.tournaments.life import State
from workers.tournaments.played_match import GameResult, PlayedMatch, ResultsPage
from workers.tournaments.spec import CYCLES, GRACE_S, MEETINGS, SEED_BYTES, Deals, Kind, Size, TournamentSpec
from workers.tournaments.summary import PlanSummary
from workers.tournaments.tournament_status import Plan, Proposal, TournamentStatus

__all__ = [
    "deal_seed_of",
    "plan_of",
    "plan_to",
    "proposal_of",
    "proposal_to",
    "results_of",
    "results_to",
    "spec_of",
    "spec_to",
    "status_of",
    "status_to",
]

_KINDS: Final = {pb.TOURNAMENT_KIND_ROUND_ROBIN: Kind.ROUND_ROBIN, pb.TOURNAMENT_KIND_GAUNTLET: Kind.GAUNTLET}
_DEALS: Final = {pb.DEALS_FRESH: Deals.FRESH, pb.DEALS_MIRRORED: Deals.MIRRORED, pb.DEALS_FIELD: Deals.FIELD}
_SIZES: Final = {
    pb.TOURNAMENT_SIZE_QUICK: Size.QUICK,
    pb.TOURNAMENT_SIZE_DEFAULT: Size.DEFAULT,
    pb.TOURNAMENT_SIZE_FINE: Size.FINE,
}
_STATES: Final = {
    pb.TOURNAMENT_STATE_DRAFT: State.DRAFT,
    pb.TOURNAMENT_STATE_SCHEDULED: State.SCHEDULED,
    pb.TOURNAMENT_STATE_RUNNING: State.RUNNING,
    pb.TOURNAMENT_STATE_PAUSED: State.PAUSED,
    pb.TOURNAMENT_STATE_FINISHING: State.FINISHING,
    pb.TOURNAMENT_STATE_FINISHED: State.FINISHED,
    pb.TOURNAMENT_STATE_CANCELLED: State.CANCELLED,
}
_KIND_NUMBERS: Final = {kind: number for number, kind in _KINDS.items()}
_DEALS_NUMBERS: Final = {deals: number for number, deals in _DEALS.items()}
_SIZE_NUMBERS: Final = {size: number for number, size in _SIZES.items()}
_BY_NUMBER: Final[dict[int, State]] = {int(number): state for number, state in _STATES.items()}
_STATE_NUMBERS: Final = {state: number for number, state in _STATES.items()}

Number = TypeVar("Number", bound=int)
Domain = TypeVar("Domain", Kind, Deals, Size)


def spec_of(message: pb.TournamentSpec) -> TournamentSpec:
    """Return the description that came over the wire; what is absent or zero stands for its default.

    Raises:
        InvalidFieldError: an enum value that this version does not know, or a start that is no moment.
    """
    size = _known(_SIZES, message.size, "size")
    return TournamentSpec(
        name=message.name,
        format=message.format,
        bots=tuple(message.bots),
        all=message.all,
        kind=_known(_KINDS, message.kind, "kind") or Kind.ROUND_ROBIN,
        meetings=message.meetings or (0 if size else MEETINGS),
        cycles=message.cycles or CYCLES,
        start_ms=_start_of(message),
        cron=message.cron,
        timezone=message.timezone or "UTC",
        deals=_known(_DEALS, message.deals, "deals"),
        schedule_seed=message.schedule_seed,
        grace_s=message.grace_seconds if message.HasField("grace_seconds") else GRACE_S,
        trusted=message.trusted,
        unrated=message.unrated,
        nonces=not message.no_nonces,
        deadline_s=message.deadline_seconds if message.HasField("deadline_seconds") else None,
        size=size,
        sprt=Judged(message.sprt.low, message.sprt.high, message.sprt.luck) if message.HasField("sprt") else None,
    )


def spec_to(spec: TournamentSpec, deal_seed: bytes | Secret = b"") -> pb.TournamentSpec:
    """Return a description for the wire."""
    return pb.TournamentSpec(
        name=spec.name,
        format=spec.format,
        bots=spec.bots,
        all=spec.all,
        kind=_KIND_NUMBERS[spec.kind],
        meetings=spec.meetings,
        cycles=spec.cycles,
        start=None if spec.start_ms is None else wire.instant_to(spec.start_ms),
        cron=spec.cron,
        timezone=spec.timezone,
        deals=pb.DEALS_UNSPECIFIED if spec.deals is None else _DEALS_NUMBERS[spec.deals],
        schedule_seed=spec.schedule_seed,
        deal_seed=Secret(deal_seed).reveal(),
        grace_seconds=spec.grace_s,
        trusted=spec.trusted,
        unrated=spec.unrated,
        no_nonces=not spec.nonces,
        deadline_seconds=spec.deadline_s,
        size=_SIZE_NUMBERS[spec.size] if spec.size else pb.TOURNAMENT_SIZE_UNSPECIFIED,
        sprt=None if spec.sprt is None else pb.Sprt(low=spec.sprt.elo0, high=spec.sprt.elo1, luck=spec.sprt.luck),
    )


def deal_seed_of(message: pb.TournamentSpec) -> Secret:
    """Return the secret seed of a request, empty if the server is to make one.

    Raises:
        InvalidFieldError: it is neither empty nor 32 bytes long, or a cron line would use it again and again.
    """
    seed = Secret(message.deal_seed)
    if len(seed) not in {0, SEED_BYTES}:
        sentence = f"deal_seed has {len(seed)} bytes: give {SEED_BYTES}, or none and the server makes one"
        raise InvalidFieldError("BAD_SEED", sentence, field="deal_seed", allowed=("0 bytes", f"{SEED_BYTES} bytes"))
    if seed and message.cron:
        sentence = "a deal seed is for one run; the runs of a cron line make their own, leave it out"
        raise InvalidFieldError("BAD_SEED", sentence, field="deal_seed", allowed=("0 bytes",))
    return seed


def _start_of(message: pb.TournamentSpec) -> int | None:
    if not message.HasField("start"):
        return None
    start: Timestamp = message.start
    if start.seconds < 0 or not 0 <= start.nanos < 1_000_000_000 or start.seconds > 253_402_300_799:
        sentence = f"start is {start.seconds} s, {start.nanos} ns after 1970: give a moment of the years 1970 to 9999"
        raise InvalidFieldError("BAD_START", sentence, field="start", value=start.seconds, allowed=("1970-9999",))
    return int(start.ToMilliseconds())


def _known(table: Mapping[Number, Domain], number: Number, field: str) -> Domain | None:
    if number == 0:
        return None
    if number not in table:
        known = ", ".join(f"{one:d} ({word})" for one, word in table.items())
        sentence = f"{field} {number} is not known here; there are {known}, and 0 for what is usual"
        raise InvalidFieldError("BAD_ENUM", sentence, field=field, value=number, allowed=tuple(table.values()))
    return table[number]


def plan_to(plan: Plan) -> pb.PlanSummary:
    """Return a plan for the wire; what is not known is 0."""
    summary = plan.summary
    return pb.PlanSummary(
        matches=summary.matches,
        meetings=summary.meetings,
        games=summary.games,
        meetings_per_bot=summary.meetings_per_bot,
        seconds=summary.seconds if math.isfinite(summary.seconds) else 0,
        next_starts=[moment for moment in map(wire.instant_to, plan.next_starts) if moment],
        expected_ci95=summary.expected_ci95 or 0,
        bots=plan.bots,
        bots_needed=plan.fewest,
        meetings_per_pairing=summary.per_pairing,
        seconds_least=summary.least_s,
        seconds_most=summary.most_s,
        games_measured=summary.measured,
    )


def plan_of(message: pb.PlanSummary) -> Plan:
    """Return the plan that came over the wire."""
    summary = PlanSummary(
        matches=message.matches,
        meetings=message.meetings,
        games=message.games,
        meetings_per_bot=message.meetings_per_bot,
        seconds=message.seconds or math.inf,
        expected_ci95=message.expected_ci95 or None,
        per_pairing=message.meetings_per_pairing,
        least_s=message.seconds_least,
        most_s=message.seconds_most,
        measured=message.games_measured,
    )
    starts = tuple(map(wire.instant_of, message.next_starts))
    return Plan(summary, starts, message.bots, message.bots_needed)


def proposal_to(proposal: Proposal) -> pb.PlanResponse:
    """Return for the wire what a tournament would be."""
    return pb.PlanResponse(
        plan=plan_to(proposal.plan),
        format=proposal.format,
        ruleset=proposal.ruleset,
        no_luck=not proposal.luck,
        not_offering=proposal.not_offering,
    )


def proposal_of(message: pb.PlanResponse) -> Proposal:
    """Return what a tournament would be, as it came over the wire."""
    absent = tuple(message.not_offering)
    return Proposal(plan_of(message.plan), message.format, message.ruleset, not message.no_luck, absent)


def status_to(status: TournamentStatus) -> pb.Tournament:
    """Return a tournament for the wire."""
    return pb.Tournament(
        spec=spec_to(status.spec, status.deal_seed),
        state=_STATE_NUMBERS[status.state],
        plan=plan_to(status.plan),
        entrants=status.entrants,
        matches_done=status.matches_done,
        matches_lost=status.matches_lost,
        games_done=status.games_done,
        games_per_second=status.games_per_second,
        rounds_per_game=status.rounds_a_game,
        eta_seconds=status.eta_s,
        standings=map(wire.standing_to, status.table.standings),
        pairs=map(_pair_to, status.table.pairs),
        seat_scores=status.table.seats,
        commitment=bytes.fromhex(status.commitment),
        ruleset=status.ruleset,
        created=wire.instant_to(status.created_ms),
        started=wire.instant_to(status.started_ms),
        ended=wire.instant_to(status.ended_ms),
        reason=status.reason,
        walkovers=[pb.Walkover(bot=row.bot, games=row.games) for row in status.table.walkovers],
        no_luck=not status.luck,
        missing=status.missing,
        other_versions=status.other_versions,
        not_offering=status.not_offering,
        matches_created=status.matches_created,
        matches_replayed=status.matches_replayed,
        matches_parked=status.matches_parked,
        ranks=[pb.RankRange(bot=row.bot, best=row.best, worst=row.worst) for row in status.table.ranks],
        lc_versions=status.table.lc_versions,
        groups=[pb.BotGroup(bots=group) for group in status.table.groups],
        voids=[pb.VoidMatches(reason=reason, matches=matches) for reason, matches in status.voids],
    )


def status_of(message: pb.Tournament) -> TournamentStatus:
    """Return the tournament that came over the wire."""
    return TournamentStatus(
        spec=spec_of(message.spec),
        state=wire.told("state", message.state, _BY_NUMBER),
        plan=plan_of(message.plan),
        entrants=tuple(message.entrants),
        matches_done=message.matches_done,
        matches_lost=message.matches_lost,
        games_done=message.games_done,
        games_per_second=message.games_per_second,
        rounds_a_game=message.rounds_per_game,
        eta_s=message.eta_seconds if message.HasField("eta_seconds") else None,
        commitment=message.commitment.hex(),
        deal_seed=message.spec.deal_seed,
        ruleset=message.ruleset,
        created_ms=wire.instant_of(message.created),
        started_ms=wire.instant_of(message.started),
        ended_ms=wire.instant_of(message.ended),
        table=Table(
            tuple(map(wire.standing_of, message.standings)),
            tuple(map(_pair_of, message.pairs)),
            tuple(message.seat_scores),
            tuple(Walkover(row.bot, row.games) for row in message.walkovers),
            tuple(RankRange(row.bot, row.best, row.worst) for row in message.ranks),
            known=bool(message.ruleset),
            lc_versions=tuple(message.lc_versions),
            groups=tuple(tuple(group.bots) for group in message.groups),
        ),
        reason=message.reason,
        luck=not message.no_luck,
        missing=tuple(message.missing),
        other_versions=tuple(message.other_versions),
        not_offering=tuple(message.not_offering),
        matches_created=message.matches_created,
        matches_replayed=message.matches_replayed,
        matches_parked=message.matches_parked,
        voids=tuple((row.reason, row.matches) for row in message.voids),
    )


def _pair_to(pair: PairResult) -> pb.PairResult:
    return pb.PairResult(
        a=pair.a,
        b=pair.b,
        score=pair.score,
        elo=pair.elo,
        ci95=pair.ci95,
        games=pair.games,
        points_a=pair.points_a,
        points_b=pair.points_b,
        z=pair.z,
    )


def _pair_of(message: pb.PairResult) -> PairResult:
    return PairResult(
        a=message.a,
        b=message.b,
        score=message.score,
        elo=message.elo,
        ci95=message.ci95,
        games=message.games,
        points_a=message.points_a,
        points_b=message.points_b,
        z=message.z,
    )


def results_to(page: ResultsPage) -> pb.ListResultsResponse:
    """Return results for the wire."""
    return pb.ListResultsResponse(results=map(_match_to, page.results), tournament=status_to(page.status))


def results_of(message: pb.ListResultsResponse) -> ResultsPage:
    """Return the results that came over the wire."""
    return ResultsPage(tuple(map(_match_of, message.results)), status_of(message.tournament))


def _match_to(result: PlayedMatch) -> pb.MatchResult:
    return pb.MatchResult(
        match=wire.summary_to(result.match),
        meetings=[pb.MeetingResult(games=map(_game_to, games)) for games in result.meetings],
        lc_version=result.lc_version,
        luck_to_come=result.luck_to_come,
    )


def _match_of(message: pb.MatchResult) -> PlayedMatch:
    meetings = tuple(tuple(map(_game_of, meeting.games)) for meeting in message.meetings)
    return PlayedMatch(wire.summary_of(message.match), meetings, message.lc_version, luck_to_come=message.luck_to_come)


def _game_to(game: GameResult) -> pb.GameResult:
    return pb.GameResult(places=game.places, points=game.points, rounds=game.rounds, luck=game.luck)


def _game_of(message: pb.GameResult) -> GameResult:
    return GameResult(tuple(message.places), tuple(message.points), message.rounds, tuple(message.luck))
