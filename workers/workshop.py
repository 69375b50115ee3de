"""The use cases of one worker process, put together: which adapter goes where."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from ladder.store import Store
from ladder.store.deal_seeds import new_seed
from workers.archive import Archiver
from workers.doorbell import Doorbell
from workers.fit import Fitter
from workers.fortune import Fortune
from workers.house_luck import HouseLuck
from workers.inspection import Inspector
from workers.lookout import Lookout
from workers.plan import Planner
from workers.rate import Rater
from workers.reconcile import Reconciler
from workers.renew import Renewer
from workers.settings import WorkerSettings

__all__ = ["Bench", "Workshop", "bench_of"]


@dataclass(frozen=True, slots=True)
class Bench:
    """A process's own connection and what it works with."""

    store: Store
    lookout: Lookout
    planner: Planner
    rater: Rater
    renewer: Renewer
    fitter: Fitter
    inspector: Inspector
    fortune: Fortune
    house: HouseLuck
    reconciler: Reconciler
    archiver: Archiver


def bench_of(store: Store, settings: WorkerSettings, doorbell: Doorbell) -> Bench:
    """Return the use cases over a store."""
    from referee.house_games import house_name
    from workers.engine import course_of, gifts_of, house_of, prove, terms

    return Bench(
        store=store,
        lookout=Lookout(store, doorbell, settings.tick_ms),
        planner=Planner(store, terms, doorbell, new_seed),
        rater=Rater(store, terms, prove, doorbell, settings.luck),
        renewer=Renewer(store),
        fitter=Fitter(store, time.monotonic, house_name() if settings.luck and settings.luck_games else ""),
        inspector=Inspector(store, course_of),
        fortune=Fortune(store, gifts_of),
        house=HouseLuck(store, house_of),
        reconciler=Reconciler(store, doorbell, settings.reconcile_ms),
        archiver=Archiver(store, doorbell, settings.archive_ms, settings.archive_after_ms),
    )


class Workshop:
    """Gives each process its bench when it first needs one: a connection must not be shared across a fork."""

    def __init__(self, make: Callable[[], Bench]) -> None:
        self._make = make
        self._bench: Bench | None = None
        self._pid = 0

    @property
    def bench(self) -> Bench:
        """The bench of this process."""
        if self._bench is None or self._pid != os.getpid():
            self._bench, self._pid = self._make(), os.getpid()
        return self._bench
