"""Sessions of bots: one stream each, with its outbox, its open decisions and its room."""

import asyncio
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, takewhile
from typing import ClassVar, Final

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
    """Why the referee ends a stream: a gRPC status name, a stable reason and a sentence."""

    status: str
    reason: str
    sentence: str


REPLACED: Final = Ending("ABORTED", "REPLACED", "another stream of the same instance took over")
Asked = Seat | Question
"""Who has a question open at a session: a seat of a match hosted here, or a question of another host."""


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
        since: loop time at which it began.
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
        self.heard = self.since = now
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
            seat.started = now
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
                seat.started = now
        del self.outbox[:count], self.stamps[:count]
        if not self.outbox:
            self.wake.clear()
        self.writing_since = now
        return message

    def _fitting(self) -> int:
        """Return how many of what is queued fit into one message; one at least."""
        sizes = accumulate(map(len, self.outbox))
        return max(1, sum(1 for _ in takewhile(lambda size: size <= MOST_BYTES, sizes)))

    def beat(self, now: float) -> bool:
        """Note a heartbeat; return whether it is of use: more than one a second says nothing new."""
        useful = now - self.beaten >= BEAT_S
        self.beaten = now
        return useful

    def end(self, ending: Ending) -> None:
        """Have the stream ended with a status."""
        if self.ending is None:
            self.ending = ending
        self.over.set()
        self.wake.set()


class Player:
    """A bot version as this referee knows it: its sessions and its seats.

    For a match it is there only as far as its sessions offer the format.

    Attributes:
        away: by format, loop time since which no session offers it: those that were offered or are waited for.
        elsewhere: loop time since which it is seen at a referee that cannot be reached; 0.0: it is not.
        expected: loop time until which a process of it is waited for that was turned away because of the store.
        formats: those that its sessions offer, together.
        since: loop time since which it is known.
    """

    __slots__ = ("away", "bot", "elsewhere", "expected", "formats", "seats", "sessions", "since")

    def __init__(self, bot: str, now: float) -> None:
        self.bot = bot
        self.sessions: dict[str, Session] = {}
        self.seats: dict[Seat, None] = {}
        self.formats: frozenset[str] = frozenset()
        self.away: dict[str, float] = {}
        self.elsewhere = 0.0
        self.expected = 0.0
        self.since = now

    def count(self, now: float) -> None:
        """Note which formats its sessions offer by now."""
        before, self.formats = self.formats, _formats(self.sessions.values())
        lost = before - self.formats
        self.away.update(dict.fromkeys(lost, now))
        for offered in self.formats:
            self.away.pop(offered, None)
        for seat in self.seats:
            if seat.session is None and seat.started and seat.hosted.format_name in lost:
                seat.started = now  # it waited for this process to take it over

    def away_since(self, format_name: str) -> float:
        """Return the loop time since which no session offers a format; 0.0: one does."""
        return 0.0 if format_name in self.formats else self.away.get(format_name, self.since)

    def excuse(self, now: float, format_name: str, *, home_lost: bool = False) -> None:
        """Count its absence from now on; where its home was lost, from when it must have noticed."""
        if format_name not in self.formats:
            self.away[format_name] = max(self.away_since(format_name), now + (NOTICE_S if home_lost else 0.0))

    def await_again(self, now: float) -> None:
        """Count its absences from when it must have dialled again that was turned away until now."""
        self.away = {name: max(since, now + AGAIN_S) for name, since in self.away.items()}

    def shift(self, gap: float, now: float) -> None:
        """Leave a time out of its absences."""
        self.away = {name: max(since, min(now, since + gap)) for name, since in self.away.items()}
        self.since = min(now, self.since + gap)

    def sessions_for(self, format_name: str) -> list[Session]:
        """Return the sessions that offer a format."""
        return [session for session in self.sessions.values() if format_name in session.greeting.formats]

    @property
    def room(self) -> int:
        """Rounds that all its processes here together take at once."""
        return sum(session.greeting.max_games for session in self.sessions.values() if not session.remote)

    def room_for(self, format_name: str) -> int:
        """Rounds of a format that its processes here together take at once."""
        return sum(session.greeting.max_games for session in self.sessions_for(format_name) if not session.remote)

    def best_session(self, format_name: str) -> Session | None:
        """Return the session that a further round of a format goes to."""
        return max(self.sessions_for(format_name), key=preference, default=None)


def _formats(sessions: Iterable[Session]) -> frozenset[str]:
    return frozenset().union(*(session.greeting.formats for session in sessions))


def preference(session: Session) -> tuple[bool, bool, int, int]:
    """Order sessions for a round: one here that has room, one that plays little else, the one with most room."""
    has_room = session.room > 0
    return has_room and not session.remote, has_room, -len(session.greeting.formats), session.room


class Roster:
    """All bot versions that are, or are awaited, here.

    Attributes:
        awaited: loop time until which bots may still wait that were turned away while the ledger did not answer.
    """

    def __init__(self) -> None:
        self.players: dict[str, Player] = {}
        self.awaited = 0.0

    def player(self, bot: str, now: float) -> Player:
        """Return the player of a version, new if unknown."""
        found = self.players.get(bot)
        if found is None:
            found = self.players[bot] = Player(bot, now)
        return found

    def join(self, session: Session, now: float) -> None:
        """Add a session, in place of one of the same instance."""
        player = self.player(session.bot, now)
        player.sessions[session.greeting.instance] = session
        player.expected = 0.0
        player.count(now)

    def part(self, session: Session, now: float) -> None:
        """Remove a session; the seats that lost it wait for another."""
        player = self.players[session.bot]
        if player.sessions.get(session.greeting.instance) is session:
            del player.sessions[session.greeting.instance]
            player.count(now)
        for seat in session.handles.values():
            seat.session = None
            seat.handle = -1
            seat.orphaned = now
        session.handles.clear()
        session.open.clear()
        session.waiting.clear()

    def tidy(self, now: float, keep_s: float) -> None:
        """Forget versions that are away and sit nowhere."""
        gone = [bot for bot, one in self.players.items()
                if not one.sessions and not one.seats
                and now - max((one.since, *one.away.values())) > keep_s]  # fmt: skip
        for bot in gone:
            del self.players[bot]

    @property
    def far(self) -> int:
        """Number of sessions that dialled another referee."""
        return sum(session.remote for session in self._every())

    def expect(self, name: str, until: float) -> None:
        """Wait for a process of a bot, whichever version it is."""
        for player in self.players.values():
            if player.bot.partition("@")[0] == name:
                player.expected = until

    def reopen(self, now: float) -> None:
        """The ledger answers again: wait for those who are away, because they may have been turned away anywhere."""
        self.awaited = now + AGAIN_S
        for player in self.players.values():
            player.await_again(now)

    def local_sessions(self, bot: str) -> list[Session]:
        """Sessions of a version that dialled this referee."""
        player = self.players.get(bot)
        return [] if player is None else [session for session in player.sessions.values() if not session.remote]

    def plays_here(self, bot: str, format_name: str) -> bool:
        """Whether a session that dialled this referee offers a format."""
        return any(format_name in session.greeting.formats for session in self.local_sessions(bot))

    @property
    def sessions(self) -> list[Session]:
        """All sessions that dialled this referee."""
        return [session for session in self._every() if not session.remote]

    def _every(self) -> list[Session]:
        """All sessions, copied first: metrics are read by another thread while bots come and go."""
        return [session for player in list(self.players.values()) for session in list(player.sessions.values())]
