"""Who may speak for whom: tokens of bots and of operators."""

import hmac
import time
from collections.abc import Callable, Collection
from functools import partial
from typing import Final

from ladder.store import tokens
from ladder.store.audit import Deed, with_deed
from ladder.store.bot_rows import Identity, OperatorToken
from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.errors import BadInputError, BadTokenError, PepperError
from ladder.store.keys import Keys
from ladder.store.names import check_owner
from ladder.store.replies import Hash, decode_hash
from ladder.store.scripts import script
from ladder.store.tokens import LIFE_MS, OF_OPERATORS, Scope, Token
from ladder.store.unread import CAUSES, UnreadRows
from lastcard.secret import Secret

DAY_MS: Final = 86_400_000
NOT_VALID: Final = "this token is not valid: use one that was printed by `lastcard bot register` or `rotate`"
"""One sentence for every cause, so that nobody learns which key ids exist."""


def wall_ms() -> int:
    """Wall time."""
    return time.time_ns() // 1_000_000


class Credentials:
    """The tokens of a tenant.

    Args:
        link: The store.
        keys: Of the tenant.
        pepper: What the MACs of the tokens are made with; None where no tokens are handled.
        clock: Wall time in ms.
    """

    def __init__(
        self, link: Link, keys: Keys, pepper: bytes | Secret | None = None, clock: Callable[[], int] = wall_ms
    ) -> None:
        self._link = link
        self._keys = keys
        self._pepper = None if pepper is None else Secret(pepper)
        self._clock = clock
        self._pepper_checked = False
        self.unread = UnreadRows("bot")
        self.unread_tokens = UnreadRows("token")
        self.unread_links = UnreadRows("link", "undo it with `lastcard bot link --undo`, and link the owner again")

    def authenticate(self, token: str | Secret, *, now_ms: int | None = None) -> Identity:
        """Whom a token speaks for.

        Raises:
            BadTokenError: It is malformed, unknown, expired, revoked or damaged; all say the same.
            PepperError: This process has no pepper, or another one than the store was used with.
        """
        pepper, now = self.pepper(), self._now(now_ms)
        presented = tokens.parse(token) or _NOBODY
        (row,) = self._link.each_hash([self._keys.token(presented.keyid)])
        try:
            fields = decode_hash(row)
            fits = hmac.compare_digest(presented.mac(pepper), fields.get("mac", "0" * 64))
            if not fits or fields["revoked"] != "0" or now >= int(fields["expires_ms"]):
                raise BadTokenError(NOT_VALID, field="token")
            scopes = frozenset(map(Scope, fields["scopes"].split()))
            identity = Identity(fields["bot"], fields["owner"], scopes, presented.keyid)
        except CAUSES as error:
            self.unread_tokens.note(presented.keyid, error)
            raise BadTokenError(NOT_VALID, field="token") from error
        self._used(presented.keyid, now // DAY_MS, fields.get("used", ""))
        return identity

    def living(self, keyids: Collection[str], *, now_ms: int | None = None) -> set[str]:
        """Those of these key ids whose tokens are still good: neither revoked nor expired, nor damaged."""
        wanted, now = sorted(keyids), self._now(now_ms)
        rows = self._link.each_hash([self._keys.token(keyid) for keyid in wanted])
        found = ((keyid, row) for keyid, row in zip(wanted, rows, strict=True) if row)
        lives = self.unread_tokens.passing((keyid, partial(_lives, keyid, row, now)) for keyid, row in found)
        return {keyid for keyid, alive in lives if alive}

    def operator(
        self, who: str, scopes: Collection[str], *, now_ms: int | None = None, deed: Deed | None = None
    ) -> str:
        """A token for an operator. `deed` is noted with it.

        Raises:
            BadInputError: BAD_OWNER or BAD_SCOPE.
        """
        check_owner(who)
        if not scopes or not set(scopes) <= OF_OPERATORS:
            allowed = ", ".join(sorted(OF_OPERATORS))
            value = ", ".join(sorted(scopes))
            raise BadInputError(
                f"{value!r} are not an operator's scopes: {allowed}",
                reason="BAD_SCOPE",
                field="scopes",
                value=value,
                allowed=allowed,
            )
        token, now = tokens.draw(), self._now(now_ms)
        args = (token.keyid, token.mac(self.pepper()), who, " ".join(sorted(scopes)), now, now + LIFE_MS)
        call = Call(script("operator"), (self._keys.token(token.keyid), self._keys.operators), args)
        self._link.run(with_deed(self._keys, call, deed))
        return token.reveal()

    def operators(self) -> tuple[OperatorToken, ...]:
        """The operators' tokens that were not revoked and can be read; some may have expired."""
        keyids = sorted(self._link.members(self._keys.operators))
        rows = self._link.each_hash([self._keys.token(keyid) for keyid in keyids])
        found = ((keyid, partial(_operator, keyid, row)) for keyid, row in zip(keyids, rows, strict=True))
        return tuple(self.unread_tokens.passing(found))

    def revoke_operator(self, keyid: str, *, deed: Deed | None = None) -> None:
        """Ends an operator's token. `deed` is noted with it."""
        where = (self._keys.bot(""), self._keys.operators)
        self._link.run(with_deed(self._keys, Call(script("revoke"), where, (self._keys.token(""), keyid)), deed))

    def pepper(self) -> Secret:
        """The pepper, once it is known to be the one of this store.

        Raises:
            PepperError: There is none, or it is another.
        """
        pepper = self.own_pepper()
        if not self._pepper_checked:
            check = hmac.new(pepper.reveal(), b"lastcard pepper check", "sha256").hexdigest()
            if self._link.run(Call(script("pepper"), (self._keys.pepper,), (check,))) != check.encode():
                raise PepperError(
                    "this is not the pepper that the tokens in this store were made with; all would be refused",
                    reason="PEPPER_MISMATCH",
                    field="pepper",
                )
            self._pepper_checked = True
        return pepper

    def own_pepper(self) -> Secret:
        """The pepper that this process was started with; the store is not asked.

        Raises:
            PepperError: There is none.
        """
        if self._pepper is None:
            raise PepperError(
                "this process was started without the pepper and cannot handle tokens; name its file",
                reason="PEPPER_MISSING",
                field="pepper",
            )
        return self._pepper

    def _used(self, keyid: str, day: int, noted: str) -> None:
        if noted != str(day):
            self._link.run(Call(script("used"), (self._keys.token(keyid),), (day,)))

    def _now(self, now_ms: int | None) -> int:
        return self._clock() if now_ms is None else now_ms


_NOBODY: Final = Token("0000000000", Secret(b""))
"""Stands in for what is no token, so that it costs the same time."""


def _lives(keyid: str, row: Hash, now_ms: int) -> tuple[str, bool]:
    """A token, and whether it is still good."""
    fields = decode_hash(row)
    return keyid, fields["revoked"] == "0" and now_ms < int(fields["expires_ms"])


def _operator(keyid: str, row: Hash) -> OperatorToken:
    fields = decode_hash(row)
    return OperatorToken(
        keyid=keyid,
        owner=fields["owner"],
        scopes=frozenset(map(Scope, fields["scopes"].split())),
        created_ms=int(fields["created_ms"]),
        expires_ms=int(fields["expires_ms"]),
        used_ms=int(fields.get("used", "0")) * DAY_MS,
    )
