"""Plays a void match again: the same bots at the same table, another id, another deal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ladder.errors import WrongStateError
from ladder.store.audit import Deed
from ladder.store.errors import DamagedError, UnknownError
from ladder.store.rows import MatchPlan, MatchRow, MatchState
from ladder.store.store import Store
from workers.schedule.schedule import MatchId
from workers.tournaments.terms import Terms

__all__ = ["Attempt", "check_tournament", "last_attempt", "next_attempt", "next_id", "unreplaced"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A match in the place of another one."""

    id: str
    new: bool
    """It was not there yet."""


def check_tournament(row: MatchRow) -> None:
    """Check that a match belongs to a tournament: no other is played again.

    Raises:
        WrongStateError: it does not.
    """
    if not row.tournament:
        raise _refused(row, "it belongs to no tournament; bots of a ladder meet again anyway")


def next_id(match: str) -> str:
    """Return the id of the next attempt of a match of a tournament."""
    found = MatchId.parse(match)
    return str(replace(found, attempt=found.attempt + 1))


def last_attempt(store: Store, match: str) -> str:
    """Return the id of what stands in the place of a match: itself, or where that is void the last attempt after it."""
    while store.matches.states_of([match]).get(match) is MatchState.VOID:
        try:
            again = next_id(match)
        except ValueError:  # of a ladder, whose matches have no attempts
            return match
        if not _exists(store, again):
            return match
        match = again
    return match


def next_attempt(
    store: Store,
    row: MatchRow,
    terms: Terms,
    now_ms: int,
    *,
    plan: MatchPlan | None = None,
    who: str = "",
    reason: str = "",
) -> Attempt:
    """Write the next attempt of a void match to the ledger; it is there once, however often it is asked for.

    It is played by `terms`, the rules of today, whichever the void one was to be played by. Who asked for it is noted
    with it, where somebody is named.

    Args:
        store: The ledger.
        row: The void match.
        terms: What it is played by.
        now_ms: Wall time.
        plan: What it was to be, where its own row says so no more.
        who: Who wants that.
        reason: Why.

    Raises:
        WrongStateError: it belongs to no tournament, or to one that is over and the seed of whose deals is public.
    """
    check_tournament(row)
    again = next_id(row.id)
    if _exists(store, again):
        return Attempt(again, new=False)
    deed = Deed(who, "replay", again, reason, now_ms) if who else None
    planned = _again(plan or _planned(row, terms), again, now_ms)
    new = store.matches.plan([planned], now_ms, deed=deed)
    if not _exists(store, again):  # also where it ended at this very moment
        raise _refused(row, f"tournament {row.tournament} is over, and the seed of its deals is public")
    return Attempt(again, new=new == 1)


def unreplaced(store: Store, tournament: str) -> list[MatchRow]:
    """Return those that nobody supported, or that might not have their deals, and that are still to be planned anew."""
    void = store.matches.readable(store.upgrades.again(tournament))
    known = store.matches.states_of([next_id(row.id) for row in void])
    return [row for row in void if next_id(row.id) not in known]


def _again(plan: MatchPlan, match: str, now_ms: int) -> MatchPlan:
    """Return a match under another id; where its deals were those of a group, it has some of its own."""
    return replace(plan, id=match, group=match if plan.group else "", not_before_ms=now_ms)


def _planned(row: MatchRow, terms: Terms) -> MatchPlan:
    """Return a match as it was planned, by the rules of today."""
    return MatchPlan(
        id=row.id,
        format=row.format,
        ruleset=terms.ruleset,
        rules_version=terms.rules_version,
        log_format=terms.log_format,
        entrants=row.entrants,
        meetings=row.meetings,
        deals=row.deals,
        group=row.group,
        nonces=row.nonces,
        rated=row.rated,
        trusted=row.trusted,
        tournament=row.tournament,
        leg=row.leg,
        table=row.table,
        part=row.part,
    )


def _exists(store: Store, match: str) -> bool:
    """Return whether something stands under this id, be it damaged."""
    try:
        store.matches.get(match)
    except UnknownError:
        return False
    except DamagedError:
        return True
    return True


def _refused(row: MatchRow, why: str) -> WrongStateError:
    sentence = f"match {row.id} cannot be played again: {why}"
    return WrongStateError("WRONG_STATE", sentence, field="match", value=row.id)
