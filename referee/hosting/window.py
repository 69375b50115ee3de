"""How many of the ready matches a referee looks at: few as a rule, more while none of those can begin."""

from collections.abc import Container, Iterable, Sequence
from typing import Final

from ladder.store.rows import MatchRow

FEW: Final = 64
MOST: Final = 4_096


class Window:
    """The longest waiting come first; behind those that have to wait on, others may be ready to begin.

    Attributes:
        size: how many to look at next time.
        rows: of matches that are looked at; whatever waits no more is read anew when it waits again.
    """

    __slots__ = ("rows", "size")

    def __init__(self) -> None:
        self.size = FEW
        self.rows: dict[str, MatchRow] = {}

    def unread(self, seen: Sequence[str]) -> list[str]:
        """Forget the rows of all other matches; return those of these whose rows are not known yet."""
        self.rows = {match: self.rows[match] for match in seen if match in self.rows}
        return [match for match in seen if match not in self.rows]

    def read(self, rows: Iterable[MatchRow]) -> None:
        """Note these rows."""
        self.rows.update({row.id: row for row in rows})

    def looked(self, seen: Sequence[str], begun: Container[str]) -> None:
        """Note what a look has seen, and which of that has begun here."""
        last = max((place for place, match in enumerate(seen) if match in begun), default=-1)
        if last < 0 and len(seen) == self.size:
            self.size = min(2 * self.size, MOST)
        elif last < FEW:
            self.size = FEW
