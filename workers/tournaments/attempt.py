"""Plays a void match again: the same bots at the same table, another id, another deal."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ladder.errors import WrongStateError
from ladder.store.errors import UnknownError
from ladder.store.rows import MatchPlan, MatchRow
from ladder.store.store import Store
from workers.schedule.schedule import MatchId
from workers.tournaments.life import State

__all__ = ["Attempt", "next_attempt"]


@dataclass(frozen=True, slots=True)
class Attempt:
    """A match in the place of another one."""

    id: str
    new: bool
    """It was not there yet."""


def next_attempt(store: Store, row: MatchRow, now_ms: int) -> Attempt:
    """Write the next attempt of a void match to the ledger; it is there once, however often it is asked for.

    Raises:
        WrongStateError: it belongs to no tournament, or to one that is over: then the seed of its deals is public.
    """
    if not row.tournament:
        raise _refused(row, "it belongs to no tournament; bots of a ladder meet again anyway")
    following = replace(MatchId.parse(row.id), attempt=MatchId.parse(row.id).attempt + 1)
    if _exists(store, str(following)):
        return Attempt(str(following), new=False)
    tournament = store.tournaments.get(row.tournament)
    new = 0 if State(tournament.state).over else store.matches.plan([_plan(row, str(following), now_ms)], now_ms)
    if not _exists(store, str(following)):  # also where it ended at this very moment
        raise _refused(row, f"tournament {row.tournament} is over, and the seed of its deals is public")
    return Attempt(str(following), new=new == 1)


def _plan(row: MatchRow, match: str, now_ms: int) -> MatchPlan:
    return MatchPlan(
        id=match,
        format=row.format,
        ruleset=row.ruleset,
        rules_version=row.rules_version,
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
