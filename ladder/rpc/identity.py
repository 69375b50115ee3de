"""Who calls, and where from: the token in the metadata, looked up, the scopes that it carries, and the address."""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from ladder.errors import NotAllowedError, TooManyError, UnauthenticatedError
from ladder.rpc.guards import Context
from lastcard.proxies import Proxies
from lastcard.secret import Secret
from lastcard.strikes import Strikes

SCHEME = "bearer"
KNOWN_TOKENS = 4_096
ADMIN = "admin"
NOT_VALID = "the token is not valid; check LASTCARD_TOKEN or LASTCARD_TOKEN_FILE, or have a new one"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who calls. Without a token all is empty."""

    owner: str = ""
    bot: str = ""
    scopes: frozenset[str] = frozenset()

    def require(self, scope: str) -> None:
        """Check that the caller may do what needs this scope; `admin` may do everything.

        Raises:
            UnauthenticatedError: no token was sent.
            NotAllowedError: the token lacks the scope.
        """
        if scope in self.scopes or ADMIN in self.scopes:
            return
        if not self.scopes:
            sentence = f"this needs a token of scope {scope!r}: name its file with LASTCARD_TOKEN_FILE"
            raise UnauthenticatedError("TOKEN_MISSING", sentence)
        sentence = f"this needs a token of scope {scope!r}; ask the operator for one"
        raise NotAllowedError(
            "SCOPE_MISSING", sentence, field="token", value=" ".join(sorted(self.scopes)), allowed=[scope, ADMIN]
        )


ANONYMOUS = Identity()
_caller: ContextVar[Identity] = ContextVar("caller", default=ANONYMOUS)
_address: ContextVar[str] = ContextVar("address", default="")


def caller() -> Identity:
    """Return who makes the call that is being served."""
    return _caller.get()


def caller_address() -> str:
    """Return what limits count the call under that is being served: where it comes from, of IPv6 the /64."""
    return _address.get()


class Tokens(Protocol):
    """Where tokens are looked up; called in a thread."""

    def identify(self, token: Secret) -> Identity | None:
        """Return whose token it is; None for one that is unknown, wrong, revoked or expired."""


class TokenGuard:
    """Sets the caller of every call, and stops looking at tokens from an address that sent too many bad ones."""

    def __init__(self, tokens: Tokens, strikes: Strikes, proxies: Proxies) -> None:
        self._tokens = tokens
        self._strikes = strikes
        self._proxies = proxies
        self._known: OrderedDict[bytes, None] = OrderedDict()

    @asynccontextmanager
    async def __call__(self, method: str, context: Context) -> AsyncIterator[None]:  # noqa: ARG002 - a guard's shape
        """Look the token up; calls without one go on as nobody's."""
        token, address = token_of(context), self._proxies.counted(context)
        _address.set(address)
        _caller.set(await self._identify(token, address) if len(token) else ANONYMOUS)
        yield

    async def _identify(self, token: Secret, address: str) -> Identity:
        digest = hashlib.sha256(token.reveal()).digest()
        if self._strikes.out(address) and digest not in self._known:
            raise TooManyError("TOKEN_RATE", f"too many bad tokens from here; wait {self._strikes.penalty_s:.0f} s")
        identity = await asyncio.to_thread(self._tokens.identify, token)
        if identity is None:
            self._known.pop(digest, None)
            self._strikes.add(address)
            raise UnauthenticatedError("TOKEN_BAD", NOT_VALID)
        self._remember(digest)
        return identity

    def _remember(self, digest: bytes) -> None:
        """Keep a good token's digest, so that a neighbour's bad ones never lock its owner out."""
        self._known[digest] = None
        self._known.move_to_end(digest)
        if len(self._known) > KNOWN_TOKENS:
            self._known.popitem(last=False)


def token_of(context: Context) -> Secret:
    """Return the token of the call's metadata, "" without one.

    Raises:
        UnauthenticatedError: the metadata is not of the form `authorization: Bearer TOKEN`.
    """
    for key, value in context.invocation_metadata() or ():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            if scheme.lower() != SCHEME or not token.strip():
                raise UnauthenticatedError("TOKEN_BAD", "send the token as `authorization: Bearer TOKEN`")
            return Secret(token.strip())
    return Secret(b"")
