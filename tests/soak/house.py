"""A whole house on free ports, until it is told to stop: `python -m tests.soak.house --state DIR --workers N`."""

from __future__ import annotations

import argparse
import sys
from contextlib import suppress
from pathlib import Path

from workers.house.doors import Doors
from workers.house.folder import StateFolder
from workers.house.house import HousePlan
from workers.house.interrupt import InterruptedBySignalError, run_until_signal
from workers.house.up import say_stopping, stand


def main(argv: list[str]) -> int:
    """Run it; returns 0 after a clean stop."""
    parser = argparse.ArgumentParser("tests.soak.house", description=__doc__)
    parser.add_argument("--state", type=Path, required=True)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args(argv)
    plan = HousePlan(StateFolder(options.state), Doors.free(), workers=options.workers)
    with suppress(InterruptedBySignalError):
        run_until_signal(stand(plan, as_json=True), say_stopping)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
