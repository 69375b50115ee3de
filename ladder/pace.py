"""How fast a tournament is played, lately, and when it will be over."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Final

__all__ = ["Pace"]

APART_MS: Final = 5_000
WITHIN_MS: Final = 60_000
"""The pace is that of the last minute: long enough to be smooth, short enough to follow."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Games done at moments of the last minute, oldest first: `(ms, games)`."""

    samples: tuple[tuple[int, int], ...] = ()

    @classmethod
    def noted(cls, text: str) -> Pace:
        """Return the pace that the planner has noted in a tournament's row (docs/architecture.md 6)."""
        return cls(tuple((ms, games) for ms, games in json.loads(text).get("pace", ()))) if text else cls()

    def seen(self, now_ms: int, games: int) -> Pace:
        """Return the pace with one more moment; moments closer than 5 s are left out."""
        if self.samples and now_ms - self.samples[-1][0] < APART_MS:
            return self
        recent = [sample for sample in self.samples if now_ms - sample[0] <= WITHIN_MS]
        return Pace((*recent, (now_ms, games)))

    def games_per_second(self, now_ms: int, games: int) -> float:
        """Return the games per second between the oldest moment and now; 0 before there is one."""
        if not self.samples or now_ms <= self.samples[0][0]:
            return 0.0
        first_ms, first_games = self.samples[0]
        return max(games - first_games, 0) * 1000 / (now_ms - first_ms)

    def eta_s(self, now_ms: int, games: int, total: float) -> float | None:
        """Return the seconds to go at this pace; None where nothing moves."""
        pace = self.games_per_second(now_ms, games)
        return max(total - games, 0) / pace if pace > 0 else None
