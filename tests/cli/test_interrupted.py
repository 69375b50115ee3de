"""Ctrl-C while a command is still being loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

INTERRUPTED = """
import os, signal, sys

class AtImport:
    def find_spec(self, name, path=None, target=None):
        if name == sys.argv[1]:
            sys.meta_path.remove(self)
            os.kill(os.getpid(), signal.SIGINT)

assert sys.argv[1] not in sys.modules
sys.meta_path.insert(0, AtImport())
from lastcard.cli import main
code = main(["formats", "list"])
assert not any(isinstance(finder, AtImport) for finder in sys.meta_path)
sys.exit(code)
"""


@pytest.mark.parametrize("module", ["lastcard.errors", "typing", "importlib.metadata", "workers.commands", "click"])
def test_ctrl_c_while_modules_are_loaded_ends_quietly(module: str) -> None:
    """Exit code 130 and no traceback, whichever module is loaded at that moment."""
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, module], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


LOADED = "import sys; before = set(sys.modules); import lastcard.cli; print(*sorted(set(sys.modules) - before))"


def test_before_the_command_begins_nothing_else_is_loaded() -> None:
    """It would be loaded where Ctrl-C is a traceback: neither the SDK nor modules of Python that take their time."""
    done = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["__future__", "lastcard", "lastcard.cli"]


def test_ctrl_c_while_an_error_is_told_ends_quietly() -> None:
    """What says it is loaded then, too."""
    code = INTERRUPTED.replace('["formats", "list"]', '["formats", "lost"]')
    command = [sys.executable, "-c", code, "lastcard.console"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")
