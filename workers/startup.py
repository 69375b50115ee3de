"""What a worker and a beat make sure of before they begin: that their stores are there, and fit."""

from __future__ import annotations

from ladder.store.client import Link
from workers.settings import WorkerSettings, archive_of

__all__ = ["reach_archive", "reach_broker", "reach_ledger"]


def reach_ledger(settings: WorkerSettings) -> None:
    """Return when the ledger answers and is fit.

    Raises:
        StoreError: it does not, or is not.

    """
    from ladder.store import Store  # a beat has no ledger

    Store.open(
        settings.redis_url, tenant=settings.tenant, role="worker", allow_volatile=settings.allow_volatile
    ).close()


def reach_archive(settings: WorkerSettings) -> None:
    """Return when the archive can be written to.

    Raises:
        ArchiveError: it cannot.

    """
    archive_of(settings).check()


def reach_broker(settings: WorkerSettings) -> None:
    """Return when the broker answers.

    Raises:
        StoreUnavailableError: it does not.

    """
    with Link(settings.broker_url, role="broker", retries=1) as link:
        link.ping()
