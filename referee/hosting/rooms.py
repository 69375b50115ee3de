"""How many rounds this referee and the bots here can still take."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, Protocol

from referee.hosting.allotment import Process, fits, spare
from referee.hosting.host import Host
from referee.hosting.hosted import Stay
from referee.hosting.roster import Player, preference
from referee.hosting.sessions import Session

ROOM_SHARE: Final = 8


class Promises(Protocol):
    """What other hosts were promised here."""

    def promised(self) -> Iterable[tuple[Stay, int]]:
        """Return for which stays they have how many rounds."""


class Rooms:
    """Keeps no count of its own: room is what is there less what matches here and other hosts have."""

    def __init__(self, host: Host, promises: Promises, most: int) -> None:
        self.host = host
        self._promises = promises
        self.most = most
        self._held: dict[str, tuple[tuple[Stay, ...], int]] = {}
        host.place = self.place

    @contextmanager
    def holding(self, purpose: str, stays: Iterable[Stay], rounds: int) -> Iterator[None]:
        """Promise these rounds to nobody else while it is asked elsewhere whether they are needed."""
        self._held[purpose] = tuple(stays), rounds
        try:
            yield
        finally:
            self._held.pop(purpose, None)

    @property
    def in_use(self) -> int:
        """Rounds that the matches hosted here take."""
        return sum(hosted.reserved for hosted in self.host.matches.values())

    @property
    def free(self) -> int:
        """Rounds that this referee can still host."""
        return self.most - self.in_use - sum(rounds for _, rounds in self._held.values())

    def all(self, format_name: str) -> dict[str, int]:
        """Rounds of a format that each bot here which offers it can still take.

        Rounds of other formats are in the way as far as the same processes play them.
        """
        taken: Counter[str] = Counter()
        for stay, rounds in self._taken():
            taken[stay.bot] += rounds
        rooms = {}
        for bot, player in self.host.roster.players.items():
            if format_name in player.formats and player.room_for(format_name) > 0:
                processes = _processes(player)
                rooms[bot] = (
                    spare(format_name, _free(processes), self._promised(player))
                    if _differ(processes)
                    else player.room - taken[bot]
                )
        return rooms

    def place(self, player: Player, format_name: str) -> Session | None:
        """Return the session that a round goes to, so that all else that is promised of its bot still has a place."""
        processes = _processes(player)
        if not _differ(processes):
            return player.best_session(format_name)
        promised = self._promised(player)
        promised[format_name] -= 1
        fitting = [
            one for one in processes
            if format_name in one.greeting.formats and one.room > 0 and fits(_free(processes, one), +promised)
        ]  # fmt: skip
        return max(fitting, key=preference, default=None) or player.best_session(format_name)

    def _promised(self, player: Player) -> Counter[str]:
        """Rounds of a bot by format that none of its processes here has yet."""
        promised: Counter[str] = Counter()
        for stay, rounds in self._taken():
            if stay.bot == player.bot:
                promised[stay.format_name] += rounds
        for session in _processes(player):
            promised.subtract(Counter(seat.hosted.format_name for seat in session.handles.values()))
        return +promised

    def _taken(self) -> Iterator[tuple[Stay, int]]:
        yield from self._promises.promised()
        for hosted in self.host.matches.values():
            reserved = hosted.reserved
            for bot in hosted.play.spec.entrants:
                if bot not in hosted.homes:
                    yield hosted.stay(bot), reserved
        for stays, rounds in self._held.values():
            for stay in stays:
                yield stay, rounds

    def of(self, bot: str, format_name: str) -> int:
        """Rounds of a format that a bot here can still take; 0 where none of its processes here offers it."""
        return self.all(format_name).get(bot, 0)

    def share(self, bot: str, format_name: str) -> int:
        """Room from which on a further match of a bot is worth beginning: few games make small log entries."""
        player = self.host.roster.players.get(bot)
        return worth(player.room_for(format_name) if player else 0)


class Counted:
    """Room as it was counted when it was first asked for: a count looks at all matches. `anew` when some was taken."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self._free: int | None = None
        self._by_format: dict[str, dict[str, int]] = {}

    @property
    def free(self) -> int:
        """Rounds that this referee can still host."""
        if self._free is None:
            self._free = self._rooms.free
        return self._free

    def all(self, format_name: str) -> dict[str, int]:
        """Rounds of a format that each bot here which offers it can still take."""
        if format_name not in self._by_format:
            self._by_format[format_name] = self._rooms.all(format_name)
        return self._by_format[format_name]

    def took(self, bots: Iterable[str], rounds: int) -> None:
        """Count rounds that were taken of these bots: of all their formats, which is never too little."""
        if self._free is not None:
            self._free -= rounds
        for rooms in self._by_format.values():
            for bot in rooms.keys() & set(bots):
                rooms[bot] -= rounds

    def anew(self) -> None:
        """Forget what was counted."""
        self._free = None
        self._by_format.clear()


def _processes(player: Player) -> list[Session]:
    """Return the sessions of a bot that dialled here."""
    return [session for session in player.sessions.values() if not session.remote]


def _differ(processes: Sequence[Session]) -> bool:
    """Whether one plays what another one does not."""
    return len(processes) > 1 and len({session.greeting.formats for session in processes}) > 1


def _free(processes: Sequence[Session], taking: Session | None = None) -> list[Process]:
    """Return what they offer and their room, less a round for the one that takes it."""
    return [(one.greeting.formats, one.room - (one is taking)) for one in processes]


def worth(room: int) -> int:
    """Return the rounds from which on a match of a bot with that much room altogether is worth beginning."""
    return max(1, room // ROOM_SHARE)
