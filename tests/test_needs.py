"""What tests/conftest.py does to a run: programs that are missing or may not do their work, and the order of files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import FIRST

pytestmark = pytest.mark.slow
TESTS = """
import pytest

@pytest.mark.needs("no-such-tool")
def test_one(): ...

@pytest.mark.needs("sh", "no-such-tool")
def test_two(): ...

@pytest.mark.needs("sh")
def test_three(): ...
"""


NAMESPACES = """
from tests.demo.namespaces import needs_namespaces, unshared

@needs_namespaces
def test_them():
    assert unshared("--map-root-user", "true").returncode == 0
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    """Return a folder with this suite's conftest and three tests."""
    shutil.copy(Path(__file__).with_name("conftest.py"), tmp_path)
    (tmp_path / "test_tools.py").write_text(TESTS, "utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = needs\n", "utf-8")
    return tmp_path


def run(suite: Path, **ci: str) -> subprocess.CompletedProcess[str]:
    env = {name: value for name, value in os.environ.items() if name not in {"CI", "LASTCARD_CI"}} | ci
    env["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    return subprocess.run(command, env=env, cwd=suite, capture_output=True, text=True, check=False)


def test_a_missing_program_is_a_skip_that_the_last_line_names(suite: Path) -> None:
    """With the number of tests that it kept from running."""
    done = run(suite)
    assert done.returncode == 0
    assert "1 passed, 2 skipped" in done.stdout
    assert done.stdout.splitlines()[-1] == "skipped tests that need a program: no-such-tool (2)"


@pytest.mark.parametrize(
    "variable", [pytest.param({"CI": "true"}, id="CI"), pytest.param({"LASTCARD_CI": "1"}, id="LASTCARD_CI")]
)
def test_a_missing_program_is_a_failure_in_ci(suite: Path, variable: dict[str, str]) -> None:
    """There all of them have to be installed."""
    done = run(suite, **variable)
    assert done.returncode == 1
    assert "1 passed, 2 errors" in done.stdout or "2 failed, 1 passed" in done.stdout
    assert "needs the program no-such-tool" in done.stdout


@pytest.fixture
def forbidden(suite: Path) -> dict[str, str]:
    """Have one test, of namespaces; returns the environment of a system that lets nobody make any."""
    (suite / "test_tools.py").write_text(NAMESPACES, "utf-8")
    program = suite / "bin" / "unshare"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho unshare: Operation not permitted >&2\nexit 1\n", "utf-8")
    program.chmod(0o755)
    return {"PATH": os.pathsep.join([str(program.parent), os.environ["PATH"]])}


def test_namespaces_that_a_system_forbids_are_a_skip_that_the_last_line_names(
    suite: Path, forbidden: dict[str, str]
) -> None:
    """The program is there, and what it is asked to do is not."""
    done = run(suite, **forbidden)
    assert (done.returncode, "1 skipped" in done.stdout) == (0, True)
    last = "skipped tests that need a program: unshare --user --map-root-user --mount true (1)"
    assert done.stdout.splitlines()[-1] == last


def test_namespaces_that_a_system_forbids_are_a_failure_in_ci(suite: Path, forbidden: dict[str, str]) -> None:
    """It says why."""
    done = run(suite, LASTCARD_CI="1", **forbidden)
    assert done.returncode == 1
    assert "unshare: Operation not permitted: needs the program unshare --user" in done.stdout


def test_files_that_are_begun_first_are_there() -> None:
    """A file that was renamed is renamed in that list, too."""
    here = Path(__file__).parent
    assert [name for name in FIRST if not (here / name).exists()] == []
