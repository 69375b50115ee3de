"""The commands that need nothing but this package. Other rooms have such a table, too (docs/architecture.md 4)."""

from __future__ import annotations

from typing import Final

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    "bot new": ("Write a first bot and its test, ready to run", "lastcard.starter:new"),
}
