"""One against the field: entrant 0 sits at every table, the others take turns."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from workers.schedule.differences import first_leg

__all__ = ["Gauntlet"]


@dataclass(frozen=True, slots=True)
class Gauntlet:
    """Entrant 0 meets each of the others as often as any other, one table after the other.

    With more than two seats the others sit on a circle, and the seats that they take turn by one place each leg.
    """

    entrants: int
    seats: int = 2

    @property
    def legs(self) -> int:
        """Legs of a cycle: one for each of the others, or one where all fit at the table."""
        return 1 if self.entrants == self.seats else self.entrants - 1

    @property
    def tables(self) -> int:
        """One."""
        return 1

    def least_tables(self) -> int:
        """Return the tables of a cycle that everybody but entrant 0 sits at."""
        return 1 if self.entrants == self.seats else self.seats - 1

    def at(self, leg: int, table: int) -> tuple[int, ...]:
        """Return entrant 0 and its opponents of that leg; each place leads in turn."""
        if not (0 <= leg < self.legs and table == 0):
            found = f"a gauntlet of {self.entrants} has {self.legs} legs of one"
            raise IndexError(f"table {table} of leg {leg}: {found}")
        circle = self.entrants - 1
        sitting = (0, *(1 + (place + leg) % circle for place in _places(circle, self.seats - 1)))
        first = -leg % self.seats
        return sitting[first:] + sitting[:first]


@cache
def _places(circle: int, seats: int) -> tuple[int, ...]:
    """Return places on a circle whose differences are all about equally frequent."""
    return (0,) if seats == 1 else first_leg(circle, [seats]).tables[0]
