"""Write the secrets of one installation: pepper, users of both stores, and the environment of every process.

    python deploy/make_secrets.py /etc/lastcard [--ledger HOST:PORT] [--broker HOST:PORT]

Standard library only. Passwords and pepper are made once, and stay. What the users of the stores may do is what this
release needs: where it differs, it is changed within their files, which keep their owner and mode.

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
import shlex
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

    Their passwords stay, and so does the file, with its owner: the store reads it, maybe through a mount of it alone.

    Raises:
        StrangeUsersError: they have other rights, and the file is not ours to write.
        PermissionError: it may not be read or written.
    """
    text = file.read_text("utf-8")
    lines = {line.split()[1]: line for line in text.splitlines() if line.startswith("user ")}
    digests = dict(re.findall(r"^user (\S+) on #([0-9a-f]{64}) (?!#)", text, re.MULTILINE))
    old = [name for name, allowed in rules.items() if not lines.get(name, "").endswith(f" {allowed}")]
    if not old and lines.get("default") == DEFAULT:
        return False
    if not lines.keys() - {"default"} == digests.keys() == rules.keys():
        raise StrangeUsersError(file, rules)
    _overwrite(file, _users(rules, digests))
    return True


class StrangeUsersError(Exception):
    """An ACL file whose users have other rights than this release needs has users of others, or several passwords."""

    def __init__(self, file: Path, rules: dict[str, str]) -> None:
        wanted = (DEFAULT, *(f"user {name} on #… {allowed}" for name, allowed in rules.items()))
        super().__init__(
            f"left {file} with rights of another release, since it has users or passwords that were not made here:"
            " change these lines by hand, all behind the passwords, and have the store read it (`ACL LOAD`)\n"
            + "\n".join(f"    {line}" for line in wanted)
        )


def _overwrite(file: Path, text: str) -> None:
    """Write another text into a file that is there, and have it on the disk."""
    with file.open("r+", encoding="utf-8") as opened:
        opened.write(text)
        opened.truncate()
        opened.flush()
        os.fsync(opened.fileno())


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
    """Write what is missing; returns 2 when that is not all done: a sentence says what to do."""
    parser = argparse.ArgumentParser(description="Write the secrets of one installation.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--ledger", default="127.0.0.1:6390", metavar="HOST:PORT")
    parser.add_argument("--broker", default="127.0.0.1:6391", metavar="HOST:PORT")
    args = parser.parse_args(argv)
    try:
        return write(args.folder, args.ledger, args.broker)
    except PermissionError as error:
        again = shlex.join(["sudo", "python3", sys.argv[0], *argv])
        print(f"{error.filename} is not for this user to read and write: type `{again}`", file=sys.stderr)
        return 2


def write(folder: Path, ledger: str, broker: str) -> int:
    """Write what is missing, and renew rights; returns the exit code.

    Raises:
        PermissionError: something may not be read or written.
    """
    folder.mkdir(mode=0o750, parents=True, exist_ok=True)
    rules = {"ledger": LEDGER, "broker": BROKER}
    passwords = {store: {name: secrets.token_urlsafe(32) for name in names} for store, names in rules.items()}
    texts = {f"{store}.acl": users(rules[store], passwords[store]) for store in rules}
    texts |= {f"{role}.env": environment(role, ledger, broker, passwords) for role in (*ROLES, "ops")}
    there = sorted(name for name in texts if (folder / name).exists())
    if there and len(there) < len(texts):
        missing = ", ".join(sorted(set(texts) - set(there)))
        print(
            f"{folder} has {', '.join(there)} but not {missing}: remove all of them to make new ones", file=sys.stderr
        )
        return 2
    for name, text in {"pepper": f"{secrets.token_hex(32)}\n", **texts}.items():
        print(f"{'made' if once(folder / name, text) else 'kept'} {folder / name}")
    code = 0
    for store, of_store in rules.items():
        file = folder / f"{store}.acl"
        try:
            if renewed(file, of_store):
                print(f"renewed {file}: have the store read it (`ACL LOAD`)")
        except StrangeUsersError as error:
            print(error, file=sys.stderr)
            code = 2
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
