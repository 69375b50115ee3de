"""What a person types: numbers of options, `!` for the call, a colour, or a question."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from lastcard.faces import Color

LEAVE: Final = frozenset({"q", "quit", "exit"})
_QUESTION: Final = re.compile(r"\?\s*(\d{0,3})")
_COLORS: Final[dict[str, Color]] = {color.lower(): color for color in Color}


class NotUnderstoodError(Exception):
    """A line that means nothing; the sentence says what does."""


@dataclass(frozen=True, slots=True)
class Question:
    """Asks for an explanation: of an option by its number, or of the question itself."""

    number: int | None


@dataclass(frozen=True, slots=True)
class Picks:
    """Options by number from 1, whether to call, and the colour for a wild that ends a list."""

    numbers: tuple[int, ...]
    call: bool
    color: Color | None


class Leave:
    """Wants to go."""


def read(text: str) -> Question | Picks | Leave:
    """Return what a line means.

    Raises:
        NotUnderstoodError: it means nothing.
    """
    words = text.strip().lower()
    if words in LEAVE:
        return Leave()
    asked = _QUESTION.fullmatch(words)
    if asked:
        return Question(int(asked[1]) if asked[1] else None)
    call = "!" in words
    parts = re.split(r"[\s,;]+", words.replace("!", " ").strip())
    color = _COLORS.get(parts[-1])
    numbers = [part for part in (parts[:-1] if color else parts) if part]
    if not all(part.isascii() and part.isdigit() and len(part) < 4 for part in numbers):
        raise NotUnderstoodError(f"{text.strip()!r} is no list of numbers: type the number of an option, or ? for help")
    return Picks(tuple(map(int, numbers)), call, color)
