"""Reasons, which people type and others read: on terminals, on pages, in the audit. Pure."""

from __future__ import annotations

from typing import Final

__all__ = ["MOST_REASON", "told"]

MOST_REASON: Final = 200
UNSEEN: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that nobody sees: fillers of Hangul, and the Braille cell without dots."""


def told(text: str) -> str:
    """Return a reason as one line that does nothing to a terminal; empty where nothing of it can be seen.

    What controls a terminal, turns the direction of writing or takes no room becomes a space.
    """
    seen = "".join(one if one.isprintable() and one not in UNSEEN else " " for one in text)
    return " ".join(seen.split())
