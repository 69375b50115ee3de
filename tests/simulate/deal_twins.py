"""The twin of `ladder/store/lua/_deal.lua`: who may sit at which deals."""

import json

from tests.simulate.database import Database


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
