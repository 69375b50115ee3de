"""The tables of a match that is being played, as a page draws them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ladder.commentary import STATES, ending, label, names
from ladder.readings.watcher import Glimpse
from ladder.shapes import events_of
from ladder.store.live import LiveTable
from lastcard.faces import CARDS, COLORS, Card, Color, cards
from lastcard.story import story

LAST: Final = 8
"""Things that happened last, of a table."""
RESULTS: Final = 6
"""Rounds that are over, the newest first."""
SIGNS: Final = {"S": "⊘", "V": "⇄", "D": "+2", "W4": "+4"}
NAMES: Final = {
    "S": "Skip",
    "V": "Reverse",
    "D": "Draw Two",
    "#": "any number",
    "W": "Wild",
    "W4": "Wild Draw Four",
    "W2": "Wild DOS",
    "WC": "Wild Customizable",
    "WX": "Wild Shuffle Hands",
}


@dataclass(frozen=True, slots=True)
class Face:
    """A card or a colour as a page draws it."""

    sign: str
    name: str
    color: str
    """Its class."""


@dataclass(frozen=True, slots=True)
class Place:
    """A seat."""

    bot: str
    cards: int
    score: int
    turn: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table."""

    label: str
    seats: tuple[Place, ...]
    top: Face | None
    color: Face | None
    clockwise: bool
    draw_pile: int
    discard_pile: int
    pending: int
    row: tuple[Face, ...]
    last: tuple[tuple[str | Face, ...], ...]
    """What happened, the newest first."""


@dataclass(frozen=True, slots=True)
class Stage:
    """All of a match that a page draws while it is played."""

    state: str
    """Why there is nothing to be drawn; empty where there is."""
    playing: int
    tables: tuple[Drawn, ...]
    ended: tuple[str, ...]
    """Rounds that are over, the newest first."""


def stage(seen: Glimpse) -> Stage:
    """Return what a page draws of everything that is to be seen."""
    entrants = seen.match.entrants
    tables = tuple(_drawn(table, entrants) for table in seen.tables if table.end is None)
    ended = tuple(f"{label(table)}: {ending(table, entrants)}" for table in seen.tables if table.end is not None)
    return Stage(STATES.get(seen.live, ""), seen.playing, tables, ended[::-1][:RESULTS])


def _drawn(table: LiveTable, entrants: Sequence[str]) -> Drawn:
    bots = names(table, entrants)
    seats = tuple(
        Place(name, table.counts[seat], table.scores[seat], seat == table.turn) for seat, name in enumerate(bots)
    )
    told = [tuple(map(_part, sentence)) for sentence in story(events_of(table), bots)]
    color = COLORS[table.color]
    return Drawn(
        label=label(table),
        seats=seats,
        top=_face(CARDS[table.top]) if table.top else None,
        color=_color(color) if color else None,
        clockwise=table.direction == 1,
        draw_pile=table.draw_pile,
        discard_pile=table.discard_pile,
        pending=table.pending,
        row=tuple(map(_face, cards(table.row))),
        last=tuple(told[::-1][:LAST]),
    )


def _part(part: str) -> str | Face:
    if isinstance(part, Card):
        return _face(part)
    return _color(part) if isinstance(part, Color) else part


def _face(card: Card) -> Face:
    sign = SIGNS.get(card.rank, card.rank or "?") + ("*" if card.swirled else "")
    name = NAMES.get(card.rank, card.rank or "a hidden card")
    color = card.color.name.lower() if card.color else "wild"
    return Face(sign, f"{color.capitalize()} {name}" if card.color else name, color)


def _color(color: Color) -> Face:
    name = color.name.lower()
    return Face(name, name, name)
