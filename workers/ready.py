"""What every process of Celery's says and does not say when it starts."""

from __future__ import annotations

import json
import sys

from workers.house.part import READY

__all__ = ["keep_logging", "say_ready"]


def say_ready(**_: object) -> None:
    """Write the line that a supervisor waits for; fits as the receiver of a signal."""
    sys.stdout.write(f"{READY}{json.dumps({})}\n")
    sys.stdout.flush()


def keep_logging(**_: object) -> None:
    """Leave logging as `ladder.store.logs` set it up: Celery asks by sending a signal, and any receiver means yes."""
