"""Celery's settings are those that survive this broker's known failures; the environment's are checked."""

from __future__ import annotations

from typing import Any

import pytest

from lastcard.errors import InputError
from workers.app import make_app
from workers.broker import QUEUE
from workers.settings import WorkerSettings, broker_of, celery_url
from workers.tasks import TASKS

SETTINGS = WorkerSettings("redis://127.0.0.1:6379/0", "redis://127.0.0.1:6379/1", name="w1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("result_backend", None, id="no result backend"),
        pytest.param("task_ignore_result", True, id="no results"),
        pytest.param("task_serializer", "json", id="tasks are JSON"),
        pytest.param("accept_content", ["json"], id="nothing but JSON is read"),
        pytest.param("task_acks_late", True, id="a task is acknowledged when it is done"),
        pytest.param("task_reject_on_worker_lost", True, id="a task of a killed child comes back"),
        pytest.param("task_acks_on_failure_or_timeout", True, id="no loop of failures"),
        pytest.param("task_soft_time_limit", 90, id="soft limit"),
        pytest.param("task_time_limit", 120, id="hard limit"),
        pytest.param("worker_prefetch_multiplier", 1, id="no hoarding"),
        pytest.param("worker_disable_prefetch", True, id="no prefetch at all"),
        pytest.param("worker_eta_task_limit", 100, id="retries in memory"),
        pytest.param("worker_soft_shutdown_timeout", 30, id="time to finish"),
        pytest.param("worker_cancel_long_running_tasks_on_connection_loss", True, id="no zombie after a cut"),
        pytest.param("worker_max_tasks_per_child", 500, id="children are renewed"),
        pytest.param("worker_max_memory_per_child", 300_000, id="large children are renewed"),
        pytest.param("broker_connection_retry_on_startup", True, id="a broker that is late"),
        pytest.param("broker_connection_max_retries", None, id="a broker that is very late"),
        pytest.param("worker_enable_remote_control", False, id="no remote control"),
        pytest.param("worker_send_task_events", False, id="no events"),
        pytest.param("worker_pool", "prefork", id="processes"),
        pytest.param("worker_concurrency", 2, id="two of them"),
        pytest.param("enable_utc", True, id="UTC"),
        pytest.param("timezone", "UTC", id="nothing but UTC"),
        pytest.param("beat_scheduler", "celery.beat:Scheduler", id="no schedule file"),
        pytest.param(
            "task_publish_retry_policy",
            {"max_retries": 5, "interval_start": 0.1, "interval_step": 0.4, "interval_max": 2},
            id="publishing is tried again",
        ),
        pytest.param(
            "broker_transport_options",
            {
                "visibility_timeout": 300,
                "unacked_restore_interval": 5,
                "unacked_restore_throttle": 1,
                "socket_timeout": 10,
                "socket_connect_timeout": 5,
                "socket_keepalive": True,
                "health_check_interval": 10,
                "global_keyprefix": "lc:",
            },
            id="the connection",
        ),
    ],
)
def test_setting(name: str, value: object) -> None:
    """Each setting has the value that its failure asks for."""
    assert make_app(SETTINGS).conf[name] == value


def test_beat_only_says_when_to_look() -> None:
    """Three messages, and each is worthless after a while."""
    schedule = make_app(SETTINGS).conf.beat_schedule
    assert {name: (entry["task"], entry["schedule"]) for name, entry in schedule.items()} == {
        "tick": ("lastcard.tick", 5.0),
        "reconcile": ("lastcard.reconcile", 15.0),
        "archive": ("lastcard.archive", 60.0),
    }
    assert all(entry["options"]["expires"] <= 120 for entry in schedule.values())


def test_tasks_retry_what_passes_and_are_known_by_name() -> None:
    """Every task retries on a lost connection, at most five times, with growing and random pauses."""
    app = make_app(SETTINGS)
    for kind in TASKS:
        task: Any = app.tasks[str(kind.name)]
        assert task.autoretry_for == (ConnectionError, TimeoutError)
        assert (task.max_retries, task.retry_backoff, task.retry_backoff_max, task.retry_jitter) == (5, 1, 30, True)


def test_a_worker_hears_its_own_canary() -> None:
    """The canary's queue is the worker's own and leaves no binding behind."""
    app = make_app(SETTINGS)
    assert {name: queue.exchange.name for name, queue in app.amqp.queues.items()} == {QUEUE: QUEUE, "canary.w1": ""}


@pytest.mark.parametrize(
    ("ledger", "broker"),
    [
        pytest.param("redis://127.0.0.1:6379", "redis://127.0.0.1:6379/1", id="no database"),
        pytest.param("redis://127.0.0.1:6379/0", "redis://127.0.0.1:6379/1", id="database 0"),
        pytest.param(
            "rediss://me:secret@store:7000/3?ssl_cert_reqs=none",
            "rediss://me:secret@store:7000/4?ssl_cert_reqs=none",
            id="TLS",
        ),
        pytest.param("unix:///run/lastcard/store.sock", "unix:///run/lastcard/store.sock?db=1", id="a socket"),
        pytest.param("unix:///run/store.sock?db=2", "unix:///run/store.sock?db=3", id="a socket with a database"),
    ],
)
def test_the_broker_is_the_next_database(ledger: str, broker: str) -> None:
    """Unless it is told otherwise, Celery works beside the ledger, never in it."""
    assert broker_of(ledger) == broker


@pytest.mark.parametrize(
    ("broker", "celery"),
    [
        pytest.param("redis://127.0.0.1:6379/1", "redis://127.0.0.1:6379/1", id="a port"),
        pytest.param("unix:///run/store.sock?db=3", "redis+socket:///run/store.sock?virtual_host=3", id="a socket"),
        pytest.param("unix://me:word@/run/s?db=1", "redis+socket://me:word@/run/s?virtual_host=1", id="a password"),
        pytest.param("redis+socket:///run/s?virtual_host=1", "redis+socket:///run/s?virtual_host=1", id="Celery's own"),
    ],
)
def test_the_broker_as_celery_spells_it(broker: str, celery: str) -> None:
    """Sockets have another scheme there."""
    assert celery_url(broker) == celery


def test_defaults_of_the_environment() -> None:
    """The store's URL is enough."""
    found = WorkerSettings.of({"LASTCARD_REDIS_URL": "redis://127.0.0.1:6379/0"})
    assert (found.broker_url, found.tick_ms, found.processes) == ("redis://127.0.0.1:6379/1", 5000, 2)


@pytest.mark.parametrize(
    ("environ", "reason", "field"),
    [
        pytest.param({}, "NO_STORE", "LASTCARD_REDIS_URL", id="no store"),
        pytest.param(
            {"LASTCARD_REDIS_URL": "redis://h/0", "LASTCARD_TICK_MS": "5s"},
            "BAD_SETTING",
            "LASTCARD_TICK_MS",
            id="a unit",
        ),
        pytest.param(
            {"LASTCARD_REDIS_URL": "redis://h/0", "LASTCARD_TICK_MS": "50"},
            "BAD_SETTING",
            "LASTCARD_TICK_MS",
            id="too fast",
        ),
        pytest.param(
            {"LASTCARD_REDIS_URL": "redis://h/0", "LASTCARD_WORKER_PROCESSES": "65"},
            "BAD_SETTING",
            "LASTCARD_WORKER_PROCESSES",
            id="too many",
        ),
    ],
)
def test_what_is_wrong_with_the_environment(environ: dict[str, str], reason: str, field: str) -> None:
    """A bad variable is refused by its name."""
    with pytest.raises(InputError) as refused:
        WorkerSettings.of(environ)
    assert (refused.value.reason, refused.value.field) == (reason, field)
