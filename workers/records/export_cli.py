"""`lastcard export`: everything about a tournament that is public, as files."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import click

from lastcard.console import counted, print_json
from lastcard.environment import switch
from lastcard.errors import InputError

if TYPE_CHECKING:
    from ladder.readings.reads import Reads
    from ladder.store.tournaments import TournamentRow

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
PART: Final = ".part"
"""How the name of each file ends until all of them are whole."""


@click.command()
@click.argument("tournament")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--no-records", is_flag=True, help="Leave out the records of the games, by far the largest part.")
@click.option("--json", "as_json", is_flag=True, help="Print what was written as JSON.")
def export(tournament: str, folder: Path, *, no_records: bool, as_json: bool) -> None:
    """Write all that is public of TOURNAMENT into FOLDER, which must be new or empty.

    That is the table as JSON and CSV, every pair, every match with its result, and the records of all games, which
    `lastcard game verify` checks. Matches that are not over are listed without a result. Until all is written the
    names of the files end in .part; a folder that has nothing but such files may be named again. Reads the store that
    LASTCARD_REDIS_URL names: operators only.
    """
    from ladder import shapes
    from ladder.readings.reads import Reads
    from ladder.terminal.operator import opened_store
    from lastcard.ending import terminable
    from workers.engine import deals_of, teams_of
    from workers.tournaments.reckoned import reckoner

    with _writing(folder):
        _require_free(folder)
    written: dict[str, int] = {}
    with terminable(), opened_store() as store:
        reads = Reads.of(store, teams_of, deals_of=deals_of)
        fixture = reads.fixtures.get(tournament)
        found = reads.fixtures.table(fixture)
        if not (found.known or no_records):
            sentence = f"{fixture.format} is no format here any more, and no game can be read without its rules"
            further = "put it back into the file of formats, or give --no-records, which exports the rest"
            raise InputError("UNKNOWN_FORMAT", f"{sentence}: {further}", field="format", value=fixture.format)
        reckoned = reckoner(store, luck=switch(os.environ, "LASTCARD_LUCK", default=True))(fixture.row, found)
        whole = shapes.fixture(fixture) | reckoned | shapes.of_table(found)
        counts = {TABLE: 1, STANDINGS: len(found.standings), PAIRS: len(found.pairs), MATCHES: 0}
        written |= counts if no_records else counts | {RECORDS: 0}
        try:
            with _writing(folder), _parts(folder) as table:
                table.write(json.dumps(whole, indent=1, ensure_ascii=False) + "\n")
                _part(folder, STANDINGS).write_text(shapes.standings_csv(found), "utf-8", newline="")
                _part(folder, PAIRS).write_text(shapes.pairs_csv(found), "utf-8", newline="")
                _write_matches(reads, fixture.row, folder, written, quiet=as_json)
        except KeyboardInterrupt:
            flags = [*(["--no-records"] if no_records else []), *(["--json"] if as_json else [])]
            again = shlex.join(["lastcard", "export", tournament, str(folder), *flags])
            after = f"broken off after {written[MATCHES]} of {counted(fixture.row.matches, 'match', 'matches')}"
            rest = f"the files in {folder} that end in {PART} are not whole; `{again}` begins anew"
            sys.stderr.write(f"lastcard: {after}; {rest}\n")
            raise
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


def _part(folder: Path, name: str) -> Path:
    return folder / f"{name}{PART}"


@contextmanager
def _parts(folder: Path) -> Iterator[TextIO]:
    """Have every file in its place once all are whole; yields that of the table, by which other exports are kept out.

    Raises:
        InputError: another one writes here, or has written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with _part(folder, TABLE).open("a", encoding="utf-8") as table:
        try:
            fcntl.flock(table, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sentence = f"another export is writing into {folder}; name another folder, or wait for it"
            raise InputError("FOLDER_IN_USE", sentence, field="folder", value=str(folder)) from None
        _require_free(folder)
        table.truncate(0)
        for name in HOLDS.keys() - {TABLE}:
            _part(folder, name).unlink(missing_ok=True)
        yield table
        table.flush()
        for name in reversed(HOLDS):
            if (part := _part(folder, name)).exists():
                part.replace(folder / name)


def _require_free(folder: Path) -> None:
    """Check that nothing is in a folder but what an export that was broken off has left."""
    left = {_part(folder, name) for name in HOLDS}
    if folder.exists() and not left.issuperset(folder.iterdir()):
        sentence = f"{folder} is not empty; name a new folder, so that nothing of another export stays in it"
        raise InputError("NOT_EMPTY", sentence, field="folder", value=str(folder))


def _write_matches(reads: Reads, row: TournamentRow, folder: Path, written: dict[str, int], *, quiet: bool) -> None:
    """Write matches, and their records where these are counted in `written`, which is kept up to date."""
    from ladder import shapes
    from workers.records.closed_match import REVEALED
    from workers.work_progress import WorkProgress

    with ExitStack() as opened:
        matches, *records = (
            opened.enter_context(_part(folder, name).open("w", encoding="utf-8"))
            for name in (MATCHES, RECORDS)
            if name in written
        )
        progress = opened.enter_context(WorkProgress(sys.stderr, "matches", quiet=quiet))
        for match in reads.store.matches.every(row.name):
            matches.write(json.dumps(shapes.summary(reads.summaries.of(match)), ensure_ascii=False) + "\n")
            for file in records if match.state in REVEALED and not match.sealed else ():
                text = _records(reads, match.id)
                file.write(text)
                written[RECORDS] += text.count("\n")
            written[MATCHES] += 1
            progress.show(written[MATCHES], max(row.matches, written[MATCHES]))


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
