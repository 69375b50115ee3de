"""How many rounds this referee and the bots here can still take."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Final

from referee.host import Host
from referee.trunk.lodging import Lodging

ROOM_SHARE: Final = 8


class Rooms:
    """Keeps no count of its own: room is what is there less what matches here and other hosts have."""

    def __init__(self, host: Host, lodging: Lodging, most: int) -> None:
        self.host = host
        self._lodging = lodging
        self.most = most
        self._held: dict[str, tuple[tuple[str, ...], int]] = {}

    @contextmanager
    def holding(self, purpose: str, bots: Iterable[str], rounds: int) -> Iterator[None]:
        """Promise these rounds to nobody else while it is asked elsewhere whether they are needed."""
        self._held[purpose] = tuple(bots), rounds
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

    def all(self) -> dict[str, int]:
        """Rounds that each bot here can still take."""
        promised = self._lodging.promised()
        rooms = {}
        for bot, player in self.host.roster.players.items():
            if (room := player.room) > 0:
                rooms[bot] = room - promised[bot]
        for hosted in self.host.matches.values():
            reserved = hosted.reserved
            for bot in hosted.play.spec.entrants:
                if bot in rooms and bot not in hosted.homes:
                    rooms[bot] -= reserved
        for bots, rounds in self._held.values():
            for bot in bots:
                if bot in rooms:
                    rooms[bot] -= rounds
        return rooms

    def of(self, bot: str) -> int:
        """Rounds that a bot here can still take; 0 where it is not here."""
        return self.all().get(bot, 0)

    def share(self, bot: str) -> int:
        """Room from which on a further match of a bot is worth beginning: few games make small log entries."""
        player = self.host.roster.players.get(bot)
        return worth(player.room if player else 0)


def worth(room: int) -> int:
    """Return the rounds from which on a match of a bot with that much room altogether is worth beginning."""
    return max(1, room // ROOM_SHARE)
