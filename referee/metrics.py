"""What a referee counts. Plain numbers on the hot path; Prometheus reads them when it scrapes."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from lastcard.names import ABSENCE
from referee.logbook import Fault, LeaveReason
from referee.match_result import FAULT_NAMES

if TYPE_CHECKING:
    from referee.hosting.host import Host

DECISION_BUCKETS_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 25.0)
COMMIT_BUCKETS_S: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0)
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


class RefereeCollector(Collector):
    """Turns the counters into metric families when Prometheus scrapes."""

    def __init__(self, metrics: Metrics, host: "Host", version: str) -> None:
        self._metrics = metrics
        self._host = host
        self._version = version

    def collect(self) -> Iterator[Metric]:
        """Yield every family."""
        yield from self._counters()
        yield from self._gauges()
        yield from self._histograms()

    def _counters(self) -> Iterator[Metric]:
        one = self._metrics
        yield _labelled("lastcard_games", "Finished games.", ("format", "ending"), one.games)
        yield _labelled(
            "lastcard_faults",
            "Late, illegal and malformed answers, absences.",
            ("format", "kind"),
            one.faults,
        )
        yield _labelled("lastcard_forfeits", "Entrants that left a match.", ("format",), one.forfeits)
        yield _labelled("lastcard_replies", "Answers whose sender is told what became of them.", ("code",), one.replies)
        yield _labelled("lastcard_refusals", "Streams refused or ended with a reason.", ("reason",), one.refusals)
        given_back = "Time taken off the clocks of open questions, because it was ours."
        yield _labelled("lastcard_given_back_seconds", given_back, ("kind",), one.given_back)
        yield _labelled("lastcard_stream_messages", "Stream messages.", ("direction",), one.messages)
        for name, text, counted in (
            ("lastcard_trunk_messages", "Messages to and from other referees.", one.trunk_messages),
            ("lastcard_trunk_bytes", "Bytes to and from other referees.", one.trunk_bytes),
        ):
            yield _labelled(name, text, ("direction",), counted)
        for name, text, value in (
            ("lastcard_rounds", "Finished rounds.", one.rounds),
            ("lastcard_claims", "Matches claimed.", one.claims),
            ("lastcard_bans", "Tokens shut out for a minute, for breaking the protocol.", one.bans),
            ("lastcard_fenced", "Matches lost to another referee.", one.fenced),
            ("lastcard_engine_mismatches", "Matches whose log did not fit the engine.", one.mismatches),
            ("lastcard_match_crashes", "Matches that a bug of ours stopped.", one.crashes),
            ("lastcard_log_entries", "Log entries sent.", one.entries),
        ):
            yield CounterMetricFamily(name, text, value=value)

    def _gauges(self) -> Iterator[Metric]:
        roster = self._host.roster
        sessions = roster.sessions
        matches = list(self._host.matches.values())  # this is another thread than the one that changes them
        for name, text, value in (
            ("lastcard_sessions", "Connected bot processes.", len(sessions)),
            ("lastcard_trunk_links", "Other referees with a trunk to this one.", self._metrics.trunk_links),
            ("lastcard_far_sessions", "Bot processes at other referees that are told by this one.", roster.far),
            ("lastcard_matches_hosted", "Matches hosted here.", len(matches)),
            ("lastcard_matches_shown", "Matches that somebody watches.", sum(h.show is not None for h in matches)),
            ("lastcard_halted", "1 while games stand still because the store is nearly full.", int(self._host.halted)),
            (
                "lastcard_matches_unparkable",
                "Damaged matches that were set aside and cannot be parked.",
                self._metrics.unparkable,
            ),
            ("lastcard_rounds_in_flight", "Rounds in play.", sum(len(h.play.tables) for h in matches)),
            ("lastcard_decisions_open", "Decisions sent and not yet answered.", sum(len(s.open) for s in sessions)),
            ("lastcard_decisions_waiting", "Decisions that wait for room.", sum(len(s.waiting) for s in sessions)),
            (
                "lastcard_loop_lag_seconds",
                "Longest delay of a clock tick in half a minute.",
                self._metrics.lag_s,
            ),
        ):
            yield GaugeMetricFamily(name, text, value=value)
        build = GaugeMetricFamily("lastcard_build_info", "Version of this process.", labels=("version", "role"))
        build.add_metric((self._version, "referee"), 1)
        yield build

    def _histograms(self) -> Iterator[Metric]:
        for name, text, buckets in (
            ("lastcard_decision_seconds", "Time from a question to its answer.", self._metrics.decisions),
            ("lastcard_commit_seconds", "Time from a log entry to its acknowledgement.", self._metrics.commits),
        ):
            yield HistogramMetricFamily(name, text, buckets=list(buckets.cumulative()), sum_value=buckets.sum)


def _labelled(
    name: str,
    text: str,
    labels: tuple[str, ...],
    values: "Counter[tuple[str, str]] | Counter[str] | dict[str, float]",
) -> CounterMetricFamily:
    family = CounterMetricFamily(name, text, labels=labels)
    for key, value in sorted(values.items()):
        family.add_metric((key,) if isinstance(key, str) else key, value)
    return family


def registry(metrics: Metrics, host: "Host", version: str) -> CollectorRegistry:
    """Return the registry that `/metrics` serves."""
    made = CollectorRegistry()
    made.register(RefereeCollector(metrics, host, version))
    return made
