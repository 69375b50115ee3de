"""Plants a mutant in a copy of the tree and runs the tests of the rules on it."""

from __future__ import annotations

import compileall
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from typing import Final, Protocol

ROOT: Final = Path(__file__).parents[2]
COPIED: Final = ("referee", "ladder", "lastcard", "tests", "docs", "proto", "pyproject.toml")
COMPILED: Final = ("referee", "lastcard", "tests/rules", "tests/mutate")
LEFT_OUT: Final = shutil.ignore_patterns("__pycache__", "demo", "deploy", "web", "live", "simulate", "static", "*.pyc")
QUICK_S: Final = 60
TESTS_S: Final = 600
QUICK: Final = ("-m", "tests.mutate.quick")
# What tells most in the least time comes first.
RUN: Final = (
    *(
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-m",
        "not slow and not soak and not nightly and not thorough",
    ),
    *(
        "tests/rules/test_faults.py",
        "tests/rules/test_uno.py",
        "tests/rules/test_game.py",
        "tests/rules/test_view.py",
        "tests/rules/test_options.py",
    ),
    *("tests/rules/spin", "tests/rules/duo", "tests/rules/dos", "tests/rules/test_laws.py", "tests/rules"),
    # Not what reads the text of the rules, or what a copy does not have.
    *("--ignore=tests/rules/luck", "--ignore=tests/rules/test_mutants.py", "--ignore=tests/rules/test_one_table.py"),
    "--ignore=tests/rules/test_deals_elsewhere.py",
)


class Planted(Protocol):
    """Anything that changes one file."""

    @property
    def name(self) -> str:
        """Unique."""

    @property
    def path(self) -> str:
        """The file, from the root."""

    def applied(self, root: Path) -> str:
        """The text of the file with the fault in it."""


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a mutant: by what it was found, or that it survived."""

    name: str
    killed: bool
    by: str


class SickTreeError(Exception):
    """Tests fail though no fault is planted: nothing can be said about mutants."""


class Copy:
    """A copy of what the tests of the rules need."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=LEFT_OUT)
            else:
                shutil.copy(source, folder / name)
        for name in COMPILED:  # by content, so that a changed file is never taken for the old one
            compileall.compile_dir(folder / name, quiet=2, invalidation_mode=PycInvalidationMode.CHECKED_HASH)

    def check(self, *, thorough: bool) -> None:
        """See that the same tests find nothing while nothing is planted.

        Raises:
            SickTreeError: they do.
        """
        if found := self._run(QUICK, QUICK_S) or (thorough and self._run(RUN, TESTS_S)):
            raise SickTreeError(found)

    def try_out(self, mutant: Planted, *, thorough: bool) -> Fate:
        """Plant a mutant, run what is quick and, if that finds nothing and it shall be `thorough`, all tests."""
        file = self.folder / mutant.path
        text = file.read_text("utf-8")
        file.write_text(mutant.applied(ROOT), "utf-8")
        try:
            found = self._run(QUICK, QUICK_S)
            if not found and thorough:
                found = self._run(RUN, TESTS_S)
        finally:
            file.write_text(text, "utf-8")
        return Fate(mutant.name, bool(found), found or "nothing")

    def _run(self, arguments: tuple[str, ...], seconds: float) -> str:
        """Run Python in the copy; returns by what it failed, empty if it did not."""
        env = os.environ | {
            "PYTHONPATH": str(self.folder),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_DATABASE": "none",
        }
        try:
            done = subprocess.run(
                [sys.executable, *arguments],
                cwd=self.folder,
                env=env,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return f"no end after {seconds:.0f} s"
        return "" if done.returncode == 0 else _reason(done.stdout + done.stderr)


def _reason(output: str) -> str:
    """The line of an output that names what failed."""
    lines = [line for line in output.splitlines() if line.strip()]
    named = [
        line for line in lines if line.startswith(("FAILED", "ERROR", "scenario", "record", "false record", "golden"))
    ]
    return (named or lines or ["an exit without a word"])[0 if named else -1][:160]
