"""Write the secrets of one installation: pepper, users of both stores, and the environment of every process.

    python deploy/make_secrets.py /etc/lastcard [--ledger HOST:PORT] [--broker HOST:PORT]

Standard library only. What is there already stays as it is: passwords and pepper are made once.

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
import secrets
import sys
from pathlib import Path

WRITER = (
    "+@read +@write +@connection +@transaction +@stream +evalsha +script|load +script|exists +time -@dangerous +info"
)
ALL_KEYS = "~{main}:*"
OPEN_KEYS = "~{main}:[^sl]* ~{main}:s[^e]* ~{main}:l[^o]* ~{main}:seed:t:*"
"""Every key but `seed:<match>` and `log:<match>`. Whoever faces the network must not be able to read hands or answers
out of them: referees deal from these seeds and write these logs, workers prove finished matches with them, nobody else
needs them. The ladder makes the seeds of tournaments, and reads what everybody may see (`live:<match>`).
"""

LEDGER = {
    "referee": f"{ALL_KEYS} resetchannels {WRITER} +config|get",
    "worker": f"{ALL_KEYS} resetchannels {WRITER} +config|get",
    "ladder": f"{OPEN_KEYS} resetchannels {WRITER} +config|get",
    "ops": "~* &* +@all",
}
"""Rules of each role's user of the ledger. Writes are scripts; a script may do what its caller may."""

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
    lines = ["user default off resetkeys resetchannels -@all"]
    for name, allowed in rules.items():
        digest = hashlib.sha256(passwords[name].encode()).hexdigest()
        lines.append(f"user {name} on #{digest} {allowed}")
    return "\n".join(lines) + "\n"


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
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
