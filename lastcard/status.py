"""What a bot process has done so far, in one line that stays at the foot of the terminal."""

from __future__ import annotations

import logging
import os
import sys
from time import monotonic
from typing import IO, Final

from lastcard.console import counted

CLEAR: Final = "\r\x1b[2K"
FORMAT: Final = "%(asctime)s %(levelname)s %(message)s"
LOG: Final = logging.getLogger("lastcard.bot")


class Tally:
    """A count that says when it is worth a line: the 1st, 2nd, 4th, 8th time and so on."""

    def __init__(self) -> None:
        """Start at zero."""
        self.count = 0

    def add(self) -> bool:
        """Count one more; returns whether to tell of it."""
        self.count += 1
        return self.count & (self.count - 1) == 0


class Status:
    """Counts of one bot process."""

    def __init__(self, errors: Tally) -> None:
        """Start at zero; `errors` of the bot are counted by its thinker."""
        self.name = ""
        self.server = ""
        self.connected = False
        self.decisions = self.rounds = self.games = self.matches = self.faults = 0
        self.round_trip_ms = 0.0
        self.errors = errors
        self.refused = Tally()
        self._last = (monotonic(), 0)

    def line(self) -> str:
        """Return the counts in one line, with the decisions per second since it was last asked."""
        now, (then, before) = monotonic(), self._last
        self._last = (now, self.decisions)
        rate = (self.decisions - before) / max(now - then, 1e-9)
        parts = [self.name or "lastcard bot", self.server if self.connected else f"waiting for {self.server}"]
        parts += [counted(self.games, "game"), f"{counted(self.decisions, 'decision')} ({rate:.0f}/s)"]
        parts += [f"{self.round_trip_ms:.1f} ms"] if self.round_trip_ms else []
        parts += [counted(self.faults, "fault")] if self.faults else []
        parts += [f"{self.errors.count} errors of the bot"] if self.errors.count else []
        return " · ".join(parts)


def in_front(stream: IO[str]) -> bool:
    """Return whether a terminal is ours to draw on: not where this runs in its background, behind a person's typing."""
    try:
        return os.tcgetpgrp(stream.fileno()) == os.getpgrp()
    except OSError:  # it is nobody's terminal
        return True


class Screen(logging.StreamHandler[IO[str]]):
    """Log lines, and below them, where stderr is a terminal, one line that is rewritten."""

    def __init__(self, part: str = "") -> None:
        """Write to stderr; where this process is only a `part` of a bot, say so and show no live line."""
        super().__init__(sys.stderr)
        self.setFormatter(logging.Formatter(f"{FORMAT} [process {part}]" if part else FORMAT, "%H:%M:%S"))
        self.live = not part and sys.stderr.isatty()

    def emit(self, record: logging.LogRecord) -> None:
        """Write a log line in place of the live line."""
        self.clear()
        super().emit(record)

    def show(self, line: str) -> None:
        """Rewrite the live line."""
        if self.live and in_front(self.stream):
            self.stream.write(f"{CLEAR}{line}")
            self.stream.flush()

    def clear(self) -> None:
        """Remove the live line."""
        if self.live and in_front(self.stream):
            self.stream.write(CLEAR)


def screen(*, verbose: bool, part: str = "") -> Screen:
    """Return the screen, with the log on it unless the author's own script has decided where the log goes."""
    shown = Screen(part)
    if not LOG.hasHandlers():
        LOG.addHandler(shown)
        LOG.setLevel(logging.DEBUG if verbose else logging.INFO)
    return shown
