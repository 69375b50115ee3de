"""How far long work is: a bar on a terminal, a line now and then elsewhere, on stderr."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, TextIO

if TYPE_CHECKING:
    from rich.progress import Progress

BETWEEN_S: Final = 5.0
"""A line at most so often where there is no terminal; nothing is said about what is over sooner."""
SHORT_S: Final = 1.0
"""What is over sooner gets no bar."""


class WorkProgress:
    """A context manager that leaves the terminal as it was."""

    def __init__(
        self, stream: TextIO, things: str, *, quiet: bool, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Write to `stream` of these things, like `games`; `quiet`: only if it is a terminal."""
        self._things = things
        self._stream = stream
        self._clock = clock
        self._terminal = stream.isatty()
        self._quiet = quiet and not self._terminal
        self._began = self._last = clock()
        self._bar: Progress | None = None

    def show(self, done: int, every: int) -> None:
        """Take notice that so many of all are done."""
        now = self._clock()
        if self._quiet or now - self._last < (SHORT_S if self._terminal else BETWEEN_S):
            return
        if self._terminal:
            self._show_bar(done, every)
        else:
            rate, things = done / (now - self._began), self._things
            self._stream.write(f"{done}/{every} {things}, {rate:.1f} {things}/s, {(every - done) / rate:.0f} s to go\n")
            self._stream.flush()
        self._last = now

    def _show_bar(self, done: int, every: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

            columns = (*Progress.get_default_columns()[:-1], MofNCompleteColumn(), TimeRemainingColumn())
            self._bar = Progress(*columns, console=Console(file=self._stream), transient=True)
            self._bar.add_task(self._things, total=every)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=done)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.stop()
