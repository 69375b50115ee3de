"""`lastcard bot check`."""

import asyncio
import shlex
import signal
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from lastcard.address import Address
from lastcard.console import print_json
from lastcard.errors import ExitCode, InputError
from referee.bots.find import find
from referee.check.behaviours import BEHAVIOURS
from referee.check.exam import Exam, Finding
from referee.check.subject import Subject, of
from referee.check.tail import Tail

NAMES: Final = tuple(behaviour.name for behaviour in BEHAVIOURS)
TAIL: Final = 2_000
PATIENCE_S: Final = 20.0
BY_HAND_S: Final = 120.0
WIDTH: Final = 160  # of what goes into a file or a pipe


@click.command()
@click.argument("bot", required=False, metavar="[module:Class]")
@click.option("--run", "command", metavar="COMMAND", help="Start the bot by this command, in any language.")
@click.option("--name", help="Wait for a bot that you start yourself, and call it so.")
@click.option("--listen", default="127.0.0.1:0", metavar="HOST:PORT", help="Where it dials in.  [default: a free port]")
@click.option(
    "--format",
    "played",
    default="",
    metavar="NAME",
    help="What is played.  [default: the first by name]",
)
@click.option(
    "--only", multiple=True, type=click.Choice(NAMES), metavar="BEHAVIOUR", help=f"One of {', '.join(NAMES)}."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the deals and the other bots.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def check(
    *,
    bot: str | None,
    command: str | None,
    name: str | None,
    listen: str,
    played: str,
    only: tuple[str, ...],
    seed: int,
    as_json: bool,
) -> int:
    """See how a bot takes what may happen: duplicates, disorder, cuts, silence, what it has never heard of.

    The bot is a house bot or your own `module:Class`; with --run any command, which finds LASTCARD_SERVER and
    LASTCARD_TOKEN in its environment; with --name one that you start yourself. It takes about a minute.
    """
    if sum(given is not None for given in (bot, command, name)) != 1:
        raise InputError("WHICH_BOT", "name one bot: module:Class, or --run COMMAND, or --name NAME", field="bot")
    address = _local(listen)
    words = _own(bot, seed) if bot else [] if command is None else _program(command)
    called = bot or name or words[0]
    chosen = [behaviour for behaviour in BEHAVIOURS if behaviour.name in (only or NAMES)]
    with Tail(TAIL) as tail, TemporaryDirectory(prefix="lastcard-check-") as folder:
        exam = Exam(Subject(words, tail.writer, Path(folder) / "troubles"), behaviours=chosen, played=played, seed=seed,
                    patience_s=PATIENCE_S if words else BY_HAND_S, say=_say)  # fmt: skip
        findings = asyncio.run(_examined(exam, str(address)))
        passed = all(finding.passed for finding in findings)
        if as_json:
            _print_json(called, findings)
        else:
            _print(called, findings)
        if not passed and words:
            _quote(tail)
    return ExitCode.DONE if passed else ExitCode.NEGATIVE


async def _examined(exam: Exam, address: str) -> list[Finding]:
    """Run the exam. A signal that ends this process ends the bot before it, which has a process group of its own."""
    whole = asyncio.create_task(exam.run(address, _tell))
    loop = asyncio.get_running_loop()
    came: list[int] = []

    def leave(number: int) -> None:
        came.append(number)
        whole.cancel()

    for number in (signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, leave, number)
    try:
        return await whole
    except asyncio.CancelledError:
        if came:
            sys.exit(128 + came[0])
        raise


def _local(listen: str) -> Address:
    address = Address.parse(listen, "--listen")
    if not address.loopback:
        sentence = f"--listen {listen} can be reached from elsewhere, and tokens come in plain text; use 127.0.0.1"
        raise InputError("PLAINTEXT", sentence, field="listen", value=listen)
    return address


def _own(bot: str, seed: int) -> list[str]:
    """Return the command that runs a house bot or a class in this folder."""
    sys.path.insert(0, str(Path.cwd()))
    _require(bot, seed)
    return of(bot, seed)


def _program(command: str) -> list[str]:
    try:
        words = shlex.split(command)
    except ValueError as error:
        sentence = f"--run {command!r} cannot be taken apart: {error}; write it as a shell would understand it"
        raise InputError("BAD_COMMAND", sentence, field="run", value=command) from None
    if not words:
        raise InputError("NO_PROGRAM", "--run is empty; give a command that starts your bot", field="run", value="")
    return words


def _require(bot: str, seed: int) -> None:
    """Say what is wrong with a bot before anything is started.

    Raises:
        InputError: there is no such bot.
    """
    try:
        find(bot, seed)
    except InputError as error:
        match error.reason:
            case "NO_SUCH_CLASS":
                file = f"{bot.partition(':')[0].replace('.', '/')}.py"
                sentence = f"{error}; if the script runs its bot itself, check it with --run 'python {file}'"
            case "UNKNOWN_BOT":
                program = f"python {bot}" if bot.endswith(".py") else "COMMAND"
                sentence = f"{error}, or check the program that runs it with --run '{program}'"
            case _:
                raise
        raise InputError(error.reason, sentence, field="bot", value=bot, allowed=error.allowed) from None


def _say(text: str) -> None:
    sys.stderr.write(f"check: {readable(text)}\n")
    sys.stderr.flush()


def _tell(finding: Finding) -> None:
    _say(f"{finding.name}: {'passed' if finding.passed else 'FAILED'}")


def _print_json(called: str, findings: list[Finding]) -> None:
    rows = [{"behaviour": one.name, "what": one.what, "passed": one.passed, "seen": one.seen} for one in findings]
    print_json({"bot": called, "passed": all(one.passed for one in findings), "behaviours": rows})


def _print(called: str, findings: list[Finding]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in ("behaviour", "a bot", "", "seen"):
        table.add_column(column)
    for one in findings:
        verdict = Text("passed", "green") if one.passed else Text("FAILED", "bold red")
        table.add_row(one.name, one.what, verdict, Text(readable(one.seen)))
    console = Console(width=None if sys.stdout.isatty() else WIDTH)
    console.print(table)
    good = sum(one.passed for one in findings)
    console.print(f"{readable(called)}: {good} of {len(findings)} behaviours passed", markup=False)


def _quote(tail: Tail) -> None:
    """Show the end of what the bot said."""
    said = tail.end().decode(errors="replace").strip()
    if said:
        lines = "\n".join(map(readable, said.splitlines()))
        sys.stderr.write(f"--- the bot said, at last:\n{lines}\n")


def readable(text: str) -> str:
    """Return a text in one line that does nothing to a terminal: its control characters are written out."""
    return "".join(one if one.isprintable() else one.encode("unicode_escape").decode("ascii") for one in text)
