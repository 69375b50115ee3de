"""What every test may ask for: `@pytest.mark.needs("promtool")` for programs that a machine may lack."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
import structlog

pytest_plugins = ["tests.fixtures_store"]

MISSING = "needs the program "
PLACES = os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ.get("PATH", os.defpath), "/usr/sbin"])

SLOW = {"browser", "chaos", "live"}  # folders of tests that start whole systems


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of whole systems as slow, before a selection with -m is made."""
    for item in items:
        if SLOW & set(item.path.relative_to(Path(__file__).parent).parts):
            item.add_marker(pytest.mark.slow)


def in_ci() -> bool:
    """Return whether a missing program is a failure here."""
    return os.environ.get("CI") == "true" or bool(os.environ.get("LASTCARD_CI"))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose program is missing; fail it in CI, where all of them must be there."""
    for marker in item.iter_markers("needs"):
        for tool in marker.args:
            if shutil.which(tool, path=PLACES) is None:
                (pytest.fail if in_ci() else pytest.skip)(MISSING + tool)


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


@pytest.fixture(autouse=True)
def logging_of_its_own() -> Iterator[None]:
    """A command that a test ran in this process must not decide how the next test's parts log."""
    yield
    structlog.reset_defaults()
