"""Plays a void match again: the same bots at the same table, another id, another deal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ladder.errors import WrongStateError
from ladder.store.audit import Deed
from ladder.store.errors import UnknownError
from ladder.store.rows import MatchPlan, MatchRow
from ladder.store.store import Store
from workers.schedule.schedule import MatchId
from workers.tournaments.life import State
from workers.tournaments.terms import Terms

__all__ = ["Attempt", "next_attempt", "unreplaced"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A match in the place of another one."""

    id: str
    new: bool
    """It was not there yet."""


def next_attempt(store: Store, row: MatchRow, terms: Terms, now_ms: int, *, who: str = "", reason: str = "") -> Attempt:
    """Write the next attempt of a void match to the ledger; it is there once, however often it is asked for.

    It is played by `terms`, the rules of today, whichever the void one was to be played by. Who asked for it is noted
    with it, where somebody is named.

    Raises:
        WrongStateError: it belongs to no tournament, or to one that is over: then the seed of its deals is public.
    """
    if not row.tournament:
        raise _refused(row, "it belongs to no tournament; bots of a ladder meet again anyway")
    again = _next(row)
    if _exists(store, again):
        return Attempt(again, new=False)
    deed = Deed(who, "replay", again, reason, now_ms) if who else None
    over = State(store.tournaments.get(row.tournament).state).over
    new = 0 if over else store.matches.plan([_plan(row, again, terms, now_ms)], now_ms, deed=deed)
    if not _exists(store, again):  # also where it ended at this very moment
        raise _refused(row, f"tournament {row.tournament} is over, and the seed of its deals is public")
    return Attempt(again, new=new == 1)


def unreplaced(store: Store, tournament: str) -> list[MatchRow]:
    """Return the matches of a tournament that no referee supported and that are still to be planned anew."""
    void = store.matches.readable(store.upgrades.again(tournament))
    known = store.matches.states_of([_next(row) for row in void])
    return [row for row in void if _next(row) not in known]


def _next(row: MatchRow) -> str:
    match = MatchId.parse(row.id)
    return str(replace(match, attempt=match.attempt + 1))


def _plan(row: MatchRow, match: str, terms: Terms, now_ms: int) -> MatchPlan:
    return MatchPlan(
        id=match,
        format=row.format,
        ruleset=terms.ruleset,
        rules_version=terms.rules_version,
        log_format=terms.log_format,
        entrants=row.entrants,
        meetings=row.meetings,
        deals=row.deals,
        group=match if row.group else "",
        nonces=row.nonces,
        rated=row.rated,
        tournament=row.tournament,
        leg=row.leg,
        table=row.table,
        part=row.part,
        not_before_ms=now_ms,
    )


def _exists(store: Store, match: str) -> bool:
    try:
        store.matches.get(match)
    except UnknownError:
        return False
    return True


def _refused(row: MatchRow, why: str) -> WrongStateError:
    sentence = f"match {row.id} cannot be played again: {why}"
    return WrongStateError("WRONG_STATE", sentence, field="match", value=row.id)
