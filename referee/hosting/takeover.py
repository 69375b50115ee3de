"""What a referee needs to know of a match before it plays: rules, seed, and what happened so far."""

import asyncio
import hmac
from collections.abc import Iterable
from itertools import chain
from typing import Final

from ladder.store import Store
from ladder.store.archive import Entry
from ladder.store.head import next_head
from ladder.store.match_calls import Ending
from ladder.store.rows import Claimed, MatchRow, MatchState
from lastcard.secret import Secret
from referee import formats, logbook
from referee.fold import redo as redo_record
from referee.formats.format import DEALS
from referee.hosting.versions import lacks
from referee.machine import Machine
from referee.match import MatchPlay
from referee.match_spec import MatchSpec

SLICE_S: Final = 0.005
"""For so long, and one record more, nobody else has the loop."""


def spec_of(row: MatchRow) -> MatchSpec | None:
    """Return what is to be played, if this release plays it.

    Raises:
        ValueError: nobody can, for it says of its deals what no match is played on.
    """
    if row.deals not in DEALS:
        raise ValueError(f"match {row.id} is played on {row.deals!r:.100} deals, and no match is")
    if lacks(row):
        return None
    played = formats.get(row.format, deals=row.deals)
    return MatchSpec(row.id, played, row.entrants, row.meetings, row.nonces, group=row.group, log_format=row.log_format)


def seed_of(row: MatchRow, store: Store, machine: Machine) -> Secret:
    """Return the seed that counts if nobody has claimed the match before: for a tournament from its secret seed."""
    if not row.tournament:
        return Secret(machine.random_bytes(32))
    secret = store.tournaments.deal_seed(row.tournament)
    return Secret(hmac.digest(secret.reveal(), (row.group or row.id).encode(), "sha256"))


def claimed_before(match: str, store: Store, me: str) -> Claimed | None:
    """Return what a claim of `me` returned, or would have if its answer had come; None: the match is not ours.

    The head is read first: whoever claims the match after that fences it.
    """
    head = store.matches.head(match)
    row = store.matches.get(match)
    seed = store.matches.seed(match)
    return Claimed(head, seed, row) if row.owner == me and row.state is MatchState.RUNNING and seed else None


def park(match: str, store: Store, me: str, unix_ms: int, reason: str) -> bool:
    """End a match that is ours and cannot be hosted, so that it waits for an operator; return whether it was ours.

    Of its row no more is read than that takes: the rest may be what is wrong with it.
    """
    if not is_ours(match, store, me):
        return False
    head = store.matches.head(match)
    tournament = _tournament_of_ours(match, store, me)  # read after the head, as in `claimed_before`
    if tournament is None:
        return False
    data = logbook.stamp(unix_ms)
    calls = store.matches.calls(match, me=me, tournament=tournament)
    store.link.run(
        calls.close(head, next_head(head, data), data, now_ms=unix_ms, ending=Ending.PARKED, reason=reason)
    )  # fmt: skip
    return True


def is_ours(match: str, store: Store, me: str) -> bool:
    """Whether the ledger says that we host a match."""
    return _tournament_of_ours(match, store, me) is not None


def _tournament_of_ours(match: str, store: Store, me: str) -> str | None:
    """Return the tournament of a match that we host, "" where it is of none; None: we do not host it."""
    row = store.link.fields(store.keys.match(match), ("owner", "state", "tournament"))
    return row["tournament"] or "" if (row["owner"], row["state"]) == (me, MatchState.RUNNING) else None


async def redo(play: MatchPlay, entries: Iterable[Entry], machine: Machine) -> None:
    """Rebuild a match from its log in slices, so that the loop stays free: an entry may hold a turn of many games.

    Of the rounds that are over, the log says how they came out; only those that are open are played again.

    Raises:
        EngineMismatchError: the log is not what this engine would have written.
        CorruptLogError: an entry is none.
    """
    began = machine.monotonic()
    read = []
    for record in chain.from_iterable(logbook.records(data) for _epoch, _seq, data in entries):
        read.append(record)
        if machine.monotonic() - began > SLICE_S:
            await asyncio.sleep(0)
            began = machine.monotonic()
    play.foresee(record for record in read if isinstance(record, logbook.RoundResult))
    for record in read:
        redo_record(play, record)
        if machine.monotonic() - began > SLICE_S:
            await asyncio.sleep(0)
            began = machine.monotonic()
