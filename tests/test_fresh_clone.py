"""On a machine that has nothing of ours, the first command of the README does all the set-up and plays."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.index import needs_index
from tests.patience import PATIENCE_S
from workers.house.doors import Doors

ROOT = Path(__file__).parents[1]
NETWORK = ("PIP_", "UV_", "SSL_CERT_FILE", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
PYTHON = ("/usr/bin/python3", sys.executable)
INSTALL_S = 1_200
ENTRY_ELO = 1_500
BOTS = ("random", "first", "greedy", "careful")
MEETINGS = 150
"""Of each bot in the sample tournament."""
KEPT = re.compile(r"state and logs are kept in (/\S+)")

pytestmark = [pytest.mark.thorough, pytest.mark.needs("git"), needs_index, pytest.mark.timeout(INSTALL_S + 60)]


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a fresh clone of what is committed, which is all that a stranger gets."""
    there = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, there], check=True)
    return there


def path_with(tmp_path: Path, *tools: str) -> str:
    """Return a PATH of the system's own programs and these tools, without whatever else stands beside them."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for tool in tools:
        found = shutil.which(tool)
        assert found, f"{tool} is not on PATH"
        (folder / tool).symlink_to(found)
    return os.pathsep.join([str(folder), "/usr/sbin", "/usr/bin", "/sbin", "/bin"])


@contextlib.contextmanager
def up(lastcard: Path, folder: Path, environ: dict[str, str]) -> Iterator[dict[str, str]]:
    """Run a house on the state of an earlier one; yield the settings for commands to it."""
    doors = Doors.free()
    command = [
        *(str(lastcard), "up", "--json", "--state", str(folder), "--play", doors.play, "--grpc", doors.grpc),
        *("--web", doors.web, "--metrics", doors.metrics, "--referee-metrics", doors.referee_metrics),
    ]
    log = folder / "up.log"
    with log.open("wb") as said, subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=said) as house:
        assert house.stdout is not None
        try:
            line = house.stdout.readline()
            assert line, log.read_text("utf-8")
            there = json.loads(line)
            yield {
                "LASTCARD_LADDER": there["grpc"],
                "LASTCARD_REDIS_URL": there["store"],
                "LASTCARD_STATE": there["state"],
                "LASTCARD_TOKEN_FILE": there["operator_token_file"],
            }
        finally:
            house.send_signal(signal.SIGINT)
            house.wait(PATIENCE_S)


def check_ladder(lastcard: Path, environ: dict[str, str]) -> None:
    """Check that every match was applied once: counts, sum of ratings, the ledger, and a rebuild from the log."""

    def told(*args: str) -> dict[str, Any]:
        words = [str(lastcard), "ladder", *args, "--json"]
        done = subprocess.run(words, env=environ, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 0, done.stdout + done.stderr
        return dict(json.loads(done.stdout))

    shown = told("show", "uno-classic-2")
    assert {row["bot"]: row["meetings"] for row in shown["standings"]} == {f"{bot}@1": MEETINGS for bot in BOTS}
    # What is shown is a fit as soon as there is one, which sums up to anything; here the ledger is compared.
    told("audit")
    assert told("rebuild")["equal"] is True


@pytest.mark.parametrize(
    "tools",
    [
        pytest.param((), id="pip"),
        pytest.param(("uv",), id="uv", marks=pytest.mark.needs("uv")),
    ],
)
def test_the_demo_of_a_fresh_clone_ends_with_four_rated_bots(
    clone: Path, tmp_path: Path, tools: tuple[str, ...]
) -> None:
    """With an empty home; the standings alone are on stdout, and the points that were won are those that were lost.

    What it kept tells that every match was applied once.
    """
    home = tmp_path / "home"
    home.mkdir()
    environ = {name: value for name, value in os.environ.items() if name.startswith(NETWORK)}
    environ |= {"HOME": str(home), "PATH": path_with(tmp_path, *tools)}
    python = next(one for one in PYTHON if Path(one).exists())
    done = subprocess.run(
        [python, "dev", "demo", "--exit", "--json", "--keep"],
        cwd=clone, env=environ, capture_output=True, text=True, check=False, timeout=INSTALL_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (kept,) = KEPT.findall(done.stderr)
    try:
        rows = {row["bot"].partition("@")[0]: row for row in json.loads(done.stdout)["standings"]}
        assert rows.keys() == set(BOTS)
        assert all((row["meetings"], row["faults"]) == (MEETINGS, 0) for row in rows.values())
        assert rows["careful"]["elo"] > rows["random"]["elo"]
        assert sum(row["elo"] for row in rows.values()) == pytest.approx(len(BOTS) * ENTRY_ELO, abs=1e-6)
        lastcard = clone / ".venv" / "bin" / "lastcard"
        with up(lastcard, Path(kept), environ) as settings:
            check_ladder(lastcard, environ | settings)
    finally:
        shutil.rmtree(kept)
    assert list(home.iterdir()) == []
