"""Sessions of bots: one stream each, with its outbox, its open decisions and its room."""

import asyncio
from collections import deque
from dataclasses import dataclass
from typing import Final

from referee.seats import Seat

INSTANCES_PER_VERSION: Final = 8
STUCK_WRITE_S: Final = 1.0


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
    """Why the referee ends a stream: a gRPC status name, a stable reason and a sentence."""

    status: str
    reason: str
    sentence: str


class Session:
    """One connected bot process.

    `push` and `tell` never block: what a stream may owe is bounded by its open decisions. The writer takes everything
    that has gathered with one message; the clock of a decision starts there.
    """

    __slots__ = (
        "bot",
        "ending",
        "free_handles",
        "greeting",
        "handles",
        "id",
        "moved",
        "next_handle",
        "open",
        "outbox",
        "stamps",
        "useless",
        "waiting",
        "wake",
        "writing_since",
    )

    def __init__(self, session_id: str, bot: str, greeting: Greeting) -> None:
        self.id = session_id
        self.bot = bot
        self.greeting = greeting
        self.outbox: list[bytes] = []
        self.stamps: list[Seat] = []
        self.wake = asyncio.Event()
        self.open: dict[Seat, None] = {}
        self.waiting: deque[Seat] = deque()
        self.handles: dict[int, Seat] = {}
        self.moved: set[int] = set()
        self.free_handles: deque[int] = deque()
        self.next_handle = 0
        self.useless = 0
        self.ending: Ending | None = None
        self.writing_since = 0.0

    @property
    def room(self) -> int:
        """Rounds that this process can still take."""
        return self.greeting.max_games - len(self.handles)

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

    def close_decision(self, seat: Seat) -> Seat | None:
        """Forget an open decision; return a waiting seat that may be sent now."""
        self.open.pop(seat, None)
        if not self.waiting:
            return None
        while self.waiting and len(self.open) < self.greeting.max_open:
            waiting = self.waiting.popleft()
            if waiting.session is self and waiting.act >= 0 and waiting.released and waiting not in self.open:
                return waiting
        return None

    # -- the wire

    def push(self, turn: bytes, seat: Seat | None, now: float) -> None:
        """Queue an encoded turn; `seat` = whose clock starts when it is written."""
        self.outbox.append(turn)
        if seat is not None:
            if self.writing_since and now - self.writing_since > STUCK_WRITE_S:
                seat.started = now
            else:
                self.stamps.append(seat)
        self.wake.set()

    def tell(self, notice: bytes) -> None:
        """Queue an encoded notice."""
        self.outbox.append(notice)
        self.wake.set()

    def take(self, now: float) -> bytes:
        """Return everything queued as one message; the clocks in it start now."""
        message = b"".join(self.outbox)
        self.outbox.clear()
        for seat in self.stamps:
            seat.started = now
        self.stamps.clear()
        self.wake.clear()
        self.writing_since = now
        return message

    def end(self, ending: Ending) -> None:
        """Have the stream ended with a status."""
        if self.ending is None:
            self.ending = ending
        self.wake.set()


class Player:
    """A bot version as this referee knows it: its sessions and its seats."""

    __slots__ = ("away_since", "bot", "seats", "sessions")

    def __init__(self, bot: str, now: float) -> None:
        self.bot = bot
        self.sessions: dict[str, Session] = {}
        self.seats: dict[Seat, None] = {}
        self.away_since = now

    @property
    def room(self) -> int:
        """Rounds that all its processes together take at once."""
        return sum(session.greeting.max_games for session in self.sessions.values())

    def best_session(self) -> Session | None:
        """Return the session with most room."""
        return max(self.sessions.values(), key=lambda session: session.room, default=None)


class Roster:
    """All bot versions that are, or are awaited, here."""

    def __init__(self) -> None:
        self.players: dict[str, Player] = {}

    def player(self, bot: str, now: float) -> Player:
        """Return the player of a version, new if unknown."""
        found = self.players.get(bot)
        if found is None:
            found = self.players[bot] = Player(bot, now)
        return found

    def join(self, session: Session, now: float) -> Session | None:
        """Add a session; return the one of the same instance that it replaces."""
        player = self.player(session.bot, now)
        old = player.sessions.get(session.greeting.instance)
        player.sessions[session.greeting.instance] = session
        player.away_since = 0.0
        return old

    def part(self, session: Session, now: float) -> list[Seat]:
        """Remove a session; return the seats that lost it."""
        player = self.players[session.bot]
        if player.sessions.get(session.greeting.instance) is session:
            del player.sessions[session.greeting.instance]
            if not player.sessions:
                player.away_since = now
        lost = list(session.handles.values())
        for seat in lost:
            seat.session = None
            seat.handle = -1
            seat.orphaned = now
        session.handles.clear()
        session.open.clear()
        session.waiting.clear()
        return lost

    def tidy(self, now: float, keep_s: float) -> None:
        """Forget versions that are away and sit nowhere."""
        gone = [bot for bot, one in self.players.items()
                if not one.sessions and not one.seats and now - one.away_since > keep_s]  # fmt: skip
        for bot in gone:
            del self.players[bot]

    @property
    def sessions(self) -> list[Session]:
        """All sessions."""
        return [session for player in self.players.values() for session in player.sessions.values()]
