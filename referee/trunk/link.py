"""One trunk: the stream to one other referee, and who takes what it says."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from math import inf
from typing import Final

from google.protobuf.message import DecodeError

from ladder.store.logs import logger
from referee.hosting.host import Host
from referee.hosting.hosted import Stay
from referee.metrics import Metrics
from referee.trunk import frames
from referee.trunk.line import Line, LineLostError
from referee.trunk.lodging import Lodging
from referee.trunk.remote import Away

RESERVE_S: Final = 2.0
BEAT_S: Final = 0.3
"""So often something is said, if it is only that we live: a message without frames."""
UNHEARD: Final = 4
"""A peer that has said nothing for so many of our own beats stands still, or what is between us does."""
MOST_BYTES: Final = 1_048_576
"""In one message; a frame is far smaller than what a stream takes beyond that."""
MOST_OWED: Final = 33_554_432
"""Bytes that wait for a peer; who lives and does not read them is as good as gone."""
WRITE_S: Final = 20.0
"""For one message. Pings tell within 15 s of a peer that stands still, and who comes back before goes on as before:
who takes nothing for longer lives, and does not read."""

log = logger("referee.trunk")


class Link:
    """The trunk to one referee.

    Attributes:
        name: its incarnation.
        away: the sessions there.
        told_until: loop time up to which all is here that it had to say.
    """

    def __init__(self, name: str, line: Line, host: Host, lodging: Lodging, metrics: Metrics) -> None:
        self.name = name
        self.away = Away(host, self)
        self._line = line
        self._lodging = lodging
        self._metrics = metrics
        self._outbox: list[bytes] = []
        self._owed = 0
        self._wake = asyncio.Event()
        self._spoke = self._must_beat = False
        self._unheard = 0
        self._unanswered = 0
        self.told_until = -inf
        self._clock = host.clock
        self._sign: tuple[int, float] | None = None
        self._calls: dict[int, asyncio.Future[int]] = {}
        self._numbers = count(1)
        self._over = asyncio.Event()
        self._takers: dict[str, Callable[[frames.Frame], None]] = {
            "reserve": lambda frame: lodging.reserve(self, frame),
            "question": lodging.question,
            "piece": lodging.pass_on,
            "round_end": lodging.round_end,
            "refusal": lodging.refusal,
            "withdraw": lodging.withdraw,
            "replace": lodging.replace,
            "grant": self._granted,
            "join": self.away.join,
            "part": self.away.part,
            "answer": self.away.answer,
            "late": self.away.late,
            "nonce": self.away.nonce,
            "arrival": lambda frame: lodging.arrivals.arrived(self, frame),
            "departure": lambda frame: lodging.arrivals.departed(self, frame),
            "inquiry": lambda frame: lodging.arrivals.asked(self, frame),
            "age": self._age,
        }

    # -- calls

    def send(self, frame: bytes) -> None:
        """Queue a frame; what gathers leaves as one message. Who does not read is cut off."""
        if self._over.is_set():
            return
        if not self._outbox:
            self._wake.set()
        self._outbox.append(frame)
        self._owed += len(frame)
        if self._owed > MOST_OWED:
            self._stuck()

    def keep(self, stay: Stay, rounds: int) -> None:
        """Have so many rounds of a bot kept for a match from now on, no more than are kept already; 0: none."""
        self.send(frames.reserve(0, stay, rounds))

    async def reserve(self, stay: Stay, rounds: int, *, must: bool = False) -> int:
        """Ask for rounds of a bot for a match; returns how many are granted, 0 also where nothing is said in time.

        Who is silent is not asked.
        """
        if self._over.is_set() or self.silent:
            return 0
        number = next(self._numbers)
        granted = self._calls[number] = asyncio.get_running_loop().create_future()
        self.send(frames.reserve(number, stay, rounds, must=must))
        try:
            async with asyncio.timeout(RESERVE_S):
                return await granted  # type: ignore[no-any-return]  # a future of int
        except TimeoutError:
            self._unanswered = max(self._unanswered, number)
            self.keep(stay, 0)
            return 0
        finally:
            del self._calls[number]

    def prove(self) -> None:
        """Ask for a sign, which comes after all that the peer had to say until now; one at a time."""
        if self._sign is None and not self._over.is_set():
            self._sign = next(self._numbers), self._clock()
            self.send(frames.sign(self._sign[0]))

    def _age(self, frame: frames.Frame) -> None:
        self._lodging.arrivals.told(self, frame)
        self.away.told(frame)

    def _granted(self, frame: frames.Frame) -> None:
        said = frame.grant
        if said.call >= self._unanswered:
            self._unanswered = 0
        if self._sign is not None and said.call == self._sign[0]:
            self.told_until, self._sign = self._sign[1], None
        waiting = self._calls.get(said.call)
        if waiting is not None and not waiting.done():
            waiting.set_result(said.rounds)

    # -- whether anybody is there

    @property
    def silent(self) -> bool:
        """Whether the peer is heard no more, or has left a call unanswered, which it answers when it goes on."""
        return self._unheard >= UNHEARD or self._unanswered > 0

    def beat(self) -> None:
        """Say that we live, unless something was just said, and note whether the peer does.

        Counted in our own beats: who has stood still itself has heard nothing either.
        """
        self._unheard += 1
        if self._sign is not None and self._clock() - self._sign[1] > RESERVE_S:
            self._unanswered = max(self._unanswered, self._sign[0])
        if self._unheard == UNHEARD:
            for waiting in self._calls.values():
                if not waiting.done():
                    waiting.set_exception(TimeoutError())
        if not self._spoke and not self._outbox:
            self._must_beat = True
            self._wake.set()
        self._spoke = False
        self._lodging.arrivals.look(self)

    def heard(self, message: bytes) -> None:
        """Take in what the peer says. Raises LineLostError where that is nothing that can be said."""
        self._unheard = 0
        try:
            said = frames.parse(message)
        except DecodeError as error:
            raise LineLostError("what came is no message of a trunk") from error
        for frame in said:
            kind = frame.WhichOneof("frame")
            taker = self._takers.get(kind or "")
            if taker is None:
                raise LineLostError(f"a {kind} has no place here")
            taker(frame)

    # -- the stream

    async def run(self) -> None:
        """Carry frames until the stream ends or `cut`; then nothing of the other referee is left here."""
        self._lodging.arrivals.met(self)
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._read(), name=f"trunk read {self.name}")
                group.create_task(self._write(), name=f"trunk write {self.name}")
                group.create_task(self._until_cut(), name=f"trunk over {self.name}")
        except* LineLostError:
            pass
        except* Exception as bugs:  # noqa: BLE001  (a bug in what was said must not take the other trunks along)
            log.error("trunk_broken", peer=self.name, errors=[repr(bug) for bug in bugs.exceptions])  # noqa: TRY400
        finally:
            self._lose()

    def _stuck(self) -> None:
        log.warning("trunk_stuck", peer=self.name, why="it does not read what it is told", bytes=self._owed)
        self.cut()

    def cut(self) -> None:
        """End it."""
        self._over.set()

    async def _until_cut(self) -> None:
        while not self._over.is_set():
            self.beat()
            with suppress(TimeoutError):
                async with asyncio.timeout(BEAT_S):
                    await self._over.wait()
        raise LineLostError("it is cut")

    def _lose(self) -> None:
        self._over.set()
        self._outbox.clear()
        for waiting in self._calls.values():
            if not waiting.done():
                waiting.set_result(0)
        self.away.lost()
        self._lodging.lost(self)

    @property
    def idle(self) -> bool:
        """Whether all that was said has been handed to the transport."""
        return not self._outbox

    async def _write(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._outbox or self._must_beat:
                message = self._gathered()
                self._must_beat, self._spoke = False, True
                self._metrics.trunk("sent", len(message))
                try:
                    async with asyncio.timeout(WRITE_S):
                        await self._line.write(message)
                except TimeoutError:
                    self._stuck()

    def _gathered(self) -> bytes:
        taken = size = 0
        while taken < len(self._outbox) and size < MOST_BYTES:
            size += len(self._outbox[taken])
            taken += 1
        message = b"".join(self._outbox[:taken])
        del self._outbox[:taken]
        self._owed -= size
        return message

    async def _read(self) -> None:
        while True:
            message = await self._line.read()
            self._metrics.trunk("received", len(message))
            self.heard(message)
