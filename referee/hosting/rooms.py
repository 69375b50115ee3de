"""How many rounds this referee and the bots here can still take."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from referee.hosting.host import Host
from referee.hosting.hosted import Stay
from referee.trunk.lodging import Lodging

ROOM_SHARE: Final = 8


class Rooms:
    """Keeps no count of its own: room is what is there less what matches here and other hosts have."""

    def __init__(self, host: Host, lodging: Lodging, most: int) -> None:
        self.host = host
        self._lodging = lodging
        self.most = most
        self._held: dict[str, tuple[tuple[Stay, ...], int]] = {}

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

        Rounds of other formats are in the way as far as the same processes play them: no more is known beforehand than
        what all processes of a bot take, and what those take that offer the format.
        """
        taken: Counter[str] = Counter()
        alike: Counter[str] = Counter()
        for stay, rounds in self._taken():
            taken[stay.bot] += rounds
            if stay.format_name == format_name:
                alike[stay.bot] += rounds
        rooms = {}
        for bot, player in self.host.roster.players.items():
            if format_name in player.formats and (room := player.room_for(format_name)) > 0:
                rooms[bot] = min(room - alike[bot], player.room - taken[bot])
        return rooms

    def _taken(self) -> Iterator[tuple[Stay, int]]:
        yield from self._lodging.promised()
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


def worth(room: int) -> int:
    """Return the rounds from which on a match of a bot with that much room altogether is worth beginning."""
    return max(1, room // ROOM_SHARE)
