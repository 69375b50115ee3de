"""What pages and API cannot know by themselves, since it takes the rules of the games: told by whoever runs them."""

from collections.abc import Callable
from dataclasses import dataclass

from ladder.shapes import Shape
from ladder.store.tournaments import TournamentRow
from ladder.tables import Table
from ladder.web.records import RecordsOf
from ladder.web.times import TimesOf

Reckoned = Callable[[TournamentRow, Table], Shape]
"""Tells of a tournament, with its table, what follows from rules and schedule: by field of its JSON."""


@dataclass(frozen=True, slots=True)
class Told:
    """Who tells what; what nobody tells is not offered."""

    records_of: RecordsOf | None = None
    """Records of the games of a match."""
    times_of: TimesOf | None = None
    """What became of the time of decisions."""
    reckoned: Reckoned | None = None
    """Further fields of a tournament."""


NOTHING = Told()
