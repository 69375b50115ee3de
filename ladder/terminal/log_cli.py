"""`lastcard bot log`: what became of a bot's matches."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

import click

from lastcard.console import print_json

if TYPE_CHECKING:
    from ladder.client import LadderClient
    from ladder.readings.summaries import Summary

LOOKED: Final = 100_000
"""Of the newest so many matches faults are looked for."""


@click.command("log")
@click.argument("name")
@click.option("--limit", type=click.IntRange(1, LOOKED), default=50, show_default=True, help="The newest so many.")
@click.option("--faults", is_flag=True, help="Only matches in which it was late, wrong or away, or without a result.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def log(name: str, *, limit: int, faults: bool, as_json: bool) -> None:
    """List the matches of bot NAME, the last created first: against whom, how they ended, and its faults.

    Matches that are played at once may end in another order.

    With --faults the newest 100,000 are looked through for so many; a match that was void before it began, or because
    its tournament was cancelled, is none.
    """
    from ladder.client import LadderClient
    from ladder.names import checked
    from ladder.rpc.dial import Dial
    from ladder.shapes import summary
    from ladder.terminal.screen import say, show_matches
    from lastcard.names import BOT

    checked(BOT, name, "name")
    with Dial.of(reads=True) as dial:
        client = LadderClient(dial)
        client.bot(name)  # an unknown name is an error, not an empty list
        matches = list(islice(_wrong(client, name), limit) if faults else client.matches(name, limit))
    if as_json:
        print_json({"matches": [summary(match) for match in matches]})
    elif matches:
        show_matches(name, matches)
    else:
        say(f"{name} has no such match" if faults else f"{name} has played no match yet")


def _wrong(client: LadderClient, name: str) -> Iterator[Summary]:
    """Yield the matches that went wrong for a bot, newest first; how far it has looked is shown on a terminal."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("looked through"), MofNCompleteColumn(), TextColumn("matches"))
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not sys.stderr.isatty(), transient=True) as progress:
        task = progress.add_task("matches", total=LOOKED)
        for match in client.matches(name, LOOKED):
            progress.advance(task)
            if match.went_wrong(name):
                yield match
