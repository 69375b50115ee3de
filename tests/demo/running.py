"""A `lastcard demo` or `lastcard up` that runs as a user would run it, looked at from outside."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any, Self

from tests import secrets_hook
from tests.demo.processes import alive
from tests.patience import PATIENCE_S, until_true

SETTING = re.compile(r"(LASTCARD_\w+)=(\S+)")
PROCESSES = {  # what is on their command lines
    "store": "/store/store.",
    "referee": "serve referee",
    "worker": "serve worker",
    "beat": "serve beat",
    "ladder": "serve ladder",
    "bot": "referee.bots",
}


def clean_environment() -> dict[str, str]:
    """Return this environment without anything of ours."""
    return {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_")}


class Running:
    """A supervisor and what it starts; use it as a context manager."""

    def __init__(self, *arguments: str, home: Path, module: str = "lastcard.cli", **settings: str) -> None:
        self.home = home
        environment = clean_environment() | {
            "HOME": str(home),
            "XDG_STATE_HOME": str(home / "state"),
            "TMPDIR": str(home),
            **settings,
        }
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said: list[str] = []
        self.printed: list[str] = []
        self._readers = [
            threading.Thread(target=self._read, args=(self.process.stderr, self.said)),
            threading.Thread(target=self._read, args=(self.process.stdout, self.printed)),
        ]
        for reader in self._readers:
            reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """End it, whatever happened, and see that nothing of it is left."""
        self.process.kill()
        self.wait()
        until_true(lambda: not self.left())

    def _read(self, stream: IO[str] | None, lines: list[str]) -> None:
        assert stream is not None
        lines.extend(iter(stream.readline, ""))

    def wait(self) -> int:
        """Wait for its end; returns its exit code."""
        code = self.process.wait(PATIENCE_S)
        for reader in self._readers:
            reader.join()
        secrets_hook.heard("".join(self.printed), "".join(self.said))
        for stream in (self.process.stdout, self.process.stderr):
            assert stream is not None
            stream.close()
        return code

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        """Send a signal and wait for the end; returns the exit code."""
        self.process.send_signal(number)
        return self.wait()

    def until_said(self, what: str) -> None:
        """Wait until a line on stderr contains this."""

        def there() -> bool:
            assert self.process.poll() is None or any(what in line for line in self.said), self.story()
            return any(what in line for line in self.said)

        until_true(there)

    def until_printed(self) -> dict[str, Any]:
        """Wait for the first line on stdout; returns the JSON in it."""

        def there() -> bool:
            assert self.process.poll() is None or self.printed, self.story()
            return bool(self.printed)

        until_true(there)
        return dict(json.loads(self.printed[0]))

    def story(self) -> str:
        """Return what it said, for a failing test."""
        return "".join(self.said)

    def settings(self) -> dict[str, str]:
        """Return the settings that it told people to use."""
        return dict(found for line in self.said for found in SETTING.findall(line))

    def export(self) -> str:
        """Return the line that it told people to type."""
        return next(line for said in self.said for line in said.splitlines() if line.startswith("export "))

    def pids(self, name: str) -> list[int]:
        """Return the processes of this kind that run now, the supervisor's own children only."""
        return [pid for pid in self.children() if PROCESSES[name] in command_of(pid)]

    def children(self) -> list[int]:
        """Return the supervisor's children."""
        try:
            tasks = list(Path(f"/proc/{self.process.pid}/task").iterdir())
            return [int(pid) for task in tasks for pid in (task / "children").read_text("ascii").split()]
        except FileNotFoundError:
            return []

    def kill(self, name: str) -> int:
        """End a process of this kind without asking; returns its number."""
        until_true(lambda: self.pids(name))
        (pid,) = self.pids(name)
        os.kill(pid, signal.SIGKILL)
        return pid

    def left(self) -> list[int]:
        """Return all processes anywhere that carry this run's home in their environment or on their command line."""
        mark = str(self.home).encode()
        return [pid for pid in numbers() if alive(pid) and mark in environment_of(pid) and pid != os.getpid()]

    def lastcard(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run a command against it as the operator."""
        return lastcard(arguments, self.settings())


def lastcard(arguments: Sequence[str], settings: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command of ours with these settings and no others."""
    return subprocess.run(
        [sys.executable, "-m", "lastcard.cli", *arguments],
        env=clean_environment() | settings,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def numbers() -> list[int]:
    """Return all processes."""
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def command_of(pid: int) -> str:
    """Return a process's command line, empty if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace")
    except OSError:
        return ""


def environment_of(pid: int) -> bytes:
    """Return a process's command line and environment, empty if it is gone or somebody else's."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes() + Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return b""


def short_folder() -> Path:
    """Return a folder with a name that leaves room for a socket in it."""
    return Path(tempfile.mkdtemp(prefix="lc-test-", dir="/tmp"))
