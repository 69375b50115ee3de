"""How many rounds this referee and the bots here can still take."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Protocol

from referee.hosting.allotment import Allotment
from referee.hosting.host import Host
from referee.hosting.hosted import Stay
from referee.hosting.roster import Player, Roster, preference
from referee.hosting.sessions import Session

ROOM_SHARE: Final = 8
SERVED: Final = 256
"""Rounds in flight that cost a loop a few milliseconds: where it is late with fewer, taking on less does not help."""


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
        self._dealing = Dealing(host.dealing)
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
    def capacity(self) -> int:
        """Rounds that this referee takes on in all: while its loop is late, no more than any machine serves in time."""
        return min(self.most, SERVED) if self.host.lateness.too_late else self.most

    @property
    def free(self) -> int:
        """Rounds that this referee can still host."""
        return self.capacity - self.in_use - sum(rounds for _, rounds in self._held.values())

    def count(self) -> "Count":
        """Return what is taken now: that looks at all matches."""
        return Count(self.host.roster, self._taken())

    def place(self, player: Player, format_name: str) -> Session | None:
        """Return the session that a round goes to, so that all else that is promised of its bot still has a place.

        While games of one match are dealt, nothing else of what is promised changes: it is counted once.
        """
        processes = _processes(player)
        if not _differ(processes):
            return player.best_session(format_name)
        if self._dealing.number != self.host.dealing:
            self._dealing = Dealing(self.host.dealing)
        rooms = [one.room for one in processes]
        known, allotment = self._dealing.allotments.get(player.bot, ([], None))
        if allotment is None or known != rooms:
            allotment = _allotment(player, self._taken_of(player.bot))
        takes = allotment.takes(format_name)
        fitting = [one for one in processes if one.room > 0 and one.greeting.formats in takes]
        best = max(fitting, key=preference) if fitting else player.best_session(format_name)
        if best is not None and not best.remote:
            allotment.take(format_name, best.greeting.formats, room=best.room)
            rooms[processes.index(best)] -= 1
        self._dealing.allotments[player.bot] = rooms, allotment
        return best

    def _taken_of(self, bot: str) -> Counter[str]:
        """Rounds of a bot by format that matches here and other hosts have."""
        taken: Counter[str] = Counter()
        for stay, rounds in self._promised():
            if stay.bot == bot:
                taken[stay.format_name] += rounds
        for hosted in self.host.matches.values():
            if bot in hosted.play.spec.entrants and bot not in hosted.homes:
                taken[hosted.format_name] += hosted.reserved
        return taken

    def _taken(self) -> Iterator[tuple[Stay, int]]:
        yield from self._promised()
        for hosted in self.host.matches.values():
            reserved = hosted.reserved
            for bot in hosted.play.spec.entrants:
                if bot not in hosted.homes:
                    yield hosted.stay(bot), reserved

    def _promised(self) -> Iterator[tuple[Stay, int]]:
        """What other hosts have, and what is held while they are asked."""
        yield from self._promises.promised()
        for stays, rounds in self._held.values():
            for stay in stays:
                yield stay, rounds

    def of(self, bot: str, format_name: str) -> int:
        """Rounds of a format that a bot here can still take; 0 where none of its processes here offers it.

        Rounds of other formats are in the way as far as the same processes play them.
        """
        player = self.host.roster.players.get(bot)
        if player is None or player.room_for(format_name) < 1:
            return 0
        return _spare(player, format_name, self._taken_of(bot))

    def has_place(self, bot: str, format_name: str) -> bool:
        """Whether a process of a bot here has a place for a round, promised or not: without one there is no room."""
        player = self.host.roster.players.get(bot)
        return player is not None and any(
            session.room > 0 for session in player.sessions_for(format_name) if not session.remote
        )

    def share(self, bot: str, format_name: str) -> int:
        """Room from which on a further match of a bot is worth beginning: few games make small log entries."""
        player = self.host.roster.players.get(bot)
        return worth(player.room_for(format_name) if player else 0)


class Count:
    """What matches here and other hosts have of the bots here, as it was when it was counted."""

    def __init__(self, roster: Roster, taken: Iterable[tuple[Stay, int]]) -> None:
        self._roster = roster
        self._taken: defaultdict[str, Counter[str]] = defaultdict(Counter)
        for stay, rounds in taken:
            self._taken[stay.bot][stay.format_name] += rounds

    def of(self, bot: str, format_name: str) -> int | None:
        """Rounds of a format that a bot can still take; None where it does not offer it here."""
        player = self._roster.players.get(bot)
        if player is None or format_name not in player.formats or player.room_for(format_name) < 1:
            return None
        return _spare(player, format_name, self._taken[bot])


@dataclass(slots=True)
class Dealing:
    """What is known of bots while games of one match are dealt: room by process, and what is promised beside it."""

    number: int
    allotments: dict[str, tuple[list[int], Allotment]] = field(default_factory=dict)


class Counted:
    """Room as it was counted when it was first asked for, less what was `took` since: a count looks at all matches.

    What others took meanwhile is not in it: `anew` forgets it, and who claims has it `look_again`.
    """

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self.anew()

    def anew(self) -> None:
        """Forget what was counted."""
        self._free: int | None = None
        self._count: Count | None = None
        self._took: Counter[str] = Counter()
        self._again: dict[tuple[str, str], int] = {}

    @property
    def free(self) -> int:
        """Rounds that this referee can still host."""
        if self._free is None:
            self._free = self._rooms.free
        return self._free

    def of(self, bot: str, format_name: str) -> int | None:
        """Rounds of a format that a bot can still take; None where it does not offer it here."""
        if self._count is None:
            self._count = self._rooms.count()
        found = self._again.get((bot, format_name), self._count.of(bot, format_name))
        return None if found is None else found - self._took[bot]

    def took(self, bots: Iterable[str], rounds: int) -> None:
        """Count rounds that were taken of these bots: of all their formats, which is never too little."""
        if self._free is not None:
            self._free -= rounds
        for bot in bots:
            self._took[bot] += rounds

    def look_again(self, bots: Iterable[str], format_name: str) -> int:
        """Return what this referee and these bots can take by now of a format: others may have taken of it.

        What is less than it was is so for all that is looked at afterwards: it is not found out for each of them.
        """
        self._free = self._rooms.free
        now = {bot: self._rooms.of(bot, format_name) for bot in bots}
        self._again |= {(bot, format_name): room + self._took[bot] for bot, room in now.items()}
        return min(self._free, *now.values())


def _processes(player: Player) -> list[Session]:
    """Return the sessions of a bot that dialled here."""
    return [session for session in player.sessions.values() if not session.remote]


def _differ(processes: Sequence[Session]) -> bool:
    """Whether one plays what another one does not."""
    return len(processes) > 1 and len({session.greeting.formats for session in processes}) > 1


def _spare(player: Player, format_name: str, taken: Counter[str]) -> int:
    """Return how many more rounds of a format the processes of a bot here take, beside what is taken."""
    if _differ(_processes(player)):
        return _allotment(player, taken).spare(format_name)
    return player.room - taken.total()


def _allotment(player: Player, taken: Counter[str]) -> Allotment:
    """Return the room of the processes of a bot here, and what of that which is taken none of them has yet."""
    processes, promised = _processes(player), Counter(taken)
    for session in processes:
        for hosted, rounds in Counter(seat.hosted for seat in session.handles.values()).items():
            promised[hosted.format_name] -= rounds
    return Allotment([(one.greeting.formats, one.room) for one in processes], +promised)


def worth(room: int) -> int:
    """Return the rounds from which on a match of a bot with that much room altogether is worth beginning."""
    return max(1, room // ROOM_SHARE)
