"""Every query of every dashboard, asked of a real Prometheus that scrapes a real demo."""

from __future__ import annotations

import re
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from tests.demo.running import Running, short_folder
from tests.exporter.test_dashboards import EXPRESSIONS, METRIC, plain
from tests.patience import PATIENCE_S, until_true
from workers.house import ports

pytestmark = [pytest.mark.slow, pytest.mark.needs("prometheus")]

ADDRESS = re.compile(r"http://([\w.:]+)/metrics")
SILENT = {
    "lastcard_faults_total",  # house bots make none
    "lastcard_refusals_total",  # are welcome
    "lastcard_replies_total",  # and answer in time
    "lastcard_trunk_bytes_total",  # one referee has nobody to speak to
    "lastcard_trunk_messages_total",
}
"""Metrics whose series begin with the first event, which a healthy demo does not have."""


@contextmanager
def demo() -> Iterator[list[str]]:
    """Run a demo until its tournament is over; yields where its metrics are, referees first."""
    home = short_folder()
    try:
        with Running("demo", "--json", "--meetings", "40", home=home) as running:
            running.until_printed()
            running.until_said("it goes on running")
            line = next(line for line in running.said if "/metrics" in line)
            pages = next(line.split()[-1] for line in running.said if " pages " in line)
            urllib.request.urlopen(pages, timeout=PATIENCE_S).read()
            yield ADDRESS.findall(line)
    finally:
        shutil.rmtree(home, ignore_errors=True)


@contextmanager
def prometheus(folder: Path, referees: list[str], ladders: list[str]) -> Iterator[str]:
    """Run a Prometheus that scrapes these every second; yields where it is."""
    jobs = {"lastcard-referee": referees, "lastcard-ladder": ladders}
    configuration = {
        "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
        "scrape_configs": [
            {"job_name": name, "static_configs": [{"targets": targets}]} for name, targets in jobs.items()
        ],
    }
    (folder / "prometheus.yml").write_text(yaml.safe_dump(configuration), "utf-8")
    address = f"{ports.LOOPBACK}:{ports.free(1)[0]}"
    command = [
        "prometheus",
        f"--config.file={folder / 'prometheus.yml'}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address={address}",
    ]
    with (folder / "log").open("w", encoding="utf-8") as log, subprocess.Popen(command, stderr=log) as process:
        try:
            until_true(lambda: answers(f"http://{address}/-/ready"))
            yield f"http://{address}"
        finally:
            process.terminate()


def answers(url: str) -> bool:
    """Return whether there is a page."""
    try:
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, ConnectionError):
        return False


def found(server: str, expr: str) -> list[object]:
    """Return what a query finds now."""
    query = urllib.parse.urlencode({"query": plain(expr)})
    with urllib.request.urlopen(f"{server}/api/v1/query?{query}", timeout=PATIENCE_S) as answer:
        return list(yaml.safe_load(answer.read())["data"]["result"])


def silent(expr: str) -> bool:
    """Return whether an expression is about what a healthy demo does not have."""
    return set(METRIC.findall(expr)) <= SILENT


def test_every_query_finds_something_in_a_running_demo(tmp_path: Path) -> None:
    """No panel of the shipped dashboards stays empty."""
    wanted = [(where, expr) for where, expr in EXPRESSIONS if not silent(expr)]
    with demo() as addresses, prometheus(tmp_path, addresses[:-1], addresses[-1:]) as server:
        empty = list(wanted)

        def all_found() -> bool:
            empty[:] = [(where, expr) for where, expr in empty if not found(server, expr)]
            return not empty

        try:
            until_true(all_found)
        finally:
            assert empty == []
