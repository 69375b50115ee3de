"""A worker process: Celery's worker on our settings, a line when it is ready, and the watchdog."""

from __future__ import annotations

import os
import time
from typing import Any, Final

from celery import Celery, signals

import referee.house_games  # noqa: F401 - as the engine
import workers.engine  # noqa: F401 - before the fork: children share it, and all of them are of one version
from ladder.store import Store
from lastcard.garbage import leave_alone
from workers.app import send_canary
from workers.broker import QUEUE, canary_queue
from workers.doorbell import CeleryDoorbell
from workers.ear import Ear, Listener
from workers.ready import keep_logging, say_ready
from workers.settings import WorkerSettings
from workers.watchdog import Watchdog

__all__ = ["DEAF", "run"]

DEAF: Final = 70
"""Exit code of a worker whose consumer hears nothing any more; its supervisor starts it again."""


def run(app: Celery, settings: WorkerSettings) -> int:
    """Work until told to stop; returns the exit code, 0 after SIGTERM."""
    watchdog = Watchdog(lambda: send_canary(app, settings.name), _give_up, time.monotonic)
    store = Store.open(
        settings.redis_url, tenant=settings.tenant, role="listener", allow_volatile=settings.allow_volatile
    )
    listener = Listener(Ear(store, CeleryDoorbell(app)).listen)

    def ready(**_: object) -> None:
        watchdog.hear()
        watchdog.start()
        listener.start()
        say_ready()

    def heard(**_: object) -> None:
        watchdog.hear()

    def stopping(**_: object) -> None:
        watchdog.stop()
        listener.stop()

    signals.worker_ready.connect(ready, weak=False)
    signals.task_received.connect(heard, weak=False)
    signals.worker_shutting_down.connect(stopping, weak=False)
    signals.setup_logging.connect(keep_logging, weak=False)
    worker: Any = app.Worker(
        hostname=f"{settings.name}@lastcard",
        queues=[QUEUE, canary_queue(settings.name).name],
        quiet=True,
        without_mingle=True,
        without_gossip=True,
        without_heartbeat=True,  # an event every other second that nobody reads: the watchdog knows better
    )
    leave_alone()  # before the fork: what children share is not written to
    worker.start()
    return int(worker.exitcode or 0)


def _give_up() -> None:
    """End at once, children and all that is stuck included: nothing is lost that is not in the ledger."""
    os._exit(DEAF)
