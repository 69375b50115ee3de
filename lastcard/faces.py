"""Cards and colours: the bytes of the protocol, the text of a face, and what a face is worth.

A face is written colour then rank: `R5`, `GS` (Skip), `BV` (Reverse), `YD` (Draw Two); `W`, `W4`, Duo's `WC` and `WX`;
Spin's swirled `R3*`; DOS: `R10`, `R#` (any number) and `W2` (a two of any colour).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Final, Self


class Color(StrEnum):
    """A colour, equal to its letter."""

    RED = "R"
    YELLOW = "Y"
    GREEN = "G"
    BLUE = "B"

    @property
    def code(self) -> int:
        """The colour's byte, 1-4."""
        return COLOR_CODES[self]


COLOR_CODES: Final[dict[str, int]] = {color: code for code, color in enumerate(Color, 1)}
COLORS: Final[tuple[Color | None, ...]] = (None, *Color, *[None] * 251)  # by byte


class Card(str):
    """A face, equal to its text; cards of one face are interchangeable."""

    __slots__ = ("code", "color", "rank", "swirled", "wild")

    code: int  # the face's byte
    color: Color | None  # None for a wild of no colour and for a hidden card
    rank: str  # 0-10 S V D, W W4 WC WX, W2 and #; empty for a hidden card
    wild: bool  # the UNO family: its player names a colour; DOS: stands for more than one number or colour
    swirled: bool  # a Spin card

    def __new__(cls, text: str, code: int, color: Color | None, rank: str) -> Self:
        """Return a face; use `card()` or `CARDS` instead, which hold every face there is."""
        self = super().__new__(cls, text)
        self.code, self.color, self.rank = code, color, rank
        self.wild = rank.startswith("W") or rank == "#"
        self.swirled = text.endswith("*")
        return self

    @property
    def number(self) -> int | None:
        """The number on it, or None for an action, a wild and a hidden card."""
        return int(self.rank) if self.rank.isdigit() else None


def faces() -> Iterator[Card]:
    """Yield every face with its byte."""
    for color in Color:
        first = 1 + 13 * (color.code - 1)
        for code, rank in enumerate("0123456789SVD", first):
            yield Card(color + rank, code, color, rank)
        for number in range(1, 6):
            yield Card(f"{color}{number}*", 56 + 5 * (color.code - 1) + number, color, str(number))
        for face, rank in enumerate(DOS_RANKS):
            yield Card(color + rank, 80 + 4 * face + color.code, color, rank)
        yield Card(f"{color}#", 117 + color.code, color, "#")
    for code, rank in WILDS.items():
        yield Card(rank, code, None, rank)


DOS_RANKS: Final = ("1", "3", "4", "5", "6", "7", "8", "9", "10")
WILDS: Final[dict[int, str]] = {53: "W", 54: "WC", 55: "WX", 56: "W4", 117: "W2"}
FACES: Final[dict[int, Card]] = {face.code: face for face in sorted(faces(), key=lambda face: face.code)}
CARDS: Final[tuple[Card, ...]] = tuple(FACES.get(code) or Card("?", code, None, "") for code in range(256))  # by byte
HIDDEN: Final[Card] = CARDS[0]
FIRST_DOS: Final = 81
UNO_CODES: Final[dict[str, int]] = {face: code for code, face in FACES.items() if code < FIRST_DOS}
DOS_CODES: Final[dict[str, int]] = {face: code for code, face in FACES.items() if code >= FIRST_DOS}


def card(text: str, *, dos: bool = False) -> Card:
    """Return the face that `text` names; UNO, Spin and Duo share one set of bytes, DOS has its own.

    Raises:
        KeyError: no face of that family is written so.

    """
    return CARDS[(DOS_CODES if dos else UNO_CODES)[text]]


def cards(codes: Iterable[int]) -> tuple[Card, ...]:
    """Return the faces of a card column."""
    return tuple(map(CARDS.__getitem__, codes))


def worth(face: Card, action: int, wild: int, wild_draw_four: int) -> int:
    """Return the value of a face left in hand, given what actions and the UNO family's wilds count."""
    specials = {"W2": 20, "#": 40, "W4": wild_draw_four, **dict.fromkeys("SVD", action)}
    return specials.get(face.rank, wild if face.wild else face.number or 0)


POINTS: Final = tuple(worth(face, 20, 50, 50) for face in CARDS)  # UNO, Spin and DOS, by byte
DUO_POINTS: Final = tuple(worth(face, 10, 15, 20) for face in CARDS)


def points_of_format(name: str) -> tuple[int, ...]:
    """Return what each face is worth in the built-in format `name`, by byte."""
    return DUO_POINTS if name.startswith("duo") else POINTS
