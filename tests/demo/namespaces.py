"""A program in namespaces of its own: with file systems, or a user, that nobody else on this machine has."""

from __future__ import annotations

import subprocess

import pytest

needs_namespaces = pytest.mark.needs("unshare --user --map-root-user --mount true")
"""Some systems have the program and let nobody make any."""


def unshared(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `unshare` with options and a program."""
    return subprocess.run(["unshare", "--user", *words], capture_output=True, text=True, check=False)
