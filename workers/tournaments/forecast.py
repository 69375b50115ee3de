"""How long a tournament will take: from what was measured, else from what is usual, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

__all__ = ["LEAST_GAMES", "LEAST_S", "Measured", "Span", "forecast", "played"]

LEAST_GAMES: Final = 10
LEAST_S: Final = 1
"""What is shorter, or of fewer games, tells of the beginning and the end of matches and not of play."""
BETWEEN_RUNS: Final = 1.6
"""So many times faster or slower a tournament may be than one like it: other cards, other neighbours on the machine."""
UNKNOWN: Final = 3.0
"""The same where nothing was measured: the machine, its referees and its bots are unknown."""
BESIDE_S: Final = 2.0
MOST_BESIDE_S: Final = 12.0
"""What passes before the first match and after the last one, as a rule and at most: two ticks, and the rating."""


@dataclass(frozen=True, slots=True)
class Measured:
    """What was played of a tournament, or outside of all."""

    games: int
    seconds: float
    """In which something of it was played."""
    bots: int

    @property
    def pace(self) -> float:
        """Games a second."""
        return self.games / self.seconds


@dataclass(frozen=True, slots=True)
class Span:
    """How long something takes, in seconds: most likely, at least and at most."""

    seconds: float
    least: float
    most: float
    measured: int = 0
    """Games from which that is known; 0: it is what is usual."""


def played(games: int, times: Sequence[tuple[int, int]], bots: int) -> Measured | None:
    """Return what was measured; None where that is too little to tell anything.

    Args:
        games: of all matches.
        times: begin and end of each match, in ms; while none is played, as in a pause, no time passes.
        bots: that played.
    """
    busy_ms = until = 0
    for begun, ended in sorted(times):
        busy_ms += max(ended - max(begun, until), 0)
        until = max(until, ended)
    if games < LEAST_GAMES or busy_ms < LEAST_S * 1000:
        return None
    return Measured(games, busy_ms / 1000, bots)


def forecast(games: int, bots: int, usual: float, measured: Sequence[Measured]) -> Span:
    """Return how long so many games take.

    More bots play more games at once, as long as it is they who are waited for; where it is the referee, they do not.
    So the pace of others is taken as it is, and as so many times faster or slower as these bots are more or fewer; the
    span holds both.

    Args:
        games: to be played.
        bots: that play them.
        usual: games a second where nothing was measured.
        measured: of the same format.
    """
    if not games:
        return Span(0.0, 0.0, 0.0)
    if not measured:
        seconds = games / usual
        return Span(seconds + BESIDE_S, seconds / UNKNOWN, seconds * UNKNOWN + MOST_BESIDE_S)
    ratios = [bots / one.bots for one in measured]
    slow = min(one.pace * min(ratio, 1.0) for one, ratio in zip(measured, ratios, strict=True)) / BETWEEN_RUNS
    fast = max(one.pace * max(ratio, 1.0) for one, ratio in zip(measured, ratios, strict=True)) * BETWEEN_RUNS
    likely = median(one.pace for one in measured)
    return Span(
        games / likely + BESIDE_S, games / fast, games / slow + MOST_BESIDE_S, sum(one.games for one in measured)
    )
