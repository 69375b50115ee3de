"""Write the secrets of one installation: pepper, users of both stores, and the environment of every process.

    python deploy/make_secrets.py /etc/lastcard [--ledger HOST:PORT] [--broker HOST:PORT]

Standard library only. Passwords and pepper are made once, and stay. What the users of the stores may do is what this
release needs: where it differs, their files are written anew.

| file | who reads it |
|---|---|
| `pepper` | referee, ladder: the key under which tokens are kept |
| `ledger.acl`, `broker.acl` | the stores |
| `referee.env`, `worker.env`, `beat.env`, `ladder.env` | the processes: addresses with their passwords |
| `ops.env` | an operator at the terminal |
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import secrets
import sys
from collections.abc import Iterable
from pathlib import Path

COMMANDS = (
    "+@read +@write +@connection +@transaction +@stream +script|load +script|exists +time -@dangerous +info +config|get"
)
SCRIPTS = "(~{main}:* +evalsha)"
"""Writes are scripts. Whoever runs one may name any key to it, and each command in it may do what its caller may."""
BUT_SECRETS = ("[^sl]*", "s[^e]*", "l[^o]*")
"""Every key but `seed:…` and `log:…`, which hold the deals and the answers of what is still played. Those are for
referees; when nobody plays it any more, a referee puts it under `shown:…`, and everybody may read it.
"""
BUT_LADDERS = ("[^l]*", "l[^:]*")
"""Every key but `l:…`, which hold ratings: workers alone apply results."""
OF_THE_LADDER = (
    *("m:*", "ready", "due*", "open", "states", "index*", "unarchived", "luck:*", "house:*", "owned:*", "watch:*"),
    *("t:*", "tournaments*", "commitments", "reveals", "bot*", "skeletons", "owner:*", "kin", "token:*", "operators"),
    *("pepper", "count", "tick:*", "audit", "once:*", "request:*", "l:*:void"),
)
"""What the verbs of operators and authors write. Of ladders no more than that a match does not count."""
HEADS = "(~{main}:h:* +setnx +del)"
"""It begins the head of a match, and ends it, and moves none on."""


def keys(how: str, patterns: Iterable[str]) -> str:
    """Return the rule that grants these keys; `how`: `~` all, `%R~` to read, `%W~` to write."""
    return " ".join(f"{how}{{main}}:{pattern}" for pattern in patterns)


LEDGER = {
    "referee": f"{keys('%R~', ['*'])} {keys('~', BUT_LADDERS)} resetchannels {COMMANDS} {SCRIPTS}",
    "worker": f"{keys('~', BUT_SECRETS)} {keys('%W~', ['seed:t:*', 'log:*'])} resetchannels {COMMANDS} {SCRIPTS}",
    "ladder": f"{keys('%R~', BUT_SECRETS)} {keys('~', OF_THE_LADDER)} {keys('%W~', ['seed:t:*'])} resetchannels "
    f"{COMMANDS} {SCRIPTS} {HEADS}",
    "ops": "~* &* +@all",
}
"""Rules of each role's user of the ledger. Who begins a tournament writes the seed that it deals from, and cannot read
it again. Workers end matches that nobody supports, which takes an entry in a log that they cannot read.
"""

BROKER = {
    "celery": "~* &* +@all -@admin -@dangerous +info",
    "ops": "~* &* +@all",
}
"""Rules of the broker's users."""

ROLES = {"referee": (True, False), "worker": (True, True), "beat": (False, True), "ladder": (True, True)}
"""Process to whether it gets into the ledger and the broker; a beat only has to know where the ledger is."""


def once(path: Path, text: str) -> bool:
    """Write a file that only its owner may read, unless it is there; returns whether it was written."""
    try:
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return False
    return True


def users(rules: dict[str, str], passwords: dict[str, str]) -> str:
    """Return an ACL file; it holds digests of the passwords, not the passwords."""
    digests = {name: hashlib.sha256(passwords[name].encode()).hexdigest() for name in rules}
    return _users(rules, digests)


DEFAULT = "user default off ~* &* +@all"
"""Nobody gets in as it. A server of Redis 7.0 is it while it loads its log, and refuses there what it may not do: of
an installation whose default user could do nothing, scripts that wrote in a transaction would be gone at a restart.
"""


def _users(rules: dict[str, str], digests: dict[str, str]) -> str:
    lines = (f"user {name} on #{digests[name]} {allowed}" for name, allowed in rules.items())
    return "\n".join((DEFAULT, *lines)) + "\n"


def renewed(file: Path, rules: dict[str, str]) -> bool:
    """Give the users of an ACL file that is there the rights of this release; returns whether they had others.

    Their passwords stay. A file with other users than ours, or more than one password each, stays as it is.
    """
    text = file.read_text("utf-8")
    names = set(re.findall(r"^user (\S+)", text, re.MULTILINE)) - {"default"}
    digests = dict(re.findall(r"^user (\S+) on #([0-9a-f]{64}) (?!#)", text, re.MULTILINE))
    if not names == digests.keys() == rules.keys() or text == (new := _users(rules, digests)):
        return False
    fresh = file.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    once(fresh, new)
    fresh.replace(file)
    return True


def environment(role: str, ledger: str, broker: str, passwords: dict[str, dict[str, str]]) -> str:
    """Return the environment file of a process, or of an operator."""
    uses_ledger, uses_broker = ROLES.get(role, (True, True))
    lines = []
    who = f"{role}:{passwords['ledger'][role]}@" if uses_ledger else ""
    lines.append(f"LASTCARD_REDIS_URL=redis://{who}{ledger}/0")
    if uses_broker:
        user = "celery" if role in ROLES else role
        lines.append(f"LASTCARD_BROKER_URL=redis://{user}:{passwords['broker'][user]}@{broker}/0")
    return "\n".join(lines) + "\n"


def main(argv: list[str]) -> int:
    """Write what is missing; returns 2 when some but not all of the users' files are there."""
    parser = argparse.ArgumentParser(description="Write the secrets of one installation.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ledger", default="127.0.0.1:6390", metavar="HOST:PORT")
    parser.add_argument("--broker", default="127.0.0.1:6391", metavar="HOST:PORT")
    args = parser.parse_args(argv)
    folder: Path = args.folder
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    rules = {"ledger": LEDGER, "broker": BROKER}
    passwords = {store: {name: secrets.token_urlsafe(32) for name in names} for store, names in rules.items()}
    texts = {f"{store}.acl": users(rules[store], passwords[store]) for store in rules}
    texts |= {f"{role}.env": environment(role, args.ledger, args.broker, passwords) for role in (*ROLES, "ops")}
    there = sorted(name for name in texts if (folder / name).exists())
    if there and len(there) < len(texts):
        missing = ", ".join(sorted(set(texts) - set(there)))
        print(
            f"{folder} has {', '.join(there)} but not {missing}: remove all of them to make new ones", file=sys.stderr
        )
        return 2
    for name, text in {"pepper": f"{secrets.token_hex(32)}\n", **texts}.items():
        print(f"{'made' if once(folder / name, text) else 'kept'} {folder / name}")
    for store, of_store in rules.items():
        if renewed(folder / f"{store}.acl", of_store):
            print(f"renewed {folder / store}.acl: have the store read it (`ACL LOAD`)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
