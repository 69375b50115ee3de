"""How many of the ready matches a referee looks at: few as a rule, more while none of those can begin."""

from collections.abc import Container, Sequence
from typing import Final

FEW: Final = 64
MOST: Final = 4_096


class Window:
    """The longest waiting come first; behind those that have to wait on, others may be ready to begin.

    Attributes:
        size: how many to look at next time.
    """

    __slots__ = ("size",)

    def __init__(self) -> None:
        self.size = FEW

    def looked(self, seen: Sequence[str], begun: Container[str]) -> None:
        """Note what a look has seen, and which of that has begun here."""
        last = max((place for place, match in enumerate(seen) if match in begun), default=-1)
        if last < 0 and len(seen) == self.size:
            self.size = min(2 * self.size, MOST)
        elif last < FEW:
            self.size = FEW
