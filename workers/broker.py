"""Celery's broker: settings that survive its known failures and no more than that, and who sends tasks through it."""

from __future__ import annotations

from typing import Final

from celery import Celery
from kombu import Exchange, Queue

from workers.doorbell import PREFIX
from workers.settings import WorkerSettings, celery_url

__all__ = ["QUEUE", "canary_queue", "configuration", "sender"]

QUEUE: Final = "celery"
"""Celery's own name for it; the exporter counts what waits there."""

TRANSPORT: Final[dict[str, object]] = {
    "visibility_timeout": 300,  # more than the hard limit of any task: nothing runs again while it still runs
    "unacked_restore_interval": 5,  # what a dead worker held comes back after the timeout and not 100 s later
    "unacked_restore_throttle": 1,
    "socket_timeout": 10,  # a half-open connection ends instead of hanging for ever
    "socket_connect_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 10,
    "global_keyprefix": "lc:",
}

CANARY_LASTS_S: Final = 600.0
"""So long after the last message to it the queue of a worker is there, heard or not: longer than it may be deaf."""

PUBLISHING: Final[dict[str, object]] = {
    "max_retries": 5,
    "interval_start": 0.1,
    "interval_step": 0.4,
    "interval_max": 2,
}
"""A message may be sent twice by this: all tasks are safe to run twice."""


def canary_queue(name: str) -> Queue:
    """Return the queue that only the worker of this name listens to; it leaves nothing behind for long.

    Who comes after a worker that was killed has another name: nobody would take what was sent to that one. Nor is it
    bound to an exchange, where its name would stay for ever.
    """
    return Queue(f"canary.{name}", Exchange(""), routing_key=f"canary.{name}", expires=CANARY_LASTS_S)


def configuration(settings: WorkerSettings) -> dict[str, object]:
    """Return Celery's settings, with the failure that each of them answers."""
    return {
        "broker_url": celery_url(settings.broker_url),
        # No results: what came of a task stands in the ledger. A backend leaks subscriptions and loses chords.
        "result_backend": None,
        "task_ignore_result": True,
        # JSON only: whoever reaches the broker could run code with pickle.
        "task_serializer": "json",
        "result_serializer": "json",
        "accept_content": ["json"],
        "result_accept_content": ["json"],
        # A task of a killed child comes back; one that fails does not, the reconciler finds what it was about.
        "task_acks_late": True,
        "task_reject_on_worker_lost": True,
        "task_acks_on_failure_or_timeout": True,
        "task_soft_time_limit": 90,
        "task_time_limit": 120,
        "task_publish_retry_policy": PUBLISHING,
        "task_default_queue": QUEUE,
        "task_queues": [Queue(QUEUE, Exchange(QUEUE), routing_key=QUEUE)],
        "broker_transport_options": TRANSPORT,
        "broker_connection_retry_on_startup": True,
        "broker_connection_max_retries": None,
        # No worker hoards; no retries pile up in memory.
        "worker_prefetch_multiplier": 1,
        "worker_disable_prefetch": True,
        "worker_eta_task_limit": 100,
        "worker_soft_shutdown_timeout": 30,
        "worker_cancel_long_running_tasks_on_connection_loss": True,
        "worker_max_tasks_per_child": 500,
        "worker_max_memory_per_child": 300_000,
        # Remote control leaves keys without a time to live in the broker.
        "worker_enable_remote_control": False,
        "worker_send_task_events": False,
        "worker_hijack_root_logger": False,
        "worker_redirect_stdouts": False,
        "worker_pool": "prefork",
        "worker_concurrency": settings.processes,
        "enable_utc": True,
        "timezone": "UTC",
        # In memory: no schedule file in anybody's working directory.
        "beat_scheduler": "celery.beat:Scheduler",
        "beat_schedule": _schedule(settings),
    }


def _schedule(settings: WorkerSettings) -> dict[str, dict[str, object]]:
    periods = {
        "tick": settings.tick_ms / 1000,
        "reconcile": settings.reconcile_ms / 1000,
        "archive": settings.archive_ms / 1000,
    }
    return {
        name: {"task": PREFIX + name, "schedule": period, "options": {"expires": max(10.0, 2 * period)}}
        for name, period in periods.items()
    }


def sender(settings: WorkerSettings) -> Celery:
    """Return an application that sends tasks by name and can do none; nothing is connected before it is used."""
    app = Celery("lastcard", set_as_current=False)
    app.conf.update(configuration(settings))
    return app
