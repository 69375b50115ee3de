"""Fails a run of which any log holds a secret: looked at once, when all tests are over.

Looked at are the log files that tests and their processes leave in the temporary folder of the run, what the tests
logged, and what they wrote to stderr; what a command prints is its own affair. Secrets are tokens (known by their
shape), what `note` was told of (the seeds of all matches, the pepper), and hands.
"""

import ast
import base64
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import pytest

TOKEN: Final = re.compile(rb"lcb1_[a-z2-7]{10}_[A-Za-z0-9_-]{43}")
HEX: Final = re.compile(rb"[0-9a-f]{64}")
BASE64: Final = re.compile(rb"[A-Za-z0-9+/_-]{43}")
LITERAL: Final = re.compile(rb"b'(?:[^'\\\n]|\\.){32,130}'|b\"(?:[^\"\\\n]|\\.){32,130}\"")
HAND: Final = re.compile(rb"(?:\"hands?\": |\bhands?=)[^ \n]{0,20}")
OWN: Final = re.compile(rb"^.* of this bot, in choose\(.*$", re.MULTILINE)
"""What the library writes into the log of a bot, on the machine of its author, about the bot's own turn."""
NOTES: Final = "secrets-of-"
LOGS: Final = ("*.log", "log")
PLAIN: Final = 8
"""A secret has more different bytes than this; others are made up by a test, and are in every file of zeros."""

_noted: set[bytes] = set()
_said: list[tuple[str, bytes]] = []


def note(secrets: Iterable[bytes]) -> None:
    """Have these looked for at the end of the run."""
    _noted.update(secret for secret in secrets if len(set(secret)) > PLAIN)


def leaks(place: str, text: bytes, secrets: set[bytes]) -> Iterator[str]:
    """Yield what a text holds that nobody may read."""
    if TOKEN.search(text):
        yield f"a token in {place}"
    for hand in HAND.finditer(OWN.sub(b"", text)):
        yield f"{hand[0].decode(errors='replace')!r} in {place}"
    for shown in _shapes(text):
        if shown in secrets:
            yield f"a seed or the pepper in {place}"


def _shapes(text: bytes) -> Iterator[bytes]:
    """Yield the 32 bytes that anything in a text may stand for."""
    for found in HEX.finditer(text):
        yield bytes.fromhex(found[0].decode())
    for found in BASE64.finditer(text):
        yield base64.urlsafe_b64decode(found[0].translate(bytes.maketrans(b"+/", b"-_")) + b"=")
    for found in LITERAL.finditer(text):
        shown = ast.literal_eval(found[0].decode(errors="replace"))
        if isinstance(shown, bytes):
            yield shown


def _folder(config: pytest.Config) -> Path:
    factory: pytest.TempPathFactory = config._tmp_path_factory  # type: ignore[attr-defined]
    return factory.getbasetemp()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what a test logged and what it wrote to stderr."""
    for title, text in report.sections:
        if "log" in title or "stderr" in title:
            _said.append((f"{title} of {report.nodeid}", text.encode(errors="replace")))


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave a note of the secrets of this process; where the run ends, look for those of all processes."""
    folder = _folder(session.config)
    if hasattr(session.config, "workerinput"):
        (folder / f"{NOTES}{os.getpid()}").write_text("\n".join(one.hex() for one in sorted(_noted)), encoding="ascii")
        return
    noted = _noted.union(*map(_read, folder.rglob(f"{NOTES}*")))
    files = [file for pattern in LOGS for file in folder.rglob(pattern) if file.is_file()]
    seen = [(str(file.relative_to(folder)), file.read_bytes()) for file in files] + _said
    found = sorted({leak for place, text in seen for leak in leaks(place, text, noted)})
    if found:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.section("secrets in logs", red=True)
            for leak in found:
                reporter.write_line(leak)


def _read(file: Path) -> set[bytes]:
    return {bytes.fromhex(line) for line in file.read_text(encoding="ascii").split()}
