"""What every bot did against every other on a ladder, read again after a while."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Lock
from typing import Final

from ladder.store.ratings import PairTally, Ratings

LONGEST_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Opponent:
    """One opponent, seen from a bot."""

    opponent: str
    games: int
    score: float
    """Mean score of the bot, 0 to 1."""


class Opponents:
    """Reads pairs; may be used by several threads."""

    def __init__(self, ratings: Ratings, clock: Callable[[], float] = time.monotonic) -> None:
        self._ratings = ratings
        self._clock = clock
        self._known: dict[str, tuple[float, dict[str, list[Opponent]]]] = {}
        self._lock = Lock()

    def get(self, ladder_format: str, bot: str) -> tuple[Opponent, ...]:
        """Return the opponents of a version (`name@n`), most games first."""
        with self._lock:
            read_at, known = self._known.get(ladder_format, (0.0, {}))
            if not known or self._clock() - read_at >= LONGEST_S:
                known = _by_bot(self._ratings.pairs(ladder_format))
                self._known[ladder_format] = (self._clock(), known)
        return tuple(sorted(known.get(bot, ()), key=lambda line: (-line.games, line.opponent)))


def _by_bot(pairs: Iterable[PairTally]) -> dict[str, list[Opponent]]:
    known: dict[str, list[Opponent]] = {}
    for pair in pairs:
        score = pair.score / pair.games
        known.setdefault(pair.a, []).append(Opponent(pair.b, pair.games, score))
        known.setdefault(pair.b, []).append(Opponent(pair.a, pair.games, 1 - score))
    return known
