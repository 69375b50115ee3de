"""The tasks: each parses its ids and calls one plain function. All are safe to run twice, and none waits for a game."""

from __future__ import annotations

import time
from typing import Any, ClassVar, Final

from celery import Celery, Task

from ladder.store.counters import Counter
from ladder.store.logs import bound, logger
from workers.doorbell import PREFIX
from workers.workshop import Bench, Workshop

__all__ = ["TASKS", "Canary", "LedgerTask", "register"]

MOST_TRIES: Final = 3
"""Times that what a message asks for is begun: one that kills its process each time is then dropped, with an alarm."""
TRIES_S: Final = 3_600
"""So long it is known how often a message was delivered; it comes again after minutes."""

OK: Final = "ok"
POISONED: Final = "poisoned"

_log = logger("workers.tasks")


class LedgerTask(Task):  # type: ignore[type-arg]  # the generic argument exists in the stubs only
    """What all tasks share: where their use cases come from, counters, log context, retries and a cap on redelivery."""

    abstract = True
    acks_late = True
    reject_on_worker_lost = True
    autoretry_for: ClassVar = (ConnectionError, TimeoutError)
    max_retries = 5
    retry_backoff = 1
    retry_backoff_max = 30
    retry_jitter = True

    def __init__(self, workshop: Workshop) -> None:
        self._workshop = workshop

    @property
    def bench(self) -> Bench:
        """The use cases of this process."""
        return self._workshop.bench

    def __call__(self, *args: Any, **kwargs: Any) -> str:  # noqa: ANN401 - a task's own arguments
        """Run the task unless its message has killed its process too often; returns the outcome to count."""
        with bound(task=self.name, task_id=self.request.id):
            if self._poisonous():
                self.give_up(*args)
                return POISONED
            super().__call__(*args, **kwargs)
            return OK

    def give_up(self, *args: Any) -> None:  # noqa: ANN401 - as `__call__`
        """Do what is to be done instead of the task, once its message was delivered too often: nothing."""

    def on_success(self, retval: str, task_id: str, args: object, kwargs: object) -> None:  # noqa: ARG002
        """Count a task that ended well, or was dropped."""
        self._count(retval)

    def on_retry(self, exc: object, task_id: str, args: object, kwargs: object, einfo: object) -> None:  # noqa: ARG002
        """Log and count a task that will be tried again."""
        _log.warning("task again later", task=self.name, error=str(exc))
        self._count("retry")

    def on_failure(self, exc: object, task_id: str, args: object, kwargs: object, einfo: object) -> None:  # noqa: ARG002
        """Log and count a task that was given up; the reconciler finds what it was about."""
        _log.error("task failed", task=self.name, error=str(exc), trace=str(einfo))
        self._count("failed")

    def _poisonous(self) -> bool:
        """Return whether this message was delivered too often already."""
        if not (self.request.delivery_info or {}).get("redelivered"):
            return False
        ticks = self.bench.store.ticks
        if any(ticks.tick(f"try-{self.request.id}", str(number), TRIES_S) for number in range(1, MOST_TRIES)):
            return False
        _log.error("task kills its process", task=self.name, args=self.request.args)
        self.bench.store.counters.add({Counter("alarms_total", {"kind": "poison"}): 1})
        return True

    def _count(self, outcome: str) -> None:
        labels = {"task": self.name.removeprefix(PREFIX), "outcome": outcome}
        try:
            self.bench.store.counters.add({Counter("tasks_total", labels): 1})
        except ConnectionError as error:
            _log.warning("not counted", outcome=outcome, error=str(error))


class Tick(LedgerTask):
    """Looks at what is due and rings for it."""

    name = f"{PREFIX}tick"

    def run(self) -> None:
        """Look once."""
        self.bench.lookout.look(now_ms())


class Plan(LedgerTask):
    """Moves a tournament on."""

    name = f"{PREFIX}plan"

    def run(self, tournament: str) -> None:
        """Move it on as far as it goes now."""
        self.bench.planner.advance(tournament, now_ms())


class Rate(LedgerTask):
    """Applies closed matches to their ladders."""

    name = f"{PREFIX}rate"

    def run(self, matches: list[str]) -> None:
        """Apply those of these that are closed."""
        self.bench.rater.rate(matches, now_ms())

    def give_up(self, matches: list[str]) -> None:
        """Take a batch that kills its process apart, until the one to blame stands alone."""
        self.bench.rater.isolate(matches, now_ms())


class Renew(LedgerTask):
    """Computes a ladder anew without the matches that were declared void."""

    name = f"{PREFIX}renew"
    soft_time_limit = 240
    time_limit = 270

    def run(self, ladder_format: str) -> None:
        """Compute it and serve it, unless somebody else does."""
        self.bench.renewer.renew(ladder_format)


class Fit(LedgerTask):
    """Fits all games of a ladder at once."""

    name = f"{PREFIX}fit"
    soft_time_limit = 240
    time_limit = 270

    def run(self, ladder_format: str) -> None:
        """Fit them, if there are any that the fit does not know."""
        self.bench.fitter.fit(ladder_format, now_ms())


class Inspect(LedgerTask):
    """Looks through the results of a ladder for what honest bots hardly ever do."""

    name = f"{PREFIX}inspect"
    soft_time_limit = 240
    time_limit = 270

    def run(self, ladder_format: str) -> None:
        """Look through it, unless somebody did so in this hour."""
        self.bench.inspector.look(ladder_format, now_ms())


class Luck(LedgerTask):
    """Computes what chance gave in settled matches."""

    name = f"{PREFIX}luck"

    def run(self, matches: list[str]) -> None:
        """Compute it for those of these for which nobody has."""
        self.bench.fortune.compute(matches)

    def give_up(self, matches: list[str]) -> None:
        """Leave a slice that kills its process without: its results stay as they are."""
        self.bench.fortune.leave(matches)


class House(LedgerTask):
    """Has the house play the cards of rated matches."""

    name = f"{PREFIX}house"

    def run(self, matches: list[str]) -> None:
        """Play for those of these that still wait for it."""
        self.bench.house.compute(matches, now_ms())

    def give_up(self, matches: list[str]) -> None:
        """Leave a slice that kills its process without: its results stay as they are."""
        self.bench.house.leave(matches)


class Reconcile(LedgerTask):
    """Finds what was left behind and rings again."""

    name = f"{PREFIX}reconcile"

    def run(self) -> None:
        """Look through everything that is open, once."""
        self.bench.reconciler.reconcile(now_ms())


class Archive(LedgerTask):
    """Moves what is settled into the archive."""

    name = f"{PREFIX}archive"

    def run(self, more: str = "") -> None:
        """Look once a period, and at once where a round was not enough."""
        look = self.bench.archiver.run if more else self.bench.archiver.look
        look(now_ms())


class Canary(LedgerTask):
    """Shows by arriving that this worker hears."""

    name = f"{PREFIX}canary"

    def run(self) -> None:
        """Do nothing: that the message came is enough."""


TASKS: Final[tuple[type[LedgerTask], ...]] = (
    Tick,
    Plan,
    Rate,
    Renew,
    Fit,
    Inspect,
    Luck,
    House,
    Reconcile,
    Archive,
    Canary,
)


def register(app: Celery, workshop: Workshop) -> None:
    """Make the tasks above known to an app, working in this workshop."""
    for kind in TASKS:
        app.register_task(kind(workshop))


def now_ms() -> int:
    """Return the time in ms since 1970: the clock of all tasks."""
    return time.time_ns() // 1_000_000
