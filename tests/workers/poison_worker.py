"""A worker that knows one task more: one that kills the process that does it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ladder.store import Store, logs
from workers import serve_worker
from workers.app import make_app
from workers.doorbell import PREFIX, CeleryDoorbell
from workers.settings import WorkerSettings
from workers.tasks import LedgerTask
from workers.workshop import Bench, Workshop, bench_of


class Poison(LedgerTask):
    """Notes that it began, and ends its process."""

    name = f"{PREFIX}poison"

    def run(self) -> None:
        """Die."""
        with Path(os.environ["POISON_STARTS"]).open("a") as file:
            file.write("start\n")
        os._exit(1)


def main() -> int:
    """Work as `lastcard serve worker` does."""
    settings = WorkerSettings.of()
    app = make_app(settings)

    def bench() -> Bench:
        return bench_of(
            Store.open(settings.redis_url, role="worker", allow_volatile=True), settings, CeleryDoorbell(app)
        )

    app.register_task(Poison(Workshop(bench)))
    logs.configure()
    return serve_worker.run(app, settings)


if __name__ == "__main__":
    sys.exit(main())
