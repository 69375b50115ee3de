"""How fast a tournament is played, lately, and when it will be over, as its planner has noted."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import Final

__all__ = ["Pace"]

APART_MS: Final = 5_000
WITHIN_MS: Final = 60_000
"""The pace is that of the last minute: long enough to be smooth, short enough to follow."""


@dataclass(frozen=True, slots=True)
class Pace:
    """Games done at moments of the last minute, oldest first: `(ms, games)`; and what they say of the end."""

    samples: tuple[tuple[int, int], ...] = ()
    over_ms: int = 0
    """When it will be over, wall time; 0: nobody can say."""

    @classmethod
    def noted(cls, text: str) -> Pace:
        """Return the pace that the planner has noted in a tournament's row (docs/architecture.md 6)."""
        fields = json.loads(text) if text else {}
        return cls(tuple((ms, games) for ms, games in fields.get("pace", ())), fields.get("over", 0))

    def seen(self, now_ms: int, games: int) -> Pace:
        """Return the pace with one more moment; moments closer than 5 s are left out.

        Of those before the first game the last one is kept: what it takes to begin is no part of the pace.
        """
        samples = self.samples[:-1] if self.samples and not games else self.samples
        if samples and now_ms - samples[-1][0] < APART_MS:
            return self
        recent = [sample for sample in samples if now_ms - sample[0] <= WITHIN_MS]
        return replace(self, samples=(*recent, (now_ms, games)))

    def games_per_second(self, now_ms: int, games: int) -> float:
        """Return the games per second between the oldest moment and now; 0 before there is one."""
        if not self.samples or now_ms <= self.samples[0][0]:
            return 0.0
        first_ms, first_games = self.samples[0]
        return max(games - first_games, 0) * 1000 / (now_ms - first_ms)

    def eta_s(self, now_ms: int) -> float | None:
        """Return the seconds to go; None where nothing moves, or nobody has reckoned it lately."""
        lately = self.samples and now_ms - self.samples[-1][0] <= WITHIN_MS
        return (self.over_ms - now_ms) / 1000 if lately and now_ms < self.over_ms else None
