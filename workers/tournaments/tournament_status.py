"""A tournament as everybody may see it, and the same as JSON."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Final

from ladder import shapes
from ladder.stand import Stand
from ladder.tables import Table
from workers.engine import messages
from workers.tournaments.life import State
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.summary import PlanSummary

NO_DATE_MS: Final = 253_402_300_800_000
"""The first ms after the year 9999, in ms since 1970."""

__all__ = [
    "Created",
    "Plan",
    "Proposal",
    "StatusPage",
    "TournamentStatus",
    "finish_ms",
    "plan_shape",
    "reckoned_shape",
    "status_shape",
]


@dataclass(frozen=True, slots=True)
class Plan:
    """Counts of a schedule, and when a cron line is due next."""

    summary: PlanSummary
    next_starts: tuple[int, ...] = ()
    """In ms since 1970."""
    bots: int = 0
    """That it was reckoned with: those named, or where all are meant those that offer the format now."""
    fewest: int = 0
    """Bots without whom it does not begin."""


@dataclass(frozen=True, slots=True)
class TournamentStatus:
    """A tournament at one moment."""

    spec: TournamentSpec
    """Its meetings are those that a size comes to: for those who are there now, from the start on for its entrants."""
    state: State
    plan: Plan
    entrants: tuple[str, ...]
    matches_done: int
    matches_lost: int
    games_done: int
    games_per_second: float
    """Lately; over the whole of it once it has ended."""
    eta_s: float | None
    commitment: str
    """SHA-256 of the deal seed, in hex."""
    deal_seed: bytes
    """Empty before the end."""
    ruleset: str
    created_ms: int
    started_ms: int
    """0: it has not begun."""
    ended_ms: int
    table: Table = field(default_factory=Table)
    reason: str = ""
    """Why it ended as it did, or is in its state, if something said so."""
    luck: bool = True
    """Whether workers compute luck where this is played."""
    missing: tuple[str, ...] = ()
    """Who is not there and is waited for, those missing longest first: `name@n`, before the start `name`."""
    other_versions: tuple[str, ...] = ()
    """Other versions of those, `name@n`, which are connected and not entered."""
    not_offering: tuple[str, ...] = ()
    """Of those that are missing, who is connected and does not offer the format."""
    matches_created: int = 0
    """Of the schedule; one that was played again counts once."""
    matches_replayed: int = 0
    """That are played in the place of a void one."""
    matches_parked: int = 0
    """Of those that are lost: they wait for an operator."""
    voids: tuple[tuple[str, int], ...] = ()
    """Why matches are void that were not played again, and how many for each reason, the commonest first."""
    rounds_a_game: float = 1.0
    """The mean of those that were played; before the first, what is usual. 0: an older ladder does not say."""

    @property
    def rounds_per_second(self) -> float:
        """Like `games_per_second`; 0 where nobody knows how many rounds a game has."""
        return self.games_per_second * self.rounds_a_game


@dataclass(frozen=True, slots=True)
class Proposal:
    """A tournament that nobody has asked for yet: what it would be, here and now."""

    plan: Plan
    format: str
    """With what its deals mean."""
    ruleset: str
    """Hash of its rules."""
    luck: bool = True
    """Whether workers compute luck here."""
    not_offering: tuple[str, ...] = ()
    """Bots of it that are connected now without offering the format; none of one that is there already."""


@dataclass(frozen=True, slots=True)
class Created:
    """A tournament that somebody asked for."""

    status: TournamentStatus
    existed: bool
    """It was there already, with the same description: nothing has changed."""
    warnings: tuple[str, ...] = ()
    """Bots that could not play now and what becomes of them, and pairs that move no ladder, a sentence each."""


@dataclass(frozen=True, slots=True)
class StatusPage:
    """Tournaments, newest first, without tables."""

    statuses: tuple[TournamentStatus, ...]
    next: str
    """Token of the next page; empty on the last."""


def finish_ms(plan: Plan, spec: TournamentSpec, now_ms: int, seconds: float) -> int | None:
    """Return when it would be over if it begins as described and takes so long; None where that is no moment."""
    begin = plan.next_starts[0] if plan.next_starts else max(spec.start_ms or 0, now_ms)
    return begin + round(seconds * 1000) if begin + seconds * 1000 < NO_DATE_MS else None


def plan_shape(plan: Plan, format_name: str) -> dict[str, Any]:
    """Return a plan as JSON."""
    summary = plan.summary
    return {
        "matches": summary.matches,
        "meetings": summary.meetings,
        "games": summary.games,
        "messages": messages(format_name, summary.games),
        "meetings_per_bot": summary.meetings_per_bot,
        "seconds": summary.seconds if math.isfinite(summary.seconds) else None,
        "seconds_least": summary.least_s or None,
        "seconds_most": summary.most_s or None,
        "games_measured": summary.measured,
        "expected_ci95": summary.expected_ci95,
        "per_pairing": summary.per_pairing,
        "next_starts": [shapes.instant(moment) for moment in plan.next_starts],
        "bots": plan.bots,
        "bots_needed": plan.fewest,
    }


def reckoned_shape(status: TournamentStatus) -> dict[str, Any]:
    """Return what takes the rules of a tournament and its schedule, wherever it is shown, as JSON."""
    return {
        "ruleset": status.ruleset,
        "meetings": status.spec.meetings or None,
        "rounds_per_second": round(status.rounds_per_second, 3) if status.rounds_a_game else None,
        "plan": plan_shape(status.plan, status.spec.format),
    }


def status_shape(status: TournamentStatus, *, with_table: bool = True) -> dict[str, Any]:
    """Return a tournament as JSON; lists of tournaments leave the tables out."""
    stand = Stand(
        state=status.state,
        reason=status.reason,
        meetings=status.spec.meetings,
        entrants=status.entrants,
        missing=status.missing,
        other_versions=status.other_versions,
        not_offering=status.not_offering,
        matches=status.plan.summary.matches if status.entrants else 0,
        created=status.matches_created,
        done=status.matches_done,
        lost=status.matches_lost,
        replayed=status.matches_replayed,
        parked=status.matches_parked,
        voids=status.voids,
        games_done=status.games_done,
        games_per_second=status.games_per_second,
        eta_s=status.eta_s,
        commitment=status.commitment,
        deal_seed=status.deal_seed,
        created_ms=status.created_ms,
        started_ms=status.started_ms,
        ended_ms=status.ended_ms,
    )
    shape = shapes.tournament(status.spec.fields(), stand) | reckoned_shape(status)
    if with_table:
        shape |= shapes.of_table(status.table)
    return shape
