"""What is there at one moment: matches, queues, tournaments, bots, referees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from ladder.store.rows import APPLIED
from ladder.store.store import Store
from lastcard.names import bot_of

TOURNAMENT_STATES: Final = ("draft", "scheduled", "running", "paused", "finishing", "finished", "cancelled")


@dataclass(frozen=True, slots=True)
class Census:
    """Counts of one moment."""

    matches: Mapping[str, int]
    """By state, every state of a match."""
    ready: int
    ready_oldest_s: float
    due: int
    due_oldest_s: float
    tournaments: Mapping[str, int]
    """By state, every state of a tournament."""
    bots: int
    online: int
    """Bots with a process that is connected."""
    referees: int

    @property
    def settled(self) -> int:
        """Matches whose result was applied."""
        return sum(self.matches[state] for state in APPLIED)


def take(store: Store, now_ms: int) -> Census:
    """Count what is in the store."""
    waiting, due = store.matches.waiting(), store.matches.waiting_for_worker()
    tournaments = store.tournaments.states()
    return Census(
        matches={state.value: count for state, count in store.matches.states().items()},
        ready=len(waiting),
        ready_oldest_s=_age(waiting.values(), now_ms),
        due=len(due),
        due_oldest_s=_age(due.values(), now_ms),
        tournaments={state: tournaments[state] for state in TOURNAMENT_STATES},
        bots=store.registry.count(),
        online=len({bot_of(version) for version in store.presence.online()}),
        referees=len(store.matches.referees()),
    )


def _age(since: Iterable[int], now_ms: int) -> float:
    return max((now_ms - moment for moment in since if moment <= now_ms), default=0) / 1000
