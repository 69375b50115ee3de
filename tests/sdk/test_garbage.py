"""Processes of ours look for garbage rarely, and whoever calls a command in its own process keeps its own way."""

from __future__ import annotations

import gc
import subprocess
import sys
from contextlib import suppress

import pytest

from lastcard.garbage import COLLECT_AFTER, collected_rarely


def test_what_was_set_before_comes_back() -> None:
    """Also where the block ends by an error."""
    before, within = gc.get_threshold(), list[object]()
    with suppress(ValueError), collected_rarely():
        within.append(gc.get_threshold())
        within.remove("what is not there")
    assert within == [COLLECT_AFTER]
    assert gc.get_threshold() == before


def test_a_command_is_loaded_while_garbage_is_looked_for_rarely() -> None:
    """From its first module on, and not longer than it runs."""
    code = """
import gc, lastcard.cli
before, seen = gc.get_threshold(), []
lastcard.cli.dispatch = lambda arguments: seen.append(gc.get_threshold()) or 0
assert lastcard.cli.main([]) == 0
assert gc.get_threshold() == before
print(*seen[0])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(number) for number in COLLECT_AFTER]


def test_what_is_there_when_a_server_begins_is_left_alone() -> None:
    """It is looked through no more, in a process that lives for weeks."""
    code = "import gc; from lastcard.garbage import leave_alone; leave_alone(); print(gc.get_freeze_count())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout) > 1_000


@pytest.mark.parametrize(
    ("given", "frozen"),
    [
        pytest.param("", True, id="the command of its process"),
        pytest.param("['--version']", False, id="a command that a process runs among others"),
    ],
)
def test_a_process_that_is_a_command_ends_without_a_last_look(given: str, *, frozen: bool) -> None:
    """What is still there would be looked through for garbage, and goes back to the system in a moment."""
    code = f"""
import atexit, gc
atexit.register(lambda: print(gc.get_freeze_count() > 1_000))
import lastcard.cli
lastcard.cli.main({given})
"""
    done = subprocess.run([sys.executable, "-c", code, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == str(frozen)
