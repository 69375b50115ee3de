"""What tests/cost.py does to a quick run: slow files are not read, and a file that is slow and hides it is named."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
CONFTEST = """
from tests import cost

cost.SLOW_S = 0.3
"""
BUSY = """
import time

def test_it():
    while time.process_time() < {until}:
        pass
"""
MARKED = """
import pytest

pytestmark = [pytest.mark.slow]
assert False, "this file was read"
"""
MANY = """
import pytest

@pytest.mark.sample(2)
@pytest.mark.parametrize("case", range(4))
def test_many(case):
    print(f"<{case}>")

@pytest.mark.sample(2)
@pytest.mark.parametrize("case", range(1))
def test_few(case):
    print(f"<{case}>")
"""

THOROUGH = """
import pytest

@pytest.mark.thorough
def test_long():
    pass

def test_short():
    pass
"""
ELSEWHERE = """
import marks

@marks.LONG
def test_long():
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Return a folder with a file that takes long, one that does not and one that is marked."""
    (tmp_path / "conftest.py").write_text(CONFTEST, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n", "utf-8")
    (tmp_path / "test_idle.py").write_text(BUSY.format(until=0), "utf-8")
    (tmp_path / "test_marked.py").write_text(MARKED, "utf-8")
    (tmp_path / "test_unmarked.py").write_text(
        "START = __import__('time').process_time()" + BUSY.format(until="START + 0.5"), "utf-8"
    )
    return tmp_path


def run(suite: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:cloudcoil", "-p", "tests.cost"]
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    return subprocess.run([*command, *words], env=env, cwd=suite, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("processes", [pytest.param((), marks=pytest.mark.nightly), ("-n", "2")])
def test_a_quick_run_ends_with_the_files_that_hide_that_they_are_slow(suite: Path, processes: tuple[str, ...]) -> None:
    """Those and no others, whichever process ran them; what says that it is slow is not even read."""
    done = run(suite, "-m", "not slow", *processes)
    assert (done.returncode, "2 passed" in done.stdout) == (0, True), done.stdout + done.stderr
    named = [line for line in done.stdout.splitlines() if "mark it" in line]
    assert [line.partition(" took ")[0] for line in named] == ["test_unmarked.py"]


def test_any_other_run_reads_everything_and_names_nothing(suite: Path) -> None:
    """There it is no matter what a file takes."""
    done = run(suite)
    assert (done.returncode, "this file was read" in done.stdout, "mark it" in done.stdout) == (2, True, False)


@pytest.mark.parametrize(
    ("words", "cases"),
    [pytest.param("not nightly", [0, 1, 0], id="by day"), pytest.param("nightly", [2, 3], id="at night")],
)
def test_a_sample_leaves_the_other_cases_to_the_night(tmp_path: Path, words: str, cases: list[int]) -> None:
    """Each test has a sample of its own."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n  sample\n  slow\n  nightly\n", "utf-8")
    (tmp_path / "test_many.py").write_text(MANY, "utf-8")
    done = run(tmp_path, "-m", words, "--strict-markers", "-s")
    assert [int(case) for case in re.findall(r"<(\d)>", done.stdout)] == cases, done.stdout


def test_a_thorough_run_reads_what_says_that_it_is_thorough(suite: Path) -> None:
    """And runs of that what is."""
    (suite / "pytest.ini").write_text("[pytest]\nmarkers =\n  slow\n  thorough\n", "utf-8")
    (suite / "test_thorough.py").write_text(THOROUGH, "utf-8")
    done = run(suite, "-m", "thorough")
    assert (done.returncode, "1 passed, 1 deselected" in done.stdout) == (0, True), done.stdout + done.stderr


@pytest.mark.parametrize("words", [(), ("-n", "1")], ids=["in one process", "in another"])
def test_a_thorough_test_whose_file_does_not_say_so_ends_every_run(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A thorough run would not read it."""
    (tmp_path / "pytest.ini").write_text("[pytest]\npythonpath = .\nmarkers = thorough\n", "utf-8")
    (tmp_path / "marks.py").write_text("import pytest\n\nLONG = pytest.mark.thorough\n", "utf-8")
    (tmp_path / "test_elsewhere.py").write_text(ELSEWHERE, "utf-8")
    done = run(tmp_path, *words)
    said = "test_elsewhere.py::test_long is thorough, and its file does not say so"
    assert (done.returncode != 0, said in done.stdout + done.stderr) == (True, True), done.stdout + done.stderr
