"""`./dev` that is interrupted while it sets up: nothing of it is left running."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S, until_true
from tests.test_dev import copied, write_uv

pytestmark = pytest.mark.slow

UV = """#!/bin/sh
echo $$ >> pids
exec sleep 600
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """Return a folder with what set-up reads, and nothing that a command could run."""
    return copied(tmp_path)


@pytest.fixture
def setting_up(clone: Path) -> Iterator[subprocess.Popen[str]]:
    """A `./dev` in the middle of its set-up: its uv does not come to an end."""
    with begun(clone) as process:
        yield process


@contextlib.contextmanager
def begun(clone: Path, *before: str) -> Iterator[subprocess.Popen[str]]:
    """Begin a `./dev` whose uv does not come to an end, with these words before its own."""
    write_uv(clone, UV)
    env = {"PATH": f"{clone / 'programs'}:/usr/bin:/bin", "HOME": str(clone / "no-such-home")}
    with subprocess.Popen(
        [*before, sys.executable, str(clone / "dev"), "run", "true"], env=env, cwd=clone, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        pids = clone / "pids"
        try:
            until_true(lambda: pids.exists() and pids.read_text().endswith("\n"))
            yield process
        finally:
            for pid in pids.read_text().split() if pids.exists() else ():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(int(pid), signal.SIGKILL)
            process.kill()


def _lives(pid: str) -> bool:
    """Return whether a process runs: one that nobody has waited for does not."""
    with contextlib.suppress(FileNotFoundError):
        return " Z " not in Path(f"/proc/{pid}/stat").read_text()
    return False


@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(signal.SIGINT, 130, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, 143, id="kill"),
        pytest.param(signal.SIGHUP, 129, id="closed terminal"),
    ],
)
def test_who_interrupts_the_set_up_leaves_nothing_running(
    setting_up: subprocess.Popen[str], clone: Path, number: signal.Signals, code: int
) -> None:
    """The installer ends with it, and no traceback of anybody is seen."""
    os.killpg(setting_up.pid, number)
    _, told = setting_up.communicate(timeout=PATIENCE_S)
    assert setting_up.returncode == code
    assert "Traceback" not in told
    assert not any(_lives(pid) for pid in (clone / "pids").read_text().split())


HASTY = """
import os, signal, subprocess, sys
from importlib.machinery import SourceFileLoader
from types import ModuleType

began = subprocess.Popen._execute_child

def hasty(process, *words):
    began(process, *words)
    os.kill(os.getpid(), signal.Signals[sys.argv[1]])

dev = ModuleType("dev")
dev.__file__ = sys.argv[2]
SourceFileLoader("dev", sys.argv[2]).exec_module(dev)
subprocess.Popen._execute_child = hasty
signal.signal(signal.SIGTERM, dev.ended)
dev.tried(["sleep", "600"])
"""


@pytest.mark.parametrize(("number", "code"), [("SIGINT", -signal.SIGINT), ("SIGTERM", 128 + signal.SIGTERM)])
def test_who_interrupts_as_the_installer_begins_leaves_nothing_running(clone: Path, number: str, code: int) -> None:
    """The signal comes when the installer runs and `./dev` has not heard of it yet."""
    words = [sys.executable, "-c", HASTY, number, str(clone / "dev")]
    log = clone / "told"
    with log.open("w") as told:
        done = subprocess.run(words, cwd=clone, stderr=told, start_new_session=True, timeout=PATIENCE_S, check=False)
    left = [int(pid.name) for pid in Path("/proc").glob("[0-9]*") if _works_in(clone, pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert left == []
    assert done.returncode == code, log.read_text()


def _works_in(folder: Path, process: Path) -> bool:
    """Return whether a process, as `/proc` has it, runs in a folder."""
    with contextlib.suppress(OSError):
        return (process / "cwd").readlink() == folder.resolve()
    return False


def test_a_set_up_that_is_to_outlive_its_terminal_does(clone: Path) -> None:
    """`nohup ./dev demo &`: the closed terminal says nothing to it, and it ends as its installer does."""
    with begun(clone, "nohup") as process:
        os.killpg(process.pid, signal.SIGHUP)
        (pid,) = (clone / "pids").read_text().split()
        assert _lives(pid)
        os.kill(int(pid), signal.SIGTERM)
        _, told = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, "install uv and try again" in told) == (2, True)


def test_an_installer_that_outlives_its_script_is_waited_for(setting_up: subprocess.Popen[str], clone: Path) -> None:
    """Who kills `./dev` alone leaves the installer at work; the next one does not work beside it."""
    setting_up.kill()
    setting_up.wait()
    (pid,) = (clone / "pids").read_text().split()
    assert _lives(pid)
    env = {"PATH": "/usr/bin:/bin", "HOME": str(clone / "no-such-home")}
    log, command = clone / "second.log", [sys.executable, str(clone / "dev"), "run", "true"]
    with log.open("w") as said, subprocess.Popen(command, env=env, cwd=clone, stderr=said) as second:
        try:
            until_true(lambda: log.read_text().endswith("\n") or second.poll() is not None)
            assert "waiting for another ./dev" in log.read_text()
        finally:
            second.kill()
