"""`lastcard game export|verify|show|replay|fork`: records of games, by file or from the ledger."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from lastcard.console import counted, print_json
from lastcard.errors import ExitCode, InputError, LastcardError

if TYPE_CHECKING:
    from referee.rules.replay import Divergence

__all__ = ["export", "fork", "replay", "show", "verify"]

Command = TypeVar("Command", bound=Callable[..., Any])

SOURCE = click.argument("source", metavar="FILE|ID")
FILES = frozenset({".json", ".jsonl", ".txt"})
"""Endings of files; no id has one of them."""
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
GAME = click.option("--game", type=click.IntRange(1), default=1, show_default=True, help="Which game of a file.")
ROUND = click.option("--round", "number", type=click.IntRange(1), default=1, show_default=True, help="Which round.")


@dataclass(frozen=True, slots=True)
class Found:
    """Records as they were found, and what is wrong with the match that they come from."""

    records: Sequence[object]
    doubt: str | None = None


@click.command()
@click.argument("game_id", metavar="ID")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write there  [default: standard output]")
def export(game_id: str, out: Path | None) -> None:
    """Write the records of match ID, like spring.1.1.0, or of game MATCH/MEETING/GAME, like spring.1.1.0/2/1.

    One JSON object a line. The match must be over. `lastcard bot log NAME` and the tournament's page list ids.

    Reads the store that LASTCARD_REDIS_URL names: operators only.
    """
    from referee.record_file import line_of

    found = _found_in_ledger(game_id)
    if found.doubt is not None:
        raise LastcardError("UNPROVEN", f"nothing was exported: {found.doubt}", field="id", value=game_id)
    lines = [line_of(_object(record, number)) for number, record in enumerate(found.records, 1)]
    _write(out, "".join(lines))
    if out is not None:
        sys.stderr.write(f"{counted(len(lines), 'game')} written to {out}\n")


@click.command()
@SOURCE
@AS_JSON
def verify(source: str, *, as_json: bool) -> int:
    """Play every record again and compare: deals with the seed, acts with the rules, results with both.

    FILE holds records, one JSON object a line or as text; ID is a match or a game of the store that LASTCARD_REDIS_URL
    names (operators only), whose log is checked, too. Names the first thing that does not follow and exits with 1.
    """
    from workers.records.game_text import show_verdict

    found = _found(source)
    wrong, game = _first_divergence(found)
    if as_json:
        divergence = wrong and {"game": game, "round": wrong.round, "act": wrong.act, "message": wrong.message}
        print_json({"ok": wrong is None, "games": len(found.records), "divergence": divergence})
    else:
        show_verdict(source, len(found.records), game, wrong)
    return ExitCode.DONE if wrong is None else ExitCode.NEGATIVE


@click.command()
@SOURCE
@click.option("--game", type=click.IntRange(1), help="Which game of a file  [default: all]")
@AS_JSON
@click.option("--text", "as_text", is_flag=True, help="Print the whole record as text, which every command here reads.")
def show(source: str, game: int | None, *, as_json: bool, as_text: bool) -> None:
    """Show games move by move, with the hands.

    FILE holds records, one JSON object a line or as text; ID is a match or a game of the store that LASTCARD_REDIS_URL
    names: operators only.
    """
    from referee.rules.gametext import print_game
    from workers.records.game_text import game_shape, show_game

    if as_json and as_text:
        raise click.UsageError("--json and --text exclude each other")
    found = _found(source).records
    numbers = range(1, len(found) + 1) if game is None else (game,)
    chosen = [(number, _followed(_record(found, number))) for number in numbers]
    if as_json:
        print_json({"games": [game_shape(record, number) for number, record in chosen]})
        return
    for number, record in chosen:
        if as_text:
            sys.stdout.write(print_game(record))
        else:
            show_game(record, number)


@click.command()
@SOURCE
@GAME
@ROUND
@click.option("--to", "act", type=click.IntRange(0), required=True, help="How many acts of the round; 0 = the deal.")
@AS_JSON
def replay(source: str, game: int, number: int, act: int, *, as_json: bool) -> None:
    """Play a game again up to an act and show the table as it stands there.

    FILE holds records, one JSON object a line or as text; ID is a match or a game of the store that LASTCARD_REDIS_URL
    names: operators only.
    """
    from workers.records.game_text import moment, show_moment

    record = _record(_found(source).records, game)
    found = moment(record, number, act)
    if as_json:
        print_json({"game": game, **found})
    else:
        show_moment(record, found)


@click.command()
@SOURCE
@GAME
@ROUND
@click.option("--at", "act", type=click.IntRange(0), required=True, help="After how many acts of the round.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="Write there  [default: standard output]")
def fork(source: str, game: int, number: int, act: int, out: Path | None) -> None:
    """Write the table after an act as a scenario, from which play may go another way.

    FILE holds records, one JSON object a line or as text; ID is a match or a game of the store that LASTCARD_REDIS_URL
    names: operators only.

    `python -m referee.rules.conformance FILE` runs it, also when its acts were changed by hand.
    """
    import json

    from referee.rules.branch import scenario

    made = scenario(_record(_found(source).records, game), number, act)
    _write(out, json.dumps(made) + "\n")
    if out is not None:
        sys.stderr.write(f"the table after act {act} of round {number} of game {game} written to {out}\n")


def _first_divergence(found: Found) -> tuple[Divergence | None, int | None]:
    """Return the first divergence and the number of its game; without a game it is of the whole match."""
    from referee.record_file import Damage
    from referee.rules.verify import Divergence, verify

    for number, record in enumerate(found.records, 1):
        wrong = Divergence(record.message) if isinstance(record, Damage) else verify(record)
        if wrong is not None:
            return wrong, number
    return (None if found.doubt is None else Divergence(found.doubt)), None


def _found(source: str) -> Found:
    """Return the records of a file, or else of a match or game of the ledger.

    Raises:
        InputError: there is neither.
    """
    from referee.record_file import read
    from workers.records.closed_match import GameId

    path = Path(source)
    if path.exists() or path.suffix in FILES:
        return Found(read(path))
    try:
        GameId.parse(source)
    except InputError as error:
        message = f"{source!r} is neither a file nor an id; write a path, MATCH, or MATCH/MEETING/GAME"
        raise InputError("NO_RECORD_FILE", message, field="source", value=source) from error
    return _found_in_ledger(source)


def _found_in_ledger(text: str) -> Found:
    from ladder.errors import UnknownNameError
    from ladder.terminal.operator import opened_store
    from workers.records.closed_match import GameId, closed_match

    wanted = GameId.parse(text)
    with opened_store() as store:
        try:
            match = closed_match(store, wanted.match)
        except UnknownNameError:
            if store.tournaments.find([wanted.match]):
                raise _of_a_tournament(wanted.match) from None
            raise
    doubt = match.doubt()
    return Found(() if doubt else match.records(wanted), doubt)


def _of_a_tournament(name: str) -> InputError:
    message = (
        f"{name} is a tournament, and this takes one match or game: `lastcard export {name} FOLDER` writes the records "
        "of all its matches, and lists them in matches.jsonl"
    )
    return InputError("UNKNOWN_MATCH", message, field="id", value=name, allowed=["MATCH", "MATCH/MEETING/GAME"])


def _record(records: Sequence[object], number: int) -> dict[str, Any]:
    """Return a record by its number, from 1.

    Raises:
        InputError: there is no such record, or what is there is none.
    """
    if number > len(records):
        message = f"there is no game {number}: there are {len(records)}"
        raise InputError("UNKNOWN_GAME", message, field="game", value=number, allowed=[f"1 to {len(records)}"])
    return _object(records[number - 1], number)


def _followed(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record that can be played again to its end, so that nothing of a damaged one is shown.

    Raises:
        DivergedError: it cannot.
    """
    from referee.rules.replay import DivergedError
    from referee.rules.verify import verify

    wrong = verify(record)
    if wrong is not None:
        raise DivergedError(wrong)
    return record


def _object(record: object, number: int) -> dict[str, Any]:
    from referee.record_file import Damage

    if not isinstance(record, dict):
        what = record.message if isinstance(record, Damage) else "a game record is a JSON object"
        raise InputError("NO_RECORD", f"game {number}: {what}", field="game", value=number)
    return record


def _write(out: Path | None, text: str) -> None:
    if out is None:
        sys.stdout.write(text)
        return
    try:
        if out.exists():
            message = f"{out} is there already; name another file, or remove it"
            raise InputError("FILE_EXISTS", message, field="out", value=str(out))
        out.write_text(text, "utf-8")
    except OSError as error:
        message = f"{out} cannot be written: {error.strerror}"
        raise InputError("NOT_WRITABLE", message, field="out", value=str(out)) from error
