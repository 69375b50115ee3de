"""Writes match logs: one entry per touched match and group, all of a group in one socket write.

An entry is sent again, byte for byte, until the store says OK, DUP or HEAD; effects leave
when it says OK or DUP.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

from ladder.store.call import Word
from ladder.store.head import next_epoch, next_head
from ladder.store.logs import logger
from ladder.store.match_calls import Ending, MatchCalls
from ladder.store.url import store_address
from referee import logbook
from referee.hosting.grouping import Grouping
from referee.hosting.hosted import Hosted, Inflight, Phase
from referee.hosting.resp import OnReply, RespConnection, connect, encode, frame
from referee.machine import Machine
from referee.metrics import Metrics

BACKOFF_S: Final[tuple[float, ...]] = (0.05, 1.0)
CONSTANTS: Final = 4_096
SCRIPTS: Final = ("append", "close", "release")

PASSING: Final = frozenset(
    {
        "LOADING", "BUSY", "OOM", "MISCONF", "READONLY", "MASTERDOWN", "NOREPLICAS", "NOGOODSLAVE", "TRYAGAIN",
        "CLUSTERDOWN", "MOVED", "ASK", "UNBLOCKED", "NOSCRIPT", "NOAUTH", "NOPERM", "WRONGPASS",
    }
)  # fmt: skip
"""First words of errors that a server answers to whatever is written, until somebody has mended it."""

log = logger("referee.hosting.matchlog")


class MatchLog:
    """The log writer of a referee. `run` keeps the connection; `mark` asks for a match to be written."""

    def __init__(
        self,
        url: str,
        metrics: Metrics,
        committed: Callable[[Hosted, Inflight], None],
        fenced: Callable[[Hosted], None],
        machine: Machine,
        bots: Callable[[], int],
    ) -> None:
        self._store = store_address(url)
        self._wall_ms = machine.wall_ms
        self._monotonic = machine.monotonic
        self._metrics = metrics
        self._committed = committed
        self._fenced = fenced
        self._calls: dict[Hosted, MatchCalls] = {}
        self._dirty: dict[Hosted, None] = {}
        self._inflight: dict[Hosted, Inflight] = {}
        self._held: dict[Hosted, None] | None = None
        """Matches that stand still with something to write; None: none has to."""
        self._constant: dict[tuple[Word, ...], bytes] = {}
        self._connection: RespConnection | None = None
        self._group = Grouping(self._flush, bots)
        self._lost = asyncio.Event()
        self._pause_s = BACKOFF_S[0]
        self.on_reconnect: Callable[[], None] = lambda: None
        self.on_refused: Callable[[Hosted, Exception], None] = lambda _hosted, _error: None
        """Told of a match for which the store takes nothing more, while it works for others."""
        self.on_fenced: Callable[[str], None] = lambda _match: None
        """Told of a match, dropped by now, whose log went on without us."""

    @property
    def connected(self) -> bool:
        """Whether the store is reachable for writing."""
        return self._connection is not None

    def open(self, hosted: Hosted, calls: MatchCalls) -> None:
        """Take a match on; `calls` are its scripts."""
        self._calls[hosted] = calls

    def forget(self, hosted: Hosted) -> None:
        """Write nothing more for a match."""
        self._calls.pop(hosted, None)
        self._dirty.pop(hosted, None)
        if self._held is not None:
            self._held.pop(hosted, None)
        self._inflight.pop(hosted, None)
        self._settled()

    def mark(self, hosted: Hosted) -> None:
        """Have a match written with the next group."""
        self._dirty[hosted] = None
        self._group.size += 1
        if not self._inflight:  # else what gathers is the next group
            self._group.due()

    def halt(self, *, halted: bool) -> None:
        """Write nothing for matches but their ends, or all that was kept back.

        That is bounded: nobody is asked anything before the answer to the last question is written.
        """
        if halted:
            self._held = {}
        else:
            held, self._held = self._held or {}, None
            for hosted in held:
                self.mark(hosted)

    def _stands_still(self, hosted: Hosted) -> bool:
        """Whether a match has to wait: it goes on, it does not end."""
        if self._held is None or hosted.phase not in (Phase.NONCES, Phase.PLAYING) or hosted.play.over:
            return False
        self._held[hosted] = None
        return True

    def _flush(self) -> None:
        """Write one entry for every touched match."""
        dirty, self._dirty = self._dirty, {}
        payload: list[bytes] = []
        replies: list[OnReply] = []
        now = self._wall_ms()
        for hosted in dirty:
            if hosted.inflight is not None or hosted not in self._calls or self._stands_still(hosted):
                continue
            entry = self._next(hosted, now)
            if entry is not None:
                payload.append(entry.command)
                replies.append(self._reply_to(hosted, entry))
        if payload and self._connection is not None:
            self._metrics.appends(len(payload))
            self._connection.send(b"".join(payload), replies)

    def _next(self, hosted: Hosted, now_ms: int) -> Inflight | None:
        """Form the next entry; what needs no entry is let out at once."""
        final = hosted.phase in (Phase.CLOSING, Phase.LEAVING)
        if not hosted.pending and not final:
            effects, hosted.effects = hosted.effects, []
            entry = Inflight(b"", hosted.head, hosted.seq, effects)
            self._committed(hosted, entry)
            return None
        data = logbook.stamp(now_ms) + hosted.pending
        hosted.pending.clear()
        head = next_epoch(hosted.head, data) if hosted.phase is Phase.LEAVING else next_head(hosted.head, data)
        command = self._command(hosted, head, data, now_ms)
        effects, hosted.effects = hosted.effects, []
        entry = Inflight(command, head, hosted.seq + 1, effects, final=final, has_leave=hosted.leave_pending)
        hosted.leave_pending = False
        hosted.inflight = self._inflight[hosted] = entry
        return entry

    def _command(self, hosted: Hosted, head: str, data: bytes, now_ms: int) -> bytes:
        calls = self._calls[hosted]
        match hosted.phase:
            case Phase.LEAVING:
                released = calls.release(
                    hosted.head, head, data, not_before_ms=hosted.queued_ms, now_ms=now_ms, absent=hosted.unattended
                )
                return encode(released.words())
            case Phase.CLOSING if hosted.void_reason:
                ending = Ending.PARKED if hosted.parked else Ending.VOID
                return encode(
                    calls.close(
                        hosted.head, head, data, now_ms=now_ms, ending=ending, reason=hosted.void_reason,
                        games_done=hosted.play.games_done,
                    ).words()
                )  # fmt: skip
            case Phase.CLOSING:
                return encode(
                    calls.close(
                        hosted.head, head, data, now_ms=now_ms, result=hosted.close_text,
                        games_done=hosted.play.games_done,
                    ).words()
                )  # fmt: skip
            case _:
                constant, changing = calls.append_words(hosted.head, head, data)
                return (self._constant.get(constant) or self._remember(constant)) + frame(changing)

    def _remember(self, constant: tuple[Word, ...]) -> bytes:
        """Frame the part of an append that is the same for every entry of a match."""
        if len(self._constant) > CONSTANTS:
            self._constant.clear()
        framed = self._constant[constant] = b"*%d\r\n" % (len(constant) + 4) + frame(constant)
        return framed

    def _settled(self) -> None:
        """Go on with what has gathered when the last reply of a group is in."""
        if self._dirty and not self._inflight:
            self._group.due()

    def _reply_to(self, hosted: Hosted, entry: Inflight) -> OnReply:
        sent = time.perf_counter()

        def on_reply(reply: object) -> None:
            if hosted.inflight is not entry:
                return
            if not isinstance(reply, Exception):
                self._pause_s = BACKOFF_S[0]
                self._metrics.commit(time.perf_counter() - sent)
                self._inflight.pop(hosted, None)
                self._committed(hosted, entry)
                self._settled()
            elif str(reply).startswith("HEAD"):
                log.warning("fenced", match=hosted.id, head=hosted.head)
                self._inflight.pop(hosted, None)
                self._fenced(hosted)
                self.on_fenced(hosted.id)
                self._settled()
            elif not _passing(reply):
                log.error("entry_refused", match=hosted.id, error=str(reply))
                self._inflight.pop(hosted, None)
                self.on_refused(hosted, reply)
                self._settled()
            elif self._connection is not None:
                log.error("store_refused", match=hosted.id, error=str(reply), retry_s=self._pause_s)
                connection, self._connection = self._connection, None
                connection.abort()

        return on_reply

    async def run(self) -> None:
        """Keep a connection for ever; after each connect send again what is under way.

        The pauses between two connections become longer until something that was written is taken, or one has lasted.
        """
        while True:
            self._lost.clear()
            try:
                connection = await connect(self._store, SCRIPTS, self._on_lost)
            except OSError as error:
                log.warning("store_unreachable", error=str(error), retry_s=self._pause_s)
                await self._pause()
                continue
            self._connection = connection
            since_s = self._monotonic()
            self.on_reconnect()
            under_way = list(self._inflight.items())
            if under_way:
                payload = b"".join(entry.command for _, entry in under_way)
                connection.send(payload, [self._reply_to(hosted, entry) for hosted, entry in under_way])
            await self._lost.wait()
            if self._monotonic() - since_s > BACKOFF_S[1]:
                self._pause_s = BACKOFF_S[0]
            await self._pause()

    async def _pause(self) -> None:
        """Leave the store alone for a while, and next time for longer."""
        pause_s, self._pause_s = self._pause_s, min(BACKOFF_S[1], self._pause_s * 2)
        await asyncio.sleep(pause_s)

    def _on_lost(self) -> None:
        self._connection = None
        self._lost.set()

    @property
    def idle(self) -> bool:
        """Whether nothing is under way or waiting to be written."""
        return not self._inflight and not self._dirty and not self._held


def _passing(error: Exception) -> bool:
    """Whether an error is about the store and not about what was written: it is to be sent again."""
    return str(error).partition(" ")[0] in PASSING or "max number of clients" in str(error)
