"""The `lastcard` command: finds commands by entry points, runs one, and says in a sentence what went wrong.

Standard library only, so that a bot author's installation has it and `lastcard --help` is there at once. The rooms
name their commands in plain tables (docs/architecture.md 4); what a command is made of is loaded when it is asked for.
Here stands at the top what every Python has loaded anyway: all else is loaded within `main`, where Ctrl-C ends the
command without a traceback.
"""

from __future__ import annotations

import io
import os
import sys

TYPE_CHECKING = False  # as in `typing`, which takes as long to load as Python itself
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from importlib.metadata import EntryPoint
    from typing import Any, Final

    from lastcard.errors import InputError

INTERRUPTED: Final = 130
"""As `lastcard.errors.ExitCode` has it, which may not be there yet."""
GROUP: Final = "lastcard.commands"
ROOMS: Final = frozenset({"lastcard", "referee", "ladder", "workers"})
USAGE: Final = "usage: lastcard COMMAND …\n\nTournaments, ladders and bots for the UNO family of card games.\n"
OTHER_WORDS: Final = {
    "stop": ("pause", "cancel"),
    "end": ("pause", "cancel"),
    "delete": ("cancel", "retire", "revoke"),
    "remove": ("cancel", "retire", "revoke"),
}
"""What people call commands that are spelt quite otherwise."""
HELP_WORDS: Final = frozenset({"-h", "--help", "help"})

Table = dict[str, tuple[str, str]]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that `argv` (default: of this process, which is nothing else) names; returns the exit code."""
    try:
        if argv is None:
            from lastcard.garbage import never_at_the_end

            never_at_the_end()
        return _told(list(sys.argv[1:] if argv is None else argv))
    except KeyboardInterrupt:
        return INTERRUPTED


def _told(arguments: list[str]) -> int:
    """Run the command, and say what went wrong; returns the exit code.

    Where whoever reads the output has read enough, as `| head`, nothing went wrong, and nothing is said. The code is
    that of the command if it had come to its end; else UNREAD if it would have come to a verdict, and 0 if not.
    """
    # gRPC's own log says nothing to a person, and strangers can have a line of it for each of their connections.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a letter that a terminal lacks is no reason to stop
    code = 0
    try:
        from lastcard.garbage import collected_rarely

        with collected_rarely():
            code = dispatch(arguments)
        print(end="", flush=True)  # what cannot be written is noticed here, not by Python at its end
    except BrokenPipeError:
        _drop_output()
    except Exception as error:
        from errno import ENOSPC

        from lastcard.errors import InputError

        if isinstance(error, OSError) and error.errno == ENOSPC and error.filename is None:
            _drop_output()
            sentence = "the output could not be written, no space is left there: free some, or write it elsewhere"
            error = InputError("NO_SPACE", sentence, field="stdout")
        elif os.environ.get("LASTCARD_DEBUG"):
            error.add_note(f"internal error {incident(error)}")
            raise
        return report(error, as_json="--json" in arguments)
    return code


def _drop_output() -> None:
    """Let what is still to be written vanish: nobody can read it, and Python would fail at it once more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def dispatch(arguments: list[str]) -> int:
    """Show help or the version, or run the command with the most words in common with `arguments`."""
    from lastcard.errors import ExitCode

    check_text(arguments)
    first = arguments[0] if arguments else ""
    if first in {"-V", "--version"}:
        from importlib.metadata import version

        print(f"lastcard {version('lastcard')}")
        return ExitCode.DONE
    table = commands()
    if not arguments or first in HELP_WORDS:
        print(overview(table))
        return ExitCode.DONE if arguments else ExitCode.BAD_INPUT
    words, rest = split(table, arguments)
    if words in table:
        return run(words, table[words][1], rest)
    group = {name: row for name, row in table.items() if name.startswith(f"{words} ")}
    if group and (not rest or rest[0] in HELP_WORDS):
        print(overview(group))
        return ExitCode.DONE if rest else ExitCode.BAD_INPUT
    raise unknown(group or table, arguments[: 2 if group else 1])


def check_text(arguments: Sequence[str]) -> None:
    """Check that all that was typed is text: what is none reaches no command, no server and no file.

    Raises:
        InputError: bytes in it are not UTF-8.
    """
    for argument in arguments:
        try:
            argument.encode()
        except UnicodeEncodeError as error:
            from lastcard.errors import InputError

            typed = ascii(argument)
            sentence = f"{typed} is not UTF-8 text: type it anew, or give the file another name"
            raise InputError("BAD_TEXT", sentence, field="argument", value=typed) from error


def entry_points(*, group: str) -> Iterable[EntryPoint]:
    """Return the entry points of a group."""
    from importlib import metadata  # takes longer than all above together

    return metadata.entry_points(group=group)


def commands() -> Table:
    """Return the commands of every installed room: words -> (one line of help, "module:attribute")."""
    found: Table = {}
    for point in sorted(entry_points(group=GROUP)):
        try:
            found |= point.load()
        except ModuleNotFoundError as error:
            sys.stderr.write(f"lastcard: the commands of {point.name} could not be found: {error}\n")
    return found


def split(table: Table, arguments: list[str]) -> tuple[str, list[str]]:
    """Return the longest leading words of `arguments` that name a command or a group of commands, and the rest."""
    for length in range(len(arguments), 0, -1):
        words = " ".join(arguments[:length])
        if words in table or any(name.startswith(f"{words} ") for name in table):
            return words, arguments[length:]
    return "", arguments


def overview(table: Table) -> str:
    """Return the help text for the commands in `table`."""
    width = max(map(len, table), default=0)
    lines = [f"  {name:{width}}  {table[name][0]}" for name in sorted(table)]
    return "\n".join([USAGE, *lines, "", "`lastcard COMMAND --help` says more about one of them."])


def unknown(table: Table, words: list[str]) -> InputError:
    """Return the error for words that name no command, with the nearest ones."""
    from difflib import get_close_matches

    from lastcard.errors import InputError

    typed = " ".join(words)
    groups = {name.split()[0] for name in table}
    names = groups if len(words) == 1 else table  # who mistypes a group means none of its commands
    meant = [name for verb in OTHER_WORDS.get(words[-1], ()) if (name := " ".join([*words[:-1], verb])) in table]
    near = meant or get_close_matches(typed, names, n=1) or get_close_matches(words[0], groups, n=1)
    offered = " or ".join(f"`lastcard {name}`" for name in near)
    hint = f"did you mean {offered}?" if near else "`lastcard --help` lists them"
    return InputError(
        "UNKNOWN_COMMAND", f"there is no command `{typed}`; {hint}", field="command", value=typed, allowed=sorted(table)
    )


def run(words: str, target: str, rest: list[str]) -> int:
    """Load the command behind `target` and run it with `rest`; returns its exit code.

    Raises:
        MissingExtraError: it needs packages that are not installed.
        BrokenPipeError: nobody reads what it says, and it says no more than that.

    """
    from importlib import import_module

    from lastcard.errors import ExitCode, MissingExtraError

    module, _, attribute = target.partition(":")
    try:
        command: Any = getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ROOMS:
            raise
        raise MissingExtraError(
            "MISSING_EXTRA", f"`lastcard {words}` needs the server part: pip install 'lastcard[server]'"
        ) from error
    try:
        result = _clicked(command, words, rest) if hasattr(command, "main") else command(rest)
    except (BrokenPipeError, SystemExit) as end:
        if isinstance(end, SystemExit) and not isinstance(end.__context__, BrokenPipeError):
            raise
        if judges(command):
            return ExitCode.UNREAD
        raise BrokenPipeError from end  # rich makes it an end of the process, with 1
    return result if isinstance(result, int) else ExitCode.DONE


def judges(command: Any) -> bool:  # noqa: ANN401 (a click command or a function)
    """Whether a command comes to a verdict, which is its exit code: then it is declared to return one."""
    return getattr(command, "callback", command).__annotations__.get("return") not in {None, "None"}


def _clicked(command: Any, words: str, rest: list[str]) -> object:  # noqa: ANN401 (click is not there for all)
    """Run a click command as its `main` does, but that one ends the process with 1 where nobody reads any more."""
    click: Any = sys.modules["click"]
    try:
        with command.make_context(f"lastcard {words}", rest) as context:
            return command.invoke(context)
    except click.exceptions.Exit as left:
        return left.exit_code
    except (EOFError, KeyboardInterrupt) as error:
        click.echo(file=sys.stderr)  # ends the line on which the terminal shows ^C
        raise click.Abort from error


def incident(error: BaseException) -> str:
    """Return the id of a fault of ours: the same as often as it is met. Nothing of its words is in it."""
    from hashlib import blake2b
    from pathlib import Path
    from traceback import extract_tb

    at = [(Path(frame.filename).name, frame.lineno) for frame in extract_tb(error.__traceback__)[-1:]]
    return blake2b(repr((type(error).__name__, at)).encode(), digest_size=4).hexdigest()


def report(error: Exception, *, as_json: bool) -> int:
    """Say what went wrong on stderr; returns the exit code that belongs to it."""
    from lastcard import console
    from lastcard.errors import ExitCode, InputError

    click: Any = sys.modules.get("click")
    if click and isinstance(error, click.exceptions.Abort):
        return int(getattr(error.__cause__, "exit_code", ExitCode.INTERRUPTED))  # SIGTERM has one of its own
    if click and isinstance(error, click.ClickException):
        known = isinstance(error, click.UsageError) and error.ctx
        hint = f"; `{error.ctx.command_path} --help` shows how it is used" if known else ""
        error = InputError("USAGE", _complaint(click, error).rstrip(".") + hint)
    if console.is_typed(error):
        console.print_error(error, as_json=as_json)
        return console.exit_code(error)
    text = f"internal error {incident(error)}: a fault of lastcard itself, which LASTCARD_DEBUG=1 shows"
    console.print_error(InputError("INTERNAL", text), as_json=as_json)
    return ExitCode.NEGATIVE


def _complaint(click: Any, error: Any) -> str:  # noqa: ANN401 (click is not there for all)
    """Return what click complains of; of what is no whole number in a range, with the range."""
    text: str = error.format_message()
    kind = getattr(getattr(error, "param", None), "type", None)
    if not isinstance(kind, click.IntRange):
        return text
    most = "or more" if kind.max is None else f"to {kind.max}"
    return text.replace(f"is not a valid {kind.name}", f"is not a whole number; allowed {kind.min} {most}")


if __name__ == "__main__":
    sys.exit(main())
