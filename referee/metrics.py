"""What a referee counts: plain numbers, for the hot path; see `referee.scrape` for who reads them."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Final

from lastcard.names import ABSENCE
from referee.logbook import Fault, LeaveReason
from referee.match_result import FAULT_NAMES

DECISION_BUCKETS_S: Final[tuple[float, ...]] = (
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0,
)  # fmt: skip
COMMIT_BUCKETS_S: Final[tuple[float, ...]] = (
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0,
)  # fmt: skip
LAG_KEPT_S: Final = 30.0


class Buckets:
    """A histogram that costs one list index per value; bounds are upper limits in seconds."""

    __slots__ = ("_bounds", "_counts", "sum")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self._counts = [0] * (len(bounds) + 1)
        self.sum = 0.0

    def add(self, value: float) -> None:
        """Count a value in seconds."""
        self.sum += value
        self._counts[bisect_left(self._bounds, value)] += 1

    def cumulative(self) -> Iterator[tuple[str, int]]:
        """Yield (upper limit, values up to it) as Prometheus wants it."""
        total = 0
        for bound, count in zip((*map(str, self._bounds), "+Inf"), self._counts, strict=True):
            total += count
            yield bound, total


class Metrics:
    """Counters of one referee."""

    def __init__(self) -> None:
        self.rounds = 0
        self.claims = 0
        self.fenced = 0
        self.mismatches = 0
        self.crashes = 0
        self.unparkable = 0
        self.games: Counter[tuple[str, str]] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self.forfeits: Counter[str] = Counter()
        self.replies: Counter[str] = Counter()
        self.messages: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.bans = 0
        self.given_back: dict[str, float] = {"standstill": 0.0, "outage": 0.0, "search": 0.0}
        """By kind, seconds that were taken off the clocks of open questions."""
        self.trunk_links = 0
        self.trunk_messages: Counter[str] = Counter()
        self.trunk_bytes: Counter[str] = Counter()
        self.entries = 0
        self.decisions = Buckets(DECISION_BUCKETS_S)
        self.commits = Buckets(COMMIT_BUCKETS_S)
        self.ticked_at = 0.0
        """When the clocks were looked at last; 0: not yet. Of the same clock as `now` below."""
        self.lag_s = 0.0
        self._lag_at = 0.0

    def fault(self, format_name: str, fault: int) -> None:
        """Count a fault."""
        self.faults[format_name, FAULT_NAMES[Fault(fault)]] += 1

    def forfeit(self, format_name: str, reason: LeaveReason) -> None:
        """Count an entrant that left a match; that it is not there is a fault of its own."""
        self.forfeits[format_name] += 1
        if reason is not LeaveReason.FAULTS:
            self.faults[format_name, ABSENCE] += 1

    def game(self, format_name: str, ending: str) -> None:
        """Count a finished game."""
        self.games[format_name, ending.lower()] += 1

    def commit(self, seconds: float) -> None:
        """Count an acknowledged log entry and the time that it took."""
        self.commits.add(seconds)

    def appends(self, entries: int) -> None:
        """Count log entries sent."""
        self.entries += entries

    def trunk(self, direction: str, size: int) -> None:
        """Count a message on a trunk."""
        self.trunk_messages[direction] += 1
        self.trunk_bytes[direction] += size

    def loop_lag(self, seconds: float, now: float) -> None:
        """Note how late the event loop is; the longest is kept for a while, so that a scrape finds it."""
        self.ticked_at = now
        if seconds >= self.lag_s or now - self._lag_at > LAG_KEPT_S:
            self.lag_s, self._lag_at = seconds, now
