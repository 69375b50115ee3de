"""Sessions of bots: one stream each, with its outbox, its open decisions and its room."""

import asyncio
from collections import deque
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import ClassVar, Final

from mypy_extensions import mypyc_attr

from referee.hosting.lane import Lane
from referee.hosting.question import Question
from referee.hosting.seats import Seat

INSTANCES_PER_VERSION: Final = 8
STUCK_WRITE_S: Final = 1.0
BEAT_S: Final = 1.0
MOST_BYTES: Final = 196_608
"""In one message; the next has the rest. Clients take 262,144, and one turn is far below the difference."""
NOTICE_S: Final = 30.0
"""After so long the pings of a bot have told it that its referee stands still: 20 s between two, 10 s for an answer."""
AGAIN_S: Final = 30.0
"""After so long at most a bot dials again that was turned away, as `lastcard.pace.Backoff` does."""
MOST_HINTS: Final = 512
"""Turns and notices that wait for a reader, above which hints are dropped."""


@dataclass(frozen=True, slots=True)
class Greeting:
    """What a valid Hello says.

    Attributes:
        instance: random per bot process.
        version: the author's version string.
        formats: formats it plays.
        max_games: rounds it wants in flight.
        max_open: decisions it wants open at once.
        orders: standing orders `catch, challenge, late_call` as (ask, always, never) numbers of the protocol.
        resume: round id -> next event it has not seen.
        minor: protocol minor agreed on.
    """

    instance: str
    version: str
    formats: frozenset[str]
    max_games: int
    max_open: int
    orders: tuple[int, int, int]
    resume: dict[str, int]
    minor: int


@dataclass(frozen=True, slots=True)
class Ending:
    """Why the referee ends a stream: a gRPC status name, a stable reason and a sentence.

    Attributes:
        retry_s: how long it is of no use to come again, in seconds; 0: nobody knows.
    """

    status: str
    reason: str
    sentence: str
    retry_s: float = 0.0


REPLACED: Final = Ending("ABORTED", "REPLACED", "another stream of the same instance took over")
Asked = Seat | Question
"""Who has a question open at a session: a seat of a match hosted here, or a question of another host."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Session:
    """One connected bot process.

    `push` and `tell` never block: what a stream may owe is bounded by its open decisions, and `hint` gives up on who
    does not read. The writer takes what has gathered with one message; the clock of a decision starts there.

    Attributes:
        beaten: loop time of the last heartbeat.
        keyid: names the token that it was opened with.
        heard: loop time of the last message.
        lanes: by number, what other hosts have here.
        over: set when the referee ends the stream.
        remote: whether its bot dialled another referee.
        not_before: loop time at or after which it began.
        since: loop time at or before which it began; both are the same where its bot dialled this referee.
    """

    remote: ClassVar[bool] = False
    __slots__ = (
        "beaten",
        "bot",
        "ending",
        "free_handles",
        "greeting",
        "handles",
        "heard",
        "id",
        "keyid",
        "lanes",
        "moved",
        "next_handle",
        "next_lane",
        "not_before",
        "open",
        "outbox",
        "over",
        "since",
        "stamps",
        "waiting",
        "wake",
        "writing_since",
    )

    def __init__(self, session_id: str, bot: str, greeting: Greeting, keyid: str = "", now: float = 0.0) -> None:
        self.id = session_id
        self.bot = bot
        self.greeting = greeting
        self.keyid = keyid
        self.heard = self.since = self.not_before = now
        self.beaten = 0.0
        self.outbox: list[bytes] = []
        self.stamps: list[Asked | None] = []
        self.wake = asyncio.Event()
        self.over = asyncio.Event()
        self.open: dict[Asked, None] = {}
        self.waiting: deque[Asked] = deque()
        self.lanes: dict[int, Lane] = {}
        self.next_lane = 1
        self.handles: dict[int, Seat] = {}
        self.moved: set[int] = set()
        self.free_handles: deque[int] = deque()
        self.next_handle = 0
        self.ending: Ending | None = None
        self.writing_since = 0.0

    @property
    def room(self) -> int:
        """Rounds that this process can still take."""
        return self.greeting.max_games - len(self.handles)

    def at(self, home: object) -> bool:
        """Whether it is at another referee, this one."""
        del home
        return False

    @property
    def within_reach(self) -> bool:
        """Whether its home answers: this one does."""
        return True

    # -- which one of its process it is

    def newer(self, other: "Session") -> bool:
        """Whether it began after another one for sure."""
        return self.not_before >= other.since

    def ask_since(self, now: float) -> None:
        """Ask when it began: nobody has to, of one that began here."""

    # -- rounds

    def admit(self, seat: Seat) -> None:
        """Give a seat a handle in this session."""
        # A handle rests for a while before it is used again, so that a late answer meets nobody.
        handle = self.free_handles.popleft() if len(self.free_handles) > 64 else self.next_handle
        if handle == self.next_handle:
            self.next_handle += 1
        self.handles[handle] = seat
        self.moved.discard(handle)
        seat.session = self
        seat.instance = self.greeting.instance
        seat.handle = handle
        seat.introduced = False

    def dismiss(self, seat: Seat, *, moved: bool = False) -> None:
        """Take the handle back; the round is over, or (`moved`) goes on at another referee."""
        if self.handles.pop(seat.handle, None) is not None:
            self.free_handles.append(seat.handle)
            if moved:
                self.moved.add(seat.handle)
        self.open.pop(seat, None)
        seat.session = None
        seat.handle = -1

    def close_decision(self, seat: Seat) -> Asked | None:
        """Forget an open decision; return who waits and may be sent now."""
        self.open.pop(seat, None)
        return self.next_waiting() if self.waiting else None

    def next_waiting(self) -> Asked | None:
        """Return who waits and may be sent now, if there is room; forget those that wait for nothing."""
        while self.waiting and len(self.open) < self.greeting.max_open:
            waiting = self.waiting.popleft()
            if waiting.session is self and waiting.act >= 0 and waiting.released and waiting not in self.open:
                return waiting
        return None

    # -- the wire

    def push(self, turn: bytes, seat: Asked | None, now: float) -> None:
        """Queue an encoded turn; `seat` = whose clock starts when it is written."""
        if seat is not None and self.writing_since and now - self.writing_since > STUCK_WRITE_S:
            seat.started = now - seat.carried
            seat = None
        if not self.outbox:
            self.wake.set()
        self.outbox.append(turn)
        self.stamps.append(seat)

    def end_round(self, turn: bytes, handle: int, now: float) -> None:
        """Queue the encoded end of a round; its handle is free."""
        self.push(turn, None, now)
        self.free_handles.append(handle)

    def tell(self, notice: bytes) -> None:
        """Queue an encoded notice."""
        if not self.outbox:
            self.wake.set()
        self.outbox.append(notice)
        self.stamps.append(None)

    def hint(self, notice: bytes) -> None:
        """Queue a notice that a bot can do without; who does not read is not told."""
        if len(self.outbox) < MOST_HINTS:
            self.tell(notice)

    def take(self, now: float) -> bytes:
        """Return what is queued as one message, or as much of it as one may hold; the clocks in it start now."""
        message = b"".join(self.outbox)
        count = len(self.outbox)
        if len(message) > MOST_BYTES:
            count = self._fitting()
            message = b"".join(self.outbox[:count])
        for seat in self.stamps[:count]:
            if seat is not None:
                seat.started = now - seat.carried
        del self.outbox[:count], self.stamps[:count]
        if not self.outbox:
            self.wake.clear()
        self.writing_since = now
        return message

    def start_stuck(self, now: float) -> None:
        """Start the clocks of what waits behind a message that nobody reads."""
        if self.writing_since and now - self.writing_since > STUCK_WRITE_S:
            for place, seat in enumerate(self.stamps):
                if seat is not None:
                    seat.started = now - seat.carried
                    self.stamps[place] = None

    def _fitting(self) -> int:
        """Return how many of what is queued fit into one message; one at least."""
        sizes = accumulate(map(len, self.outbox))
        return max(1, sum(1 for _ in takewhile(lambda size: size <= MOST_BYTES, sizes)))

    def beat(self, now: float) -> bool:
        """Note a heartbeat; return whether it is of use: more than one a second says nothing new."""
        useful = now - self.beaten >= BEAT_S
        if useful:
            self.beaten = now
        return useful

    def end(self, ending: Ending) -> None:
        """Have the stream ended with a status."""
        if self.ending is None:
            self.ending = ending
        self.over.set()
        self.wake.set()
