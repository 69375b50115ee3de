"""On a machine that has nothing of ours, the first command of the README does all the set-up and plays."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NETWORK = ("PIP_", "UV_", "SSL_CERT_FILE", "HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")
PYTHON = ("/usr/bin/python3", sys.executable)
INSTALL_S = 1_200
ENTRY_ELO = 1_500

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(INSTALL_S + 60)]


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
    """With an empty home; the standings alone are on stdout, and the points that were won are those that were lost."""
    home = tmp_path / "home"
    home.mkdir()
    environ = {name: value for name, value in os.environ.items() if name.startswith(NETWORK)}
    environ |= {"HOME": str(home), "PATH": path_with(tmp_path, *tools)}
    python = next(one for one in PYTHON if Path(one).exists())
    done = subprocess.run(
        [python, "dev", "demo", "--exit", "--json"],
        cwd=clone, env=environ, capture_output=True, text=True, check=False, timeout=INSTALL_S,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    rows = {row["bot"].partition("@")[0]: row for row in json.loads(done.stdout)["standings"]}
    assert rows.keys() == {"random", "first", "greedy", "careful"}
    assert all((row["meetings"], row["faults"]) == (150, 0) for row in rows.values())
    assert rows["careful"]["elo"] > rows["random"]["elo"]
    assert sum(row["elo"] for row in rows.values()) == pytest.approx(4 * ENTRY_ELO, abs=1e-6)
    assert list(home.iterdir()) == []
