"""The twins of the scripts about bots, their tokens and where they are connected; see twins.py."""

from typing import Final

from tests.simulate.database import Database, Reply

NUL: Final = b"0"


def _token(db: Database, key: bytes, mac: bytes, bot: bytes, rest: list[bytes]) -> None:
    owner, scopes, created, expires = rest
    db.hset(
        key, b"mac", mac, b"bot", bot, b"owner", owner, b"scopes", scopes,
        b"created_ms", created, b"expires_ms", expires, b"revoked", NUL,
    )  # fmt: skip


def pepper(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """The check value of the pepper: written by the first, returned to all."""
    db.put(keys[0], args[0], nx=True)
    return db.get(keys[0])


def register(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Registers a bot with its first token."""
    bot, bots, skeletons, owner, token, request = keys
    name, skeleton, fingerprint, life, most, keyid, mac, whose, scopes, created, expires, house, vouched = args
    before = db.get(request)
    if before is not None:
        return [b"DUP"] if before == fingerprint else [b"REUSED"]
    holder = db.hget(skeletons, skeleton)
    if holder is not None:
        return [b"TAKEN", holder]
    if int(most) > 0 and len(db.smembers(owner)) >= int(most):
        return [b"LIMIT"]
    db.hset(
        bot, b"name", name, b"owner", whose, b"created_ms", created, b"house", house, b"n", NUL, b"tokens", keyid
    )  # fmt: skip
    if vouched == b"1":
        db.hset(bot, b"vouched", b"1")
    db.zadd(bots, NUL, name)
    db.hset(skeletons, skeleton, name)
    db.sadd(owner, name)
    _token(db, token, mac, name, [whose, scopes, created, expires])
    db.put(request, fingerprint, px=1_000 * int(life))
    return [b"OK"]


def used(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Notes the day on which a token was last used."""
    if db.exists(keys[0]):
        db.hset(keys[0], b"used", args[0])
    return b"OK"


def version(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """The number of an author's version; a new one becomes the next."""
    bot, (author, now, most) = keys[0], args
    if not db.exists(bot):
        return [b"UNKNOWN"]
    if int(db.hget(bot, b"retired_ms") or NUL):
        return [b"RETIRED"]
    known = db.hget(bot, b"a:" + author)
    if known is not None:
        return [b"OK", known]
    n = int(db.hget(bot, b"n") or NUL)
    if 0 < int(most) <= n:
        written = db.hget(bot, b"v:%d" % (n - int(most) + 1)) or NUL
        if int(now) - int(written.split()[0]) < 86_400_000:
            return [b"LIMIT"]
    n = db.hincrby(bot, b"n", 1)
    db.hset(bot, b"v:%d" % n, now + b" " + author, b"a:" + author, str(n).encode())
    return [b"OK", str(n).encode()]


def presence(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    """Who is connected to a referee."""
    for field, text in zip(args[::2], args[1::2], strict=True):
        if text:
            db.hset(keys[0], field, text)
        else:
            db.hdel(keys[0], field)
    return b"OK"
