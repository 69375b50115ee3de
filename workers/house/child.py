"""One running process of the house: its start, its READY line, its log, its end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
import weakref
from asyncio.subprocess import DEVNULL, STDOUT, Process
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

from workers.house import launch
from workers.house.logs import Bounds, is_there, opened, trimmed
from workers.house.part import READY, Part

LONGEST_TAIL: Final = 65_536
"""Bytes at the end of a log that are looked at for its last lines."""
LOOK_S: Final = 0.02
"""Pause between two looks at a process that is starting."""


class NotReadyError(Exception):
    """A process did not become ready; the text goes on from its name: `was not ready after 60 s`."""


def command_line(part: Part) -> list[str]:
    """Return how a part is started: through the wrapper that ties its life to ours."""
    return [sys.executable, "-I", "-S", str(Path(launch.__file__)), str(os.getpid()), *part.command]


def spoken(line: str) -> Mapping[str, str]:
    """Return what a READY line says.

    Raises:
        NotReadyError: it is not a JSON object.

    """
    try:
        said = json.loads(line.removeprefix(READY))
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise NotReadyError(f"said READY without a JSON object: {line[:200].rstrip()}")
    return {str(key): str(value) for key, value in said.items()}


class Child:
    """A process that has been started, the leader of its own process group."""

    def __init__(self, part: Part, process: Process, log: Path, descriptor: int, begin: int) -> None:
        self.part = part
        self.log = log
        self.addresses: Mapping[str, str] | None = None
        """What it said when it became ready; None until then."""
        self._process = process
        self._descriptor = descriptor
        self._begin = begin
        weakref.finalize(self, os.close, descriptor)  # not sooner: its log may be trimmed by a thread at this moment

    @classmethod
    async def start(cls, part: Part, logs: Path, bounds: Bounds) -> Self:
        """Start a part; all that it writes goes to `<name>.log` in `logs`.

        Raises:
            OSError: its log cannot be opened, or the machine takes no more processes.

        """
        log = logs / f"{part.name}.log"
        descriptor = opened(log, bounds)
        try:
            begin = os.fstat(descriptor).st_size
            process = await asyncio.create_subprocess_exec(
                *command_line(part),
                stdin=DEVNULL,
                stdout=descriptor,
                stderr=STDOUT,
                env={**os.environ, **part.environment},
                start_new_session=True,
            )
        except BaseException:
            os.close(descriptor)
            raise
        return cls(part, process, log, descriptor, begin)

    @property
    def pid(self) -> int:
        """Process id, and id of its group."""
        return self._process.pid

    @property
    def exit_code(self) -> int | None:
        """Exit code, minus the signal that ended it, or None while it runs."""
        return self._process.returncode

    async def ready(self) -> Mapping[str, str]:
        """Wait until it is ready; returns its addresses.

        Raises:
            NotReadyError: it ended before, or took longer than its part allows.

        """
        try:
            async with asyncio.timeout(self.part.start_s):
                while (said := await self._asked()) is None:
                    if self.exit_code is not None:
                        raise NotReadyError("ended before it was ready")
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            raise NotReadyError(f"was not ready after {self.part.start_s:g} s") from None
        self.addresses = said
        return said

    async def _asked(self) -> Mapping[str, str] | None:
        """Return what it says for itself if it is ready now."""
        if self.part.probe is None:
            line = next((line for line in self._written() if line.startswith(READY)), None)
            return None if line is None else spoken(line)
        try:
            return await self.part.probe()
        except OSError:
            return None

    async def ended(self) -> int:
        """Wait until it has ended and sweep up what is left of its process group; returns its exit code."""
        code = await self._process.wait()
        self.kill()
        return code

    async def stop(self) -> None:
        """Ask it to end; kill it when its grace is over."""
        self.send(signal.SIGTERM)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(self.part.grace_s):
                await self._process.wait()
        self.kill()
        await self._process.wait()

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process, if it still runs."""
        if self.exit_code is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill whatever is left of its process group, now."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)

    def trim(self, bounds: Bounds) -> None:
        """Keep its log within bounds.

        Raises:
            OSError: the disk does not take what is to be kept of it.

        """
        if trimmed(self._descriptor, self.log, bounds):
            self._begin = 0

    @property
    def log_is_there(self) -> bool:
        """Whether what it writes can still be read where its log lies."""
        return is_there(self._descriptor, self.log)

    def tail(self, lines: int = 12) -> list[str]:
        """Return the last lines that this run of the process wrote."""
        return self._written()[-lines:]

    def _written(self) -> list[str]:
        """Return the complete lines that it wrote, the last 64 KiB of them, even where its log was removed."""
        try:
            end = os.fstat(self._descriptor).st_size
            text = os.pread(self._descriptor, LONGEST_TAIL, max(self._begin, end - LONGEST_TAIL))
        except OSError:  # a disk that fails: its last words are not worth the house
            return []
        return [line for line in text.decode("utf-8", "replace").splitlines(keepends=True) if line.endswith("\n")]
