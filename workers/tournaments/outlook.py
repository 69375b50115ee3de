"""When a tournament will be over: what is left of it at its pace, and for the bot that takes longest. Pure.

A bot that is slow, or that came late, has games left when the others are through, and the pace of all says nothing of
them. So what is left for each bot is noted at two moments, the older one at least a third of the time ago that was
played: how fast its games go is known from that, and the beginning is soon left out of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final

__all__ = ["Left", "Mark", "Outlook"]

EVERY_MS: Final = 1_000
"""What is noted is reckoned anew so often, at most."""
FIRST_MS: Final = 5_000
"""So long after the first moment the second one is noted, and nothing is said of any bot alone before."""
SLOW: Final = 2
"""So many times fewer games than most a bot plays that is slow; less may be chance, and others that keep it waiting."""
LATER: Final = 1.07
"""So many times longer the rest takes than at the pace up to now: bots wait for each other more and more, workers catch
up with ratings, and at the end few matches are left. That is what was measured, between 1.0 and 1.2."""
MATCHES: Final = 4
"""Of most bots, after which that can be told."""


@dataclass(frozen=True, slots=True)
class Left:
    """What is to be played of a tournament."""

    games: int
    """Of all, those that were played and wait for their rating included."""
    by_bot: tuple[int, ...]
    """By entrant."""
    begun: tuple[int, ...]
    """By entrant, of matches that are being played."""
    match: int
    """Games of one match, at most."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What was left at a moment, by entrant; -1: it played nothing then."""

    ms: int
    left: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outlook:
    """The moments that are noted, older first, and since when nothing was reckoned."""

    marks: tuple[Mark, ...] = ()
    seen_ms: int = 0

    def due(self, now_ms: int) -> bool:
        """Return whether it is to be reckoned again."""
        return now_ms - self.seen_ms >= EVERY_MS

    def seen(self, now_ms: int, left: Left) -> Outlook:
        """Return the outlook with what is left now, in games; before the first match only the last moment is kept."""
        mark = Mark(now_ms, tuple(games if begun else -1 for games, begun in zip(left.by_bot, left.begun, strict=True)))
        if not self.marks or max(self.marks[0].left) < 0:
            return Outlook((mark,), now_ms)
        older = self.marks[0]
        if len(self.marks) == 1:
            later = (mark,) if now_ms - older.ms >= FIRST_MS else ()
            return Outlook((older, *later), now_ms)
        newer = self.marks[1]
        if now_ms - newer.ms >= newer.ms - older.ms + FIRST_MS:
            return Outlook((newer, mark), now_ms)
        return Outlook(self.marks, now_ms)

    def over_ms(self, now_ms: int, left: Left, pace: float, rooms: Sequence[int], until_ms: int = 0) -> int:
        """Return when it will be over; 0 where nobody can say.

        Args:
            now_ms: wall time.
            left: what is to be played.
            pace: games of all a second.
            rooms: games that each entrant plays at once; 0: it is not there.
            until_ms: until when bots are waited for; in the past: nobody is.
        """
        if pace <= 0:
            return 0
        all_s = LATER * left.games / pace
        slow_s = max(self._slow_s(now_ms, left, rooms), default=0.0)
        return max(now_ms + round(1000 * max(all_s, slow_s)), until_ms)

    def _slow_s(self, now_ms: int, left: Left, rooms: Sequence[int]) -> Iterator[float]:
        """Yield the seconds in which each bot is through that is slow by itself: all of its room is taken."""
        if not self.marks or now_ms - self.marks[0].ms < FIRST_MS:
            return
        span_s = (now_ms - self.marks[0].ms) / 1000
        played = [old - new if old >= 0 else -1 for old, new in zip(self.marks[0].left, left.by_bot, strict=True)]
        usual = median(games for games in played if games >= 0) if max(played) >= 0 else 0
        if usual < MATCHES * left.match:
            return
        for games, done, begun, room in zip(left.by_bot, played, left.begun, rooms, strict=True):
            if games and 0 <= SLOW * done < usual and begun >= room > 0:
                yield games * span_s / (done + left.match / 2)  # of what is half played that much is not counted
