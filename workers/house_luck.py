"""Has the house play the cards of rated matches, a few at a time, where a ladder asks for it. No result waits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from ladder.house import HouseScores
from ladder.store.counters import Counter
from ladder.store.logs import logger
from ladder.store.rows import MatchRow
from ladder.store.store import Store
from lastcard.secret import Secret
from workers.in_turn import in_turn
from workers.records.closed_match import closed_match

__all__ = ["HouseLuck", "HouseOf"]

LEASE_MS: Final = 120_000
"""So long nobody else begins with a match that somebody began with."""
_log = logger("workers.house_luck")


class HouseOf(Protocol):
    """Plays the house games on the cards of a match."""

    def __call__(self, row: MatchRow, seed: bytes | Secret, entries: Sequence[bytes]) -> HouseScores:
        """Return what the house scored; raises what it will where the log cannot be read."""
        ...


@dataclass(frozen=True, slots=True)
class HouseLuck:
    """The use case behind the task `house`."""

    store: Store
    house_of: HouseOf

    def compute(self, matches: Sequence[str], now_ms: int) -> int:
        """Play for those of these matches that wait for it, and keep it; returns how many those were.

        Where it cannot be played a match goes without, with an alarm.
        """
        waiting, lease = self.store.house.pending(), str(now_ms // LEASE_MS)
        begun = (
            match
            for match in matches
            if match in waiting and self.store.ticks.tick(f"house-{match}", lease, 2 * LEASE_MS // 1_000)
        )
        if done := in_turn(begun, self._keep, self._leave):
            self.store.counters.add({Counter("housed_matches_total"): done})
        return done

    def leave(self, matches: Sequence[str]) -> None:
        """Play for these no more: one of them kills whoever tries."""
        waiting = self.store.house.pending()
        for match in waiting.intersection(matches):
            self._leave(match, RuntimeError("it kills its process"))

    def _keep(self, match: str) -> bool:
        found = closed_match(self.store, match)
        scores = self.house_of(found.row, found.seed, [data for _, _, data in found.entries])
        return self.store.house.put(match, found.row.tournament, scores)

    def _leave(self, match: str, error: Exception) -> None:
        self.store.counters.add({Counter("alarms_total", {"kind": "luck"}): 1})  # first: better twice than not at all
        _log.error("house games cannot be played", match=match, error=str(error), kind=type(error).__name__)
        self.store.house.give_up(match, "")
