"""Where the deployment's files are, and programs that some of them need."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
PLACES = os.pathsep.join([str(Path(sys.prefix) / "bin"), os.environ.get("PATH", os.defpath), "/usr/sbin"])


def program(name: str) -> str:
    """Return the path of a program; tests that ask for it carry `needs(name)`."""
    path = shutil.which(name, path=PLACES)
    assert path is not None, f"{name} is not installed"
    return path


def output(command: Iterable[str | Path], cwd: Path = ROOT) -> str:
    """Run a command that has to succeed; returns what it wrote."""
    words = [str(word) for word in command]
    done = subprocess.run(words, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stdout}"
    return done.stdout


def loaded(path: Path) -> Any:  # noqa: ANN401 (YAML)
    """Return a YAML file's content."""
    return yaml.safe_load(path.read_text("utf-8"))
