"""The `lastcard` command: finding commands, help, errors and exit codes."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import entry_points
from pathlib import Path

import click
import pytest

from lastcard import cli
from lastcard.cli import main
from lastcard.errors import InputError, UnreachableError

pytestmark = pytest.mark.slow

Table = dict[str, tuple[str, str]]


class PureError(Exception):
    """As the pure modules raise them: they know no exit codes."""

    reason = "INVALID_OPTION"

    def __init__(self) -> None:
        super().__init__("stacking may be OFF or SAME")
        self.name, self.value, self.allowed = "stacking", "MAYBE", ("OFF", "SAME")


@click.command
@click.option("--seats", type=int, required=True)
def greet(seats: int) -> int:
    """Greet every seat."""
    click.echo(f"hello {seats}")
    return 1 if seats == 13 else 0


@click.command
@click.option("--cards", type=click.IntRange(1, 7))
@click.option("--points", type=click.IntRange(1))
def deal(cards: int, points: int) -> None:
    """Deal so many cards."""


@click.command
def interrupted() -> None:
    raise KeyboardInterrupt


def failing(error: BaseException) -> Callable[[list[str]], int]:
    def command(arguments: list[str]) -> int:
        raise error

    return command


unreachable = failing(UnreachableError("UNREACHABLE", "127.0.0.1:7420 does not answer", field="server", value="x"))
pure = failing(PureError())
bug = failing(ZeroDivisionError("division by zero"))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Table:
    """Return a table of commands that stands for all rooms."""
    here = __name__
    monkeypatch.setitem(sys.modules, here, sys.modules[__name__])
    rows = {
        "greet": ("Greet every seat", f"{here}:greet"),
        "deal": ("Deal cards", f"{here}:deal"),
        "ask pause": ("Ask nothing for a while", f"{here}:unreachable"),
        "ask cancel": ("Ask nothing any more", f"{here}:unreachable"),
        "ask server": ("Ask a server that is not there", f"{here}:unreachable"),
        "ask rules": ("Ask the rules", f"{here}:pure"),
        "break": ("Break", f"{here}:bug"),
        "interrupt": ("Be interrupted", f"{here}:interrupted"),
        "absent": ("Need what is not installed", "no_such_distribution:command"),
    }
    monkeypatch.setattr(cli, "commands", lambda: rows)
    return rows


def test_help_lists_every_command_with_one_line(capsys: pytest.CaptureFixture[str], table: Table) -> None:
    """In alphabetical order, exit 0; without arguments the same with exit 2."""
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(f"  {words:{len('ask server')}}  {text}\n" in out for words, (text, _) in table.items())
    assert main([]) == 2


def test_a_group_lists_its_commands(capsys: pytest.CaptureFixture[str], table: Table) -> None:
    """And nothing else."""
    assert main(["ask", "--help"]) == 0
    out = capsys.readouterr().out
    assert "ask server" in out
    assert "greet" not in out
    assert main(["ask"]) == 2


def test_a_click_command_gets_its_arguments_and_its_result_is_the_exit_code(
    capsys: pytest.CaptureFixture[str], table: Table
) -> None:
    """1 is a negative finding."""
    assert main(["greet", "--seats", "4"]) == 0
    assert capsys.readouterr().out == "hello 4\n"
    assert main(["greet", "--seats", "13"]) == 1


def test_help_of_a_click_command_names_it_as_it_is_typed(capsys: pytest.CaptureFixture[str], table: Table) -> None:
    """Not as the function behind it."""
    assert main(["greet", "--help"]) == 0
    assert "Usage: lastcard greet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        pytest.param(["greet"], 2, "Missing option '--seats'; `lastcard greet --help`", id="an option is missing"),
        pytest.param(["greet", "--seats", "x"], 2, "'x' is not a valid integer", id="not a number"),
        pytest.param(["gret"], 2, "there is no command `gret`; did you mean `lastcard greet`?", id="mistyped"),
        pytest.param(["ask", "sever"], 2, "did you mean `lastcard ask server`?", id="mistyped in a group"),
        pytest.param(
            ["ask", "stop"], 2, "did you mean `lastcard ask pause` or `lastcard ask cancel`?", id="another word"
        ),
        pytest.param(["ask", "remove", "x"], 2, "did you mean `lastcard ask cancel`?", id="of which one is here"),
        pytest.param(["deal", "--cards", "ten"], 2, "'ten' is not a whole number; allowed 1 to 7; ", id="a range"),
        pytest.param(["deal", "--points", "x"], 2, "'x' is not a whole number; allowed 1 or more; ", id="open range"),
        pytest.param(["deal", "--cards", "8"], 2, "8 is not in the range 1<=x<=7; ", id="beyond a range"),
        pytest.param(["xyzzy"], 2, "`lastcard --help` lists them", id="nothing like it"),
        pytest.param(["ask", "server"], 3, "127.0.0.1:7420 does not answer", id="not reachable"),
        pytest.param(["ask", "rules"], 2, "stacking may be OFF or SAME", id="an error of a pure module"),
        pytest.param(["absent"], 2, "pip install 'lastcard[server]'", id="extra not installed"),
        pytest.param(["break"], 1, "a fault of lastcard itself", id="a fault of ours"),
        pytest.param(["interrupt"], 130, "", id="interrupted"),
    ],
)
def test_errors_are_a_sentence_on_stderr_and_an_exit_code(
    capsys: pytest.CaptureFixture[str], table: Table, arguments: list[str], code: int, says: str
) -> None:
    """No traceback, nothing on stdout."""
    assert main(arguments) == code
    captured = capsys.readouterr()
    assert says in captured.err
    assert "Traceback" not in captured.err
    assert captured.out == ""


def test_with_json_an_error_is_an_object(capsys: pytest.CaptureFixture[str], table: Table) -> None:
    """reason, message, field, value, allowed."""
    assert main(["ask", "rules", "--json"]) == 2
    assert json.loads(capsys.readouterr().err) == {
        "error": {
            "reason": "INVALID_OPTION",
            "message": "stacking may be OFF or SAME",
            "field": "stacking",
            "value": "MAYBE",
            "allowed": ["OFF", "SAME"],
        }
    }


def test_a_fault_of_ours_shows_its_place_when_asked(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, table: Table
) -> None:
    """Else it has an id and no words, which may be anybody's; LASTCARD_DEBUG raises it, with that id."""
    assert main(["break"]) == 1
    said = capsys.readouterr().err
    found = re.search(r"internal error [0-9a-f]{8}", said)
    assert found is not None, said
    assert "ero" not in said.replace(found[0], "")  # ZeroDivisionError: division by zero
    monkeypatch.setenv("LASTCARD_DEBUG", "1")
    with pytest.raises(ZeroDivisionError) as raised:
        main(["break"])
    assert raised.value.__notes__ == [found[0]]


def test_a_reader_that_has_seen_enough_is_no_fault() -> None:
    """`lastcard --help | head -1` ends quietly, also where Python keeps output back until it ends."""
    command = ["bash", "-c", f"set -o pipefail; {shlex.quote(sys.executable)} -m lastcard.cli --help | true"]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    done = subprocess.run(command, env=buffered, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_where_no_space_is_left_it_says_so() -> None:
    """In one sentence, as bad input, with nothing of Python's own behind it."""
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        command = [sys.executable, "-m", "lastcard.cli", "--help"]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("lastcard: the output could not be written, no space is left there")
    assert done.stderr.count("\n") == 1


def test_a_terminal_that_lacks_a_letter_shows_another() -> None:
    """A narrow encoding is no fault of ours, and none of whoever asks for help."""
    environ = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-m", "lastcard.cli", "--help"]
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "COMMAND ?" in done.stdout


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """Name and number."""
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("lastcard 0.")


def test_the_tables_of_all_rooms_are_plain_and_disjoint() -> None:
    """Words, one line of help, and a target; no words twice."""
    seen: set[str] = set()
    for point in entry_points(group=cli.GROUP):
        rows: Table = point.load()
        assert not seen & set(rows)
        seen |= set(rows)
        for words, (text, target) in rows.items():
            assert words == words.strip().lower()
            assert 0 < len(text) <= 80
            assert "\n" not in text
            assert target.count(":") == 1
    assert "bot new" in seen


@pytest.mark.slow
def test_every_command_of_every_room_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    """What a table names is there, and can be asked."""
    for point in entry_points(group=cli.GROUP):
        for words in point.load():
            try:
                code = main([*words.split(), "--help"])
            except SystemExit as ended:  # argparse's way to end
                code = int(ended.code or 0)
            assert (words, code) == (words, 0)
            assert f"lastcard {words}" in capsys.readouterr().out


def test_bot_new_writes_a_bot_and_a_test_that_passes(tmp_path: Path) -> None:
    """As a new author would run it."""
    made = python(["-m", "lastcard.cli", "bot", "new", "my-bot-2"], tmp_path)
    assert "lastcard bot register my-bot-2" in made.stdout
    assert "class MyBot2(Bot)" in (tmp_path / "my-bot-2" / "bot.py").read_text()
    assert "OK" in python(["-m", "unittest"], tmp_path / "my-bot-2").stderr


@pytest.mark.parametrize("name", ["none", "turn", "bot", "4ever"])
def test_bot_new_makes_a_class_of_any_name(tmp_path: Path, name: str) -> None:
    """Also of one that is a word of Python, or of the file itself."""
    from lastcard.starter import new

    new([name, "--dir", str(tmp_path / name)])
    assert "OK" in python(["-m", "unittest"], tmp_path / name).stderr
    assert f"class Bot{name.capitalize()}(Bot)" in (tmp_path / name / "bot.py").read_text()


def python(arguments: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python in `folder`; it must succeed."""
    return subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, text=True, check=True)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        pytest.param(["Upper"], "BAD_NAME", id="a capital"),
        pytest.param(["ab"], "BAD_NAME", id="too short"),
        pytest.param(["-ab"], "USAGE", id="looks like an option"),
        pytest.param(["ab-"], "BAD_NAME", id="ends in a hyphen"),
        pytest.param(["x" * 25], "BAD_NAME", id="too long"),
        pytest.param([], "USAGE", id="no name"),
        pytest.param(["good", "--dir", "full"], "NOT_EMPTY", id="a folder with files"),
        pytest.param(["good", "--dir", "full/file"], "NOT_WRITABLE", id="a file"),
    ],
)
def test_bot_new_refuses_what_it_cannot_make(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], reason: str
) -> None:
    """And writes nothing."""
    from lastcard.starter import new

    monkeypatch.chdir(tmp_path)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("mine")
    with pytest.raises(InputError) as caught:
        new(arguments)
    assert caught.value.reason == reason
    assert [path.name for path in tmp_path.rglob("*")] == ["full", "file"]
