"""The command itself, short: real processes are killed, frozen, stopped and cut off, and everything holds."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _chaos(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tests.chaos", *options]
    return subprocess.run(command, cwd=ROOT, env=dict(os.environ), capture_output=True, text=True, check=False)


@pytest.mark.needs("redis-server")
def test_every_match_ends_as_if_nothing_had_happened() -> None:
    """Eight deeds, some of which hit referees and some the store: no invariant breaks, and the summary says so."""
    done = _chaos("--seed", "4", "--faults", "8")
    *_, summary = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout + done.stderr[-3_000:]
    assert summary.startswith("chaos: seed 4: ")
    assert "8 deeds" in summary
    assert "0 invariants broken" in summary


@pytest.mark.needs("redis-server")
def test_a_planted_bug_is_found_and_named() -> None:
    """Who lets effects out before the log has them is found out as soon as the way to the store is held up.

    When exactly a deed hits is up to the machine: one that hits between two acts shows nothing, twenty-two will not.
    """
    done = _chaos("--seed", "4", "--faults", "22", "--deeds", "hold", "cut", "--bug", "effect before append")
    assert done.returncode == 1, done.stdout + done.stderr[-3_000:]
    assert "[seen]" in done.stdout
    kept = re.search("logs of all processes: (.*); again: ", done.stdout)
    assert kept
    shutil.rmtree(kept[1])


@pytest.mark.parametrize(
    "options",
    [
        pytest.param(["--faults", "-1"], id="fewer than no deeds"),
        pytest.param(["--faults", "3", "--minutes", "1"], id="two lengths"),
        pytest.param(["--referees", "0"], id="nobody to hit"),
        pytest.param(["--bug", "rain"], id="no such bug"),
        pytest.param(["--deeds", "rain"], id="no such deed"),
        pytest.param(["--weather", "rain"], id="what it does not know"),
    ],
)
def test_bad_options_are_refused_with_a_sentence(options: list[str]) -> None:
    """Exit 2 before anything is started."""
    done = _chaos(*options)
    assert done.returncode == 2
    assert "./dev chaos: error: " in done.stderr
