"""`lastcard play`: meetings between bots in this process, without a server, and what they say about their strength."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

import click

from lastcard.console import counted, print_json
from lastcard.errors import InputError
from lastcard.names import typed

if TYPE_CHECKING:
    from ladder.results import MatchResult
    from ladder.tables import Table
    from lastcard.bot import Bot
    from referee.formats.format import Format
    from referee.local.arena import ArenaResult, Keep

__all__ = ["play"]

MEETINGS = 50
PAIR = ("a", "b", "score", "elo", "ci95")


@click.command()
@click.option("--format", "format_name", default="", metavar="FORMAT", help="`lastcard formats list` has them; needed.")
@click.option("--format-file", type=click.Path(path_type=Path), help="Formats of your own (docs/formats.md).")
@click.option("--bots", required=True, metavar="A,B,…", help="House bots by name, your own as module:Class.")
@click.option("--human", is_flag=True, help="Play a seat yourself, against as many --bots as there are other seats.")
@click.option("--meetings", type=int, help="Of every table; all seatings are a meeting.  [default: 50, with --human 1]")
@click.option("--seed", type=int, help="Of the deals and of the bots; the same again plays the same.  [default: any]")
@click.option("--deals", default="", metavar="fresh|mirrored", help="One deal a game, or a meeting.  [default: fresh]")
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write a record of every game here.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def play(
    *,
    bots: str,
    human: bool,
    meetings: int | None,
    seed: int | None,
    deals: str,
    record: Path | None,
    as_json: bool,
    **named: Any,  # noqa: ANN401 (click's: the format by name, by file)
) -> None:
    """Play meetings between bots and show who is stronger, or play a seat yourself.

    Every bot meets every other; at tables of more seats every set of bots meets. The deals are those of `lastcard/1`
    with a seed that derives from --seed. A bot named twice is told apart by a number.
    """
    import secrets

    from referee.bots.find import find
    from referee.local import arena

    played = _format(named["format_name"], named["format_file"])
    chosen = secrets.randbelow(2**32) if seed is None else seed
    sys.path.insert(0, str(Path.cwd()))
    entrants = [(name, find(name, chosen)) for name in typed(bots)]
    if human:
        entrants = [_person(played, len(entrants), as_json=as_json), *entrants]
    if meetings is None:
        meetings = 1 if human else MEETINGS
    with _records(record) if record else nullcontext() as keep:
        if human:
            with _leaving():
                result = arena.play(played, entrants, meetings=meetings, seed=chosen, deals=deals, keep=keep)
        else:
            result = _watched(
                partial(arena.play, played, entrants, meetings=meetings, seed=chosen, deals=deals, keep=keep),
                as_json=as_json,
            )
    _report(result, as_json=as_json)
    _complain(result)


def _watched(go: Callable[..., ArenaResult], *, as_json: bool) -> ArenaResult:
    """Show how far bots are while they play; what was played until Ctrl-C is shown, too."""
    from referee.local.arena import BrokenOffError
    from workers.work_progress import WorkProgress

    try:
        with WorkProgress(sys.stderr, "games", quiet=as_json) as shown:
            return go(progress=shown.show)
    except BrokenOffError as broken:
        _break_off(broken.result, as_json=as_json)
        raise


def _format(name: str, file: Path | None) -> Format:
    """Return the format that is meant; a file with one format needs no name.

    Raises:
        InputError: none is named.
        UnknownFormatError: there is none of this name.

    """
    from referee import formats
    from referee.formats.format_file import read

    found = read(file) if file else {}
    if name:
        return found.get(name) or formats.get(name)
    if len(found) == 1:
        return next(iter(found.values()))
    sentence = "which format? Say --format, for example uno-classic-2; `lastcard formats list` lists them"
    raise InputError("FORMAT_MISSING", sentence, field="format", allowed=list(found) or formats.names())


def _person(played: Format, rivals: int, *, as_json: bool) -> tuple[str, Bot]:
    """Return the seat of the person at the terminal.

    Raises:
        InputError: there are too few or too many bots for one table, or programs are to read what is printed.

    """
    from ladder.terminal.screen import say
    from workers.local.person import Person

    if as_json:
        raise InputError("BAD_OUTPUT", "--human is for people: leave --json out", field="json", value=True)
    if rivals != played.seats - 1:
        wanted = played.seats - 1
        message = f"{played.name} has {played.seats} seats, one is yours: name {wanted} bot(s), not {rivals}"
        raise InputError("BAD_BOTS", message, field="bots", value=rivals, allowed=(wanted,))
    return "you", Person(played, say)


@contextmanager
def _leaving() -> Iterator[None]:
    """Say goodbye to whoever leaves with Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        click.echo("\nYou left; nothing was counted.", err=True)
        raise


@contextmanager
def _records(path: Path) -> Iterator[Keep]:
    """Keep records in a file, one JSON object a line; what is in it already stays until there is a game.

    Raises:
        InputError: it cannot be written.

    """
    from referee.record_file import line_of

    try:
        usual = path.is_file() or not path.exists()
    except OSError as error:
        raise _not_writable(path, error) from error
    if usual:
        _opened(path, "a").close()
    with ExitStack() as stack:
        files: list[TextIO] = []

        def keep(record: dict[str, object]) -> None:
            if not files:
                files.append(stack.enter_context(_opened(path, "w")))
            files[0].write(line_of(record))

        yield keep


def _opened(path: Path, mode: Literal["a", "w"]) -> TextIO:
    try:
        return path.open(mode, encoding="utf-8")
    except OSError as error:
        raise _not_writable(path, error) from error


def _not_writable(path: Path, error: OSError) -> InputError:
    message = f"{path} cannot be written: {error.strerror}"
    return InputError("NOT_WRITABLE", message, field="record", value=str(path))


def _report(result: ArenaResult, *, as_json: bool) -> None:
    fitted = table_of(result)
    if as_json:
        print_json(shape(result, fitted))
        return
    from ladder.plackett_luce import yardstick
    from workers.local.play_tables import show

    show(result, fitted, yardstick(result.bots, _results(result)))


def _break_off(result: ArenaResult, *, as_json: bool) -> None:
    """Say what was played until Ctrl-C; programs get nothing, since they asked for all of it."""
    click.echo(f"lastcard: broken off after {counted(result.rounds, 'round')} of whole meetings", err=True)
    if result.matches and not as_json:
        from workers.local.play_tables import show

        show(result, table_of(result), whole=False)
    _complain(result)


def _complain(result: ArenaResult) -> None:
    """Say what the bots did wrong that is no fault in the standings."""
    from workers.local.play_tables import complaint

    for bot, mistakes in result.mistakes.items():
        click.echo(complaint(bot, mistakes), err=True)


def table_of(result: ArenaResult) -> Table:
    """Return the standings and pairs: a fit of all games by meeting, with 1500 as the mean of the bots."""
    from ladder.elo import MICRO
    from ladder.tables import table

    return table(result.bots, _results(result), dict.fromkeys(result.bots, 1500 * MICRO))


def _results(result: ArenaResult) -> list[MatchResult]:
    from ladder.results import MatchResult

    return [MatchResult.of(match, result.format.rules.team_of) for match in result.matches]


def shape(result: ArenaResult, fitted: Table) -> dict[str, Any]:
    """Return what `--json` prints."""
    from ladder import shapes

    return {
        "format": result.format.name,
        "seed": result.seed,
        "meetings": result.meetings,
        "rounds": result.rounds,
        "standings": [shapes.standing(row) for row in fitted.standings],
        "pairs": [{name: shapes.pair(pair)[name] for name in PAIR} for pair in fitted.pairs],
    }
