"""The dashboard of what waits for whom, and of the health of store, broker, workers and pages."""

from __future__ import annotations

from typing import Final

from deploy.grafana.panels import Kind, Page, Panel, Row, Series, a_minute, latest, quantile, rates


def _waiting(referee: str, worker: str) -> Series:
    return {"for a referee": f"max({referee})", "for a worker": f"max({worker})"}


HEALTH: Final = Row(
    "Health",
    (
        Panel(
            "Store",
            "bool_on_off",
            "Whether they answer the ladder.",
            {"store": "min(lastcard_store_up)", "broker": "min(lastcard_broker_up)"},
            Kind.NUMBER,
            width=6,
        ),
        Panel(
            "Store answers in",
            "s",
            "At the last scrape.",
            {"ping": "max(lastcard_store_ping_seconds)"},
            width=6,
        ),
        Panel(
            "There",
            "short",
            "Referees alive and bots.",
            {
                "referees": "max(lastcard_referees)",
                "bots online": "max(lastcard_bots_online)",
                "bots registered": "max(lastcard_bots)",
            },
            Kind.NUMBER,
            width=12,
        ),
    ),
)
MATCHES: Final = Row(
    "Matches",
    (
        Panel(
            "Matches that wait",
            "short",
            "Ready to be played; played and not yet rated.",
            _waiting("lastcard_ready_matches", "lastcard_due_matches"),
        ),
        Panel(
            "The oldest waits",
            "s",
            "Growing without end means that nobody takes them.",
            _waiting("lastcard_ready_oldest_seconds", "lastcard_due_oldest_seconds"),
            warn=300,
        ),
        Panel("Matches by state", "short", "Of the whole ledger.", latest("lastcard_matches", "state"), Kind.BARS),
    ),
)
WORKERS: Final = Row(
    "Workers",
    (
        Panel(
            "Celery's queue",
            "short",
            "A doorbell: lost tasks are rung again, no match is lost with one.",
            latest("lastcard_queue_tasks", "queue"),
        ),
        Panel(
            "Tasks a second",
            "ops",
            "By task and how it ended.",
            rates("lastcard_tasks_total", "task", "outcome"),
        ),
        Panel(
            "Put right by the reconciler",
            "short",
            "A minute. Now and then is normal; always is not.",
            a_minute("lastcard_reconciled_total", "what"),
        ),
        Panel("Tournaments", "short", "By state.", latest("lastcard_tournaments", "state"), Kind.BARS, width=12),
        Panel(
            "Void, parked and alarms",
            "short",
            "Matches that did not count, and what an operator has to look at.",
            {
                **latest("lastcard_lost_matches_total", "state"),
                "alarm: {{kind}}": "max by (kind) (lastcard_alarms_total)",
            },
            Kind.NUMBER,
            width=12,
            warn=1,
        ),
        Panel(
            "Entries that cannot be read",
            "short",
            "By kind, of the ledger; they are passed over until somebody mends or ends them. Should be 0.",
            latest("lastcard_damaged_entries", "kind"),
            Kind.NUMBER,
            width=12,
            warn=1,
        ),
        Panel(
            "Looks a minute",
            "short",
            "At what is due; without them nothing begins.",
            a_minute("lastcard_ticks_total", "job"),
            width=12,
        ),
    ),
)
PAGES_AND_CALLS: Final = Row(
    "Pages and calls",
    (
        Panel(
            "Calls a second",
            "ops",
            "gRPC calls to the ladder process by method and status.",
            rates("lastcard_rpc_total", "method", "code"),
        ),
        Panel(
            "Requests a second",
            "ops",
            "Pages and API by route and status.",
            rates("lastcard_http_requests_total", "route", "status"),
        ),
        Panel(
            "Slowest 1 %",
            "s",
            "99 % are faster than this. Watching calls last as long as somebody watches.",
            {
                "calls": quantile(0.99, "lastcard_rpc_seconds"),
                "requests": quantile(0.99, "lastcard_http_request_seconds"),
            },
        ),
    ),
)
PAGE: Final = Page(
    uid="lastcard-queues",
    title="lastcard · queues and health",
    help="What waits for whom, what workers do, and whether store and broker answer.",
    rows=(HEALTH, MATCHES, WORKERS, PAGES_AND_CALLS),
)
