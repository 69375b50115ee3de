"""What tests/warm.py does: each process of a run prepares files of its own first."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
SETTINGS = """
[pytest]
pythonpath = .
addopts = --import-mode=importlib
asyncio_default_fixture_loop_scope = function
"""
FILE = """
import os
from pathlib import Path

with Path("read").open("a") as file:
    file.write(f"{os.getpid()} {__name__}\\n")

def test_it():
    assert len("abc") == 4
"""


def test_processes_begin_with_different_files_and_read_each_once(tmp_path: Path) -> None:
    """As pytest reads them: what fails is spelled out."""
    (tmp_path / "pytest.ini").write_text(SETTINGS, "utf-8")
    names = ["test_one", "test_two", "test_three", "test_four"]
    for name in names:
        (tmp_path / f"{name}.py").write_text(FILE, "utf-8")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:cloudcoil", "-p", "tests.warm"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([*command, "-n", "2"], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    explained = re.findall(r"^E +\+  where 3 = len\('abc'\)$", done.stdout, re.MULTILINE)  # the summary says it again
    assert (done.returncode, len(explained)) == (1, 4), done.stdout + done.stderr
    read: dict[str, list[str]] = {}
    for line in (tmp_path / "read").read_text("utf-8").splitlines():
        process, _, name = line.partition(" ")
        read.setdefault(process, []).append(name)
    first, second = read.values()
    assert sorted(first) == sorted(second) == sorted(names)
    assert set(first[:2]).isdisjoint(second[:2])
