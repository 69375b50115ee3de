"""What a process loads before it does anything: each start pays for it, and a house has ten processes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = pytest.mark.slow

LOGS = "from ladder.store import logs; logs.configure()"
RUN = "from lastcard.cli import main"
NOWHERE = "127.0.0.1:1"
"""Nobody listens there."""
PAGES = {"jinja2", "starlette", "uvicorn"}
QUEUE = {"celery", "kombu"}
TERMINAL = {"pygments", "rich"}
RULES = {"referee.rules"}
TASKS = {"workers.tasks", "workers.rate", "workers.fit"}

PROCESSES = [
    pytest.param(
        f"import referee.cli, referee.app, referee.formats; {LOGS}",
        {"referee.door.gate", "redis", "grpc"},
        {"numpy", "workers.app", *QUEUE, *PAGES, *TERMINAL},
        id="serve referee",
    ),
    pytest.param(
        f"import workers.cli, workers.serve_ladder; {LOGS}",
        {"ladder.app", "starlette", "celery"},
        {"numpy", *TASKS - {"workers.rate"}, *TERMINAL},
        id="serve ladder",
    ),
    pytest.param(
        f"import workers.cli, workers.app, workers.serve_worker; {LOGS}",
        {"numpy", "structlog", *RULES, *TASKS},  # before it forks, so that its children share them
        {"grpc", *PAGES, *TERMINAL},
        id="serve worker",
    ),
    pytest.param(
        f"import workers.cli, workers.beat, workers.broker, workers.startup; {LOGS}",
        {"celery.beat"},
        {"grpc", "numpy", "ladder.store.store", *RULES, *TASKS, *PAGES, *TERMINAL},
        id="serve beat",
    ),
    pytest.param(
        "import referee.bots.__main__",
        RULES,
        {"asyncio", "click", "grpc", "ladder", "numpy", "redis", "structlog", "workers", *QUEUE, *PAGES, *TERMINAL},
        id="house bot",
    ),
    pytest.param(
        f"{RUN}; [main(words.split()) for words in ('bot list', 'ladder show uno-official-2', 'tournament show cup')]",
        {"ladder.client", "workers.tournaments.client", "grpc"},
        {"numpy", "redis", "structlog", "pygments", *QUEUE, *PAGES, *TASKS},
        id="commands that ask a ladder",
    ),
    pytest.param(
        f"{RUN}; [main(words.split()) for words in ('up --help', 'demo --help', 'bot check --help')]",
        {"workers.house.house", "referee.check.exam"},
        {"numpy", "structlog", "pygments", *QUEUE, *PAGES, *TASKS},
        id="commands that start a house",
    ),
]


def loaded_by(code: str) -> set[str]:
    """Return the modules that a fresh Python has loaded after `code`, whatever that writes and returns."""
    told = "import sys; print('', *sys.modules, file=sys.stderr)"
    command = [sys.executable, "-c", f"{code}\n{told}"]
    env = {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_")}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env | {"LASTCARD_LADDER": NOWHERE})
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].split())


@pytest.mark.parametrize(("code", "needed", "forbidden"), PROCESSES)
def test_a_process_loads_what_it_needs(code: str, needed: set[str], forbidden: set[str]) -> None:
    """What it is there for, so that nothing is forbidden in vain, and none of what others are there for."""
    loaded = loaded_by(code)
    assert needed <= loaded
    assert sorted(forbidden & loaded) == []
