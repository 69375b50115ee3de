"""Keeps `./dev check` short: what is slow is not even read there, and what is slow and does not say so is named.

A file is slow from one second of CPU on, its fixtures and the processes that it starts included. Its mark stands in it,
`pytestmark = pytest.mark.slow`, so whoever writes it reads there what it costs; whole systems (`SLOW`) need none.

A run of what is thorough, and of nothing else, reads the files that say so, which is one in ten.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Generator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

HERE: Final = Path(__file__).parent
SLOW: Final = {"chaos", "live"}
"""Folders of tests that start whole systems."""
MARKED: Final = re.compile(rb"^pytestmark = .*\bmark\.(slow|thorough|browser|nightly)\b", re.MULTILINE)
SLOW_S: Final = 2.0
"""CPU seconds from which on a file is named: twice what makes it slow, for no two machines are alike."""

THOROUGH: Final = "thorough"
"""A file in which this word does not stand has no test with the mark of that name."""

_spent: Counter[str] = Counter()


def quick(config: pytest.Config) -> bool:
    """Return whether nothing slow is to be run."""
    return "not slow" in config.option.markexpr


def _thorough(config: pytest.Config) -> bool:
    """Return whether nothing but what is thorough is to be run."""
    return bool(config.option.markexpr == THOROUGH)


@cache
def _whole_system(path: Path) -> bool:
    return path.is_relative_to(HERE) and not SLOW.isdisjoint(path.relative_to(HERE).parts)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread of which no test would be run."""
    if not (collection_path.name.startswith("test_") and collection_path.suffix == ".py"):
        return None
    if _thorough(config):
        return not _says(collection_path) or None
    if not quick(config):
        return None
    return _whole_system(collection_path) or MARKED.search(collection_path.read_bytes()) is not None or None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests of whole systems, and all cases of a test but a sample of them, before a selection with -m."""
    seen: Counter[str] = Counter()
    for item in items:
        if sample := item.get_closest_marker("sample"):
            family = item.nodeid.partition("[")[0]
            seen[family] += 1
            if seen[family] > sample.args[0]:
                item.add_marker(pytest.mark.nightly)
        if _whole_system(item.path):
            item.add_marker(pytest.mark.slow)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Fail the reading of a file with a thorough test that does not say so: a thorough run would not read it."""
    report = yield
    for item in report.result or ():
        if isinstance(item, pytest.Item) and item.get_closest_marker(THOROUGH) and not _says(item.path):
            report.outcome = "failed"
            report.longrepr = f"{item.nodeid} is thorough, and its file does not say so: have it stand there"
    return report


@cache
def _says(path: Path) -> bool:
    return THOROUGH.encode() in path.read_bytes()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Count what a test costs in a quick run, with whatever it is the first to need."""
    if not quick(item.config):
        return (yield)
    before = sum(os.times()[:4])
    done = yield
    _spent[item.nodeid.partition("::")[0]] += sum(os.times()[:4]) - before  # type: ignore[assignment]
    return done


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:  # noqa: ANN401 (of xdist)
    """Take over what a process of several has counted."""
    _spent.update(node.workeroutput.get("spent", {}))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None]:
    """End a quick run with the files that are slow and do not say so."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["spent"] = dict(_spent)
    yield
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or not quick(session.config):
        return
    for file, seconds in _spent.most_common():
        if seconds >= SLOW_S:
            reporter.write_line(f"{file} took {seconds:.1f} s of CPU: mark it, pytestmark = pytest.mark.slow")
