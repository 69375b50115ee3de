"""`lastcard ladder show|history|rebuild|audit`: what watchers and operators type about ladders."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from lastcard.console import counted, print_json
from lastcard.errors import ExitCode, InputError

if TYPE_CHECKING:
    from ladder.readings.reports import Report
    from ladder.store.rebuild import Rebuild

Command = TypeVar("Command", bound=Callable[..., Any])
NO_LADDER: Final = "there is no ladder yet: the first rated match of a format opens it"


def _for_a_format(command: Command) -> Command:
    """Add how a format is named: as an argument or as an option."""
    command = click.option("--format", "named", default="", help="The same as FORMAT.")(command)
    return click.argument("ladder_format", metavar="[FORMAT]", default="")(command)


@click.command()
@_for_a_format
@click.option("--limit", type=click.IntRange(1, 1000), default=100, show_default=True, help="Rows.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def show(ladder_format: str, named: str, limit: int, *, as_json: bool) -> None:
    """Show the standings of FORMAT, best first."""
    from ladder.client import LadderClient
    from ladder.rpc.dial import Dial
    from ladder.shapes import board
    from ladder.terminal.screen import show_board

    name = _one(ladder_format, named) or _missing()
    with Dial.of(reads=True) as dial:
        found = LadderClient(dial).board(name, limit)
    if as_json:
        print_json(board(found))
    else:
        show_board(found)


@click.command()
@_for_a_format
@click.option("--bot", default="", help="Only of this bot, or of this version (NAME@N).")
@click.option("--limit", type=click.IntRange(1, 100_000), default=20, show_default=True, help="The last so many.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def history(ladder_format: str, named: str, bot: str, limit: int, *, as_json: bool) -> None:
    """Show what changed the ratings of FORMAT: the last matches of its log, newest last."""
    from ladder.readings.changes import changes
    from ladder.terminal.operator import opened_store
    from ladder.terminal.screen import show_table

    name = _one(ladder_format, named) or _missing()
    with opened_store() as store:
        found = changes(store.ratings.log(name), bot, limit)
    if as_json:
        print_json({"format": name, "history": [change.shape() for change in found]})
        return
    rows = ((change.seq, change.match, change.words()) for change in found)
    show_table(("number", "match", "change"), rows)
    click.echo("live elo, from match to match; `lastcard ladder show` has the fit of all games (docs/ratings.md)")


@click.command()
@_for_a_format
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def rebuild(ladder_format: str, named: str, *, as_json: bool) -> int:
    """Compute the ratings of FORMAT (default: of all) anew from the log and compare bit for bit. Changes nothing."""
    from ladder.terminal.operator import opened_store

    with opened_store() as store:
        names = [name] if (name := _one(ladder_format, named)) else sorted(store.ratings.formats())
        found = {name: store.ratings.rebuild(name) for name in names}
    equal = all(result.equal for result in found.values())
    if as_json:
        ladders = [
            {"format": name, "equal": result.equal, "matches": result.matches, "differences": list(result.differences)}
            for name, result in found.items()
        ]
        print_json({"equal": equal, "ladders": ladders})
    elif not found:
        click.echo(NO_LADDER)
    for name, result in () if as_json else found.items():
        verdict = "equal, bit for bit" if result.equal else counted(len(result.differences), "difference")
        matches = counted(result.matches, "match", "matches")
        click.echo("\n  ".join((f"{name}: {matches} replayed{_void(result)}, {verdict}", *result.differences)))
    return ExitCode.DONE if equal else ExitCode.NEGATIVE


@click.command()
@_for_a_format
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def audit(ladder_format: str, named: str, *, as_json: bool) -> int:
    """Check the ladder of FORMAT (default: all): sums, log, rebuild, and every applied match against the ledger.

    And say what the last nightly look through its results found: what honest bots hardly ever do.
    """
    from ladder.readings.auditing import audit_ladder
    from ladder.terminal.operator import opened_store

    with opened_store() as store:
        names = [name] if (name := _one(ladder_format, named)) else sorted(store.ratings.formats())
        found = [audit_ladder(store, name) for name in names]
    if as_json:
        print_json({"ok": all(report.ok for report in found), "ladders": [report.shape() for report in found]})
    elif not found:
        click.echo(NO_LADDER)
    for report in () if as_json else found:
        wrong = (*report.findings, *(one.sentence() for one in report.anomalies))
        verdict = "all is well" if report.ok else counted(len(wrong), "finding")
        matches = counted(report.matches, "match", "matches")
        click.echo("\n  ".join((f"{report.format}: {matches} checked, {verdict}", *wrong, _looked(report.report))))
    return ExitCode.DONE if all(report.ok for report in found) else ExitCode.NEGATIVE


def _looked(report: Report | None) -> str:
    """Say when somebody looked for anomalies."""
    from ladder.shapes import instant

    if report is None:
        return "nobody has looked through its results yet: workers do so at night (docs/fairness.md)"
    matches = counted(report.matches, "match", "matches")
    odd = counted(len(report.anomalies), "anomaly", "anomalies")
    return f"results last looked through {instant(report.at_ms)}: {matches}, {odd}"


def _void(result: Rebuild) -> str:
    void = result.seq - result.matches
    return f", {void} void" if void else ""


def _one(argument: str, option: str) -> str:
    if argument and option and argument != option:
        sentence = f"two formats were given, {argument} and {option}: name one"
        raise InputError("FORMAT_TWICE", sentence, field="format", value=option, allowed=[argument])
    return argument or option


def _missing() -> str:
    sentence = "which format? For example `uno-classic-2`; `lastcard formats list` lists them"
    raise InputError("FORMAT_MISSING", sentence, field="format")
