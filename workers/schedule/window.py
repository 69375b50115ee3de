"""Which matches of a schedule to create now: enough that nobody waits for work, no more than can be played soon.

Work-conserving: a match whose bots have no room is left as a gap and looked at again, and the ones after it go ahead,
so a slow or absent bot holds nobody back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from typing import Final

from workers.schedule.schedule import Fixture, Schedule

__all__ = ["LEAD_S", "LOOKAHEAD", "SLICE", "Chosen", "Cursor", "Fate", "Room", "Window", "choose"]

AHEAD: Final = 4
"""Times what a bot plays at once: two of its opponents may have no room just now, and it is not idle for that."""

SLICE: Final = 256
"""Matches created by one task, at most: it stays well under a second."""

LOOKAHEAD: Final = 8192
"""Gaps remembered, at most; a slow bot of a field of a thousand leaves about four thousand."""

LEAD_S: Final = 10
"""Seconds of play at the present pace that wait beside what the bots' room asks for: two looks of 5 s."""


class Fate(Enum):
    """What becomes of a match that is looked at."""

    READY = "ready"
    WALKOVER = "walkover"
    WAIT = "wait"


@dataclass(frozen=True, slots=True)
class Cursor:
    """How far a schedule is created: everything before `next` but the gaps."""

    next: int = 0
    gaps: tuple[int, ...] = ()

    @property
    def created(self) -> int:
        """Number of matches created."""
        return self.next - len(self.gaps)


@dataclass(frozen=True, slots=True)
class Window:
    """How many games of a tournament may be open at once.

    `AHEAD` times what a bot can play, and twice what all referees can, plus the lead.
    """

    rooms: Mapping[str, int]
    """Games that each bot that is there plays at once."""
    capacity: int
    """Games that all referees together play at once."""
    pace: float = 0.0
    """Games that end per second."""
    seats: int = 2
    """Bots of a game."""

    def room(self, loads: Mapping[str, int]) -> Room:
        """Return what is left when each bot has these games open already."""
        lead = math.ceil(self.pace * LEAD_S * self.seats / max(len(self.rooms), 1))
        bots = {bot: AHEAD * room + lead - loads.get(bot, 0) for bot, room in self.rooms.items()}
        ahead = 2 * self.capacity + math.ceil(self.pace * LEAD_S)
        return Room(bots, ahead - sum(loads.values()) // self.seats)


@dataclass(slots=True)
class Room:
    """Games that may still be handed out, to each bot that is there and in all."""

    bots: dict[str, int]
    total: int

    @property
    def full(self) -> bool:
        """True where nothing more can be handed out."""
        return self.total <= 0 or (bool(self.bots) and max(self.bots.values()) <= 0)

    def seat(self, fixture: Fixture, gone: AbstractSet[str]) -> Fate:
        """Return the fate of a match, and take its games from the room if it goes ahead.

        A match goes ahead if each of its bots has any room left, however large it is: a bot that plays one game at a
        time gets its matches, too. `gone` are the bots that were waited for in vain.
        """
        if not gone.isdisjoint(fixture.entrants):
            return Fate.WALKOVER
        if any(self.bots.get(bot, 0) <= 0 for bot in fixture.entrants):
            return Fate.WAIT
        games = fixture.meetings * len(fixture.entrants)
        for bot in fixture.entrants:
            self.bots[bot] -= games
        self.total -= games
        return Fate.READY


@dataclass(frozen=True, slots=True)
class Chosen:
    """The matches to create and the cursor once they are."""

    ready: tuple[Fixture, ...]
    walkovers: tuple[Fixture, ...]
    cursor: Cursor

    @property
    def more(self) -> bool:
        """True where the slice was full, so that there may be room for another one."""
        return len(self.ready) + len(self.walkovers) >= SLICE


def choose(schedule: Schedule, cursor: Cursor, room: Room, gone: AbstractSet[str] = frozenset()) -> Chosen:
    """Return the next matches to create: gaps first, then ahead, until the room or the slice is full."""
    taken: dict[Fate, list[Fixture]] = {fate: [] for fate in Fate}
    gaps: list[int] = []

    def full() -> bool:
        return room.full or len(taken[Fate.READY]) + len(taken[Fate.WALKOVER]) >= SLICE

    def look(index: int) -> None:
        fate = Fate.WAIT if full() else room.seat(schedule[index], gone)
        if fate is Fate.WAIT:
            gaps.append(index)
        else:
            taken[fate].append(schedule[index])

    for index in cursor.gaps:
        look(index)
    following = cursor.next
    while following < len(schedule) and len(gaps) < LOOKAHEAD and not full():
        look(following)
        following += 1
    return Chosen(tuple(taken[Fate.READY]), tuple(taken[Fate.WALKOVER]), Cursor(following, tuple(gaps)))
