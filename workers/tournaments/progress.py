"""The progress of a tournament, live on a terminal and line by line elsewhere; always on stderr."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from datetime import timedelta
from types import TracebackType
from typing import Final, Protocol, Self, TextIO

from ladder.extent import extent, not_with_this_format, too_few, waiting, why_void
from lastcard.console import counted
from workers.tournaments.life import State
from workers.tournaments.tournament_status import TournamentStatus

SLOWEST: Final = 0.5
"""Rounds or games a second that are worth a word."""
BETWEEN_S: Final = 5.0
"""A line at most so often where there is no terminal."""


class ProgressView(Protocol):
    """Shows a tournament as it goes on; a context manager that leaves the terminal as it was."""

    def show(self, status: TournamentStatus) -> None:
        """Show the tournament at this moment."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


def progress(stream: TextIO = sys.stderr) -> ProgressView:
    """Return the view that fits the stream."""
    return LiveProgress(stream) if stream.isatty() else PlainProgress(stream)


def how_far(status: TournamentStatus) -> str:
    """Return in words how many of a tournament's matches are played; those of its plan before it begins."""
    begun = status.entrants or not status.state.over
    total = status.plan.summary.matches if begun else 0
    done, lost, created = status.matches_done, status.matches_lost, status.matches_created
    again, parked = status.matches_replayed, status.matches_parked
    words = extent(status.state, done, lost, total, created, again=again, parked=parked, joint="/")
    return f"{words}{why_void(status.voids)}"


def games(status: TournamentStatus) -> str:
    """Return in words how many games are played, and of how many, where that is known."""
    done, total = status.games_done, status.plan.summary.games
    return f"{done}/{counted(total, 'game')}" if total else counted(done, "game")


def about(seconds: float) -> str:
    """Return in words how long something takes."""
    if not math.isfinite(seconds):
        return "an unknown time"
    return f"about {timedelta(seconds=round(seconds))}" if seconds >= 1 else "less than a second"


def between(least: float, most: float) -> str:
    """Return in words how long something takes at least and at most, rounded to the far sides."""
    return f"{timedelta(seconds=math.floor(least))} to {timedelta(seconds=math.ceil(most))}"


def summed_up(status: TournamentStatus) -> str:
    """Return a tournament's progress in one line of words."""
    line = f"{how_far(status)}, {games(status)}"
    if status.state is State.PAUSED:
        return f"{line}, paused; `lastcard tournament resume {status.spec.name}` has it go on"
    speed, unit = (status.rounds_per_second, "rounds") if status.rounds_a_game else (status.games_per_second, "games")
    if speed >= SLOWEST and not status.state.over:
        line += f", {speed:.0f} {unit}/s"
    if status.eta_s:
        line += f", {about(status.eta_s)} to go"
    if status.missing:
        line += f", {waiting(status.missing, status.entrants)}"
    if status.not_offering:
        line += f" ({not_with_this_format(status.not_offering, status.entrants)})"
    if short := shortage(status):
        line += f", {short}"
    return line


def shortage(status: TournamentStatus) -> str:
    """Say how many bots are there of those that a tournament of all waits for; nothing where they are enough."""
    if not status.spec.all or status.spec.cron or status.entrants or status.state.over:
        return ""
    return too_few(status.spec.format, status.plan.bots, status.plan.fewest)


class PlainProgress:
    """One line now and then, and one at the end."""

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream, self._clock = stream, clock
        self._last = -BETWEEN_S
        self._said = ""

    def show(self, status: TournamentStatus) -> None:
        """Write a line if the last one is some seconds ago or nothing will follow."""
        text, now = f"{status.spec.name}: {summed_up(status)}", self._clock()
        over = status.state.over or status.matches_done + status.matches_lost >= status.plan.summary.matches
        if text != self._said and (over or now - self._last >= BETWEEN_S):
            self._stream.write(f"{text}\n")
            self._stream.flush()
            self._said, self._last = text, now

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Leave the stream as it is."""


class LiveProgress:
    """A bar that moves."""

    def __init__(self, stream: TextIO) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        name, words = (TextColumn(what, markup=False) for what in ("{task.description}", "{task.fields[words]}"))
        columns = (name, BarColumn(), words)
        self._progress = Progress(*columns, console=Console(file=stream))
        self._task = self._progress.add_task("", total=None, words="waiting for the first match")

    def show(self, status: TournamentStatus) -> None:
        """Move the bar."""
        self._progress.update(
            self._task,
            description=status.spec.name,
            total=status.plan.summary.games,
            completed=status.games_done,
            words=summed_up(status),
        )

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()
