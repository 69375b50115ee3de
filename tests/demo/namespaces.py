"""A program in namespaces of its own: with file systems, or a user, that nobody else on this machine has."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

Unshared = Callable[..., "subprocess.CompletedProcess[str]"]


def unshared(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `unshare` with options and a program."""
    return subprocess.run(["unshare", "--user", *words], capture_output=True, text=True, check=False)
