"""The workers' use cases called in a loop, without Celery: what a tournament costs where nothing is queued."""

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from bench.stage import PATIENCE_S
from ladder.store import Store
from workers.due import Job
from workers.ear import LISTEN_S, REST_S, Ear
from workers.settings import WorkerSettings
from workers.workshop import Bench, bench_of

CALLS: Final[dict[str, Callable[[Bench, Job, int], object]]] = {
    "plan": lambda bench, job, now_ms: bench.planner.advance(str(job.args[0]), now_ms),
    "rate": lambda bench, job, now_ms: bench.rater.rate(job.args[0], now_ms),
    "renew": lambda bench, job, _: bench.renewer.renew(str(job.args[0])),
    "fit": lambda bench, job, now_ms: bench.fitter.fit(str(job.args[0]), now_ms),
    "inspect": lambda bench, job, now_ms: bench.inspector.look(str(job.args[0]), now_ms),
    "luck": lambda bench, job, _: bench.fortune.compute(job.args[0]),
    "house": lambda bench, job, now_ms: bench.house.compute(job.args[0], now_ms),
}
"""What a look, or one who listens, may ring for, at any hour."""


class ByHand:
    """Looks, listens and does at once what was rung for, as a worker and a beat would, in this process."""

    def __init__(self, store: Store, settings: WorkerSettings) -> None:
        self._rung: deque[Job] = deque()
        self._bench = bench_of(store, settings, self)
        self._ear = Ear(store, self)

    def ring(self, job: Job) -> None:
        """Remember what is to be done."""
        if job not in self._rung:
            self._rung.append(job)

    def until(self, over: Callable[[], bool], within_s: float = PATIENCE_S) -> float:
        """Work until something is so; returns the CPU seconds that it took.

        Raises:
            RuntimeError: it is not so within `within_s` seconds.
        """
        began, end = time.process_time(), time.monotonic() + within_s
        while not over():
            if time.monotonic() > end:
                raise RuntimeError(f"not over within {within_s:g} s")
            now_ms = time.time_ns() // 1_000_000
            self._bench.lookout.look(now_ms)
            self._bench.reconciler.reconcile(now_ms)
            heard = self._ear.listen(now_ms)
            while self._rung:
                job = self._rung.popleft()
                CALLS[job.task](self._bench, job, time.time_ns() // 1_000_000)
            time.sleep(REST_S if heard else LISTEN_S)  # as a worker's listener
        return time.process_time() - began
