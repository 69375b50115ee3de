"""How a command ends where nobody reads its output any more, as behind `| head`."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lastcard.errors import ExitCode

pytestmark = pytest.mark.slow

COMMANDS = '''
import sys

import click
from rich.console import Console

from lastcard import cli


@click.command
def lists() -> None:
    """Say something."""
    click.echo("one")


@click.command
def check() -> int:
    """Say something, and come to a verdict."""
    click.echo("one")
    return 0


@click.command
def quiet_check() -> int:
    """Come to a verdict; what was said is still to be written."""
    sys.stdout.write("one")
    return 1


@click.command
def table_list() -> None:
    """Say something in a table."""
    Console().print("one")


@click.command
def table_check() -> int:
    """Say something in a table, and come to a verdict."""
    Console().print("one")
    return 0


@click.command
def leaves() -> None:
    """End the process, for a reason of its own."""
    sys.exit(5)


def plain_check(arguments: list[str]) -> int:
    print("one", flush=True)
    return 0


def plain_verdict(arguments: list[str]) -> int:
    print("one")
    return 1


COMMANDS = (lists, check, table_list, table_check, leaves, quiet_check, plain_check, plain_verdict)
names = [getattr(one, "callback", one).__name__ for one in COMMANDS]
cli.commands = lambda: {name.replace("_", " "): ("", f"__main__:{name}") for name in names}
sys.exit(cli.main(sys.argv[1:]))
'''


@pytest.mark.parametrize(
    ("words", "code"),
    [
        pytest.param("--help", ExitCode.DONE, id="help"),
        pytest.param("lists", ExitCode.DONE, id="a list"),
        pytest.param("lists --help", ExitCode.DONE, id="help with a command"),
        pytest.param("check", ExitCode.UNREAD, id="a check that was stopped"),
        pytest.param("table list", ExitCode.DONE, id="a table"),
        pytest.param("table check", ExitCode.UNREAD, id="a check in a table"),
        pytest.param("leaves", 5, id="a command that ends by itself"),
        pytest.param("plain check", ExitCode.UNREAD, id="one without click"),
        pytest.param("quiet check", ExitCode.NEGATIVE, id="a check that had come to its end"),
        pytest.param("plain verdict", ExitCode.NEGATIVE, id="such a one without click"),
    ],
)
def test_the_exit_code_is_true_where_nobody_reads(words: str, code: int) -> None:
    """A list has done all that was asked; a verdict is told by the code, and never as one that was not come to."""
    reader, writer = os.pipe()
    os.close(reader)
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    try:
        command = [sys.executable, "-c", COMMANDS, *words.split()]
        done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, env=buffered, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (code, "")
