"""What every test may ask for: `@pytest.mark.needs("promtool")` for programs that a machine may lack.

A need of several words is a command: what a system may not let its program do.
"""

from __future__ import annotations

import gc
import logging
import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from typing import TextIO

import pytest
import structlog
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.cost", "tests.warm", "tests.secrets_hook", "tests.fixtures_store"]

# All processors are busy with tests: threads of numpy beside them would only wait for each other, in every process.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The same examples in every run, on a machine however slow; `--hypothesis-profile explore` looks for new ones.
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fixed", UNHURRIED, derandomize=True, database=None)
settings.register_profile("explore", UNHURRIED)
settings.load_profile("fixed")

# As processes of ours write it: structlog's own way spells out every value around an error, for seconds of a loop.
PLAIN = (
    *structlog.get_config()["processors"][:-1],
    structlog.dev.ConsoleRenderer(colors=False, exception_formatter=structlog.dev.plain_traceback),
)

# A shell that starts the tests in the background has them ignore Ctrl-C, and with them every process that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # `nohup`: a closed terminal
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

MISSING = "needs the program "
PLACES = os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ.get("PATH", os.defpath), "/usr/sbin"])

HERE = Path(__file__).parent
FIRST = (
    "deploy/test_compiled.py",
    "test_fresh_clone.py",
    "demo/test_demo_live.py",
    "demo/test_bad_bots_live.py",
    "live/test_set_aside.py",
    "workers/test_soak.py",
    "simulate/test_seeds.py",
    "live/test_damaged.py",
    "check/test_check.py",
    "demo/test_up_live.py",
    "hostile/test_attacks.py",
    "simulate/test_bugs.py",
    "store/test_checks.py",
    "trunk/test_blows.py",
    "workers/test_twins.py",
    "workers/test_kills.py",
    "workers/test_poison_tournament.py",
    "live/test_non_interference.py",
    "ladder/test_statistics.py",
    "chaos/test_chaos.py",
    "simulate/test_far.py",
    "live/test_watching.py",
    "web/test_browser.py",
    "web/test_live_page.py",
    "rules/test_random_rounds.py",
    "workers/test_processes.py",
    "arena/test_strength.py",
    "trunk/test_far_seat.py",
    "rules/luck/test_zero_mean.py",
    "live/test_handover.py",
    "rules/test_laws.py",
    "hostile/test_gate.py",
    "live/test_faults.py",
    "hostile/test_secrets.py",
    "rules/test_mutants.py",
    "trunk/test_tls.py",
    "rules/test_record_bytes.py",
    "cli/test_sprt.py",
    "exporter/test_dashboards_live.py",
    "arena/test_every_game.py",
    "live/test_poison.py",
    "arena/test_memory.py",
    "deploy/test_redis.py",
    "workers/test_seals.py",
    "web/test_pages.py",
    "workers/test_life.py",
    "hostile/test_calls.py",
    "demo/test_docs_live.py",
    "workers/test_earlier_weights.py",
    "demo/test_signals.py",
    "simulate/test_command.py",
    "demo/test_store_that_loads.py",
    "workers/test_reweigh.py",
    "web/test_damaged.py",
    "workers/test_overtime.py",
    "workers/test_eta.py",
)
"""Files that take longest: begun first, so that none is the last; by turns one that works and one that waits."""


# Thousands of tests are made at once and live as long as the process: looking through them for garbage finds none.
gc.disable()


def pytest_collection_finish() -> None:
    """Collect garbage from now on, of what comes from now on."""
    gc.enable()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the files that take longest."""
    places = {HERE / name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: places.get(item.path, len(places)))


def in_ci() -> bool:
    """Return whether a missing program is a failure here."""
    return os.environ.get("CI") == "true" or bool(os.environ.get("LASTCARD_CI"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is missing; fail it in CI, where all of them must be there."""
    for marker in item.iter_markers("needs"):
        for tool in marker.args:
            if why := lacking(tool):
                (pytest.fail if in_ci() else pytest.skip)(f"{why}{MISSING}{tool}")


@cache
def lacking(tool: str) -> str:
    """Return why this machine lacks a program, or what a command asks of it; empty where all is there."""
    program, *words = shlex.split(tool)
    path = shutil.which(program, path=PLACES)
    if path is None:
        return "not installed: "
    if not words:
        return ""
    done = subprocess.run([path, *words], capture_output=True, text=True, check=False)
    return f"{done.stderr.strip() or f'exit code {done.returncode}'}: " if done.returncode else ""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """End the output with one line that names the tests skipped for want of a program."""
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped: dict[str, int] = {}
    for report in reporter.stats.get("skipped", []) if reporter else []:
        reason = str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr)
        if MISSING in reason:
            tool = reason.partition(MISSING)[2]
            skipped[tool] = skipped.get(tool, 0) + 1
    if reporter and skipped:
        counts = ", ".join(f"{tool} ({count})" for tool, count in sorted(skipped.items()))
        reporter.write_line(f"skipped tests that need a program: {counts}")


@pytest.fixture(scope="session")
def journal_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return where all tests of this process log to."""
    return tmp_path_factory.mktemp("journal") / "log"


@pytest.fixture(scope="session")
def journal_file(journal_path: Path) -> Iterator[TextIO]:
    """Open that file once: parts that live longer than a test may log between two of them."""
    with journal_path.open("a", encoding="utf-8", buffering=1) as file:
        yield file
        structlog.reset_defaults()


@pytest.fixture(autouse=True)
def logging_of_its_own(journal_file: TextIO) -> Iterator[None]:
    """Log into a file, so that what a command prints stands alone; how a command logs ends with its test."""
    root, factory = logging.getLogger(), structlog.PrintLoggerFactory(journal_file)
    handlers, level = root.handlers[:], root.level
    structlog.reset_defaults()
    structlog.configure(processors=[*PLAIN], logger_factory=factory)
    yield
    structlog.reset_defaults()
    structlog.configure(processors=[*PLAIN], logger_factory=factory)
    root.handlers[:] = handlers
    root.setLevel(level)
