"""Values that have the right type and are wrong all the same, at every command that takes any: a table.

What only a ladder can know is asked of a real ladder process. In a table `{}` is the folder of the test; a row without
a reason may have any.
"""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from lastcard.cli import main
from tests.cli.emptied import emptied
from tests.cli.usages import SPRING
from tests.fixtures_served import Served, served

pytestmark = pytest.mark.slow

__all__ = ["served"]

NOWHERE: Final = "127.0.0.1:1"
HERE: Final = """
bot new | X | BAD_NAME
bot new | ab | BAD_NAME
bot new | -bad- | BAD_NAME
bot new | {a*25} | BAD_NAME
bot new | ../x | BAD_NAME
bot new | good-bot --dir {} | NOT_EMPTY
bot new | good-bot --dir {}/text/sub | NOT_WRITABLE
bot register | good-bot --owner Ada --token-file {}/text | FILE_EXISTS
bot register | good-bot --owner Ada --token-file {}/no/where | BAD_FILE
demo | --play x | BAD_ADDRESS
demo | --metrics 127.0.0.1:\N{SUPERSCRIPT TWO} | BAD_ADDRESS
demo | --redis-url nonsense | BAD_STORE_URL
demo | --web 0.0.0.0:0 | BAD_SETTING
demo | --play 0.0.0.0:0 | PLAINTEXT
demo | --web 198.51.100.1:7421 | BAD_SETTING
formats list | --file {}/none |
formats list | --file {} |
formats list | --file {}/text |
formats list | --file {}/bytes |
formats show | uno-classic-99 | UNKNOWN_FORMAT
formats show |  | UNKNOWN_FORMAT
formats show | x --file {}/text |
game export | a/b |
game export | ../../etc/passwd |
game export | spring.1.1.0/x/y |
game fork | {}/text --at 0 | NO_RECORD
game fork | {}/object --at 0 |
game fork | {}/none.jsonl --at 0 |
game replay | {}/text --to 0 | NO_RECORD
game replay | {}/object --to 0 |
game replay | {}/object --game 7 --to 0 | UNKNOWN_GAME
game show | {}/none.json |
game show | {} |
game show | {}/text | NO_RECORD
game show | {}/bytes | NO_RECORD
game show | {}/list | NO_RECORD
game show | {}/object --game 2 | UNKNOWN_GAME
game show | a/b |
game show | {}/object |
game verify | {}/none.json |
game verify | {} |
game verify | ../.. |
ladder history |  | FORMAT_MISSING
ladder history | a --format b | FORMAT_TWICE
ladder show |  | FORMAT_MISSING
ladder show | a --format b | FORMAT_TWICE
play | --bots first,random | FORMAT_MISSING
play | --format x --bots first,random | UNKNOWN_FORMAT
play | --format uno-classic-2 --bots first,nobody | UNKNOWN_BOT
play | --format uno-classic-2 --bots , | BAD_BOTS
play | --format uno-classic-2 --bots no.module:Bot,first |
play | --format uno-classic-2 --bots json:No,first |
play | --format uno-classic-2 --bots json:decoder,first |
play | --format uno-classic-2 --bots first |
play | --format uno-classic-2 --bots text:Bot,first |
play | --format uno-classic-2 --bots :,first |
play | --format uno-classic-2 --bots first,random --meetings 0 |
play | --format uno-classic-2 --bots first,random --meetings -5 |
play | --format uno-classic-2 --bots first,random --deals odd |
play | --format uno-classic-2 --bots first,random --record {}/no/where | NOT_WRITABLE
play | --format uno-classic-2 --bots first,random --record {a*300} | NOT_WRITABLE
play | --format-file {}/text --bots first,random |
play | --format-file {}/none --bots first,random |
serve ladder | --grpc x | BAD_ADDRESS
serve ladder | --web 127.0.0.1:\N{SUPERSCRIPT TWO} | BAD_ADDRESS
serve ladder | --metrics 127.0.0.1:70000 | BAD_ADDRESS
serve ladder | --grpc 0.0.0.0:7420 | BAD_SETTING
serve referee | --index 10 | BAD_INDEX
serve referee | --index -1 | BAD_INDEX
serve referee | --play x | BAD_ADDRESS
serve referee | --play :1 | BAD_ADDRESS
serve referee | --play 127.0.0.1:\N{SUPERSCRIPT TWO} | BAD_ADDRESS
serve referee | --metrics 127.0.0.1:99999 | BAD_ADDRESS
serve referee | --trunk 7510 | BAD_ADDRESS
serve referee | --trunk 0.0.0.0:7510 | BAD_TRUNK
serve referee | --trunk 192.0.2.1:7510 | PLAINTEXT
serve referee | --play 0.0.0.0:7410 | PLAINTEXT
serve referee | --play 127.0.0.1:0:0 | PLAINTEXT
serve worker | --name a/b | BAD_SETTING
serve worker | --name {x*101} | BAD_SETTING
sprt | first nobody | UNKNOWN_BOT
sprt | first random --bounds x |
sprt | first random --bounds 5,5 |
sprt | first random --bounds 0,nan |
sprt | first random --bounds 0,inf |
sprt | first random --max-meetings 1 |
sprt | first random --format x |
sprt | first random --deals odd |
sprt | first random --state {}/text |
sprt | first random --bounds 9,1 |
tournament create | {spring} --start yesterday | BAD_START
tournament create | {spring} --start 2026-12-24T18:00 | BAD_START
tournament create | {spring} --start 9999999-01-01 | BAD_START
tournament create | {spring} --start 2026-13-01T00:00Z | BAD_START
tournament create | {spring} --start 9999-12-31T23:59:59-12:00 | BAD_START
tournament create | {spring} --start 0001-01-01T00:00:00+12:00 | BAD_START
tournament create | {spring} --start 1970-01-01T00:00:00Z | BAD_START
tournament plan | {spring} --start 9999-12-31T23:59:59-12:00 | BAD_START
tournament create | {spring} --deal-seed-file {}/none | BAD_SEED
tournament create | {spring} --deal-seed-file {}/text | BAD_SEED
tournament create | {spring} --deal-seed-file {}/bytes | BAD_SEED
tournament create | {spring} --meetings -1 | OUT_OF_RANGE
tournament create | {spring} --meetings 1099511627776 | OUT_OF_RANGE
tournament create | {spring} --cycles -1 | OUT_OF_RANGE
tournament create | {spring} --grace -1 | OUT_OF_RANGE
tournament create | {spring} --schedule-seed -1 | OUT_OF_RANGE
tournament create | {spring} --schedule-seed 18446744073709551616 | OUT_OF_RANGE
tournament create | {spring} --meetings 0 | OUT_OF_RANGE
tournament create | {spring} --cycles 0 | OUT_OF_RANGE
tournament plan | {spring} --start soon | BAD_START
tournament plan | {spring} --no-nonces | NONCES_NEEDED
tournament create | {spring} --no-nonces | NONCES_NEEDED
tournament plan | cup --format uno-classic-2 --bots careful,,greedy | BAD_BOTS
tournament create | cup --format uno-classic-2 --bots careful,greedy, | BAD_BOTS
tournament plan | {spring} --meetings -1 | OUT_OF_RANGE
up | --play x | BAD_ADDRESS
up | --web 127.0.0.1:99999 | BAD_ADDRESS
up | --state {}/text | STATE_FOLDER
up | --redis-url nonsense --state {}/new | BAD_STORE_URL
up | --metrics 0.0.0.0:0 --state {}/new | BAD_SETTING
up | --grpc 198.51.100.1:7420 --state {}/new | BAD_SETTING
"""
THERE: Final = """
bot register | X --owner Ada | BAD_NAME
bot register | admin --owner Ada | BAD_NAME
bot register | greedy --owner Ada | BAD_NAME
bot register | good-bot --owner \t | BAD_OWNER
bot register | good-bot --owner {x*65} | BAD_OWNER
bot register | \N{CYRILLIC SMALL LETTER A}pple --owner Ada | BAD_NAME
bot register | {a*70000} --owner Ada | TOO_LARGE
bot show | nobody-here | UNKNOWN_BOT
bot show | X |
bot show | a\x1fb |
bot show | {x*5000} |
ladder show | uno-classic-99 | UNKNOWN_FORMAT
ladder show | X_Y |
ladder show | spin-4 | UNKNOWN_FORMAT
tournament cancel | nobody-here | UNKNOWN_TOURNAMENT
tournament create | X --format uno-classic-2 --bots greedy,careful | BAD_NAME
tournament create | a --format uno-classic-2 --bots greedy,careful | BAD_NAME
tournament create | {a*41} --format uno-classic-2 --bots greedy,careful | BAD_NAME
tournament create | ladder --format uno-classic-2 --bots greedy,careful | BAD_NAME
tournament create | cup --format uno-9 --bots greedy,careful | UNKNOWN_FORMAT
tournament create | cup --format uno-classic-2 | BAD_BOTS
tournament create | cup --format uno-classic-2 --bots greedy | BAD_BOTS
tournament create | cup --format uno-classic-2 --bots greedy,greedy | BAD_BOTS
tournament create | cup --format uno-classic-2 --bots greedy,nobody-here |
tournament create | cup --format uno-classic-2 --all --bots a,b | BAD_BOTS
tournament create | {spring} --start 1900-01-01T00:00Z | BAD_START
tournament create | {spring} --cron nonsense |
tournament create | {spring} --tz Mars/Olympus |
tournament pause | nobody-here | UNKNOWN_TOURNAMENT
tournament pause | nobody-here --reason {r*70000} | TOO_LARGE
tournament plan | cup --format uno-9 --bots greedy,careful | UNKNOWN_FORMAT
tournament plan | cup --format uno-classic-4 --bots greedy,careful |
tournament requeue | no.1.1.0 | UNKNOWN_MATCH
tournament requeue | spring-cup.1.1.0 | WRONG_STATE
tournament resume | nobody-here | UNKNOWN_TOURNAMENT
tournament show | nobody-here | UNKNOWN_TOURNAMENT
tournament show | X |
tournament show | \x00 |
tournament void | no.1.1.0 --reason x | UNKNOWN_MATCH
tournament void | ../x --reason x |
tournament watch | nobody-here | UNKNOWN_TOURNAMENT
tournament watch | X |
"""
WRITERS: Final = (
    "tournament pause spring-cup",
    "tournament cancel spring-cup",
    "tournament requeue spring-cup.1.1.0",
    "tournament void spring-cup.1.1.0 --reason x",
)


def rows(table: str) -> list[object]:
    """Return every row of a table as a case: command, what is typed behind it, and the reason of the refusal."""
    cases: list[object] = []
    for number, line in enumerate(table.strip("\n").split("\n")):
        name, typed, reason = (part.strip(" ") for part in line.split("|"))
        cases.append(pytest.param(name, _spelt(typed), reason, id=f"{number} {name}"))
    return cases


def _spelt(typed: str) -> list[str]:
    """Return the words of a row; `{spring}` is a good tournament, `{a*9}` nine times the letter."""
    long = re.sub(r"\{(\w)\*(\d+)\}", lambda found: found[1] * int(found[2]), typed)
    return [word for word in long.replace("{spring}", " ".join(SPRING)).split(" ") if word]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with files that are none of ours, and an environment without anything of ours."""
    emptied(monkeypatch, tmp_path)
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


@pytest.mark.parametrize(("name", "typed", "reason"), rows(HERE))
def test_a_bad_value_is_refused_here(
    name: str, typed: list[str], reason: str, bare: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anybody is asked."""
    error = refusal(capsys, [*name.split(), *(word.replace("{}", str(bare)) for word in typed)])
    assert error["reason"] == reason or not reason or error["reason"] == "USAGE", error


@pytest.mark.parametrize("verb", ["plan", "create"])
def test_options_are_called_as_they_are_typed(verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Where one needs another."""
    error = refusal(capsys, ["tournament", verb, *SPRING, "--no-nonces"])
    assert "add --unrated, or leave --no-nonces out" in str(error["message"])


@pytest.fixture
def asked(served: Served, monkeypatch: pytest.MonkeyPatch) -> Served:
    """A ladder, asked by an organiser."""
    monkeypatch.setenv("LASTCARD_LADDER", served.addresses["grpc"])
    monkeypatch.setenv("LASTCARD_TOKEN", served.tokens["organiser"])
    return served


@pytest.mark.parametrize(("name", "typed", "reason"), rows(THERE))
def test_a_bad_value_is_refused_there(
    asked: Served,
    name: str,
    typed: list[str],
    reason: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By the ladder, whose words come through."""
    if name == "bot register":
        monkeypatch.delenv("LASTCARD_TOKEN")
    error = refusal(capsys, [*name.split(), *typed])
    assert error["reason"] == reason or not reason, error


@pytest.mark.parametrize("command", WRITERS)
def test_who_did_not_make_it_does_not_steer_it(
    asked: Served, command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a token, with a bot's and with one that is none: three reasons, one exit code."""
    for token, reason in (("", "TOKEN_MISSING"), (asked.tokens["play"], "FOREIGN_TOURNAMENT"), ("lcb1_x", "TOKEN_BAD")):
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
