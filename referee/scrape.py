"""What Prometheus reads of a referee: its counters, and gauges of what it hosts, as metric families."""

from collections import Counter
from collections.abc import Iterator

from prometheus_client import CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from referee.hosting.host import Host
from referee.metrics import Metrics


class RefereeCollector(Collector):
    """Turns the counters into metric families when Prometheus scrapes."""

    def __init__(self, metrics: Metrics, host: Host, version: str) -> None:
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
    values: Counter[tuple[str, str]] | Counter[str] | dict[str, float],
) -> CounterMetricFamily:
    family = CounterMetricFamily(name, text, labels=labels)
    for key, value in sorted(values.items()):
        family.add_metric((key,) if isinstance(key, str) else key, value)
    return family


def registry(metrics: Metrics, host: Host, version: str) -> CollectorRegistry:
    """Return the registry that `/metrics` serves."""
    made = CollectorRegistry()
    made.register(RefereeCollector(metrics, host, version))
    return made
