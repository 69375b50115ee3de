"""`lastcard top`: the whole system at a glance, as the ledger has it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from lastcard.console import print_json

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ladder.readings.census import Census
    from ladder.store.store import Store
    from ladder.store.tournaments import TournamentRow


@dataclass(frozen=True, slots=True)
class Look:
    """What one look into the ledger found."""

    at_s: float
    census: Census
    referees: dict[str, dict[str, Any]]
    """By incarnation: what its beat says."""
    tournaments: tuple[TournamentRow, ...]
    """Those that are not over, oldest first."""


@click.command()
@click.option("--every", type=click.FloatRange(0.2, 60), default=2.0, show_default=True, help="Seconds between looks.")
@click.option("--once", is_flag=True, help="Look once and end.")
@click.option("--json", "as_json", is_flag=True, help="Print one look as JSON.")
def top(*, every: float, once: bool, as_json: bool) -> None:
    """Watch the whole system: referees, queues and tournaments, until Ctrl-C. It asks the ledger alone."""
    from rich.console import Console
    from rich.live import Live

    from ladder.terminal.operator import opened_store

    with opened_store() as store:
        found = look(store)
        if as_json:
            print_json(shape(found))
            return
        console = Console(highlight=False)
        if once or not console.is_terminal:
            console.print(shown(found, None))
            return
        with Live(shown(found, None), console=console, screen=True, auto_refresh=False) as live:
            while True:
                time.sleep(every)
                before, found = found, look(store)
                live.update(shown(found, before), refresh=True)


def look(store: Store) -> Look:
    """Look into the ledger."""
    from ladder.readings.census import take

    return Look(
        at_s=time.monotonic(),
        census=take(store, time.time_ns() // 1_000_000),
        referees=store.matches.referees(),
        tournaments=tuple(store.tournaments.alive()),
    )


def shape(found: Look) -> dict[str, Any]:
    """Return a look as JSON has it."""
    census = found.census
    return {
        "matches": dict(census.matches),
        "ready": {"count": census.ready, "oldest_s": round(census.ready_oldest_s, 3)},
        "due": {"count": census.due, "oldest_s": round(census.due_oldest_s, 3)},
        "bots": {"registered": census.bots, "online": census.online},
        "referees": [{"incarnation": me, **beat} for me, beat in sorted(found.referees.items())],
        "tournaments": [
            {
                "name": row.name, "state": row.state, "matches": row.matches, "done": row.done, "lost": row.lost,
                "parked": row.parked, "replayed": row.again, "games_done": row.games_done,
            }
            for row in found.tournaments
        ],
    }  # fmt: skip


def shown(found: Look, before: Look | None) -> RenderableType:
    """Return a look for a terminal, with what changed since the one before."""
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    census = found.census
    states = ", ".join(f"{count} {state}" for state, count in census.matches.items() if count) or "none yet"
    speed = _per_s(found, before)
    lines = [
        Text(f"matches   {states}"),
        Text(f"queue     {census.ready} ready (oldest {census.ready_oldest_s:.0f} s), "
             f"{census.due} to be rated (oldest {census.due_oldest_s:.1f} s)"),
        Text(f"bots      {census.online} of {census.bots} online"),
        *([Text(f"speed     {speed:.0f} games/s")] if speed is not None else []),
    ]  # fmt: skip
    referees = Table("referee", "bots dial", "rounds", "room", "matches", "state", box=box.SIMPLE_HEAD, pad_edge=False)
    for me, beat in sorted(found.referees.items()):
        strained = ", ".join(beat.get("strained", ()))
        strain = f"{'stands still' if beat.get('halted') else 'no new matches'}: {strained}"
        state = "draining" if beat.get("draining") else strain if strained else "plays"
        columns = (me, *(beat.get(word, "-") for word in ("play", "rounds", "capacity", "matches")), state)
        referees.add_row(*(Text(str(one)) for one in columns))  # `[fd00::7]:7410` is no markup
    tournaments = Table("tournament", "state", "matches", "lost", "games", box=box.SIMPLE_HEAD, pad_edge=False)
    for row in found.tournaments:
        total = str(row.matches or "?")
        lost = max(row.lost - row.again, 0)
        columns = (row.name, row.state, f"{row.done + lost}/{total}", lost, row.games_done)
        tournaments.add_row(*(Text(str(one)) for one in columns))
    return Group(
        *lines,
        referees if found.referees else Text("\nno referee is alive: start one with `lastcard serve referee`"),
        tournaments if found.tournaments else Text("no tournament is under way"),
    )


def _per_s(found: Look, before: Look | None) -> float | None:
    """Return games a second between two looks, as far as tournaments count them."""
    if before is None or found.at_s <= before.at_s:
        return None
    earlier = {row.name: row.games_done for row in before.tournaments}
    more = sum(row.games_done - earlier[row.name] for row in found.tournaments if row.name in earlier)
    return max(0, more) / (found.at_s - before.at_s)
