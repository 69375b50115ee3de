"""The twins of the scripts `_deal`, `_reopen` and `reveal`: who may sit at which deals, and who shows them."""

import json

from tests.simulate.database import Database, Reply


def _stands_for(db: Database, name: str, bots: bytes, kin: bytes) -> bytes | None:
    """The owner that a bot stands for; None: it is the house's."""
    row = bots + name.encode()
    owner = db.hget(row, b"owner")
    if db.hget(row, b"house") == b"1":
        return None
    if owner is None:
        return b"bot:" + name.encode()
    return b"owner:" + (db.hget(kin, owner) or owner)


def seated(db: Database, ident: bytes, match: bytes, deal: bytes, bots: bytes, kin: bytes, life: bytes) -> str:
    """Seat a table at its deals for the first time; returns why that may not be, else nothing."""
    try:
        entrants = json.loads(db.hget(match, b"entrants") or b"[]")
    except ValueError:
        entrants = []
    names = entrants if isinstance(entrants, list) else []
    stand = [_stands_for(db, str(entrant).partition("@")[0], bots, kin) for entrant in names]
    met = [owner for owner in stand if owner is not None]
    owners = list(dict.fromkeys(met))
    if db.hget(match, b"deals") == b"field":
        why = _at_a_shared_deal(db, ident, deal, owners, twice=len(owners) < len(met))
    else:
        why = _at_its_own(db, ident, match, deal, strangers=bool(owners) and len(owners) + (None in stand) > 1)
    if not why:
        db.expire(deal, 1000 * int(life))
    return why


def _at_a_shared_deal(db: Database, ident: bytes, deal: bytes, owners: list[bytes], *, twice: bool) -> str:
    before = db.smembers(deal)
    if before and (twice or b"alone" in before):
        return "an owner sits twice at a table of its deals"
    if before.intersection(owners):
        return "one of its owners met its deals before"
    for member in (b"table:" + ident, *owners, *([b"alone"] if twice else ())):
        db.sadd(deal, member)
    return ""


def _at_its_own(db: Database, ident: bytes, match: bytes, deal: bytes, *, strangers: bool) -> str:
    vouched = db.hget(match, b"deals") != b"mirrored" or db.hget(match, b"trusted") != b"0"
    if strangers and not vouched:
        return "its deal is played in all seats by bots that nobody vouches for"
    if not db.put(deal, ident, nx=True) and db.get(deal) != ident:
        return "another table has its deals"
    return ""


def reveal(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Shows what was secret while it was played."""
    count = 0
    for name in args[10:]:
        kind, _, ident = name.partition(b":")
        shown = _reveal_match(db, ident, args) if kind == b"m" else _reveal_tournament(db, ident, args)
        count += bool(shown)
        (db.sadd if shown is None else db.srem)(keys[0], name)
    return count


def _reveal_match(db: Database, ident: bytes, args: list[bytes]) -> bool:
    matches, logs, seeds, shown_logs, shown_seeds = args[:5]
    match = matches + ident
    state = db.hget(match, b"state")
    if state not in (b"rated", b"archived", b"trimmed"):
        if state != b"void" and (not db.hget(match, b"result") or state in (b"running", b"ready", b"planned")):
            return False
        if db.hget(match, b"group") not in (None, b"", ident) and db.hget(match, b"opened") != b"1":
            return False
    db.rename(logs + ident, shown_logs + ident)
    db.rename(seeds + ident, shown_seeds + ident)
    db.hset(match, b"shown", b"1")
    return True


def _reveal_tournament(db: Database, name: bytes, args: list[bytes]) -> bool | None:
    """None: its matches are still to end, or may be put back."""
    tournaments, before, behind, seeds, shown = args[5:10]
    row = tournaments + name
    if db.hget(row, b"state") not in (b"cancelled", b"finished"):
        return False
    if (db.hget(row, b"state"), db.hget(row, b"withheld")) == (b"finished", b"1") and int(db.hget(row, b"parked") or 0):
        return None
    if db.smembers(before + name + behind):
        return None
    db.rename(seeds + name, shown + name)
    return True


def reopened(db: Database, tournament: bytes, open_ones: bytes) -> bool:
    """Lets a tournament run again that ended with parked matches; returns whether it was so."""
    ended = (db.hget(tournament, b"state"), db.hget(tournament, b"withheld")) == (b"finished", b"1")
    if not ended or int(db.hget(tournament, b"parked") or b"0") < 1:
        return False
    db.hset(tournament, b"state", b"running", b"moved", b"", b"ended_ms", b"0", b"reason", b"")
    db.zadd(open_ones, db.hget(tournament, b"created_ms") or b"0", db.hget(tournament, b"name") or b"")
    return True
