"""What operators did, with who and why."""

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from ladder.store.call import Call, Word
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.scripts import noted, script
from ladder.store.unread import UnreadRows
from lastcard.names import attempt_of

REMEMBER_SECONDS: Final = 600
KEPT: Final = 100_000
PAGE: Final = 1_000
"""Entries of one round trip."""


@dataclass(frozen=True, slots=True)
class Deed:
    """One verb of an operator."""

    who: str
    verb: str
    target: str
    reason: str
    at_ms: int


def with_deed(keys: Keys, call: Call, deed: Deed | None) -> Call:
    """The call, noting with what it does who did it; without a deed as it is.

    The line stands where, and only where, the script answered `OK`: none where nothing was left to do (`SAME`), or the
    same call is sent again.
    """
    if deed is None:
        return call
    once = keys.once(secrets.token_hex(12))
    words = (*call.args, REMEMBER_SECONDS, KEPT, *_fields(deed), len(call.args))
    return Call(noted(call.script.name), (*call.keys, keys.audit, once), words)


class Audit:
    """The audit log of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("audit", "it is an entry of the audit; others are listed without it")

    def write(self, who: str, verb: str, target: str, reason: str, now_ms: int, *, call: str = "") -> None:
        """Notes a verb, once, whatever the connection does; what a script does is noted by it (`with_deed`).

        What several processes may do at once, or do again after a crash, they note under one name, `call`.
        """
        keys = (self._keys.audit, self._keys.once(call or secrets.token_hex(12)))
        fields = _fields(Deed(who, verb, target, reason, now_ms))
        self._link.run(Call(script("audit"), keys, (REMEMBER_SECONDS, KEPT, *fields)))

    def knows(self, call: str) -> bool:
        """Whether something was noted under this name not long ago."""
        return self._link.exist([self._keys.once(call)]) == [True]

    def tail(self, count: int = 100, target: str = "") -> list[Deed]:
        """The last so many verbs, newest first; `target`: only what was done to it, or to a match in its place."""
        found: list[Deed] = []
        before = "+"
        while len(found) < count:
            page = self._link.last_entries(self._keys.audit, PAGE, before)
            deeds = self.unread.passing((entry, partial(_deed, fields)) for entry, fields in page)
            found += [deed for deed in deeds if not target or _concerns(deed, target)]
            if len(page) < PAGE:
                break
            before = f"({page[-1][0]}"
        return found[:count]


def _concerns(deed: Deed, target: str) -> bool:
    """Whether something was done to this, or to a match that is played in its place."""
    (match, attempt), (meant, first) = attempt_of(deed.target), attempt_of(target)
    return match == meant and attempt >= first


def _fields(deed: Deed) -> tuple[Word, ...]:
    return ("who", deed.who, "verb", deed.verb, "target", deed.target, "reason", deed.reason, "at_ms", deed.at_ms)


def _deed(fields: Mapping[str, bytes]) -> Deed:
    return Deed(
        who=fields["who"].decode(),
        verb=fields["verb"].decode(),
        target=fields["target"].decode(),
        reason=fields["reason"].decode(),
        at_ms=int(fields["at_ms"]),
    )
