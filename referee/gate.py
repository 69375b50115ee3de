"""Who may open a stream: tokens, scopes, versions; and telling the planner who is here."""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import grpc
import structlog

from ladder.store import Store
from ladder.store.errors import BadTokenError, StoreError, StoreUnavailableError
from ladder.store.presence import Online
from ladder.store.registry import Identity
from referee.errors import RefusedStreamError
from referee.sessions import Roster

FAILURES_PER_MINUTE: Final = 10
BAN_S: Final = 60.0
PLAY_SCOPE: Final = "play"
PRESENCE_S: Final = 5.0
T = TypeVar("T")
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"

log = structlog.get_logger("referee.gate")


class Gate:
    """Admits bots by their token.

    Ten bad tokens a minute from one address, then a minute of refusals.
    """

    def __init__(
        self, store: Store, roster: Roster, clock: Callable[[], float], *, me: str, run: "Callable[..., object]"
    ) -> None:
        self._store = store
        self._roster = roster
        self._clock = clock
        self._me = me
        self._run = run
        self._failures: dict[str, list[float]] = {}
        self._changed = asyncio.Event()

    async def _call(self, call: "Callable[[], T]") -> T:
        try:
            return await self._run(call)  # type: ignore[misc, no-any-return]
        except StoreUnavailableError as error:
            log.warning("store_unavailable", error=str(error))
            raise RefusedStreamError("UNAVAILABLE", "STORE", "the ledger does not answer; connect again") from error

    async def admit(self, context: Context) -> Identity:
        """Return whose token the stream carries.

        Raises:
            RefusedStreamError: UNAUTHENTICATED, PERMISSION_DENIED or RESOURCE_EXHAUSTED.
        """
        address = _address(context.peer())
        self._check_ban(address)
        token = _bearer(context)
        try:
            identity = await self._call(partial(self._store.registry.authenticate, token))
        except BadTokenError as error:
            self._failures.setdefault(address, []).append(self._clock())
            raise RefusedStreamError("UNAUTHENTICATED", "BAD_TOKEN", str(error)) from error
        if PLAY_SCOPE not in identity.scopes or not identity.bot:
            raise RefusedStreamError(
                "PERMISSION_DENIED",
                "WRONG_SCOPE",
                "this token does not play; use the one that `lastcard bot register` printed",
            )
        return identity

    def _check_ban(self, address: str) -> None:
        now = self._clock()
        recent = [at for at in self._failures.get(address, []) if now - at < BAN_S]
        if recent:
            self._failures[address] = recent
        else:
            self._failures.pop(address, None)
        if len(recent) >= FAILURES_PER_MINUTE:
            raise RefusedStreamError("RESOURCE_EXHAUSTED", "TOO_MANY_BAD_TOKENS", "too many bad tokens; wait a minute")

    async def version(self, identity: Identity, author_version: str) -> str:
        """Return the `name@n` that this author's version is, new if it was never seen."""
        try:
            return await self._call(partial(self._store.registry.version, identity.bot, author_version))
        except StoreError as error:
            raise RefusedStreamError("INVALID_ARGUMENT", error.reason, str(error), field="hello.version") from error

    # -- presence

    def announce(self) -> None:
        """Say that somebody came or went."""
        self._changed.set()

    async def publish(self) -> None:
        """Keep the planner's list of who is here true, until cancelled."""
        told: dict[str, Online] = {}
        while True:
            try:
                async with asyncio.timeout(PRESENCE_S):
                    await self._changed.wait()
            except TimeoutError:
                told = {}
            self._changed.clear()
            here = self._here()
            gone = sorted(told.keys() - here.keys())
            try:
                if here != told:
                    await self._call(partial(self._store.presence.put, self._me, here))
                if gone:
                    await self._call(partial(self._store.presence.drop, self._me, gone))
                told = here
            except RefusedStreamError:
                told = {}
            await asyncio.sleep(0.05)

    def _here(self) -> dict[str, Online]:
        here = {}
        for player in self._roster.players.values():
            if player.sessions:
                formats = frozenset().union(*(s.greeting.formats for s in player.sessions.values()))
                room = sum(session.greeting.max_games for session in player.sessions.values())
                here[player.bot] = Online(formats=formats, room=room)
        return here


def _bearer(context: Context) -> str:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str) and value[:7].lower() == "bearer ":
            return value[7:].strip()
    raise RefusedStreamError("UNAUTHENTICATED", "NO_TOKEN", "send the metadata `authorization: Bearer <token>`")


def _address(peer: str) -> str:
    return peer.rpartition(":")[0] if peer.startswith(("ipv4:", "ipv6:")) else peer
