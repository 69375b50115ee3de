"""The ledger's scripts once more, in Python, for the simulated store.

Each function is the twin of `ladder/store/lua/<name>.lua`: same keys, same arguments, same replies, same effects. One
suite (tests/store_conformance) holds both to the same behaviour.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final, TypeAlias

from tests.simulate.bot_twins import pepper, presence, register, used, version
from tests.simulate.database import Database, ErrorReply, Reply
from tests.simulate.deal_twins import reopened, reveal, seated

Twin: TypeAlias = Callable[[Database, list[bytes], list[bytes]], Reply]

NUL: Final = b"0"


# -- what the scripts share


def _append(db: Database, head: bytes, log: bytes, entry: list[bytes]) -> bytes:
    """The fence of every write to a match. `entry`: old head, new head, id, bytes."""
    old, new, number, data = entry
    now = db.get(head)
    if now == new:
        return b"DUP"
    if now != old:
        raise ErrorReply(f"HEAD {'false' if now is None else now.decode()}")
    db.xadd(log, number, b"d", data)
    db.put(head, new)
    return b"OK"


def _acts(head: bytes) -> int:
    """The number of acts in the epoch of this head."""
    return int(head.split(b"-")[1])


def _move(db: Database, match: bytes, states: bytes, to: bytes) -> None:
    before = db.hget(match, b"state")
    assert before is not None
    if before != to:
        db.hincrby(states, before, -1)
        db.hincrby(states, to, 1)
        db.hset(match, b"state", to)


def _games(db: Database, match: bytes, tournament: bytes, done: int) -> None:
    text = db.hget(match, b"games_done") or NUL
    before = int(text) if text.isdigit() else None
    if done != before:
        db.hset(match, b"games_done", str(done).encode())
        if db.hget(match, b"tournament"):
            if before is None:
                raise ErrorReply(f"ERR arithmetic on {text!r}")
            db.hincrby(tournament, b"games_done", done - before)


def _lose(
    db: Database, ident: bytes, match: bytes, keys: Mapping[str, bytes], to: bytes, reason: bytes, now: bytes
) -> None:
    """Takes a match that does not count out of every list."""
    db.hset(match, b"games_lost", db.hget(match, b"games_done") or NUL)
    _games(db, match, keys["tournament"], 0)
    _move(db, match, keys["states"], to)
    db.hset(match, b"owner", b"", b"reason", reason, b"ended_ms", now, b"stop", b"")
    db.zrem(keys["ready"], ident)
    db.zrem(keys["due"], b"rate:" + ident)
    db.srem(keys["open"], ident)
    if db.hget(match, b"tournament"):
        db.srem(keys["tournament_open"], ident)
        db.hincrby(keys["tournament"], b"lost", 1)
        if to == b"parked":
            db.hincrby(keys["tournament"], b"parked", 1)
    if to == b"void" or db.hget(match, b"group") not in (None, b"", ident):
        db.zadd(keys["due"], now, b"rate:" + ident, nx=True)


def _obeyed(db: Database, ident: bytes, match: bytes, keys: dict[str, bytes], now: bytes) -> bool:
    """Carries out an order that a match be void for which there is no host any more."""
    try:
        order = json.loads(db.hget(match, b"stop") or b"")
    except ValueError:
        return False
    match order:
        case {"reason": str(reason)}:
            _lose(db, ident, match, keys, b"void", reason.encode(), now)
            return True
        case _:
            return False


def _lists(*keys: bytes) -> dict[str, bytes]:
    return dict(zip(("ready", "states", "due", "open", "tournament", "tournament_open"), keys, strict=True))


def _over(db: Database, tournament: bytes) -> bytes | None:
    state = db.hget(tournament, b"state")
    return state if state in (b"cancelled", b"finished") else None


def _flat(fields: Mapping[bytes, bytes]) -> "list[Reply]":
    return [word for pair in fields.items() for word in pair]


# -- matches


def append(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Adds one entry to the log of a match."""
    return _append(db, keys[0], keys[1], args)


def claim(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Claims a match."""
    match, head, log, seed, ready, states, _, owned, due, everything, tournament, tournament_open, *_ = keys
    ident, old, new, entry, me, now, drawn, commitment, data, _, owneds, most, *_ = args
    owner = db.hget(match, b"owner") or b""
    word = _claimable(db, keys, args, owner)
    if word not in (b"OK", b"DUP"):
        return [word]
    if word == b"OK":
        _append(db, head, log, [old, new, entry, data])
        _count_strikes(db, match, old, owner)
        if owner:
            db.srem(owneds + owner, ident)
        if int(db.hget(match, b"strikes") or NUL) >= int(most):
            lists = _lists(ready, states, due, everything, tournament, tournament_open)
            if _obeyed(db, ident, match, lists, now):
                return [b"GONE"]
            _lose(db, ident, match, lists, b"parked", b"strikes", now)
            return [b"PARKED"]
        if not db.exists(seed) and (refused := _refused(db, keys, args)):
            return [refused]
        if db.put(seed, drawn, nx=True):
            db.hset(match, b"commitment", commitment)
        _move(db, match, states, b"running")
        db.hset(match, b"owner", me, b"claimed_ms", now)
        if db.hget(match, b"begun_ms") is None:
            db.hset(match, b"begun_ms", now)
        db.sadd(owned, ident)
        db.zrem(ready, ident)
    return [word, db.get(seed), _flat(db.hgetall(match))]


def _refused(db: Database, keys: list[bytes], args: list[bytes]) -> bytes:
    """Seat a table at its deals; returns the word for one that may not have them, which is void then."""
    match, _, _, _, ready, states, _, _, due, everything, tournament, tournament_open, again, deal, kin, count = keys
    ident, now, (bots, life, alarm) = args[0], args[5], args[12:]
    why = seated(db, ident, match, deal, bots, kin, life)
    if not why:
        return b""
    lists = _lists(ready, states, due, everything, tournament, tournament_open)
    if _obeyed(db, ident, match, lists, now):
        return b"GONE"
    _lose(db, ident, match, lists, b"void", b"deal: " + why.encode(), now)
    if db.hget(match, b"tournament"):
        db.sadd(again, ident)
    db.hincrby(count, alarm, 1)
    return b"DEAL"


def _claimable(db: Database, keys: list[bytes], args: list[bytes], owner: bytes) -> bytes:
    """Return OK, DUP, or why a match cannot be claimed."""
    match, head, ready, beat = keys[0], keys[1], keys[4], keys[6]
    ident, old, new, me, beats = args[0], args[1], args[2], args[4], args[9]
    if db.hget(match, b"state") not in (b"ready", b"running"):
        db.zrem(ready, ident)
        return b"GONE"
    if db.get(head) == new and owner == me:
        return b"DUP"
    if db.get(head) != old:
        return b"HEAD"
    if not db.exists(beat):
        return b"SELF"
    return b"ALIVE" if owner and db.exists(beats + owner) else b"OK"


def _count_strikes(db: Database, match: bytes, old: bytes, owner: bytes) -> None:
    """A death without an act is a strike; an act clears them."""
    if _acts(old) > 0:
        db.hset(match, b"strikes", NUL, b"releases", NUL)
    elif owner:
        db.hincrby(match, b"strikes", 1)


def close(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Ends a match with its last entry."""
    head, log, match, owned, ready, states, due, everything, tournament, tournament_open, seed, *shown = keys
    *entry, ident, ending, reason, result, digest, now, done = args
    said = _append(db, head, log, entry)
    if said != b"OK":
        return said
    db.srem(owned, ident)
    if ending != b"closed":
        lists = _lists(ready, states, due, everything, tournament, tournament_open)
        if ending != b"parked" or not _obeyed(db, ident, match, lists, now):
            _lose(db, ident, match, lists, ending, reason, now)
        return b"OK"
    _games(db, match, tournament, int(done))
    _move(db, match, states, b"closed")
    db.hset(match, b"owner", b"", b"result", result, b"digest", digest, b"ended_ms", now)
    db.zrem(ready, ident)
    db.zadd(due, now, b"rate:" + ident, nx=True)
    if db.hget(match, b"group") in (None, b"", ident):
        db.rename(log, shown[0])
        db.rename(seed, shown[1])
        db.hset(match, b"shown", b"1")
    return b"OK"


def release(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Gives a match back."""
    head, log, match, owned, ready, states, due, everything, tournament, tournament_open = keys
    *entry, ident, not_before, absent, now = args
    said = _append(db, head, log, entry)
    if said != b"OK":
        return said
    if _acts(entry[0]) > 0:
        db.hset(match, b"strikes", NUL, b"releases", NUL)
    if absent == b"1":
        db.hincrby(match, b"releases", 1)
    db.hset(match, b"owner", b"")
    db.srem(owned, ident)
    if _obeyed(db, ident, match, _lists(ready, states, due, everything, tournament, tournament_open), now):
        return b"OK"
    _move(db, match, states, b"ready")
    db.zadd(ready, not_before, ident)
    return b"OK"


def beat(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """A referee is alive."""
    mine, owned, referees = keys
    me, payload, life, fresh, matches, tournaments, watches, *progress = args
    if fresh != b"1" and not db.exists(mine):
        raise ErrorReply(f"LAPSED {me.decode()}")
    db.put(mine, payload, px=int(life))
    stopped: list[Reply] = []
    damaged: list[Reply] = []
    with _tried(referees, damaged):
        db.sadd(referees, me)
    for ident, done in zip(progress[::2], progress[1::2], strict=True):
        with _tried(ident, damaged):
            _note_games(db, me, matches + ident, tournaments, int(done))
    mine_by_now: list[bytes] = []
    with _tried(owned, damaged):
        mine_by_now = sorted(db.smembers(owned))
    for ident in mine_by_now:
        with _tried(ident, damaged):
            order = db.hget(matches + ident, b"stop")
            stopped += [ident, order] if order else []
    places = [(ident, db.value(watches + ident)) for ident in mine_by_now]
    return [stopped, damaged, [word for ident, place in places if isinstance(place, bytes) for word in (ident, place)]]


def watch(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Somebody wants to see a match."""
    life, place, renewed = args
    before = db.value(keys[0])
    if not isinstance(before, bytes) or int(before) >= int(place) or db.left_ms(keys[0]) <= int(renewed):
        db.put(keys[0], place, px=int(life))
    return b"OK"


def scene(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Shows a scene of a match."""
    number, data, most, life = args
    if not isinstance(db.value(keys[0]), list | None):
        db.delete(keys[0])
    try:
        db.xadd(keys[0], number, b"d", data, most=int(most))
    except ErrorReply:
        return b"DUP"
    db.expire(keys[0], int(life))
    return b"OK"


@contextmanager
def _tried(name: bytes, damaged: list[Reply]) -> Iterator[None]:
    """Name what the server refuses to touch, and go on."""
    try:
        yield
    except ErrorReply:
        damaged.append(name)


def _note_games(db: Database, me: bytes, match: bytes, tournaments: bytes, done: int) -> None:
    if db.hget(match, b"owner") == me:
        tournament = db.hget(match, b"tournament")
        if tournament is None:
            raise ErrorReply("ERR concatenation with nothing")
        _games(db, match, tournaments + tournament, done)


def leave(db: Database, keys: list[bytes], _args: list[bytes]) -> Reply:
    """A referee is gone."""
    return int(db.delete(keys[0]))


def plan(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Writes a match."""
    match, head, states, everything, ready, index, tournament, tournament_open, open_ones, *indexes = keys
    ident, first, name, is_ready, not_before, *fields = args
    if db.exists(match):
        return b"DUP"
    again = re.search(rb"\.r[0-9]+$", ident)
    if name and _over(db, tournament) and not (again and reopened(db, tournament, open_ones)):
        return b"OVER"
    opens = is_ready == b"1" and not (name and db.hget(tournament, b"state") == b"paused")
    state = b"ready" if opens else b"planned"
    number = str(db.hincrby(states, b"#planned", 1)).encode()
    db.hset(match, b"state", state, b"number", number, *fields)
    db.put(head, first)
    db.hincrby(states, state, 1)
    db.sadd(everything, ident)
    if opens:
        db.zadd(ready, not_before, ident, nx=True)
    for key in (index, *indexes):
        db.zadd(key, number, ident)
    if name:
        db.sadd(tournament_open, ident)
        db.hincrby(tournament, b"planned", 1)
        if again:
            db.hincrby(tournament, b"again", 1)
    return b"OK"


def ready(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Opens a planned match, or re-adds one that is ready or running."""
    match, states, queue, tournament = keys
    state = db.hget(match, b"state")
    if state not in (b"planned", b"ready", b"running"):
        return 0
    if state == b"planned":
        if db.hget(tournament, b"state") == b"paused":
            return 0
        _move(db, match, states, b"ready")
    db.zadd(queue, args[1], args[0], nx=True)
    return 1


def unready(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Takes a match back that waits for its seats."""
    match, states, queue = keys
    if db.hget(match, b"state") not in (b"planned", b"ready"):
        return 0
    _move(db, match, states, b"planned")
    db.zrem(queue, args[0])
    return 1


def _who(order: bytes | None) -> object:
    """Who gave an order; None: it cannot be read."""
    try:
        found = json.loads(order or b"")
    except ValueError:
        return None
    return found.get("who") if isinstance(found, dict) else None


def stop(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Orders that a match be void."""
    match, states, queue, due, everything, tournament, tournament_open = keys
    ident, reason, order, now, judged = args
    state = db.hget(match, b"state")
    if state is None:
        return [b"UNKNOWN"]
    if state == b"void":
        return [b"SAME", state]
    if state == b"running" and db.hget(match, b"stop"):
        if judged or _who(db.hget(match, b"stop")) == _who(order) or db.hget(match, b"late") != b"1":
            return [b"SAME", state]
        db.hset(match, b"stop", order)
        db.hdel(match, b"late")
        return [b"OK", state]
    if judged and (state != b"running" or db.hget(match, b"claimed_ms") != judged):
        return [b"STATE", state]
    if state == b"running":
        db.hset(match, b"stop", order, *((b"late", b"1") if judged else ()))
        return [b"OK", state]
    if state not in (b"planned", b"ready"):
        return [b"STATE", state]
    lists = _lists(queue, states, due, everything, tournament, tournament_open)
    _lose(db, ident, match, lists, b"void", reason, now)
    return [b"OK", b"void"]


TWINS: Final[dict[str, Twin]] = {
    twin.__name__: twin
    for twin in (
        append, beat, claim, close, leave, pepper, plan, presence, ready, register, release, reveal, scene, stop,
        unready, used, version, watch,
    )
}  # fmt: skip
