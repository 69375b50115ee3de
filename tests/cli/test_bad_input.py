"""Every command with bad input: one sentence or one JSON object on stderr, nothing on stdout, the right exit code.

The commands are those of the tables; one without a row in `usages.USAGES` fails here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ladder.store import checks, client
from lastcard.cli import commands, main
from tests.cli.emptied import emptied
from tests.cli.usages import USAGES, Need, needing, typed_options

pytestmark = pytest.mark.slow

NOWHERE = "127.0.0.1:1"
NO_STORE = f"redis://{NOWHERE}/0"
BAD_INPUT, UNREACHABLE = 2, 3

Complain = Callable[..., None]


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Nothing is set, nothing is kept, and what is not named is nowhere."""
    emptied(monkeypatch, tmp_path)
    monkeypatch.setenv("LASTCARD_LADDER", NOWHERE)
    monkeypatch.setenv("LASTCARD_REDIS_URL", NO_STORE)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def complains(capsys: pytest.CaptureFixture[str]) -> Complain:
    """Runs a command twice, plainly and with --json, and looks at how it refuses."""

    def run(name: str, *arguments: str, code: int = BAD_INPUT, reason: str = "") -> None:
        words = [*name.split(), *arguments]
        assert main(words) == code, capsys.readouterr()
        plain = capsys.readouterr()
        assert plain.out == "", words
        assert plain.err.startswith("lastcard: "), (words, plain.err)
        assert plain.err.count("\n") == 1, plain.err
        assert "Traceback" not in plain.err
        assert "fault of lastcard" not in plain.err
        has_json = USAGES[name].json
        assert main([*words, "--json"]) == (code if has_json else BAD_INPUT), capsys.readouterr()
        told = capsys.readouterr()
        assert told.out == "", words
        error = json.loads(told.err)["error"]
        assert list(error) == ["reason", "message", "field", "value", "allowed"]
        letters = len(error["allowed"]) > 1 and max(map(len, error["allowed"])) == 1
        assert not letters, error  # a sentence is one thing that is allowed
        if has_json and reason:
            assert error["reason"] == reason, (words, error)
            assert plain.err == f"lastcard: {error['message']}\n"

    return run


def test_every_command_has_its_row() -> None:
    """A command that is added to a table is added to this test."""
    assert set(USAGES) == set(commands())


every_command = pytest.mark.parametrize("name", sorted(USAGES))


@every_command
def test_an_option_that_is_none_is_refused(name: str, complains: Complain) -> None:
    """Misspelt options never pass unnoticed."""
    complains(name, *USAGES[name].arguments, "--frobnicate", reason="USAGE")


@every_command
@pytest.mark.parametrize("bytes_", [pytest.param(b"\xff\xfe", id="no UTF-8"), pytest.param(b"\xed\xa0\x80", id="half")])
def test_bytes_that_are_no_text_are_refused(name: str, bytes_: bytes, complains: Complain) -> None:
    """Wherever they stand: they would fail where they are sent or written, and that is no fault of ours."""
    complains(name, *USAGES[name].arguments, "--reason", os.fsdecode(bytes_), reason="BAD_TEXT")


@every_command
def test_an_argument_too_many_is_refused(name: str, complains: Complain) -> None:
    """Nothing that was typed is ignored."""
    surplus = ("one", "two") if name in {"formats show", "ladder show", "ladder history"} else ("surplus",)
    if name in {"ladder audit", "ladder rebuild"}:
        surplus = ("uno-classic-2", "surplus")
    complains(name, *USAGES[name].arguments, *surplus, reason="USAGE")


@pytest.mark.parametrize("name", [name for name, usage in sorted(USAGES.items()) if usage.arguments[:1] > ("a",)])
def test_an_argument_that_is_missing_is_asked_for(name: str, complains: Complain) -> None:
    """Called with nothing, a command that needs a name says so."""
    complains(name)


@every_command
def test_a_value_of_another_type_is_refused(name: str, complains: Complain) -> None:
    """Numbers are numbers within their range, choices are among those offered."""
    for option, value in typed_options(name):
        complains(name, *USAGES[name].arguments, option, value, reason="USAGE")


def test_options_of_commands_have_types() -> None:
    """Otherwise the test above would look at nothing."""
    assert len([value for name in USAGES for _, value in typed_options(name)]) > 150


# -- what a command cannot reach, and what cannot be reached at all

IN_FULL = {"bot list", "audit list", "serve ladder", "serve referee"}
"""One command of each way to a ladder or a store: it is asked for with everything that is bad, the others with some."""
STEERING = ("create", "pause", "resume", "cancel", "void", "requeue")
WRITES = {"bot register", "bot token", *(f"tournament {verb}" for verb in STEERING)}
asks_a_ladder = pytest.mark.parametrize("name", needing(Need.LADDER))
asks_a_store = pytest.mark.parametrize("name", needing(Need.STORE, Need.STORE_AND_PEPPER))
NO_ADDRESSES = ("localhost", ":7420", "http://", "ftp://host:1", "host:port", "host:99999", "a b:1", "ada:pw@host:1")
NO_TOKENS = ("a b", "lcb1_\n_x", "t\N{LATIN SMALL LETTER O WITH DIAERESIS}ken", "\x1b[31m")
NO_URLS = (
    *("nonsense", "http://host/0", "mysql://host/0", "redis://", "redis:///0", "redis://host:port/0", "unix://"),
    *("redis://host:1/x", "redis://host:1/-1", "redis://host:1/0?db=x", "unix:///s.sock?db=x", "redis://a b:1/0"),
    *("redis://host:99999/0", "redis://host:0/0"),
)
PEPPERS: dict[str, Callable[[Path], object]] = {
    "a folder": lambda path: path.mkdir(),
    "empty": lambda path: path.touch(mode=0o600),
    "words": lambda path: secret(path, "salt"),
    "too short": lambda path: secret(path, "ab" * 31),
    "open to all": lambda path: secret(path, "ab" * 32).chmod(0o644),
    "below a file": lambda path: (
        path.parent.rename(path.parent.with_name("away")).with_name("secrets").open("w").close()
    ),
}


def some_of(name: str, values: tuple[str, ...]) -> tuple[str, ...]:
    """Return what a command is tried with."""
    return values if name in IN_FULL else values[:1]


def secret(path: Path, text: str) -> Path:
    """Write a file that only its owner may read."""
    path.touch(mode=0o600)
    path.write_text(text, "ascii")
    return path


@asks_a_ladder
def test_a_ladder_that_does_not_answer_is_exit_3(name: str, complains: Complain) -> None:
    """With the address that was tried."""
    complains(name, *USAGES[name].arguments, code=UNREACHABLE, reason="LADDER_UNREACHABLE")


@asks_a_ladder
def test_what_is_no_address_or_token_is_exit_2(
    name: str, complains: Complain, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """They are checked before anybody is asked; a file that cannot be read only where a token is needed."""
    for token in some_of(name, NO_TOKENS):
        monkeypatch.setenv("LASTCARD_TOKEN", token)
        complains(name, *USAGES[name].arguments, reason="BAD_TOKEN")
    monkeypatch.delenv("LASTCARD_TOKEN")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    for file in some_of(name, ("missing", ".", "binary")):
        monkeypatch.setenv("LASTCARD_TOKEN_FILE", str(tmp_path / file))
        if name in WRITES:
            complains(name, *USAGES[name].arguments, reason="TOKEN_FILE")
        else:  # nobody needs a token to read
            complains(name, *USAGES[name].arguments, code=UNREACHABLE, reason="LADDER_UNREACHABLE")
    monkeypatch.delenv("LASTCARD_TOKEN_FILE")
    for address in some_of(name, NO_ADDRESSES):
        monkeypatch.setenv("LASTCARD_LADDER", address)
        complains(name, *USAGES[name].arguments, reason="BAD_ADDRESS")


@pytest.mark.slow
@asks_a_store
def test_a_store_that_does_not_answer_is_exit_3(
    name: str, complains: Complain, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With its address, after the same tries as ever, which follow each other more quickly here."""
    monkeypatch.setattr(client, "LONGEST_WAIT_S", 0.01)
    monkeypatch.setattr(checks, "PAUSES_S", [0.01 for _ in checks.PAUSES_S])
    complains(name, *USAGES[name].arguments, code=UNREACHABLE, reason="STORE_UNAVAILABLE")


@asks_a_store
def test_what_is_no_store_is_exit_2(
    name: str, complains: Complain, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its URL is checked before anybody is asked, and a password in it is not shown."""
    for url in some_of(name, NO_URLS):
        monkeypatch.setenv("LASTCARD_REDIS_URL", url)
        complains(name, *USAGES[name].arguments, reason="BAD_STORE_URL")
    monkeypatch.setenv("LASTCARD_REDIS_URL", "redis://ada:hunter2@host:port/0")
    assert main([*name.split(), *USAGES[name].arguments]) == BAD_INPUT
    assert "hunter2" not in capsys.readouterr().err
    monkeypatch.delenv("LASTCARD_REDIS_URL")
    complains(name, *USAGES[name].arguments, reason="NO_STORE")


@pytest.mark.parametrize("name", needing(Need.STORE_AND_PEPPER))
@pytest.mark.parametrize("kind", PEPPERS)
def test_a_pepper_that_is_none_is_exit_2(
    name: str, kind: str, complains: Complain, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Unreadable, not 64 hex digits, readable by others, or nowhere where a new one could be."""
    path = tmp_path / "secrets" / "pepper"
    path.parent.mkdir()
    PEPPERS[kind](path)
    monkeypatch.setenv("LASTCARD_PEPPER_FILE", str(path))
    complains(name, *USAGES[name].arguments)
