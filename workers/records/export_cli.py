"""`lastcard export`: everything about a tournament that is public, as files."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from lastcard.console import counted, print_json
from lastcard.environment import switch
from lastcard.errors import InputError

if TYPE_CHECKING:
    from ladder.readings.reads import Reads

TABLE: Final = "tournament.json"
STANDINGS: Final = "standings.csv"
PAIRS: Final = "pairs.csv"
MATCHES: Final = "matches.jsonl"
RECORDS: Final = "records.jsonl"
HOLDS: Final = {
    TABLE: ("tournament", "tournaments"),
    STANDINGS: ("bot", "bots"),
    PAIRS: ("pair", "pairs"),
    MATCHES: ("match", "matches"),
    RECORDS: ("game", "games"),
}
"""What is counted in each file."""


@click.command()
@click.argument("tournament")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--no-records", is_flag=True, help="Leave out the records of the games, by far the largest part.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def export(tournament: str, folder: Path, *, no_records: bool, as_json: bool) -> None:
    """Write all that is public of TOURNAMENT into FOLDER, which must be new or empty.

    That is the table as JSON and CSV, every pair, every match with its result, and the records of all games, which
    `lastcard game verify` checks. Matches that are not over are listed without a result. Reads the store that
    LASTCARD_REDIS_URL names: operators only.
    """
    from ladder import shapes
    from ladder.readings.reads import Reads
    from ladder.terminal.operator import opened_store
    from workers.engine import deals_of, teams_of
    from workers.tournaments.reckoned import reckoner

    with _writing(folder):
        _require_empty(folder)
    written: dict[str, int] = {}
    with opened_store() as store:
        reads = Reads.of(store, teams_of, deals_of=deals_of)
        fixture = reads.fixtures.get(tournament)
        found = reads.fixtures.table(fixture)
        if not (found.known or no_records):
            sentence = f"{fixture.format} is no format here any more, and no game can be read without its rules"
            further = "put it back into the file of formats, or give --no-records, which exports the rest"
            raise InputError("UNKNOWN_FORMAT", f"{sentence}: {further}", field="format", value=fixture.format)
        reckoned = reckoner(store, luck=switch(os.environ, "LASTCARD_LUCK", default=True))(fixture.row, found)
        whole = shapes.fixture(fixture) | reckoned | shapes.of_table(found)
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            (folder / TABLE).write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")
            (folder / STANDINGS).write_text(shapes.standings_csv(found), "utf-8", newline="")
            (folder / PAIRS).write_text(shapes.pairs_csv(found), "utf-8", newline="")
            written |= {TABLE: 1, STANDINGS: len(found.standings), PAIRS: len(found.pairs)}
            written |= _write_matches(reads, tournament, folder, with_records=not no_records)
    if as_json:
        print_json({"tournament": tournament, "folder": str(folder), "files": written})
    else:
        for name, count in written.items():
            click.echo(f"{folder / name}: {counted(count, *HOLDS[name])}")


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """Say of a folder that cannot be made, looked into or written to that it cannot."""
    from ladder.store.errors import StoreError

    try:
        yield
    except StoreError:  # one that does not answer is an OSError, too
        raise
    except OSError as error:
        message = f"{folder} cannot be written to: {error.strerror}; name another folder"
        raise InputError("NOT_WRITABLE", message, field="folder", value=str(folder)) from error


def _require_empty(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        sentence = f"{folder} is not empty; name a new folder, so that nothing of another export stays in it"
        raise InputError("NOT_EMPTY", sentence, field="folder", value=str(folder))


def _write_matches(reads: Reads, tournament: str, folder: Path, *, with_records: bool) -> dict[str, int]:
    """Write matches and their records; returns how many of them by file."""
    from rich.console import Console
    from rich.progress import Progress

    from ladder import shapes
    from workers.records.closed_match import REVEALED

    counts = {MATCHES: 0} | ({RECORDS: 0} if with_records else {})
    console = Console(stderr=True)
    total = reads.fixtures.get(tournament).row.matches or None
    with (
        (folder / MATCHES).open("w", encoding="utf-8") as matches,
        (folder / (RECORDS if with_records else MATCHES)).open("a", encoding="utf-8") as records,
        Progress(console=console, disable=not sys.stderr.isatty()) as progress,
    ):
        task = progress.add_task("matches", total=total)
        for row in reads.store.matches.every(tournament):
            matches.write(json.dumps(shapes.summary(reads.summaries.of(row)), ensure_ascii=False) + "\n")
            counts[MATCHES] += 1
            if with_records and row.state in REVEALED and not row.sealed:
                text = _records(reads, row.id)
                records.write(text)
                counts[RECORDS] += text.count("\n")
            progress.advance(task)
    return counts


def _records(reads: Reads, match: str) -> str:
    """Return the records of a match as lines; none where nothing was dealt."""
    from ladder.errors import WrongStateError
    from workers.records.closed_match import record_lines

    try:
        return record_lines(reads.store, match)
    except WrongStateError as error:
        if error.reason == "NOTHING_DEALT":
            return ""
        raise
