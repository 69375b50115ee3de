"""The Celery application of a worker: it has the tasks that others send by name."""

from __future__ import annotations

from celery import Celery

from ladder.store import Store
from workers.broker import canary_queue, sender
from workers.doorbell import CeleryDoorbell
from workers.settings import WorkerSettings, archive_of
from workers.tasks import Canary, register
from workers.workshop import Bench, Workshop, bench_of

__all__ = ["make_app", "send_canary"]


def make_app(settings: WorkerSettings) -> Celery:
    """Return the application with its tasks; nothing is connected before it is used."""
    app = sender(settings)

    def bench() -> Bench:
        store = Store.open(
            settings.redis_url,
            tenant=settings.tenant,
            role="worker",
            archive=archive_of(settings),
            allow_volatile=settings.allow_volatile,
        )
        return bench_of(store, settings, CeleryDoorbell(app))

    register(app, Workshop(bench))
    canary = canary_queue(settings.name)
    app.amqp.queues[canary.name] = canary  # not by `task_queues`: Celery binds what is without an exchange to its own
    return app


def send_canary(app: Celery, name: str) -> None:
    """Send a task to the worker of this name alone."""
    app.send_task(Canary.name, queue=canary_queue(name).name, expires=60)
