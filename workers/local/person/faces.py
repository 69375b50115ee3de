"""Cards, colours and names as people read them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from rich.text import Text

from lastcard.faces import Card, Color

STYLES: Final[dict[Color | None, str]] = {
    Color.RED: "bold red",
    Color.YELLOW: "bold yellow",
    Color.GREEN: "bold green",
    Color.BLUE: "bold blue",
    None: "bold",
}
NAMES: Final[dict[Color, str]] = {Color.RED: "red", Color.YELLOW: "yellow", Color.GREEN: "green", Color.BLUE: "blue"}
RANKS: Final = ("0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "#", "S", "V", "D", "W2", "W", "WC", "WX", "W4")


def card(face: Card) -> Text:
    """Return a face in its colour."""
    return Text(face, STYLES[face.color])


def color(named: Color) -> Text:
    """Return the name of a colour, in it."""
    return Text(NAMES[named], STYLES[named])


def row(faces: Iterable[Card]) -> Text:
    """Return faces with spaces between."""
    return Text(" ").join(map(card, faces))


def sorted_hand(faces: Iterable[Card]) -> list[Card]:
    """Return a hand by colour, then by rank; wilds last."""
    colors = [*Color, None]
    return sorted(faces, key=lambda face: (colors.index(face.color), RANKS.index(face.rank), face))


def told(sentence: Iterable[str]) -> Text:
    """Return a sentence of a story, its cards and colours in their own."""
    return Text.assemble(*map(_part, sentence))


def _part(part: str) -> str | Text:
    if isinstance(part, Card):
        return card(part)
    return color(part) if isinstance(part, Color) else part


def line(*parts: str | Text) -> Text:
    """Return parts one behind the other."""
    return Text.assemble(*parts)


def players(seat: int, entrants: Sequence[str], seats: int) -> list[str]:
    """Return what each seat is called: by its bot, the person's own is `you`."""
    names = entrants if len(entrants) == seats else [f"seat {number}" for number in range(seats)]
    return ["you" if number == seat else name for number, name in enumerate(names)]
