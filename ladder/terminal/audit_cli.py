"""`lastcard audit list`: what operators and organisers did, who, when and why."""

from __future__ import annotations

import click

from lastcard.console import print_json


@click.command("list")
@click.option("--limit", type=click.IntRange(1, 100_000), default=100, show_default=True, help="The last so many.")
@click.option("--target", default="", help="Only what was done to this match (or in its place), tournament or bot.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_deeds(limit: int, target: str, *, as_json: bool) -> None:
    """List the verbs of operators and organisers, newest first."""
    from ladder.reasons import told
    from ladder.shapes import deed
    from ladder.terminal.operator import opened_store
    from ladder.terminal.screen import say, show_table, when

    with opened_store() as store:
        found = store.audit.tail(limit, target)
    if as_json:
        print_json({"audit": [deed(one) for one in found]})
    elif found:
        rows = ((when(one.at_ms), told(one.who), one.verb, one.target, told(one.reason)) for one in found)
        show_table(("when", "who", "verb", "target", "reason"), rows)
    else:
        say(
            "nothing has been done yet"
            if not target
            else f"the audit has nothing on {target!r}; `lastcard audit list` shows all"
        )
