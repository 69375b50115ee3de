"""What is left to be played of a tournament: of its schedule, and of the matches that are open."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable

from ladder.store.rows import UNPLAYED, MatchRow, MatchState
from workers.schedule.schedule import Fixture, Schedule, split
from workers.schedule.window import Cursor
from workers.tournaments.outlook import Left

__all__ = ["remaining"]


def remaining(schedule: Schedule, cursor: Cursor, opened: Iterable[MatchRow], fresh: Iterable[Fixture]) -> Left:
    """Return the games that are left, of all and by entrant.

    Args:
        schedule: All matches.
        cursor: How far they are created.
        opened: Matches that are created and not over.
        fresh: Those that were created only now.
    """
    games, left, begun = schedule.games - schedule.games_before(cursor.next), Tally[str](), Tally[str]()
    for bot, share in zip(schedule.entrants, schedule.shares, strict=True):
        left[bot] = round(games * share)
    gaps = (schedule[index] for index in cursor.gaps)
    matches = [(one.entrants, one.meetings * len(one.entrants)) for one in (*gaps, *fresh)]
    for row in opened:
        if row.state in UNPLAYED:
            matches.append((row.entrants, row.meetings * len(row.entrants) - row.games_done))
            if row.state is MatchState.RUNNING:
                begun.update(dict.fromkeys(*matches[-1]))
        else:
            games += row.meetings * len(row.entrants)
    for entrants, more in matches:
        games += more
        left.update(dict.fromkeys(entrants, more))
    by_bot, under_way = (tuple(count[bot] for bot in schedule.entrants) for count in (left, begun))
    return Left(games, by_bot, under_way, schedule.seats * split(schedule.meetings)[0])
