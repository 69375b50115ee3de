"""Commands are found once: what is installed does not change while tests run, and reading it takes as long as many."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points

import pytest

remembered = cache(entry_points)


@pytest.fixture(autouse=True)
def commands_found_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remember which commands there are from one call of `main` to the next."""
    monkeypatch.setattr("lastcard.cli.entry_points", remembered)
