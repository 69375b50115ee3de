"""Computes what chance gave in settled matches, from their logs. What cannot be followed keeps its results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from ladder.store.counters import Counter
from ladder.store.gifts import MatchGifts
from ladder.store.logs import logger
from ladder.store.rows import MatchRow
from ladder.store.store import Store
from lastcard.secret import Secret
from workers.in_turn import in_turn

__all__ = ["Fortune", "GiftsOf"]

_log = logger("workers.fortune")


class GiftsOf(Protocol):
    """Reads from the log of a match what chance gave."""

    def __call__(self, row: MatchRow, seed: Secret, entries: Sequence[bytes]) -> MatchGifts:
        """Return it; raises what it will where the log cannot be followed."""
        ...


@dataclass(frozen=True, slots=True)
class Fortune:
    """The use case behind the task `luck`."""

    store: Store
    gifts_of: GiftsOf

    def compute(self, matches: Sequence[str]) -> int:
        """Compute and keep it for those of these matches for which nobody has; returns how many those were.

        A match whose luck cannot be computed is left without, with an alarm: nobody's rating waits for it.
        """
        known = self.store.gifts.find(matches)
        sifted = self.store.matches.sift([match for match in matches if match not in known])
        rows = sifted.rows
        for match in sifted.damaged:
            self._say(match, ValueError("its row cannot be read"))
        for gone in set(matches) - set(known) - {row.id for row in rows}:
            self.store.gifts.give_up(gone, "")
        if done := in_turn(rows, self._keep, self._leave):
            self.store.counters.add({Counter("lucky_matches_total"): done})
        return done

    def leave(self, matches: Sequence[str]) -> None:
        """Compute nothing for these any more: one of them kills whoever tries."""
        for row in self.store.matches.readable(matches):
            self._leave(row, RuntimeError("it kills its process"))

    def _keep(self, row: MatchRow) -> bool:
        return self.store.gifts.put(row.id, row.tournament, self._of(row))

    def _of(self, row: MatchRow) -> MatchGifts:
        seed = self.store.matches.seed(row.id)
        if seed is None:
            raise LookupError(f"{row.id} has no seed")
        return self.gifts_of(row, seed, [entry for _, _, entry in self.store.matches.log(row.id)])

    def _leave(self, row: MatchRow, error: Exception) -> None:
        self._say(row.id, error)  # first: better twice than not at all
        self.store.gifts.give_up(row.id, row.tournament)

    def _say(self, match: str, error: Exception) -> None:
        self.store.counters.add({Counter("alarms_total", {"kind": "luck"}): 1})
        _log.error("luck cannot be computed", match=match, error=str(error), kind=type(error).__name__)
