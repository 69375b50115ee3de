"""Keys that stay for ever and should not: what may stay follows from what the ledger holds, one key at a time."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Final, cast

import redis

from ladder.store import Store
from ladder.store.rows import APPLIED, MatchRow, MatchState
from ladder.store.tournaments import TournamentRow
from workers.broker import QUEUE, TRANSPORT
from workers.tournaments.life import State

__all__ = ["lasting", "leaks", "leaks_of_broker", "until_swept"]

OF_A_LADDER: Final = (*("cfg", "rating", "games", "seen", "log", "stat"), *("void", "fit", "weights", "report"))
GLOBAL: Final = (
    *("index", "states", "tournaments", "bots", "skeletons"),
    *("operators", "pepper", "formats", "count", "audit"),
)
BINDINGS: Final = (f"_kombu.binding.{QUEUE}", f"_kombu.binding_permanent.{QUEUE}")
SWEPT_S: Final = 90.0
"""So long after the end what died on the way may leave traces: a reconciler looks every quarter of a minute."""
PAUSE_S: Final = 1.0
GRACE_S: Final = 60.0
"""Between the time at which a message of a dead worker comes back and its coming back."""


def lasting(store: Store) -> set[str]:
    """Return the keys that may stay for ever, given the tournaments, matches, bots and ladders that there are."""
    keys = store.keys
    found = {f"{_prefix(store)}{name}" for name in GLOBAL} | {keys.tournaments}
    found |= {keys.ladder(name, part) for name in store.ratings.formats() for part in OF_A_LADDER}
    found |= {keys.token(token.keyid) for token in store.registry.operators()}
    for tournament in store.tournaments.page(1000)[0]:
        seed = keys.deal_seed if _secret(store, tournament) else keys.shown_deal_seed
        found |= {key(tournament.name) for key in (keys.tournament, seed, keys.index_of_tournament)}
        found.add(keys.commitments)
        if _waits(store, tournament):
            found.add(keys.reveals)
        for row in store.matches.every(tournament.name):
            found |= set(_of_match(store, row))
    found |= set(_of_bots(store))
    if store.matches.referees():
        found |= {keys.referees, keys.presence}
    return found


def _over(tournament: TournamentRow) -> bool:
    return State(tournament.state).over


def _secret(store: Store, tournament: TournamentRow) -> bool:
    """Return whether matches may still be dealt from its seed: open ones, and parked ones that may be put back."""
    parked = tournament.state == State.FINISHED and tournament.withheld and tournament.parked > 0
    return parked or not _over(tournament) or bool(store.link.members(store.keys.tournament_open(tournament.name)))


def _waits(store: Store, tournament: TournamentRow) -> bool:
    """Return whether a referee is to show its seed, but not yet."""
    return _over(tournament) and _secret(store, tournament)


def _of_match(store: Store, row: MatchRow) -> Iterator[str]:
    keys = store.keys
    yield from (keys.match(row.id), keys.head(row.id))
    yield from map(keys.index_of_bot, {bot.partition("@")[0] for bot in row.entrants})
    waits = row.id in store.link.ranked("ZRANGE", keys.unarchived, 0, -1)
    if waits:
        yield keys.unarchived
    if waits or row.state not in (MatchState.TRIMMED, MatchState.VOID):
        yield from (key(row.id) for key in ((keys.shown_log, keys.shown_seed) if row.shown else (keys.log, keys.seed)))
    if row.state in APPLIED:
        yield from (keys.luck(row.id), keys.house(row.id))
        waiting = {keys.luck_due: store.gifts.pending, keys.house_due: store.house.pending}
        yield from (key for key, pending in waiting.items() if row.id in pending())


def _of_bots(store: Store) -> Iterator[str]:
    token = ""
    while True:
        page = store.registry.page(token=token)
        for bot in page.rows:
            yield from (store.keys.bot(bot.name), store.keys.owner(bot.owner))
            live = (store.link.field(store.keys.bot(bot.name), "tokens") or "").split()
            yield from map(store.keys.token, live)
        token = page.next
        if not token:
            return


def leaks(store: Store) -> Iterator[str]:
    """Yield what stays for ever in the ledger of a tenant and should not, a sentence each."""
    prefix, may_stay = _prefix(store), lasting(store)
    for key in _scanned(store.link, prefix):
        if key not in may_stay and store.link.read("PTTL", key) == -1:
            yield f"key {key.removeprefix(prefix)} stays for ever"
    living = store.matches.referees().keys()
    said = {"referees": store.link.members(store.keys.referees)}
    said["presence"] = {field.partition("/")[0] for field in store.link.texts(store.keys.presence)}
    for what, named in said.items():
        yield from (f"{what} names {gone}, which is gone" for gone in sorted(named - living))
    tournaments = store.tournaments.page(1000)[0]
    committed = store.link.texts(store.keys.commitments).keys() - {row.name for row in tournaments}
    yield from (f"commitments names {gone}, which is gone" for gone in sorted(committed))
    waiting = {f"t:{row.name}" for row in tournaments if _waits(store, row)}
    shown = store.link.members(store.keys.reveals) - waiting
    yield from (f"reveals names {name}, which has nothing to wait for" for name in sorted(shown))


def leaks_of_broker(url: str) -> Iterator[str]:
    """Yield what stays for ever in the broker of a house that is up, and should not."""
    prefix = str(TRANSPORT["global_keyprefix"])
    with redis.Redis.from_url(url) as broker:
        for key in sorted(broker.scan_iter(count=1000)):
            name = key.decode(errors="backslashreplace").removeprefix(prefix)
            if broker.pttl(key) != -1 or name.partition("\x06")[0] == QUEUE:
                continue
            if name in BINDINGS:
                bound = {member.decode().rpartition("\x16")[2] for member in broker.sscan_iter(key)} - {QUEUE}
                yield from (f"queue {queue} stays bound for ever" for queue in sorted(bound))
            elif name in {"unacked", "unacked_index"}:
                yield from _overdue(broker, prefix)
            else:
                yield f"key {name} stays for ever in the broker"


def _overdue(broker: redis.Redis, prefix: str) -> Iterator[str]:
    """Yield messages that somebody took and that should have come back since; and how far list and index differ."""
    latest = time.time() - cast("int", TRANSPORT["visibility_timeout"]) - GRACE_S
    taken = dict(cast("list[tuple[bytes, float]]", broker.zrange(f"{prefix}unacked_index", 0, -1, withscores=True)))
    held = cast("dict[bytes, bytes]", broker.hgetall(f"{prefix}unacked"))
    yield from (f"message {tag.decode()} never came back" for tag, at_s in taken.items() if at_s < latest)
    yield from (f"message {tag.decode()} is held by nobody" for tag in held.keys() - taken.keys())


def until_swept(store: Store, broker_url: str) -> list[str]:
    """Return what stays for ever, once all that is seen to after a death should have been."""
    until, pause = time.monotonic() + SWEPT_S, threading.Event()
    while (found := [*leaks(store), *leaks_of_broker(broker_url)]) and time.monotonic() < until:
        pause.wait(PAUSE_S)
    return found


def _prefix(store: Store) -> str:
    return store.keys.match("")[: -len("m:")]


def _scanned(link: object, prefix: str) -> list[str]:
    cursor, found = 0, set[str]()
    while True:
        reply = link.read("SCAN", cursor, "MATCH", f"{prefix}*", "COUNT", 1000)  # type: ignore[attr-defined]
        following, keys = cast("tuple[bytes | int, list[bytes]]", reply)
        found |= {key.decode() for key in keys}
        cursor = int(following)
        if not cursor:
            return sorted(found)
