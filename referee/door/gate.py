"""Who may open a stream: tokens, scopes, versions; and telling the planner who is here."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import Final, Protocol, TypeVar
from zlib import crc32

from ladder.store import Store
from ladder.store.errors import BadTokenError, LimitError, RetiredError, StoreError, StoreUnavailableError
from ladder.store.logs import logger
from ladder.store.presence import Online
from ladder.store.registry import Identity
from lastcard.names import bot_of
from lastcard.proxies import NOBODY, Proxies
from lastcard.secret import Secret
from lastcard.strikes import Strikes
from referee.door.errors import RefusedStreamError
from referee.door.hold import Hold
from referee.door.quota import Quotas
from referee.door.status import Context
from referee.hosting.beat import SILENT_S
from referee.hosting.roster import Roster
from referee.hosting.sessions import AGAIN_S, Ending, Session

FAILURES_PER_MINUTE: Final = 10
MINUTE_S: Final = 60.0
MOST_TOKENS: Final = 4_096
DIALS_PER_S: Final = 2
DIAL_BURST: Final = 20
VERSIONS_PER_DAY: Final = 50
PLAY_SCOPE: Final = "play"
PRESENCE_S: Final = 5.0
QUIET_S: Final = 0.05
"""Between two writes of who is here, however many come and go."""
RECHECK_S: Final = 5.0
MOST_RECHECKED: Final = 100
"""At once: to read their rows takes a thread some milliseconds, in which the loop stands still."""
SILENCE_S: Final = 60.0
T = TypeVar("T")

log = logger("referee.door.gate")


class Run(Protocol):
    """Runs blocking calls on the ledger beside the loop."""

    async def __call__(self, call: Callable[[], T], /) -> T:
        """Return what the call returns."""


class Gate:
    """Admits bots by their token, and sends them off when it is not good any more.

    Ten bad tokens a minute from one address, then a minute of refusals; tokens that were good before are let in all the
    same, so that a neighbour behind the same proxy locks nobody out.
    """

    def __init__(
        self,
        store: Store,
        roster: Roster,
        clock: Callable[[], float],
        *,
        me: str,
        run: Run,
        proxies: Proxies = NOBODY,
    ) -> None:
        self._store = store
        self._roster = roster
        self._clock = clock
        self._me = me
        self._run = run
        self._proxies = proxies
        self._guesses = Strikes(FAILURES_PER_MINUTE, MINUTE_S, MINUTE_S, clock)
        self._known: OrderedDict[bytes, str] = OrderedDict()
        self._dials = Quotas(DIALS_PER_S, DIAL_BURST)
        self._hold = Hold()
        self._changed = asyncio.Event()

    async def _call(self, call: Callable[[], T]) -> T:
        try:
            return await self._run(call)
        except StoreUnavailableError as error:
            log.warning("store_unavailable", error=str(error))
            raise RefusedStreamError("UNAVAILABLE", "STORE", "the ledger does not answer; connect again") from error

    async def admit(self, context: Context) -> Identity:
        """Return whose token the stream carries.

        Raises:
            RefusedStreamError: UNAUTHENTICATED, PERMISSION_DENIED or RESOURCE_EXHAUSTED.
        """
        address = self._proxies.counted(context)
        token = _bearer(context)
        digest = sha256(token.reveal()).digest()
        if digest not in self._known and self._guesses.out(address):
            await self._hold.wait()
            raise RefusedStreamError(
                "RESOURCE_EXHAUSTED",
                "TOO_MANY_BAD_TOKENS",
                "too many bad tokens; wait a minute",
                retry_s=self._guesses.left_s(address),
            )
        if not self._dials.spend(digest, self._clock()):
            await self._hold.wait()
            sentence = f"this token opens more than {DIALS_PER_S} streams a second; wait a moment"
            raise RefusedStreamError("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS", sentence)
        try:
            identity = await self._admitted(
                self._known.get(digest, ""), partial(self._store.registry.authenticate, token)
            )
        except BadTokenError as error:
            self._known.pop(digest, None)
            self._guesses.add(address)
            raise RefusedStreamError("UNAUTHENTICATED", "BAD_TOKEN", str(error)) from error
        self._remember(digest, identity.bot)
        if PLAY_SCOPE not in identity.scopes or not identity.bot:
            raise RefusedStreamError(
                "PERMISSION_DENIED",
                "WRONG_SCOPE",
                "this token does not play; use the one that `lastcard bot register` printed",
            )
        return identity

    async def _admitted(self, name: str, call: Callable[[], T]) -> T:
        """Ask the ledger about a bot at the door: that takes none of its time.

        Where it does not answer, or the bot gives up because that takes so long, it is waited for at our expense.
        """
        began = self._clock()
        try:
            with self._roster.at_door(name, began):
                return await self._call(call)
        except RefusedStreamError:
            self.expect(name)
            raise
        except asyncio.CancelledError:
            if self._clock() - began > SILENT_S:
                self.expect(name)
            raise

    def expect(self, name: str) -> None:
        """Wait for a bot at our expense that is turned away for our reasons: what it has here may be a dead line."""
        self._roster.expect(name, self._clock() + AGAIN_S)

    def _remember(self, digest: bytes, name: str) -> None:
        self._known[digest] = name
        self._known.move_to_end(digest)
        if len(self._known) > MOST_TOKENS:
            self._known.popitem(last=False)

    async def version(self, identity: Identity, author_version: str) -> str:
        """Return the `name@n` that this author's version is, new if it was never seen."""
        try:
            version = partial(self._store.registry.version, identity.bot, author_version, per_day=VERSIONS_PER_DAY)
            return await self._admitted(identity.bot, version)
        except LimitError as error:
            raise RefusedStreamError("RESOURCE_EXHAUSTED", error.reason, str(error), field="hello.version") from error
        except RetiredError as error:
            raise RefusedStreamError("FAILED_PRECONDITION", error.reason, str(error)) from error
        except StoreError as error:
            raise RefusedStreamError("INVALID_ARGUMENT", error.reason, str(error), field="hello.version") from error

    # -- those who are here

    async def recheck(self) -> None:
        """End the sessions whose token is no longer good, whose bot was retired or is silent, until cancelled."""
        while True:
            parts = max(1, -(-len(self._roster.sessions) // MOST_RECHECKED))
            for part in range(parts):
                await asyncio.sleep(RECHECK_S / parts)
                self._end_silent()
                await self._look_at_tokens([one for one in self._roster.sessions if _part(one, parts) == part])

    async def _look_at_tokens(self, sessions: Sequence[Session]) -> None:
        here = {session.keyid for session in sessions}
        names = {bot_of(session.bot) for session in sessions}
        try:
            good = await self._call(partial(self._store.registry.living, here))
            bots = await self._call(partial(self._store.registry.find, names))
        except RefusedStreamError:
            return  # the ledger does not answer; who is here stays
        lost = here - good
        retired = {name for name, row in bots.items() if row.retired}
        for session in sessions:
            if session.keyid in lost:
                session.end(Ending("UNAUTHENTICATED", "BAD_TOKEN", "the token was revoked, or has expired"))
            elif bot_of(session.bot) in retired:
                session.end(Ending("FAILED_PRECONDITION", "RETIRED", "this bot was taken out of play"))

    def _end_silent(self) -> None:
        silent = f"nothing was heard for {SILENCE_S:.0f} seconds; send a heartbeat at least every 20"
        unread = f"nothing was read for {SILENCE_S:.0f} seconds; read while you think"
        now = self._clock()
        for session in self._roster.sessions:
            if now - session.heard > SILENCE_S:
                session.end(Ending("DEADLINE_EXCEEDED", "SILENT", silent))
            elif session.writing_since and now - session.writing_since > SILENCE_S:
                session.end(Ending("DEADLINE_EXCEEDED", "UNREAD", unread))

    # -- presence

    def announce(self) -> None:
        """Say that somebody came or went."""
        self._changed.set()

    async def publish(self) -> None:
        """Keep the planner's list of who is here true, until cancelled."""
        told: dict[str, Online] = {}
        listed: set[str] = set()  # whom the list may still hold: until the ledger has said that it dropped them
        while True:
            try:
                async with asyncio.timeout(PRESENCE_S):
                    await self._changed.wait()
            except TimeoutError:
                told = {}
            self._changed.clear()
            here = self._here()
            listed |= here.keys()
            gone = sorted(listed - here.keys())
            try:
                if here != told:
                    await self._call(partial(self._store.presence.put, self._me, here))
                if gone:
                    await self._call(partial(self._store.presence.drop, self._me, gone))
                told, listed = here, set(here)
            except RefusedStreamError:
                told = {}
            await asyncio.sleep(QUIET_S)

    def _here(self) -> dict[str, Online]:
        here = {}
        for player in self._roster.players.values():
            local = self._roster.local_sessions(player.bot)
            if local:
                formats = frozenset().union(*(session.greeting.formats for session in local))
                rooms = {name: player.room_for(name) for name in formats} if len(local) > 1 else {}
                room = player.room
                here[player.bot] = Online(formats, room, {name: one for name, one in rooms.items() if one != room})
        return here


def _part(session: Session, parts: int) -> int:
    """Return in which of so many parts a session is looked at, the same whoever comes and goes."""
    return crc32(session.id.encode()) % parts


def _bearer(context: Context) -> Secret:
    for key, value in context.invocation_metadata() or ():
        if key == "authorization" and isinstance(value, str) and value[:7].lower() == "bearer " and value[7:].strip():
            return Secret(value[7:].strip())
    raise RefusedStreamError("UNAUTHENTICATED", "NO_TOKEN", "send the metadata `authorization: Bearer <token>`")
