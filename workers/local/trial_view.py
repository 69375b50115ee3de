"""What `lastcard sprt` shows: where the ratio stands while it plays, and a table at the end."""

from __future__ import annotations

import time
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, TextIO

from ladder.scoreline import Scoreline, percent
from ladder.sprt import Bounds, Decision
from ladder.terminal.screen import say, show_table
from lastcard.console import counted
from workers.local.trial import Comparison, Heading

if TYPE_CHECKING:
    from rich.live import Live

__all__ = ["USED_UP", "TrialView", "show"]

BETWEEN_S: Final = 5.0
"""A line at most so often where there is no terminal."""
WIDTH: Final = 21
"""Of the scale between the bounds."""
GAMES: Final = ("new", "old", "rounds", "W/T/L", "score", "elo", "±95 %", "LOS", "faults")
PAIRS: Final = ("LL", "LT", "even", "WT", "WW")
VERDICTS: Final = {
    Decision.H1: "H1 accepted: {new} is stronger than {old}, rather by {high} Elo than by {low}",
    Decision.H0: "H0 accepted: {new} is not stronger than {old} by {high} Elo, rather by {low}",
}
USED_UP: Final = "--max-meetings {most} is used up"


class TrialView:
    """A line that moves on a terminal, a line now and then elsewhere; a context manager."""

    def __init__(self, stream: TextIO, bounds: Bounds, start: Comparison, *, quiet: bool) -> None:
        """Write to `stream`; `quiet`: only if it is a terminal. `start` is what was played before."""
        self._stream = stream
        self._bounds = bounds
        self._before = start.meetings
        self._terminal = stream.isatty()
        self._quiet = quiet and not self._terminal
        self._began = self._last = time.monotonic()
        self._live: Live | None = None
        self._seen: tuple[int, str] | None = None

    def show(self, comparison: Comparison, waits: str = "") -> None:
        """Take notice of a check, or of what is waited for."""
        now, seen = time.monotonic(), (comparison.meetings, waits)
        if self._live is not None:
            self._live.update("\n".join(filter(None, (self._line(comparison, now), waits))))
        elif not self._quiet and seen != self._seen and now - self._last >= BETWEEN_S:
            self._last, self._seen = now, seen
            self.say("; ".join(filter(None, (self._line(comparison, now), waits))))

    def say(self, text: str) -> None:
        """Write a line that stays."""
        if self._live is not None:
            self._live.console.print(text, markup=False, highlight=False, soft_wrap=True)
        else:
            self._stream.write(f"{text}\n")
            self._stream.flush()

    def _line(self, comparison: Comparison, now: float) -> str:
        trial, line, bounds = comparison.trial, comparison.trial.line, self._bounds
        place = round((WIDTH - 1) * (trial.llr - bounds.lower) / (bounds.upper - bounds.lower))
        scale = "".join("|" if n == max(0, min(WIDTH - 1, place)) else "-" for n in range(WIDTH))
        rate = (comparison.meetings - self._before) / max(1e-9, now - self._began)
        return (
            f"LLR {trial.llr:+.2f}  H0 {bounds.lower:.2f} {scale} {bounds.upper:.2f} H1  "
            f"{counted(comparison.meetings, 'meeting')} ({rate:.0f}/s)  elo {_elo(line)}  LOS {percent(line.los)}"
        )

    def __enter__(self) -> Self:
        if self._terminal:
            from rich.console import Console
            from rich.live import Live

            self._live = Live(console=Console(file=self._stream), transient=True, refresh_per_second=4)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the moving line away."""
        if self._live is not None:
            self._live.stop()


def show(heading: Heading, comparison: Comparison, undecided: str) -> None:
    """Print what was found; `undecided`: the finished sentence that is said where that is nothing."""
    bounds, trial, line = heading.bounds, comparison.trial, comparison.trial.line
    luck = f", luck taken out ({heading.lc_version})" if heading.lc_version else ""
    say(
        f"{heading.format}, {heading.deals} deals, ruleset {heading.ruleset}, "
        f"{heading.source}: {counted(comparison.meetings, 'meeting')}{luck}"
    )
    losses, ties, wins = comparison.games
    row = (
        heading.new,
        heading.old,
        comparison.rounds,
        f"{wins}/{ties}/{losses}",
        f"{line.score:.1%}",
        "-" if line.elo is None else f"{line.elo:+.1f}",
        "-" if line.ci95 is None else f"{line.ci95:.1f}",
        percent(line.los),
        "/".join(map(str, comparison.faults)),
    )
    show_table(GAMES, [row])
    if heading.lc_version and comparison.raw_score is not None:
        raw = f"W/T/L: games as they were played, a score of {comparison.raw_score:.1%}"
        say(f"{raw}; score, elo, its interval, LOS and LLR: with luck taken out")
    show_table(PAIRS, [trial.counts])
    say(f"LLR {trial.llr:+.3f} between {bounds.lower:.3f} and {bounds.upper:.3f}")
    if verdict := VERDICTS.get(trial.decision):
        low, high = bounds.typed
        say(verdict.format(new=heading.new, old=heading.old, low=low, high=high))
    else:
        say(undecided)


def _elo(line: Scoreline) -> str:
    if line.elo is None:
        return "-"
    return f"{line.elo:+.1f}" if line.ci95 is None else f"{line.elo:+.1f} ±{line.ci95:.1f}"
