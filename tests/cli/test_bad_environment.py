"""Every LASTCARD_ variable that a process reads, malformed: exit 2 with a sentence that names it, before anything runs.

The variables are those that the code mentions; one without a row fails here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from lastcard.cli import main
from referee import formats
from tests.cli.emptied import emptied

pytestmark = pytest.mark.slow

ROOT: Final = Path(__file__).parents[2]
STORE: Final = "redis://127.0.0.1:1/0"
SUPERSCRIPT: Final = "\N{SUPERSCRIPT TWO}"

REFEREE, LADDER, WORKER, BEAT = "serve referee", "serve ladder", "serve worker", "serve beat"
UP, DEMO = "up --state {}/new", "demo"
EVERY: Final = (REFEREE, LADDER, WORKER, BEAT)
OF_A_HOUSE: Final = ("LASTCARD_REDIS_URL", "LASTCARD_LADDER_GRPC", "LASTCARD_LADDER_WEB", "LASTCARD_LADDER_METRICS")
"""Where `up` looks for the store and which doors it opens, it reads by itself; all else its processes read."""
BAD: Final[dict[str, tuple[tuple[str, ...], tuple[str, ...]]]] = {
    "LASTCARD_REDIS_URL": ((*EVERY, UP), ("nonsense", "http://h/0", "redis://h:x/0", "redis://h:1/x", "redis://h:0/0")),
    "LASTCARD_ARCHIVE": ((WORKER, UP, DEMO), ("nonsense://x", "{}/text", "{}/text/below")),
    "LASTCARD_ARCHIVE_AFTER_S": ((LADDER, WORKER, BEAT, UP, DEMO), ("x", "-1", "1e3", "9" * 5_000)),
    "LASTCARD_BROKER_URL": ((LADDER, WORKER, BEAT, UP), ("nonsense", "amqp://h/0", "redis://h:1/x", "unix://")),
    "LASTCARD_TENANT": ((*EVERY, UP), ("A", "a b", "x" * 33, "a:b", "{}")),
    "LASTCARD_ALLOW_VOLATILE": ((*EVERY, UP, DEMO), ("yes", "2", "true", SUPERSCRIPT)),
    "LASTCARD_PEPPER_FILE": ((REFEREE, LADDER), ("{}/text", "{}", "{}/text/below")),
    "LASTCARD_STATE": ((REFEREE, LADDER, "up"), ("{}/text",)),
    "LASTCARD_TICK_MS": ((LADDER, WORKER, BEAT, UP), ("x", "0", "99", "60001", "-1", "1e3", SUPERSCRIPT, "9" * 5_000)),
    "LASTCARD_WORKER_PROCESSES": ((LADDER, WORKER, BEAT, UP, DEMO), ("x", "0", "65", "1.5")),
    "LASTCARD_WORKER_NAME": ((LADDER, WORKER, BEAT, UP, DEMO), ("a b", "a/b", "-x", "x" * 101)),
    "LASTCARD_LUCK": ((LADDER, WORKER, BEAT, UP), ("no", "2")),  # a demo has its own
    "LASTCARD_LUCK_GAMES": ((WORKER, BEAT, UP, DEMO), ("no", "16")),
    "LASTCARD_LADDER_GRPC": ((LADDER, UP, DEMO), ("x", "127.0.0.1:99999", f"127.0.0.1:{SUPERSCRIPT}", "0.0.0.0:7420")),
    "LASTCARD_LADDER_WEB": ((LADDER, UP, DEMO), ("x", ":1", "0.0.0.0:7421")),
    "LASTCARD_LADDER_METRICS": ((LADDER, UP, DEMO), ("x", "h:", "0.0.0.0:7430")),
    "LASTCARD_TLS_CERT_FILE": ((REFEREE, LADDER, UP), ("{}/only-one-of-both",)),
    "LASTCARD_TLS_KEY_FILE": ((REFEREE, LADDER, UP), ("{}/only-one-of-both",)),
    "LASTCARD_TRUNK_CERT_FILE": ((REFEREE, UP), ("{}/only-one-of-three",)),
    "LASTCARD_TRUNK_KEY_FILE": ((REFEREE, UP), ("{}/only-one-of-three",)),
    "LASTCARD_TRUNK_CA_FILE": ((REFEREE, UP), ("{}/only-one-of-three",)),
    "LASTCARD_INSECURE": ((LADDER, UP, DEMO), ("yes", "-1")),
    "LASTCARD_DEV": ((LADDER, UP, DEMO), ("yes", "2")),
    "LASTCARD_REGISTRATION": ((LADDER, UP), ("maybe", "OPEN")),
    "LASTCARD_REGISTRATIONS_PER_MINUTE": ((LADDER, UP, DEMO), ("x", "-1", "100001", "9" * 5_000)),
    "LASTCARD_TRUSTED_PROXIES": (
        (REFEREE, LADDER, UP, DEMO),
        (
            "x",
            "*",
            "127.0.0.1,",
            "10.0.0.5/24",
            "0.0.0.0/0",
            "::/0",
            "::ffff:10.0.0.1",
            "fe80::1%eth0",
            f"10.0.0.{SUPERSCRIPT}",
        ),
    ),
    "LASTCARD_FORMATS": ((*EVERY[:3], UP, DEMO), ("{}/none", "{}/text", "{}")),
    "LASTCARD_REDIS_SERVER": ((UP, DEMO), ("{}/none", "{}/text", "{}")),
}
ELSEWHERE: Final = {
    *("LASTCARD_LADDER", "LASTCARD_TOKEN", "LASTCARD_TOKEN_FILE"),  # test_bad_input
    *("LASTCARD_SERVER", "LASTCARD_CA_FILE"),  # of a bot's own script: tests/sdk/test_settings
    *("LASTCARD_OWNER", "LASTCARD_DEBUG"),  # any text is right
    *("LASTCARD_PROCESS",),  # set by the SDK for its own children
    *("LASTCARD_CHECK_TROUBLES",),  # set by `lastcard bot check` for the bot that it starts
}


def rows() -> Iterator[object]:
    """Yield a case for every variable and process: all values at the first that reads it, one at all that do alike."""
    for variable, (commands, values) in sorted(BAD.items()):
        for words in commands:
            tried = values if words == commands[0] or (words == UP and variable in OF_A_HOUSE) else values[:1]
            yield pytest.param(variable, words, tried, id=f"{variable} {words.split()[-1]}")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A folder with a file that is none of ours, and an environment that names a store that is not there."""
    emptied(monkeypatch, tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (tmp_path / "text").write_text("no = [", "utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """Every run reads the file of formats anew, as a process of its own would."""
    formats.own.cache_clear()
    yield
    formats.own.cache_clear()


def test_every_variable_has_its_row() -> None:
    """What the code reads is looked at here, or is named as looked at elsewhere."""
    code = [path for room in ("ladder", "lastcard", "referee", "workers") for path in (ROOT / room).rglob("*.py")]
    read = {name for path in code for name in re.findall(r'"(LASTCARD_[A-Z_]+)"', path.read_text("utf-8"))}
    assert read == set(BAD) | ELSEWHERE


@pytest.mark.sample(40)
@pytest.mark.parametrize(("variable", "words", "values"), list(rows()))
def test_a_malformed_variable_is_exit_2(
    variable: str,
    words: str,
    values: tuple[str, ...],
    bare: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The error names the variable, or what it names; nothing is printed and nothing is left running."""
    if words.startswith("serve") or variable == "LASTCARD_BROKER_URL":
        monkeypatch.setenv("LASTCARD_REDIS_URL", STORE)
    for value in values:
        formats.own.cache_clear()
        monkeypatch.setenv(variable, value.replace("{}", str(bare)))
        capsys.readouterr()
        assert main([word.replace("{}", str(bare)) for word in words.split()]) == 2, (value, capsys.readouterr())
        told = capsys.readouterr()
        assert told.out == ""
        last = told.err.splitlines()[-1]
        assert last.startswith("lastcard: "), told.err
        assert "fault of lastcard" not in told.err
        assert "Traceback" not in told.err
        assert main([*(word.replace("{}", str(bare)) for word in words.split()), "--json"]) == 2
        error = json.loads(capsys.readouterr().err.splitlines()[-1])["error"]
        assert error["reason"] not in {"INTERNAL", "PART_FAILED"}, error


@pytest.mark.parametrize("words", [REFEREE, LADDER, UP])
@pytest.mark.parametrize(
    ("certificate", "said"),
    [
        pytest.param("none", "cannot be read: No such file or directory", id="a file that is not there"),
        pytest.param("text", "is no PEM file", id="something else"),
        pytest.param("half.pem", "do not fit", id="no certificate in it"),
    ],
)
def test_a_certificate_that_is_no_good_is_exit_2(
    words: str,
    certificate: str,
    said: str,
    bare: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Said in a sentence, by every process that would show it, before it listens anywhere."""
    monkeypatch.setenv("LASTCARD_REDIS_URL", STORE)
    (bare / "half.pem").write_text("-----BEGIN CERTIFICATE-----\n", "utf-8")
    monkeypatch.setenv("LASTCARD_TLS_CERT_FILE", str(bare / certificate))
    monkeypatch.setenv("LASTCARD_TLS_KEY_FILE", str(bare / "half.pem"))
    assert main([word.replace("{}", str(bare)) for word in words.split()]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    last = told.err.splitlines()[-1]
    assert last.startswith("lastcard: LASTCARD_TLS_CERT_FILE")
    assert said in last
