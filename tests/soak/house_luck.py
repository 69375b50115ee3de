"""What the house usually scores by seat: measured on deals of its own, and kept beside the weights that may use it.

`./dev soak house_luck` adds deals to `ladder/luck/house/<rules>-<seats>.json` until each has `--rounds` of them. It may
be broken off at any time, goes on where it was, and says the same in as many parts as one likes: each deal follows from
its number. A change of rules or of the house's bot begins anew.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from ladder.corrections import HOUSE_FOLDER
from ladder.house import ENOUGH_GAMES, HouseTable
from referee import formats
from referee.house_games import halves, house_game, house_name, rivals
from referee.local.arena import MATCH_ID
from referee.luck import correctable
from referee.match_spec import MatchSpec
from referee.rules.chance import play_seed
from tests.soak.luck import correction_name

SEED: Final = 1_000_003
"""Of all deals; nothing else in this house is dealt by it."""
KEPT_EVERY: Final = 200
"""Meetings between two writings of the file."""


def main(argv: list[str]) -> int:
    """Measure; returns 0, or 1 where the time was up before all were measured."""
    names = [name for name in formats.names() if correctable(formats.get(name).rules)]
    parser = argparse.ArgumentParser("./dev soak house_luck", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="FORMAT", choices=names, default=names)
    parser.add_argument("--rounds", type=int, default=ENOUGH_GAMES, help="house games that a table is made of")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="end before it is done")
    options = parser.parse_args(argv)
    until = time.monotonic() + options.seconds
    done = True
    for name in options.only:
        table = measured(name, options.rounds, until)
        done &= table.rounds >= options.rounds
        usual = "  ".join(f"{mu:.4f}" for mu in table.mu) if table.rounds else "the time was up before it began"
        print(f"{table.name:16} {table.rounds:8,} games  {usual}", flush=True)
    return 0 if done else 1


def measured(name: str, count: int, until: float) -> HouseTable:
    """Return the table of a format with `count` games at least, or as many as there was time for; the file has it."""
    chosen = formats.get(name)
    spec = MatchSpec(MATCH_ID, chosen, tuple(f"house-{n}@1" for n in range(chosen.seats)), 1, with_nonces=False)
    path = path_of(name)
    table = HouseTable(correction_name(name), chosen.rules.hash, house_name(), 0, (0,) * chosen.seats, rivals(spec))
    if path.exists():
        kept = HouseTable.of(path.read_text("utf-8"))
        table = kept if (kept.ruleset, kept.house) == (table.ruleset, table.house) else table
    while table.rounds < count and time.monotonic() < until:
        for _ in range(KEPT_EVERY):
            table = _further(spec, table)
        path.write_text(table.text(), "utf-8")
    return table


def path_of(name: str) -> Path:
    """Return where the table of a format is."""
    return Path(str(HOUSE_FOLDER)) / f"{correction_name(name)}.json"


def _further(spec: MatchSpec, table: HouseTable) -> HouseTable:
    """Return the table with the games of one more meeting."""
    seats = len(spec.entrants)
    meeting = table.rounds // seats
    dealt = replace(spec, first_meeting=meeting)
    sums = list(table.halves)
    for game in range(seats):
        scored = halves(dealt, house_game(dealt, play_seed(SEED), {}, game, meeting))
        for entrant, one in enumerate(scored):
            sums[dealt.seat_of(game, entrant)] += one
    return replace(table, rounds=table.rounds + seats, halves=tuple(sums))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
