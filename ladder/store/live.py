"""What everybody may see of a match while it is played, and how it is written: no hand, no option, no seed."""

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, Final, Self

EVENT_BYTES: Final = 4
"""Of an event: kind, seat, card, arg."""


@dataclass(frozen=True, slots=True)
class SceneEnd:
    """How a round ended; lists are by seat. The numbers are those of the protocol."""

    ending: int
    places: tuple[int, ...]
    points: tuple[int, ...]
    game_places: tuple[int, ...] = ()
    """Empty where the game goes on."""


@dataclass(frozen=True, slots=True)
class LiveTable:
    """A table of a match, as everybody sees it where a turn has just begun, or a round is over.

    Cards, colours and events are numbers of the protocol.
    """

    meeting: int
    game: int
    round: int
    """Each counted from 0."""
    entrants: tuple[int, ...]
    """Index of the entrant by seat."""
    scores: tuple[int, ...]
    """Points of the game before this round, by seat."""
    first: int
    """Number of the first event in `events`."""
    events: bytes
    top: int
    color: int
    direction: int
    """1 clockwise, 2 counter-clockwise."""
    counts: bytes
    """Cards in each hand, by seat."""
    draw_pile: int
    discard_pile: int
    pending: int
    row: bytes
    turn: int
    end: SceneEnd | None = None

    @property
    def key(self) -> tuple[int, int]:
        """Which table of its match it is."""
        return self.meeting, self.game

    @property
    def next(self) -> int:
        """Number of the first event that is not told of."""
        return self.first + len(self.events) // EVENT_BYTES

    def columns(self) -> tuple[bytes, bytes, bytes, bytes]:
        """The events as columns: kinds, seats, cards, args."""
        return self.events[::4], self.events[1::4], self.events[2::4], self.events[3::4]


@dataclass(frozen=True, slots=True)
class Scene:
    """What is new at the tables of a match."""

    tables: tuple[LiveTable, ...]
    """In the order in which it happened; rounds that ended come first."""
    playing: int
    """Games that are in play; not all of many are shown."""
    rounds: int
    """Rounds of the match that are over: of many in a second not all are shown."""
    whole: bool = False
    """All tables that are shown are in it."""
    busy: bool = False
    """The referee shows as many matches as it may: not this one."""
    last: bool = False
    """The match ends with it, or leaves its host."""

    def text(self) -> str:
        """The scene as it is written."""
        tables = [_shape(table) for table in self.tables]
        marks = {"whole": self.whole, "busy": self.busy, "last": self.last}
        content = {"tables": tables, "playing": self.playing, "rounds": self.rounds, **marks}
        return json.dumps(content, separators=(",", ":"))

    @classmethod
    def of(cls, text: bytes) -> Self:
        """The scene that was written.

        Raises:
            ValueError, KeyError, TypeError: It is none.
        """
        content = json.loads(text)
        tables = tuple(map(_table, content["tables"]))
        counts = int(content["playing"]), int(content["rounds"])
        return cls(tables, *counts, **{mark: content[mark] is True for mark in ("whole", "busy", "last")})


def _shape(table: LiveTable) -> dict[str, object]:
    return {field.name: _plain(getattr(table, field.name)) for field in fields(table)}


def _plain(value: object) -> object:
    if isinstance(value, bytes):
        return b64encode(value).decode()
    if isinstance(value, SceneEnd):
        return [value.ending, value.places, value.points, value.game_places]
    return value


def _table(content: dict[str, Any]) -> LiveTable:
    """The table that was written.

    Raises:
        ValueError, KeyError, TypeError: It is none.
    """
    lists = {name: _numbers(content[name]) for name in ("entrants", "scores")}
    columns = {name: b64decode(content[name], validate=True) for name in ("events", "counts", "row")}
    end = content["end"] and SceneEnd(int(content["end"][0]), *map(_numbers, content["end"][1:]))
    told = {name: int(content[name]) for name in _NUMBERS}
    if not len(columns["counts"]) == len(lists["entrants"]) > told["turn"] or len(columns["events"]) % EVENT_BYTES:
        raise ValueError(f"{content!r:.100} is no table")
    return LiveTable(**told, **lists, **columns, end=end or None)  # type: ignore[arg-type]  # as their names say


def _numbers(values: Sequence[object]) -> tuple[int, ...]:
    return tuple(int(value) for value in values)  # type: ignore[call-overload]


_NUMBERS: Final = (
    *("meeting", "game", "round", "first", "top", "color", "direction"),
    *("draw_pile", "discard_pile", "pending", "turn"),
)
