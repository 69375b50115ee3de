"""A file of formats in which nothing is wrong, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

GOOD = """\
# what we play on Thursdays
[format.thursday-3]
preset = "classic"
seats = 3
options = { target_score = 200, stacking = "SAME" }
clock = { decision_ms = 3_000 }
deals = "mirrored"
outcome = "game_order"

[format.short-dos]
preset = "dos"
seats = 2
clock = "fast"

[format.short-dos.options]
target_score = 0
hand_size = 5

[format.plain-duo]
preset = "duo"
"""

Write = Callable[[str], Path]
"""Writes a file of formats."""


def changed(old: str, new: str) -> str:
    """The good file with something else in it."""
    assert old in GOOD
    return GOOD.replace(old, new, 1)
