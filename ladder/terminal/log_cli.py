"""`lastcard bot log`: what became of a bot's matches."""

from __future__ import annotations

import click

from lastcard.console import print_json


@click.command("log")
@click.argument("name")
@click.option("--limit", type=click.IntRange(1, 100_000), default=50, show_default=True, help="The newest so many.")
@click.option("--faults", is_flag=True, help="Only matches in which it was late, wrong or away, or without a result.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def log(name: str, *, limit: int, faults: bool, as_json: bool) -> None:
    """List the matches of bot NAME, newest first: against whom, how they ended, and its faults."""
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
        matches = [match for match in client.matches(name, limit) if not faults or match.went_wrong(name)]
    if as_json:
        print_json({"matches": [summary(match) for match in matches]})
    elif matches:
        show_matches(name, matches)
    else:
        say(f"{name} has no such match" if faults else f"{name} has played no match yet")
