"""Rings for tasks. A ring may be lost: whatever it was about stands in the ledger, and the next look finds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from ladder.store.logs import logger
from workers.due import Job

if TYPE_CHECKING:
    from celery import Celery

__all__ = ["EXPIRES_S", "PREFIX", "CeleryDoorbell", "Doorbell"]

PREFIX: Final = "lastcard."
"""Tasks are called `lastcard.<name>`."""

EXPIRES_S: Final = 60
"""After so long a ring is dropped unheard: looks come every few seconds, so old ones only pile up."""

PATIENT: Final = frozenset({"archive", "fit", "house", "inspect", "luck"})
"""Tasks in no hurry: they are heard when nothing else waits, or in their turn."""

LAST: Final = 9
"""Their priority."""

NEXT: Final = 3
"""That of all others. Beat's own are before them, at 0: looks come in time however many results wait."""

_log = logger("workers.doorbell")


class Doorbell(Protocol):
    """Asks for a task to be done soon by some worker."""

    def ring(self, job: Job) -> None:
        """Ask for it; returns whether or not anybody heard."""
        ...


class CeleryDoorbell:
    """Rings through Celery's broker."""

    def __init__(self, app: Celery) -> None:
        self._app = app

    def ring(self, job: Job) -> None:
        """Send the task; a broker that does not answer is logged, the next look rings again."""
        from kombu.exceptions import OperationalError  # only who rings has Celery loaded

        try:
            priority = LAST if job.task in PATIENT and not job.in_turn else NEXT
            self._app.send_task(PREFIX + job.task, args=job.args, expires=EXPIRES_S, priority=priority)
        except OperationalError as error:
            _log.warning("doorbell lost", task=job.task, error=str(error))
