"""`lastcard formats`: what can be played, and by which rules."""

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from lastcard.console import print_json
from lastcard.errors import InputError
from referee import formats
from referee.formats import format_file
from referee.formats.format import Format
from referee.rules.options import RULES_VERSION, OptionValue
from referee.rules.presets import OPTIONS, PRESETS

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
FILE = click.option("--file", type=click.Path(path_type=Path), help="Formats of your own (docs/formats.md).")


@click.command()
@FILE
@AS_JSON
def list_formats(file: Path | None, *, as_json: bool) -> None:
    """List the usual formats, or those of a file.

    Built-in names take `-fast`, then `-mirrored` or `-field` behind them, and there are more targets and seats than are
    listed: `uno-classic-200-3` is a format, too (docs/formats.md).
    """
    known = list(format_file.read(file).values()) if file else [formats.get(name) for name in formats.names()]
    if as_json:
        print_json({"formats": [shape(one) for one in known]})
    else:
        _list(known)


def _list(known: Iterable[Format]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("format", "preset", "seats", "target", "outcome", "clock", "deals", "ruleset"):
        table.add_column(column, no_wrap=True, justify="right" if column in {"seats", "target"} else "left")
    for one in known:
        rules = one.rules
        target = str(rules.number("target_score") or "-")
        table.add_row(one.name, rules.preset, str(one.seats), target, one.outcome, clock(one), one.deals, rules.hash)
    _print(table)


@click.command()
@click.argument("name", metavar="[NAME]", default=None, required=False)
@FILE
@click.option("--sources", is_flag=True, help="And where each option comes from.")
@AS_JSON
def show_format(name: str | None, file: Path | None, *, sources: bool, as_json: bool) -> None:
    """Show a format with every option of its rules: value, what it may be, and where it comes from.

    With --file NAME is one of the file; a file with one format needs no name.
    """
    one = _named(name, file)
    if as_json:
        print_json(shape(one))
    else:
        _show(one, sources=sources)


def _named(name: str | None, file: Path | None) -> Format:
    """Return the format that is meant.

    Raises:
        InputError: there is none of this name, or several and no name.
    """
    if file is None and name is not None:
        return formats.get(name)
    known = format_file.read(file) if file else {}
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name in known:
        return known[name]
    allowed = list(known) or formats.names()
    where = f"in {file}" if file else "here"
    message = f"which format? {f'There is no {name!r} {where}' if name else 'Name one'}: {', '.join(allowed)}"
    raise InputError("UNKNOWN_FORMAT", message, field="format", value=name, allowed=allowed)


def _show(one: Format, *, sources: bool) -> None:
    from rich import box
    from rich.table import Table

    rules = one.rules
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    columns = ("option", "value", "allowed", *(["source"] if sources else []))
    for column in columns:
        table.add_column(column, no_wrap=column != "source")
    for option, value in rules.options.items():
        known = OPTIONS[rules.game][option]
        table.add_row(*(option, _text(value), known.kind.allowed, known.source)[: len(columns)])
    _print(
        f"{one.name}: {rules.game}, {one.seats} seats, ruleset {rules.hash} (rules version {RULES_VERSION})",
        f"preset {rules.preset}{f' ({PRESETS[rules.preset].source})' if sources else ''}",
        f"rated by {one.outcome}, {one.deals} deals, clock {clock(one)}",
        table,
    )


def shape(one: Format) -> dict[str, Any]:
    """Return a format as JSON has it."""
    rules = one.rules
    return {
        "name": one.name,
        "ruleset": rules.hash,
        "rules_version": RULES_VERSION,
        "preset": rules.preset,
        "options": rules.as_json(),
        "seats": one.seats,
        "teams": _teams(rules.options),
        "outcome": one.outcome,
        "clock": {
            "decision_ms": one.clock.decision_ms,
            "bank_ms": one.clock.bank_ms,
            "round_ms": one.clock.round_ms,
        },
        "deals": one.deals,
    }


def _teams(options: Mapping[str, OptionValue]) -> list[int] | None:
    """The team of every seat, or None where everybody plays alone."""
    teams = options.get("team_of")
    return list(teams) if isinstance(teams, tuple) else None


def clock(one: Format) -> str:
    """Return a time control in words: seconds a decision, and in the bank of a round."""
    return f"{one.clock.decision_ms / 1000:g} s + {one.clock.bank_ms / 1000:g} s"


def _text(value: OptionValue) -> str:
    match value:
        case None:
            return "-"
        case bool():
            return str(value).lower()
        case tuple():
            return " ".join(map(str, value))
        case _:
            return str(value)


def _print(*parts: object) -> None:
    """Write to stdout; a pipe is never folded to a width."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    console = Console(width=None if terminal else 200, soft_wrap=not terminal)
    for part in parts:
        console.print(part, highlight=False, markup=False)
