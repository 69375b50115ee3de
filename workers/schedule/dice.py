"""Chance that everybody can repeat: SplitMix64 (Steele, Lea and Flood 2014), begun from a text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Final, TypeVar

__all__ = ["Dice"]

Item = TypeVar("Item")
_WORD: Final = 2**64 - 1
_STEP: Final = 0x9E3779B97F4A7C15


class Dice:
    """The same text throws the same numbers, on every machine and in every version."""

    __slots__ = ("_state",)

    def __init__(self, text: str) -> None:
        self._state = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        self._state = word = (self._state + _STEP) & _WORD
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _WORD
        return ((word ^ (word >> 31)) * n) >> 64

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """Return the items in a new order, each order as likely as any other."""
        found = list(items)
        for last in range(len(found) - 1, 0, -1):
            other = self.below(last + 1)
            found[last], found[other] = found[other], found[last]
        return found
