"""Values that have the right type and are wrong all the same, at every command that takes any: a table.

What only a ladder can know is asked of a real ladder process.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from lastcard.cli import main
from tests.cli.usages import SPRING
from tests.fixtures_served import Served, served

__all__ = ["served"]

pytestmark = pytest.mark.timeout(60)
NOWHERE: Final = "127.0.0.1:1"
PLAY: Final = ("play", "--meetings", "1")
UNO: Final = ("--format", "uno-classic-2")
Row = tuple[str, str]
"""What is typed behind the command, and the reason that it is refused with; `{}` is the folder of the test."""

HERE: Final[dict[str, tuple[Row, ...]]] = {
    "bot new": (
        *(("X", "BAD_NAME"), ("ab", "BAD_NAME"), ("-bad-", "BAD_NAME"), ("a" * 25, "BAD_NAME"), ("../x", "BAD_NAME")),
        *(("good-bot --dir {}", "NOT_EMPTY"), ("good-bot --dir {}/text/sub", "NOT_WRITABLE")),
    ),
    "bot register": (
        ("good-bot --owner Ada --token-file {}/text", "FILE_EXISTS"),
        ("good-bot --owner Ada --token-file {}/no/where", "BAD_FILE"),
    ),
    "formats list": (("--file {}/none", ""), ("--file {}", ""), ("--file {}/text", ""), ("--file {}/bytes", "")),
    "formats show": (("uno-classic-99", "UNKNOWN_FORMAT"), ("", "UNKNOWN_FORMAT"), ("x --file {}/text", "")),
    "game export": (("spring", ""), ("a/b", ""), ("../../etc/passwd", ""), ("spring.1.1.0/x/y", "")),
    "game show": (
        *(("{}/none.json", ""), ("{}", ""), ("{}/text", "NO_RECORD"), ("{}/bytes", "NO_RECORD"), ("{}/list", "NO_RECORD")),
        *(("{}/object --game 2", "UNKNOWN_GAME"), ("a/b", ""), ("{}/object", "")),
    ),
    "game replay": (("{}/text --to 0", "NO_RECORD"), ("{}/object --to 0", ""), ("{}/object --game 7 --to 0", "UNKNOWN_GAME")),
    "game fork": (("{}/text --at 0", "NO_RECORD"), ("{}/object --at 0", ""), ("{}/none.jsonl --at 0", "")),
    "game verify": (("{}/none.json", ""), ("{}", ""), ("../..", "")),
    "ladder history": (("", "FORMAT_MISSING"), ("a --format b", "FORMAT_TWICE")),
    "ladder show": (("", "FORMAT_MISSING"), ("a --format b", "FORMAT_TWICE")),
    "play": (
        *(("--bots first,random", "FORMAT_MISSING"), ("--format x --bots first,random", "UNKNOWN_FORMAT")),
        *(("--format uno-classic-2 --bots first,nobody", "UNKNOWN_BOT"), ("--format uno-classic-2 --bots ,", "BAD_BOTS")),
        *(("--format uno-classic-2 --bots no.module:Bot,first", ""), ("--format uno-classic-2 --bots json:No,first", "")),
        *(("--format uno-classic-2 --bots json:dumps,first", ""), ("--format uno-classic-2 --bots first", "")),
        *(("--format uno-classic-2 --bots text:Bot,first", ""), ("--format uno-classic-2 --bots :,first", "")),
        *(("--format uno-classic-2 --bots first,random --meetings 0", ""),),
        *(("--format uno-classic-2 --bots first,random --meetings -5", ""),),
        *(("--format uno-classic-2 --bots first,random --deals odd", ""),),
        *(("--format uno-classic-2 --bots first,random --record {}/no/where", "NOT_WRITABLE"),),
        *(("--format-file {}/text --bots first,random", ""), ("--format-file {}/none --bots first,random", "")),
    ),
    "sprt": (
        *(("first nobody", "UNKNOWN_BOT"), ("first random --bounds x", ""), ("first random --bounds 5,5", "")),
        *(("first random --bounds 0,nan", ""), ("first random --bounds 0,inf", ""), ("first random --max-meetings 1", "")),
        *(("first random --format x", ""), ("first random --deals odd", ""), ("first random --state {}/text", "")),
        *(("first random --state {}/no/where", ""), ("first random --bounds 9,1", "")),
    ),
    "serve referee": (
        *(("--index 10", "BAD_INDEX"), ("--index -1", "BAD_INDEX"), ("--play x", "BAD_ADDRESS"), ("--play :1", "BAD_ADDRESS")),
        *(("--play 127.0.0.1:\N{SUPERSCRIPT TWO}", "BAD_ADDRESS"), ("--metrics 127.0.0.1:99999", "BAD_ADDRESS")),
        *(("--play 0.0.0.0:7410", "PLAINTEXT"), ("--play 127.0.0.1:0:0", "PLAINTEXT")),
    ),
    "serve ladder": (
        *(("--grpc x", "BAD_ADDRESS"), ("--web 127.0.0.1:\N{SUPERSCRIPT TWO}", "BAD_ADDRESS")),
        *(("--metrics 127.0.0.1:70000", "BAD_ADDRESS"), ("--grpc 0.0.0.0:7420", "BAD_SETTING")),
    ),
    "serve worker": (("--name a/b", "BAD_SETTING"), ("--name " + "x" * 101, "BAD_SETTING")),
    "tournament create": (
        *((f"{' '.join(SPRING)} --start yesterday", "BAD_START"), (f"{' '.join(SPRING)} --start 2026-12-24T18:00", "BAD_START")),
        *((f"{' '.join(SPRING)} --start 9999999-01-01", "BAD_START"), (f"{' '.join(SPRING)} --start 1900-01-01T00:00Z", "BAD_START")),
        *((f"{' '.join(SPRING)} --deal-seed-file {{}}/none", "BAD_SEED"), (f"{' '.join(SPRING)} --deal-seed-file {{}}/text", "BAD_SEED")),
        *((f"{' '.join(SPRING)} --deal-seed-file {{}}/bytes", "BAD_SEED"),),
        *((f"{' '.join(SPRING)} --meetings -1", "OUT_OF_RANGE"), (f"{' '.join(SPRING)} --meetings {2**40}", "OUT_OF_RANGE")),
        *((f"{' '.join(SPRING)} --cycles -1", "OUT_OF_RANGE"), (f"{' '.join(SPRING)} --grace -1", "OUT_OF_RANGE")),
        *((f"{' '.join(SPRING)} --schedule-seed -1", "OUT_OF_RANGE"), (f"{' '.join(SPRING)} --schedule-seed {2**64}", "OUT_OF_RANGE")),
        *((f"{' '.join(SPRING)} --meetings 0", "OUT_OF_RANGE"), (f"{' '.join(SPRING)} --cycles 0", "OUT_OF_RANGE")),
    ),
    "tournament plan": (
        *((f"{' '.join(SPRING)} --start soon", "BAD_START"), (f"{' '.join(SPRING)} --meetings -1", "OUT_OF_RANGE")),
    ),
    "up": (
        *(("--play x", "BAD_ADDRESS"), ("--web 127.0.0.1:99999", "BAD_ADDRESS"), ("--state {}/text", "STATE_FOLDER")),
        *(("--redis-url nonsense --state {}/new", "BAD_STORE_URL"), ("--grpc 198.51.100.1:7420 --state {}/new", "PORT_TAKEN")),
    ),
    "demo": (
        *(("--play x", "BAD_ADDRESS"), ("--metrics 127.0.0.1:\N{SUPERSCRIPT TWO}", "BAD_ADDRESS")),
        *(("--redis-url nonsense", "BAD_STORE_URL"), ("--web 198.51.100.1:7421", "PORT_TAKEN")),
    ),
}  # fmt: skip

THERE: Final[dict[str, tuple[Row, ...]]] = {
    "bot register": (
        *(("X --owner Ada", "BAD_NAME"), ("admin --owner Ada", "BAD_NAME"), ("greedy --owner Ada", "BAD_NAME")),
        *(("good-bot --owner \t", "BAD_OWNER"), ("good-bot --owner " + "x" * 65, "BAD_OWNER")),
        *(("\N{CYRILLIC SMALL LETTER A}pple --owner Ada", "BAD_NAME"), ("a" * 70_000 + " --owner Ada", "")),
    ),
    "bot show": (("nobody-here", "UNKNOWN_BOT"), ("X", ""), ("a\nb", ""), ("x" * 5_000, "")),
    "ladder show": (("uno-classic-99", "UNKNOWN_FORMAT"), ("X Y".replace(" ", "_"), ""), ("spin-4", "UNKNOWN_FORMAT")),
    "tournament show": (("nobody-here", "UNKNOWN_TOURNAMENT"), ("X", ""), ("\x00", "")),
    "tournament watch": (("nobody-here", "UNKNOWN_TOURNAMENT"), ("X", "")),
    "tournament pause": (("nobody-here", "UNKNOWN_TOURNAMENT"), ("spring-cup --reason " + "r" * 2_000, "")),
    "tournament resume": (("nobody-here", "UNKNOWN_TOURNAMENT"),),
    "tournament cancel": (("nobody-here", "UNKNOWN_TOURNAMENT"),),
    "tournament void": (("no.1.1.0 --reason x", "UNKNOWN_MATCH"), ("../x --reason x", ""), ("spring-cup.1.1.0 --reason ", "")),
    "tournament requeue": (("no.1.1.0", "UNKNOWN_MATCH"), ("spring-cup.1.1.0", "WRONG_STATE")),
    "tournament create": (
        *((f"{name} --format uno-classic-2 --bots greedy,careful", "BAD_NAME") for name in ("X", "a", "a" * 41, "ladder")),
        *(("cup --format uno-9 --bots greedy,careful", "UNKNOWN_FORMAT"), ("cup --format uno-classic-2", "BAD_BOTS")),
        *(("cup --format uno-classic-2 --bots greedy", "BAD_BOTS"), ("cup --format uno-classic-2 --bots greedy,greedy", "BAD_BOTS")),
        *(("cup --format uno-classic-2 --bots greedy,nobody-here", ""), ("cup --format uno-classic-2 --all --bots a,b", "BAD_BOTS")),
        *((f"{' '.join(SPRING)} --meetings 10001", "OUT_OF_RANGE"), (f"{' '.join(SPRING)} --cycles 1001", "OUT_OF_RANGE")),
        *((f"{' '.join(SPRING)} --cron nonsense", ""), (f"{' '.join(SPRING)} --tz Mars/Olympus", "")),
        *((f"{' '.join(SPRING)} --no-nonces", "NONCES_NEEDED"),),
    ),
    "tournament plan": (
        ("cup --format uno-9 --bots greedy,careful", "UNKNOWN_FORMAT"),
        ("cup --format uno-classic-4 --bots greedy,careful", ""),
    ),
}  # fmt: skip
WRITERS: Final = ("tournament pause spring-cup", "tournament cancel spring-cup", "tournament requeue spring-cup.1.1.0",
                  "tournament void spring-cup.1.1.0 --reason x")  # fmt: skip


def rows(table: dict[str, tuple[Row, ...]]) -> Iterator[object]:
    """Yield every row of a table as a case."""
    for name, found in sorted(table.items()):
        for number, (typed, reason) in enumerate(found):
            yield pytest.param(name, typed, reason, id=f"{name} {number} {typed[:40].encode('ascii', 'replace').decode()}")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with files that are none of ours, and an environment without anything of ours."""
    for name in list(os.environ):
        if name.startswith("LASTCARD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LASTCARD_LADDER", NOWHERE)
    monkeypatch.setenv("LASTCARD_REDIS_URL", f"redis://{NOWHERE}/0")
    (tmp_path / "text").write_text("neither JSON nor TOML = [\n", "utf-8")
    (tmp_path / "bytes").write_bytes(bytes(range(256)))
    (tmp_path / "list").write_text("[1, 2]\n", "utf-8")
    (tmp_path / "object").write_text('{"game": 7}\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def refusal(capsys: pytest.CaptureFixture[str], words: Iterable[str], code: int = 2) -> dict[str, object]:
    """Run a command plainly and with --json; returns the error object of the latter."""
    plain_words = list(words)
    capsys.readouterr()
    assert main(plain_words) == code, capsys.readouterr()
    plain = capsys.readouterr()
    assert plain.out == ""
    assert plain.err.startswith("lastcard: "), plain.err
    assert plain.err.count("\n") == 1, plain.err
    assert len(plain.err) < 1_000
    assert plain.err[:-1].isprintable(), plain.err
    assert main([*plain_words, "--json"]) == code, capsys.readouterr()
    told = capsys.readouterr()
    assert told.out == ""
    error: dict[str, object] = json.loads(told.err)["error"]
    assert error["reason"] != "INTERNAL", error
    return error


def typed_words(name: str, typed: str, folder: Path) -> list[str]:
    """Return the words of a row; what is between spaces is one word, also if it holds another kind of white space."""
    return [*name.split(), *(word.replace("{}", str(folder)) for word in typed.split(" ") if word or not typed)][:]


@pytest.mark.parametrize(("name", "typed", "reason"), list(rows(HERE)))
def test_a_bad_value_is_refused_here(
    name: str, typed: str, reason: str, bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anybody is asked."""
    words = [word for word in typed_words(name, typed, bare) if word]
    error = refusal(capsys, words)
    assert error["reason"] == reason or not reason or error["reason"] == "USAGE", error


@pytest.fixture
def asked(served: Served, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A ladder, asked by an organiser."""
    monkeypatch.setenv("LASTCARD_LADDER", served.addresses["grpc"])
    monkeypatch.setenv("LASTCARD_TOKEN", served.tokens["organiser"])
    return served


@pytest.mark.parametrize(("name", "typed", "reason"), list(rows(THERE)))
def test_a_bad_value_is_refused_there(
    asked: Served, name: str, typed: str, reason: str, bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By the ladder, whose words come through."""
    error = refusal(capsys, typed_words(name, typed, bare))
    assert error["reason"] == reason or not reason, error


@pytest.mark.parametrize("command", WRITERS)
def test_only_organisers_steer(
    asked: Served, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a token, with a bot's and with one that is none: three reasons, one exit code."""
    for token, reason in (("", "TOKEN_MISSING"), (asked.tokens["play"], "SCOPE_MISSING"), ("lcb1_x", "TOKEN_BAD")):
        monkeypatch.setenv("LASTCARD_TOKEN", token)
        assert refusal(capsys, command.split())["reason"] == reason


@contextmanager
def taken() -> Iterator[str]:
    """Hold a port; yields its address."""
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen(1)
        yield f"127.0.0.1:{holder.getsockname()[1]}"


@pytest.mark.parametrize("words", ["up --play", "up --web", "demo --grpc", "demo --metrics"])
def test_a_port_that_is_taken_names_its_holder(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit 2, before anything is started."""
    with taken() as address:
        error = refusal(capsys, [*words.split(), address])
        assert error["reason"] == "PORT_TAKEN"
        assert f"process {os.getpid()}" in str(error["message"])
