"""`lastcard game watch`: a match, move by move, while it is played."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from lastcard.console import counted, print_json
from lastcard.errors import ExitCode

if TYPE_CHECKING:
    from ladder.readings.watcher import Glimpse
    from ladder.store.live import LiveTable


@click.command()
@click.argument("match")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, a line whenever something happens.")
def watch(match: str, *, as_json: bool) -> int:
    """Follow MATCH while it is played: every move that all seats see, to its end.

    MATCH is an id like spring.1.1.0, tournament.leg.table.part; `lastcard bot log NAME` and the tournament's page list
    them.

    Asks the ladder. A match that does not count in the end is exit code 1.
    """
    from ladder.client import LadderClient
    from ladder.errors import NotReachableError
    from ladder.rpc.dial import Dial
    from ladder.shapes import glimpse
    from ladder.store.rows import LOST

    seen: Glimpse | None = None
    lines = Lines()
    with Dial.of(reads=True) as dial:
        for seen in LadderClient(dial).watch(match):
            if as_json:
                print_json(glimpse(seen))
            else:
                sys.stdout.write("".join(f"{line}\n" for line in lines.of(seen)))
                sys.stdout.flush()
    if seen is None:
        raise NotReachableError("GOING_AWAY", "the ladder stopped while it was asked")
    return ExitCode.NEGATIVE if seen.match.state in LOST else ExitCode.DONE


class Lines:
    """What is said of a match, line by line."""

    def __init__(self) -> None:
        self._state = ""
        self._live = ""
        self._next: dict[tuple[int, int, int], int] = {}

    def of(self, seen: Glimpse) -> Iterator[str]:
        """Yield what is new."""
        from ladder.commentary import STATES

        match = seen.match
        if match.outcome != self._state:
            self._state = match.outcome
            why = f": {match.reason}" if match.reason else ""
            yield f"{match.id} ({match.format}, {' against '.join(match.entrants)}) is {match.outcome}{why}"
        for table in seen.tables:
            yield from self._table(table, match.entrants)
        if seen.skipped:
            yield f"{counted(seen.skipped, 'round')} went by too fast to be shown"
        if seen.live != self._live:
            self._live = seen.live
            yield from [STATES[seen.live]] if seen.live in STATES else []
        if seen.live == "over" and match.wins:
            won = (f"{bot} {wins}" for bot, wins in zip(match.entrants, match.wins, strict=True))
            yield f"games won: {', '.join(won)}"

    def _table(self, table: LiveTable, entrants: tuple[str, ...]) -> Iterator[str]:
        from ladder.commentary import ending, label, names
        from ladder.shapes import events_of
        from lastcard.story import plain, story

        name, key = label(table), (*table.key, table.round)
        if table.first > self._next.get(key, 0):
            yield f"{name}: … what happened before was not kept"
        for sentence in story(events_of(table), names(table, entrants)):
            yield f"{name}: {plain(sentence)}"
        self._next[key] = table.next
        if table.end is not None:
            del self._next[key]
            yield f"{name}: {ending(table, entrants)}"
