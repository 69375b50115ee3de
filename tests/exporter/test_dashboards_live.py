"""Every query of every dashboard, asked of a real Prometheus that scrapes a real demo, which has bad bots, too."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from tests.demo.running import Running, clean_environment, short_folder
from tests.exporter.test_dashboards import EXPRESSIONS, METRIC, plain
from tests.patience import PATIENCE_S, until_true
from workers.house import ports

pytestmark = [pytest.mark.slow, pytest.mark.needs("prometheus")]

ADDRESS = re.compile(r"http://([\w.:]+)/metrics")
BARE = Path(__file__).parents[1] / "check" / "bare_bot.py"
SHIPPED = Path(__file__).parents[2] / "deploy" / "prometheus"
SILENT = {"lastcard_trunk_bytes_total", "lastcard_trunk_messages_total"}
"""Metrics whose series begin with the first event, which a demo cannot have: one referee has nobody to speak to."""


@contextmanager
def demo() -> Iterator[list[str]]:
    """Run a demo, and bad bots in it, until all is played; yields where its metrics are, referees first."""
    home = short_folder()
    try:
        with Running("demo", "--json", "--meetings", "40", home=home) as running:
            running.until_printed()
            running.until_said("it goes on running")
            line = next(line for line in running.said if "/metrics" in line)
            pages = next(line.split()[-1] for line in running.said if " pages " in line)
            urllib.request.urlopen(pages, timeout=PATIENCE_S).read()
            misbehave(running)
            yield ADDRESS.findall(line)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def misbehave(demo: Running) -> None:
    """Have a bot answer nonsense until it has forfeited its match, and one dial in with a token that is none."""
    made = demo.lastcard("bot", "register", "wrong-bot", "--json")
    token = str(json.loads(made.stdout)["token"])
    environment = clean_environment() | {"LASTCARD_SERVER": demo.settings()["LASTCARD_SERVER"]}
    refused = subprocess.run([sys.executable, BARE, "none"], env=environment | {"LASTCARD_TOKEN": "x"}, check=False)
    assert refused.returncode == 0
    wrong = subprocess.Popen([sys.executable, BARE, "illegal"], env=environment | {"LASTCARD_TOKEN": token})
    words = (
        "tournament",
        "create",
        "bad",
        "--format",
        "uno-classic-2",
        "--bots",
        "wrong-bot,careful",
        "--meetings",
        "4",
    )
    try:
        played = demo.lastcard(*words, "--wait", "--json")
    finally:
        wrong.kill()
        wrong.wait()
    assert played.returncode == 0, played.stderr


@contextmanager
def prometheus(folder: Path, referees: list[str], ladders: list[str]) -> Iterator[str]:
    """Run Prometheus by the configuration that we ship, at these targets every second; yields where it is."""
    shutil.copytree(SHIPPED, folder, dirs_exist_ok=True)
    for name, targets in (("referees", referees), ("ladder", ladders)):
        (folder / "targets" / f"{name}.yml").write_text(yaml.safe_dump([{"targets": targets}]), "utf-8")
    shipped = (folder / "prometheus.yml").read_text("utf-8")
    (folder / "prometheus.yml").write_text(shipped.replace("interval: 15s", "interval: 1s"), "utf-8")
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
    """Return whether an expression is about what a demo does not have."""
    return set(METRIC.findall(expr)) <= SILENT


@pytest.mark.thorough
def test_every_query_finds_something_in_a_running_demo(tmp_path: Path) -> None:
    """No panel of the shipped dashboards stays empty, and the shipped configuration scrapes what it names."""
    jobs = [(job, f'up{{job="{job}"}} == 1') for job in ("lastcard-referee", "lastcard-ladder")]
    wanted = jobs + [(where, expr) for where, expr in EXPRESSIONS if not silent(expr)]
    with demo() as addresses, prometheus(tmp_path, addresses[:-1], addresses[-1:]) as server:
        empty = list(wanted)

        def all_found() -> bool:
            empty[:] = [(where, expr) for where, expr in empty if not found(server, expr)]
            return not empty

        try:
            until_true(all_found)
        finally:
            assert empty == []
