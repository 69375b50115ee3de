"""Ends a tournament whose row cannot be read: what is gone of it is made up from its matches; what counted counts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from ladder.errors import InvalidFieldError
from ladder.store.audit import Deed
from ladder.store.rows import LOST, MatchRow, MatchState
from ladder.store.salvage import Left
from ladder.store.store import Store
from ladder.store.unread import CAUSES
from lastcard.names import bot_of
from workers.schedule.deal_groups import HOUSE
from workers.schedule.schedule import MatchId
from workers.tournaments.notes import Notes
from workers.tournaments.spec import TournamentSpec

__all__ = ["cancel_unread"]

UNKNOWN: Final = "unknown"
"""The format of a tournament of which nobody can say it any more."""
COUNTED: Final = frozenset({MatchState.RATED, MatchState.ARCHIVED, MatchState.TRIMMED})


def cancel_unread(store: Store, name: str, deed: Deed) -> None:
    """Cancel a tournament whose row cannot be read, whatever stands there; its matches are then seen to as usual.

    Raises:
        UnknownError: there is none of this name.
    """
    left, rows = _left(store, name), store.matches.readable(store.matches.ids_of(name))
    spec = left.fields.get("spec") or json.dumps(_described(name, rows).fields())
    entrants = tuple(dict.fromkeys(bot for row in rows for bot in row.entrants))
    made_up: dict[str, str | int] = {
        **_counts(rows),
        "spec": spec,
        "entrants": json.dumps(entrants),
        "schedule": Notes.salvaged(left.damaged.get(b"schedule", ""), _kin(store, entrants)).text(),
        "commitment": store.salvage.commitment(name),
        "created_ms": store.salvage.created_ms(name),
        "ended_ms": deed.at_ms,
    }
    store.salvage.end(name, left, made_up, deed)


def _left(store: Store, name: str) -> Left:
    """Return what is left of it, without what only looks as if it could be read."""
    left = store.salvage.left(name)
    fields, damaged = dict(left.fields), dict(left.damaged)
    for field, read in (("spec", TournamentSpec.parse), ("schedule", Notes.parse)):
        try:
            read(fields.get(field, ""))
        except (*CAUSES, InvalidFieldError):
            if field in fields:
                damaged[field.encode()] = fields.pop(field)
    return Left(fields, damaged)


def _described(name: str, rows: Sequence[MatchRow]) -> TournamentSpec:
    """Return a description for what its matches show."""
    bots = tuple(dict.fromkeys(bot_of(bot) for row in rows for bot in row.entrants))
    known = rows[0].format if rows else UNKNOWN
    return TournamentSpec(
        name, known, bots=bots, all=not bots, unrated=bool(rows) and not any(row.rated for row in rows)
    )


def _counts(rows: Sequence[MatchRow]) -> dict[str, int]:
    again = sum(MatchId.parse(row.id).attempt > 1 for row in rows)
    return {
        "matches": len(rows) - again,
        "planned": len(rows),
        "again": again,
        "done": sum(row.state in COUNTED for row in rows),
        "lost": sum(row.state in LOST for row in rows),
        "parked": sum(row.state is MatchState.PARKED for row in rows),
        "games_done": sum(row.games_done for row in rows),
        "started_ms": min((row.created_ms for row in rows), default=0),
    }


def _kin(store: Store, entrants: Sequence[str]) -> dict[str, int]:
    """Return the owners of these versions by number; owners that an operator linked are one."""
    bots = store.registry.find([bot_of(bot) for bot in entrants])
    owners = sorted({bot.kin for bot in bots.values() if not bot.house})
    found = {bot: bots.get(bot_of(bot)) for bot in entrants}
    return {bot: HOUSE if row is None or row.house else 1 + owners.index(row.kin) for bot, row in found.items()}
