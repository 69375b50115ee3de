"""Bot versions as this referee knows them: their sessions and seats, and since when they are away."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from lastcard.names import bot_of
from referee.hosting.seats import Seat
from referee.hosting.sessions import AGAIN_S, NOTICE_S, Session

INSTANT_S: Final = 1.0
"""A process that is there for no longer ends no absence."""


class Player:
    """A bot version as this referee knows it: its sessions and its seats.

    For a match it is there only as far as its sessions offer the format.

    Attributes:
        away: by format, loop time since which no session offers it: those that were offered or are waited for.
        came: by format that is offered, loop times since which it is, and since which it was not before.
        doubted: loop time until which its line may be dead, while trunks are cut; 0.0: nobody had to ask yet.
        elsewhere: loop time of the last news of it at referees that cannot be reached, or are still to say since when
            it is there; 0.0: it is at none.
        expected: loop time until which a process of it is waited for that was turned away because of the store.
        formats: those that its sessions offer, together.
        since: loop time since which it is known.
        sought: a referee at which it is, as the ledger has it, is just asked for it.
    """

    __slots__ = (
        "away",
        "bot",
        "came",
        "doubted",
        "elsewhere",
        "expected",
        "formats",
        "seats",
        "sessions",
        "since",
        "sought",
    )

    def __init__(self, bot: str, now: float) -> None:
        self.bot = bot
        self.sessions: dict[str, Session] = {}
        self.seats: dict[Seat, None] = {}
        self.formats: frozenset[str] = frozenset()
        self.away: dict[str, float] = {}
        self.came: dict[str, tuple[float, float]] = {}
        self.doubted = self.elsewhere = 0.0
        self.expected = 0.0
        self.since = now
        self.sought = False

    def count(self, now: float) -> None:
        """Note which formats its sessions offer by now; what was offered for an instant only was away all along."""
        before, self.formats = self.formats, _formats(self.sessions.values())
        for offered in self.formats - before:
            self.came[offered] = now, self.away.pop(offered, self.since)
        for lost in before - self.formats:
            came, since = self.came.pop(lost)
            self.away[lost] = since if now - came < INSTANT_S else now

    def strand(self, now: float) -> None:
        """Have seats wait anew that waited for a process which has just gone; for an instant's sake nobody does."""
        for seat in self.seats:
            waited = seat.session is None and seat.started and seat.orphaned < now
            if waited and self.away.get(seat.hosted.format_name) == now:
                seat.wait_anew(now)

    def away_since(self, format_name: str) -> float:
        """Return the loop time since which no session offers a format; 0.0: one does."""
        return 0.0 if format_name in self.formats else self.away.get(format_name, self.since)

    def excuse(self, now: float, format_name: str, *, home_lost: bool = False) -> None:
        """Count its absence from now on; where its home was lost, from when it must have noticed."""
        since = now + (NOTICE_S if home_lost else 0.0)
        if format_name in self.formats:
            came, before = self.came[format_name]
            self.came[format_name] = came, max(before, since)
        else:
            self.away[format_name] = max(self.away_since(format_name), since)

    def stop(self, format_name: str) -> None:
        """Let no clock of it run in a format that it cannot play, through no fault of its own."""
        for seat in self.seats:
            if seat.session is None and seat.hosted.format_name == format_name:
                seat.halt()

    @property
    def name(self) -> str:
        """The bot that it is a version of."""
        return bot_of(self.bot)

    def await_again(self, now: float) -> None:
        """Count its absences from when it must have dialled again that was turned away until now."""
        self.away = {name: max(since, now + AGAIN_S) for name, since in self.away.items()}

    def shift(self, gap: float, now: float) -> None:
        """Leave a time out of its absences."""
        self.away = {name: max(since, min(now, since + gap)) for name, since in self.away.items()}
        self.came = {name: (min(now, came + gap), min(now, since + gap)) for name, (came, since) in self.came.items()}
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
        self._at_door: Counter[str] = Counter()
        self._knocked: dict[str, float] = {}

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
            seat.part(now)
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
            if player.name == name:
                player.expected = until

    @contextmanager
    def at_door(self, name: str, now: float) -> Iterator[None]:
        """Have it known that the ledger is asked whether a bot may come in, by however many of its processes."""
        self._at_door[name] += 1
        self._knocked.setdefault(name, now)
        try:
            yield
        finally:
            self._at_door[name] -= 1
            if not self._at_door[name]:
                del self._at_door[name], self._knocked[name]

    def knocking(self) -> list[tuple[Player, float]]:
        """Return who is at the door, with the loop time since when."""
        if not self._knocked:
            return []
        return [(one, self._knocked[one.name]) for one in self.players.values() if one.name in self._knocked]

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
        player = self.players.get(bot)
        if player is not None and format_name in player.formats:
            for session in player.sessions.values():
                if not session.remote and format_name in session.greeting.formats:
                    return True
        return False

    @property
    def sessions(self) -> list[Session]:
        """All sessions that dialled this referee."""
        return [session for session in self._every() if not session.remote]

    def _every(self) -> list[Session]:
        """All sessions, copied first: metrics are read by another thread while bots come and go."""
        return [session for player in list(self.players.values()) for session in list(player.sessions.values())]
