"""An environment without anything of ours, for commands that are called in this process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


def emptied(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    """Unset all variables of ours, and keep what is kept in this folder."""
    for name in list(os.environ):
        if name.startswith("LASTCARD_"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "state"))
