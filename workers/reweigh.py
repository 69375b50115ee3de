"""Fits the weights of ladders on their own earlier rounds, and asks for the house games that this needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from ladder.corrections import house_table_for
from ladder.house import UsualScores
from ladder.readings.own_weights import evidence
from ladder.readings.weighing import Weighing
from ladder.refit import SCHEDULE, Played, Schedule, refit
from ladder.results import MatchResult
from ladder.store.audit import Deed
from ladder.store.counters import Counter
from ladder.store.logs import logger
from ladder.store.store import Store
from ladder.timeline import Change, Timeline

__all__ = ["FITTER", "Reweigher"]

FITTER: Final = "fitter"
"""Who changes weights, in the audit."""
_log = logger("workers.reweigh")


@dataclass(frozen=True, slots=True)
class Reweigher:
    """Keeps the weights of a ladder to their schedule."""

    store: Store
    house: str = ""
    """Who plays the house games here, and how many on the cards of a round; empty: nobody."""
    schedule: Schedule = SCHEDULE

    def keep_up(
        self, ladder_format: str, generation: int, rated: Mapping[int, MatchResult], now_ms: int
    ) -> Timeline | None:
        """Return the weights of a ladder, after those that are due by its schedule were fitted.

        Args:
            ladder_format: Which ladder.
            generation: Of it.
            rated: Its matches by their numbers, in that order.
            now_ms: Wall time.
        """
        weighing = Weighing.of(self.store)
        ruleset = next(iter(rated.values())).ruleset
        timeline = weighing.timeline(ladder_format, ruleset)
        while timeline is not None:
            self._ask(rated, timeline, ruleset)
            change = self._due(rated, timeline, ruleset, now_ms)
            if change is None or not self._change(ladder_format, generation, timeline, change):
                break
            timeline = weighing.timeline(ladder_format, ruleset)
        return timeline

    def pending(self, rated: Mapping[int, MatchResult]) -> int:
        """Return how many of these matches wait for their luck, or for house games."""
        waiting = self.store.gifts.pending() | self.store.house.pending()
        return sum(result.match in waiting for result in rated.values())

    def _usual(self, ruleset: str) -> UsualScores | None:
        """Return what the house that plays here usually scores; None: nobody plays, or nobody knows."""
        table = house_table_for(ruleset)
        return table.usual if table is not None and table.house == self.house else None

    def _ask(self, rated: Mapping[int, MatchResult], timeline: Timeline, ruleset: str) -> None:
        """Ask for house games: of the samples, and of all matches whose weights regard them."""
        if self._usual(ruleset) is not None:
            wanted = list(self._wanted(rated, timeline))
            settled = self.store.house.settled(wanted)
            self.store.house.want([match for match in wanted if match not in settled])

    def _wanted(self, rated: Mapping[int, MatchResult], timeline: Timeline) -> Iterator[str]:
        """Yield the matches on whose cards the house is to play."""
        rounds = 0
        for seq, result in rated.items():
            count, own = Played(result).rounds, timeline.at(seq).house
            if count and (self.schedule.sampled(rounds) or (own is not None and own.house == self.house)):
                yield result.match
            rounds += count

    def _due(self, rated: Mapping[int, MatchResult], timeline: Timeline, ruleset: str, now_ms: int) -> Change | None:
        """Return the next change of the weights; None: it is too early for one."""
        usual, newest = self._usual(ruleset), timeline.newest
        if newest.house is not None and (usual is None or usual.house != newest.house.house):
            return Change(0, 0, 0, timeline.shipped, at_ms=now_ms)
        first = self.schedule.basis([Played(result) for result in rated.values()], timeline.fitted)
        if first is None:
            return None
        matches = [one.result.match for one in first]
        if not (self.store.gifts.pending() | self.store.house.pending()).isdisjoint(matches):
            return None
        played = evidence(self.store, [one.result for one in first])
        tried = (refit(one, played, usual, self.schedule.sample) for one in (timeline.shipped, *timeline.earlier))
        found = next((one for one in tried if one is not None), None)
        if found is None:
            return None
        seq = next(number for number, result in rated.items() if result.match == matches[-1])
        return Change(0, seq, len(matches), found.correction, found.factor, found.gain, now_ms)

    def _change(self, ladder_format: str, generation: int, timeline: Timeline, change: Change) -> bool:
        correction = change.correction
        why = f"lc_version {correction.version}, {_said(change)}"
        deed = Deed(FITTER, "weights", ladder_format, why, change.at_ms)
        if not self.store.weights.add(ladder_format, generation, len(timeline.changes), change, deed):
            return False
        self.store.counters.add({Counter("refitted_ladders_total", {"format": ladder_format}): 1})
        _log.info("weights changed", format=ladder_format, lc_version=correction.version, upto_seq=change.upto_seq)
        return True


def _said(change: Change) -> str:
    """Say in words where weights come from."""
    if not change.upto_seq:
        return "the shipped weights again: the house games of those before are not played here any more"
    fitted = f"fitted on {change.correction.rounds} rounds of {change.matches} matches up to number {change.upto_seq}"
    house = "without house games"
    if change.correction.house is not None:
        house = f"with the house games of {change.correction.house.house}"
    gain = "" if change.gain is None else f", which lower it by {change.gain:.3f}"
    return f"{fitted}; variance {change.factor:.3f} of the raw one, {house}{gain}"
