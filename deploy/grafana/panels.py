"""What the dashboards show, as tables: a row is a panel, its unit and its queries."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Kind(StrEnum):
    """How a panel draws."""

    LINES = "lines"
    NUMBER = "number"
    BARS = "bars"


@dataclass(frozen=True, slots=True)
class Query:
    """An expression and what its series are called."""

    expr: str
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """One picture."""

    title: str
    unit: str
    queries: tuple[Query, ...]
    help: str
    kind: Kind = Kind.LINES
    width: int = 12
    warn: float | None = None
    """From here on it is drawn in orange."""


@dataclass(frozen=True, slots=True)
class Row:
    """Panels under one heading."""

    title: str
    panels: tuple[Panel, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """A dashboard."""

    uid: str
    title: str
    help: str
    rows: tuple[Row, ...]
    by_format: bool = False
    """Whether one chooses formats on it."""


def quantile(part: float, metric: str, by: str = "le") -> str:
    """Return the expression of a quantile of a histogram, lately."""
    return f"histogram_quantile({part}, sum by ({by}) (rate({metric}_bucket[$__rate_interval])))"


def rate(metric: str, by: str = "") -> str:
    """Return the expression of a rate by labels, lately."""
    return f"sum by ({by}) (rate({metric}[$__rate_interval]))" if by else f"sum(rate({metric}[$__rate_interval]))"


FORMAT: Final = '{format=~"$format"}'

RATINGS: Final = Page(
    uid="lastcard-ratings",
    title="lastcard · ratings",
    help="Live Elo of the best bots of every format, and how fast results come in.",
    by_format=True,
    rows=(
        Row(
            "Ratings",
            (
                Panel(
                    "Live Elo",
                    "none",
                    (Query(f"max by (format, bot) (lastcard_rating_elo{FORMAT})", "{{bot}} · {{format}}"),),
                    "Rating after every applied match. At most the best 200 of a format are shown.",
                    width=16,
                ),
                Panel(
                    "Best now",
                    "none",
                    (Query(f"topk(15, max by (format, bot) (lastcard_rating_elo{FORMAT}))", "{{bot}} · {{format}}"),),
                    "The fifteen highest live ratings.",
                    Kind.BARS,
                    8,
                ),
            ),
        ),
        Row(
            "Results",
            (
                Panel(
                    "Rated meetings a second",
                    "ops",
                    (Query(rate(f"lastcard_ladder_meetings_total{FORMAT}", "format"), "{{format}}"),),
                    "Meetings applied to a ladder: the same bots once in every seating.",
                ),
                Panel(
                    "Rated games a second",
                    "ops",
                    (Query(rate(f"lastcard_ladder_games_total{FORMAT}", "format"), "{{format}}"),),
                    "Games of the matches applied to a ladder.",
                ),
                Panel(
                    "Rated versions",
                    "short",
                    (Query(f"max by (format) (lastcard_ladder_bots{FORMAT})", "{{format}}"),),
                    "Versions of bots in each ladder.",
                    Kind.NUMBER,
                    6,
                ),
                Panel(
                    "Matches applied",
                    "short",
                    (Query(f"max by (format) (lastcard_ladder_matches_total{FORMAT})", "{{format}}"),),
                    "Entries in each ladder's log.",
                    Kind.NUMBER,
                    6,
                ),
                Panel(
                    "Sum of ratings minus entries",
                    "none",
                    (Query(f"max by (format) (abs(lastcard_ladder_sum_error_elo{FORMAT}))", "{{format}}"),),
                    "Always 0: points only move between bots. Anything else is damage; run `lastcard ladder audit`.",
                    Kind.NUMBER,
                    6,
                    warn=0.000001,
                ),
                Panel(
                    "Faults a minute in rated matches",
                    "short",
                    (Query(f"60 * {rate('lastcard_rated_faults_total', 'kind')}", "{{kind}}"),),
                    "Late, illegal and missing answers; each was answered with a default.",
                    width=6,
                ),
            ),
        ),
    ),
)

REFEREE: Final = Page(
    uid="lastcard-referee",
    title="lastcard · referees",
    help="Games in play, how fast bots and the log answer, and what went wrong.",
    rows=(
        Row(
            "Play",
            (
                Panel(
                    "Finished games a second",
                    "ops",
                    (Query(rate("lastcard_games_total", "format, ending"), "{{format}} {{ending}}"),),
                    "Over all referees.",
                    width=8,
                ),
                Panel(
                    "Finished rounds a second",
                    "ops",
                    (Query(rate("lastcard_rounds_total", "instance"), "{{instance}}"),),
                    "By referee.",
                    width=8,
                ),
                Panel(
                    "In play",
                    "short",
                    (
                        Query("sum(lastcard_matches_hosted)", "matches"),
                        Query("sum(lastcard_rounds_in_flight)", "rounds"),
                        Query("sum(lastcard_decisions_open)", "open decisions"),
                        Query("sum(lastcard_decisions_waiting)", "decisions that wait for room"),
                    ),
                    "Over all referees.",
                    width=8,
                ),
            ),
        ),
        Row(
            "Time",
            (
                Panel(
                    "Seconds to an answer",
                    "s",
                    (
                        Query(quantile(0.5, "lastcard_decision_seconds"), "half"),
                        Query(quantile(0.99, "lastcard_decision_seconds"), "99 %"),
                    ),
                    "From the question to the bot's answer.",
                    width=8,
                ),
                Panel(
                    "Seconds to a commit",
                    "s",
                    (
                        Query(quantile(0.5, "lastcard_commit_seconds"), "half"),
                        Query(quantile(0.99, "lastcard_commit_seconds"), "99 %"),
                    ),
                    "From a log entry to its acknowledgement; nothing is sent to a bot before.",
                    width=8,
                ),
                Panel(
                    "Loop lag",
                    "s",
                    (Query('max by (instance) (lastcard_loop_lag_seconds{job="lastcard-referee"})', "{{instance}}"),),
                    "How late a referee's event loop runs.",
                    width=8,
                    warn=0.05,
                ),
            ),
        ),
        Row(
            "Bots",
            (
                Panel(
                    "Connected processes",
                    "short",
                    (Query("sum by (instance) (lastcard_sessions)", "{{instance}}"),),
                    "By referee.",
                    width=8,
                ),
                Panel(
                    "Faults a minute",
                    "short",
                    (Query(f"60 * {rate('lastcard_faults_total', 'kind')}", "{{kind}}"),),
                    "Late, illegal and malformed answers.",
                    width=8,
                ),
                Panel(
                    "Answers that did not count, a minute",
                    "short",
                    (Query(f"60 * {rate('lastcard_replies_total', 'code')}", "{{code}}"),),
                    "By the code that the bot was told.",
                    width=8,
                ),
            ),
        ),
        Row(
            "Between referees",
            (
                Panel(
                    "Trunks",
                    "short",
                    (Query("sum by (instance) (lastcard_trunk_links)", "{{instance}}"),),
                    "Other referees that each of them is connected to: one less than there are.",
                    width=8,
                ),
                Panel(
                    "Messages a second",
                    "ops",
                    (Query(rate("lastcard_trunk_messages_total", "instance,direction"), "{{instance}} {{direction}}"),),
                    "On the trunks; what gathers leaves as one message.",
                    width=8,
                ),
                Panel(
                    "Bytes a second",
                    "Bps",
                    (Query(rate("lastcard_trunk_bytes_total", "instance, direction"), "{{instance}} {{direction}}"),),
                    "For bots at other referees than the host of their match.",
                    width=8,
                ),
            ),
        ),
        Row(
            "Trouble",
            (
                Panel(
                    "Matches taken over",
                    "short",
                    (
                        Query("sum(increase(lastcard_claims_total[$__rate_interval]))", "claimed"),
                        Query("sum(increase(lastcard_fenced_total[$__rate_interval]))", "lost to another referee"),
                    ),
                    "A referee that lost a match drops it at once.",
                ),
                Panel(
                    "Stopped by a bug of ours",
                    "short",
                    (
                        Query("sum(lastcard_match_crashes_total)", "crashed"),
                        Query("sum(lastcard_engine_mismatches_total)", "log did not fit the engine"),
                    ),
                    "Since the referees started; should be 0.",
                    Kind.NUMBER,
                    warn=1,
                ),
            ),
        ),
    ),
)

QUEUES: Final = Page(
    uid="lastcard-queues",
    title="lastcard · queues and health",
    help="What waits for whom, what workers do, and whether store and broker answer.",
    rows=(
        Row(
            "Health",
            (
                Panel(
                    "Store",
                    "bool_on_off",
                    (Query("min(lastcard_store_up)", "store"), Query("min(lastcard_broker_up)", "broker")),
                    "Whether they answer the ladder.",
                    Kind.NUMBER,
                    6,
                ),
                Panel(
                    "Store answers in",
                    "s",
                    (Query("max(lastcard_store_ping_seconds)", "ping"),),
                    "At the last scrape.",
                    width=6,
                ),
                Panel(
                    "There",
                    "short",
                    (
                        Query("max(lastcard_referees)", "referees"),
                        Query("max(lastcard_bots_online)", "bots online"),
                        Query("max(lastcard_bots)", "bots registered"),
                    ),
                    "Referees alive and bots.",
                    Kind.NUMBER,
                    12,
                ),
            ),
        ),
        Row(
            "Matches",
            (
                Panel(
                    "Matches that wait",
                    "short",
                    (
                        Query("max(lastcard_ready_matches)", "for a referee"),
                        Query("max(lastcard_due_matches)", "for a worker"),
                    ),
                    "Ready to be played; played and not yet rated.",
                    width=8,
                ),
                Panel(
                    "The oldest waits",
                    "s",
                    (
                        Query("max(lastcard_ready_oldest_seconds)", "for a referee"),
                        Query("max(lastcard_due_oldest_seconds)", "for a worker"),
                    ),
                    "Growing without end means that nobody takes them.",
                    width=8,
                    warn=300,
                ),
                Panel(
                    "Matches by state",
                    "short",
                    (Query("max by (state) (lastcard_matches)", "{{state}}"),),
                    "Of the whole ledger.",
                    Kind.BARS,
                    8,
                ),
            ),
        ),
        Row(
            "Workers",
            (
                Panel(
                    "Celery's queue",
                    "short",
                    (Query("max by (queue) (lastcard_queue_tasks)", "{{queue}}"),),
                    "A doorbell: lost tasks are rung again, no match is lost with one.",
                    width=8,
                ),
                Panel(
                    "Tasks a second",
                    "ops",
                    (Query(rate("lastcard_tasks_total", "task, outcome"), "{{task}} {{outcome}}"),),
                    "By task and how it ended.",
                    width=8,
                ),
                Panel(
                    "Put right by the reconciler",
                    "short",
                    (Query(f"60 * {rate('lastcard_reconciled_total', 'what')}", "{{what}}"),),
                    "A minute. Now and then is normal; always is not.",
                    width=8,
                ),
                Panel(
                    "Tournaments",
                    "short",
                    (Query("max by (state) (lastcard_tournaments)", "{{state}}"),),
                    "By state.",
                    Kind.BARS,
                ),
                Panel(
                    "Void, parked and alarms",
                    "short",
                    (
                        Query("max by (state) (lastcard_lost_matches_total)", "{{state}}"),
                        Query("max by (kind) (lastcard_alarms_total)", "alarm: {{kind}}"),
                    ),
                    "Matches that did not count, and what an operator has to look at.",
                    Kind.NUMBER,
                    warn=1,
                ),
            ),
        ),
        Row(
            "Pages and calls",
            (
                Panel(
                    "Calls a second",
                    "ops",
                    (Query(rate("lastcard_rpc_total", "method, code"), "{{method}} {{code}}"),),
                    "gRPC calls to the ladder process by method and status.",
                    width=8,
                ),
                Panel(
                    "Requests a second",
                    "ops",
                    (Query(rate("lastcard_http_requests_total", "route, status"), "{{route}} {{status}}"),),
                    "Pages and API by route and status.",
                    width=8,
                ),
                Panel(
                    "Slowest 1 %",
                    "s",
                    (
                        Query(quantile(0.99, "lastcard_rpc_seconds"), "calls"),
                        Query(quantile(0.99, "lastcard_http_request_seconds"), "requests"),
                    ),
                    "99 % are faster than this. Watching calls last as long as somebody watches.",
                    width=8,
                ),
            ),
        ),
    ),
)

PAGES: Final = (RATINGS, REFEREE, QUEUES)
