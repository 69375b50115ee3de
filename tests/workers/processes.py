"""Real processes of Celery for a test: started, waited for, and ended with the test."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.patience import PATIENCE_S
from workers.house.part import READY

ROOT = Path(__file__).parents[2]


class Process:
    """`lastcard …` in a process group of its own; a context manager that leaves nothing behind.

    Its state folder is that of its log, unless the environment names another.
    """

    def __init__(
        self,
        words: list[str],
        environment: Mapping[str, str],
        log: Path,
        program: tuple[str, ...] = ("-m", "lastcard.cli"),
    ) -> None:
        self.log = log
        self._said: queue.Queue[str] = queue.Queue()
        with log.open("ab") as errors:
            self.popen = subprocess.Popen(
                [sys.executable, *program, *words],
                env={**os.environ, "PYTHONPATH": str(ROOT), "LASTCARD_STATE": str(log.parent), **environment},
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
                text=True,
            )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            self._said.put(line)
        self._said.put("")

    def ready(self) -> str:
        """Wait for the line that says so, and return it."""
        try:
            line = self._said.get(timeout=PATIENCE_S)
        except queue.Empty:
            line = ""
        assert line.startswith(READY), f"{line!r}\n{self.log.read_text()[-3000:]}"
        return line

    def kill(self) -> None:
        """End it as a crash does, its children with it."""
        os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait(PATIENCE_S)

    def terminate(self) -> int:
        """Ask it to end; returns the exit code."""
        self.popen.terminate()
        return self.popen.wait(PATIENCE_S)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.popen.poll() is None:
            self.kill()
        self._reader.join(PATIENCE_S)
        assert self.popen.stdout is not None
        self.popen.stdout.close()
