"""Celery beat: sends `tick` and `reconcile`, and knows nothing. Any number of beats is correct.

Its schedule lives in memory: a beat that starts again begins at once, and the slots in the ledger see to the rest.
"""

from __future__ import annotations

from typing import Final

from celery import Celery, signals
from celery.apps.beat import Beat

from workers.ready import keep_logging, say_ready

__all__ = ["run"]

MOST_SLEEP_S: Final = 1


def run(app: Celery) -> None:
    """Send until told to stop; SIGTERM and SIGINT end the process with exit code 0."""
    signals.beat_init.connect(say_ready, weak=False)
    signals.setup_logging.connect(keep_logging, weak=False)
    Beat(app=app, quiet=True, loglevel="INFO", max_interval=MOST_SLEEP_S).run()
