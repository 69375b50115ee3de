"""Fails a run of which any output holds a secret: looked at once, when all tests are over.

Looked at are the log files that tests and their processes leave in the temporary folder of the run, what tests logged
and wrote to stderr, what the processes that they started did, and every answer to Prometheus that was made in a
process of the tests. Secrets there are tokens (known by their shape), what `note` was told of (the seeds of all
matches, the pepper), and hands: whatever is called one, and those that were dealt in a sample of the matches.

What commands and tests print is another matter: a token is handed out there, and seeds and hands are told once their
match has closed. Nobody can say later when a line was printed, so what is looked for there are the secrets that were
never to be told: the seeds and the hands of matches that had not ended when their tests had, the seeds of such
tournaments, and tokens that no command has made. It is looked for in what tests print, in what their processes print
into the same place, and in what these write into a pipe, however that is read.
`tests/hostile/test_secrets.py` looks at a house at the moment at which it prints.
"""

import ast
import asyncio
import asyncio.subprocess
import base64
import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import prometheus_client.exposition
import prometheus_client.openmetrics.exposition
import pytest

TOKEN: Final = re.compile(rb"lcb1_[a-z2-7]{10}_[A-Za-z0-9_-]{43}")
HEX: Final = re.compile(rb"[0-9a-f]{64}")
BASE64: Final = re.compile(rb"[A-Za-z0-9+/_-]{43}")
LITERAL: Final = re.compile(rb"b'(?:[^'\\\n]|\\.){32,130}'|b\"(?:[^\"\\\n]|\\.){32,130}\"")
HAND: Final = re.compile(rb"(?:\"hands?\": |\bhands?=)[^ \n]{0,20}")
OWN: Final = re.compile(rb"^.* of this bot, in choose\(.*$", re.MULTILINE)
"""What the library writes into the log of a bot, on the machine of its author, about the bot's own turn."""
NOTES: Final = "secrets-of-"
UNTOLD: Final = ".untold"
TOLD: Final = ".told"
HANDS: Final = ".hands"
HELD: Final = ".held"
UNPRINTED: Final = ".unprinted"
LOGS: Final = ("*.log", "log")
PLAIN: Final = 8
"""A secret has more different bytes than this; others are made up by a test, and are in every file of zeros."""

PRINTED: Final = ".printed"
HEARD: Final = ("stdout" + PRINTED, "stderr.log", "metrics.log")

_Protocol: Final = asyncio.subprocess.SubprocessStreamProtocol
_noted: set[bytes] = set()
_untold: set[bytes] = set()
_told: set[bytes] = set()
_hands: set[bytes] = set()
_held: set[bytes] = set()
_unprinted: set[bytes] = set()
_metrics: set[bytes] = set()
_heard: dict[str, list[bytes]] = {name: [] for name in HEARD[:2]}
_said: list[tuple[str, bytes]] = []
_shown: list[tuple[str, bytes]] = []


def note(secrets: Iterable[bytes]) -> None:
    """Have these looked for at the end of the run."""
    _noted.update(secret for secret in secrets if len(set(secret)) > PLAIN)


def note_untold(secrets: Iterable[bytes], told: Iterable[bytes] = ()) -> None:
    """Have these looked for in what is printed, too: nobody was to be told. Others were, here or in another test."""
    _untold.update(secret for secret in secrets if len(set(secret)) > PLAIN)
    _told.update(told)


def note_unprinted(token: str) -> None:
    """Have a token looked for in what is printed, too: no command has made it, so nobody hands it out there."""
    _unprinted.add(token.encode())


def note_hand(cards: bytes, faces: Sequence[str], *, held: bool = False) -> None:
    """Have a hand looked for: its cards as numbers, and as people write them.

    `held`: nobody is ever told of it, so that it is looked for in what is printed, too.
    """
    forms: set[bytes] = set()
    for order in {bytes(cards), bytes(sorted(cards))}:
        numbers = [str(card) for card in order]
        shown = (order.hex(), repr(order)[2:-1], ", ".join(numbers), ",".join(numbers))
        forms.update(form.encode() for form in shown)
    forms.update(sep.join(faces).encode() for sep in (" ", ", ", '", "', '","', "', '"))
    _hands.update(forms)
    if held:
        _held.update(forms)


def heard(out: bytes | str | None, err: bytes | str | None) -> None:
    """Remember what another process has printed, and what it wrote to stderr."""
    for kept, text in zip(_heard.values(), (out, err), strict=True):
        if text:
            kept.append(text.encode(errors="replace") if isinstance(text, str) else bytes(text))


def hands_in(text: bytes, hands: Iterable[bytes]) -> int:
    """Return how many of these ways to write a hand stand in a text; a bot may say its own, in its own log."""
    seen = OWN.sub(b"", text)
    return sum(hand in seen for hand in hands)


def untold_in(text: bytes, untold: set[bytes]) -> bool:
    """Return whether one of the secrets that nobody is told stands in what was printed."""
    return any(shown in untold for shown in _shapes(text))


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
        try:
            shown = ast.literal_eval(found[0].decode(errors="replace"))
        except (SyntaxError, ValueError):  # raw bytes between two quotes: what was printed was no text
            continue
        if isinstance(shown, bytes):
            yield shown


def _folder(config: pytest.Config) -> Path:
    factory: pytest.TempPathFactory = config._tmp_path_factory  # type: ignore[attr-defined]
    return factory.getbasetemp()


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Keep what a test logged, what it wrote to stderr, and what it printed."""
    for title, text in report.sections:
        if "log" in title or "stderr" in title:
            _said.append((f"{title} of {report.nodeid}", text.encode(errors="replace")))
        else:
            _shown.append((f"{title} of {report.nodeid}", text.encode(errors="replace")))


def _listen() -> None:
    """Keep what processes say when they are asked for all of it, and what Prometheus is told here."""
    told, begun, piped = subprocess.Popen.communicate, subprocess.Popen.__init__, _Protocol.pipe_data_received

    def communicate(self: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (as the library has it)
        said = told(self, *args, **kwargs)
        heard(*said)
        return said

    def begin(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401 (as above)
        begun(self, *args, **kwargs)
        for number, name in enumerate(("stdout", "stderr")):
            pipe = getattr(self, name)
            if pipe is not None:
                setattr(self, name, _Pipe(pipe, number))

    def pipe_data_received(self: Any, fd: int, data: bytes | str) -> None:  # noqa: ANN401 (as above)
        heard(data if fd == 1 else None, data if fd == 2 else None)
        piped(self, fd, data)

    subprocess.Popen.communicate = communicate  # type: ignore[method-assign]
    subprocess.Popen.__init__ = begin  # type: ignore[method-assign]
    _Protocol.pipe_data_received = pipe_data_received  # type: ignore[method-assign]
    for module in (prometheus_client.exposition, prometheus_client.openmetrics.exposition):
        vars(module)["generate_latest"] = _overheard(vars(module)["generate_latest"])


class _Pipe:
    """A pipe of a process: what is read from it is remembered."""

    def __init__(self, pipe: Any, number: int) -> None:  # noqa: ANN401 (binary or text)
        self._pipe, self._number = pipe, number

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever a file has)
        return getattr(self._pipe, name)

    def __enter__(self) -> Any:  # noqa: ANN401 (itself)
        return self

    def __exit__(self, *_: object) -> None:
        self._pipe.close()

    def __iter__(self) -> Iterator[bytes | str]:
        while line := self.readline():
            yield line

    def __next__(self) -> bytes | str:
        return next(iter(self))

    def readline(self, *args: int) -> Any:  # noqa: ANN401 (bytes or text)
        return self._kept(self._pipe.readline(*args))

    def read(self, *args: int) -> Any:  # noqa: ANN401 (as above)
        return self._kept(self._pipe.read(*args))

    def _kept(self, text: Any) -> Any:  # noqa: ANN401 (as it came)
        heard(*((text, None) if self._number == 0 else (None, text)))
        return text


def _overheard(generate: Callable[..., bytes]) -> Callable[..., bytes]:
    def generate_latest(*args: Any, **kwargs: Any) -> bytes:  # noqa: ANN401 (as above)
        text = generate(*args, **kwargs)
        _metrics.update(line.rpartition(b" ")[0] if not line.startswith(b"#") else line for line in text.splitlines())
        return text

    return generate_latest


_listen()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Leave a note of the secrets of this process; where the run ends, look for those of all processes."""
    folder = _folder(session.config)
    for kind, kept in (
        ("", _noted),
        (UNTOLD, _untold),
        (TOLD, _told),
        (HANDS, _hands),
        (HELD, _held),
        (UNPRINTED, _unprinted),
    ):
        (folder / f"{NOTES}{os.getpid()}{kind}").write_text("\n".join(sorted(one.hex() for one in kept)), "ascii")
    for name, texts in zip(HEARD, (*_heard.values(), sorted(_metrics)), strict=True):
        (folder / f"{os.getpid()}-{name}").write_bytes(b"\n".join(texts))
    if hasattr(session.config, "workerinput"):
        return
    found = sorted({*_logged(folder), *_printed(folder)})
    if found:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = session.config.pluginmanager.get_plugin("terminalreporter")
        if reporter is not None:
            reporter.section("secrets in logs", red=True)
            for leak in found:
                reporter.write_line(leak)


def _logged(folder: Path) -> Iterator[str]:
    """Yield what stands where nobody may ever read a secret."""
    noted, hands = _read(folder, ""), _read(folder, HANDS)
    files = [file for pattern in LOGS for file in folder.rglob(pattern) if file.is_file()]
    for place, text in [(str(file.relative_to(folder)), file.read_bytes()) for file in files] + _said:
        yield from leaks(place, text, noted)
        if hands_in(text, hands):
            yield f"a hand that was dealt, in {place}"


def _printed(folder: Path) -> Iterator[str]:
    """Yield what was printed and is never told."""
    untold, held, unprinted = _read(folder, UNTOLD) - _read(folder, TOLD), _read(folder, HELD), _read(folder, UNPRINTED)
    files = [(str(file.relative_to(folder)), file.read_bytes()) for file in folder.rglob(f"*{PRINTED}")]
    for place, text in [*files, *_shown]:
        if untold_in(text, untold):
            yield f"a seed that was never told, in {place}"
        if hands_in(text, held):
            yield f"a hand that was never told, in {place}"
        if any(token in unprinted for token in TOKEN.findall(text)):
            yield f"a token that no command has made, in {place}"


def _read(folder: Path, kind: str) -> set[bytes]:
    """Return what the processes of a run have noted of a kind."""
    files = [file for file in folder.rglob(f"{NOTES}*") if file.suffix == kind]
    return {bytes.fromhex(line) for file in files for line in file.read_text(encoding="ascii").split()}
